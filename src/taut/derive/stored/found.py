"""Programs that searches of this user have found, kept by structure and offered to later derivations.

They are in the folder ``programs`` of the user's cache, or in ``$TAUT_PROGRAMS``. A program is read like one that comes
with taut: whoever reads it proves it for the robot at hand.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from taut.analysis.opcount import count
from taut.derive.stored.programs import ENDING, SAFE, file_name, found_folder, read_stored, write_stored
from taut.errors import TautError
from taut.graph.program import Program


def keep_found(function: str, structure: str, program: Program, generic: bool, about: dict[str, Any]) -> None:
    """Keep a program where it is cheaper than the one that is there, and in any case how many searches there were.

    Args:
        function: what it computes.
        structure: of the robot, as :attr:`taut.derive.stored.structure.Structure.name` has it.
        program: in the symbols of the structural robot.
        generic: whether it may divide by what vanishes for some values of the parameters.
        about: how it was found.
    """
    with suppress(TautError, OSError):  # no place to keep it: the next run searches again
        path = _path(function, structure, generic)
        known, told = _read(path)
        total = count(program).total
        searches = {"searches": told.get("searches", 0) + 1}
        if known is not None and count(known).total <= total:
            program, about = known, told
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        write_stored(draft, program, about | searches)
        draft.replace(path)


def searches_of(function: str, structure: str, generic: bool) -> int:
    """Return how many searches of a function for a structure there were."""
    with suppress(TautError, OSError):
        return int(_read(_path(function, structure, generic))[1].get("searches", 0))
    return 0


def newer_than(path: Path, function: str, structure: str) -> bool:
    """Whether a program was found after a file was written that may serve robots of a structure."""
    skeleton = structure.partition(".")[0]
    with suppress(TautError, OSError):
        written = path.stat().st_mtime_ns
        for place in (found_folder(), found_folder() / SAFE):
            files = place.glob(f"{function}.{skeleton}.*{ENDING}")
            if any(file.stat().st_mtime_ns > written for file in files):
                return True
    return False


def _path(function: str, structure: str, generic: bool) -> Path:
    place = found_folder()
    return (place if generic else place / SAFE) / file_name(function, structure)


def _read(path: Path) -> tuple[Program | None, dict[str, Any]]:
    try:
        return read_stored(path)
    except TautError:
        return None, {}
