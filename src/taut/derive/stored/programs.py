"""Reads the programs that come with taut or were found by this user, by the structure of the robot, never by its name.

A file is the text of a program in the symbols of the structural robot (:mod:`taut.derive.stored.structure`). One that
was found for a robot with more constants serves a robot in which some of them are zero or equal as well: the symbols
are replaced and what vanishes is left out. Every caller proves a program for the robot at hand before it uses it.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from taut.analysis.opcount import count
from taut.derive.stored.specialise import specialised
from taut.derive.stored.structure import HIDDEN, Structure
from taut.errors import TautError
from taut.graph.program import Program
from taut.graph.program_text import parse_program
from taut.questions.arguments import ARGUMENTS
from taut.robot.placement import QuarterTurns
from taut.toolchain.cache import CacheError, cache_directory

ENDING = ".txt.gz"
SAFE = "safe"
"""Folder of the programs that are right for all values of their parameters."""


@dataclass(frozen=True)
class StoredProgram:
    """A program that was found before.

    Attributes:
        program: in the symbols of the structural robot at hand.
        about: how it was found, as the file tells it.
        same: whether it was found for this very structure.
    """

    program: Program
    about: Mapping[str, Any]
    same: bool


def folder() -> Path:
    """Return where the programs are; the folder may be missing."""
    return Path(str(files("taut").joinpath("programs")))


def found_folder() -> Path:
    """Return where the programs are that searches of this user have found; the folder may be missing.

    Raises:
        CacheError: where the user has no place for them.
    """
    own = os.environ.get("TAUT_PROGRAMS")
    return Path(own) if own else cache_directory() / "programs"


def file_name(function: str, structure: str) -> str:
    """Return the name of the file of a function for a structure, named as :attr:`Structure.name` has it."""
    return f"{function}.{structure}{ENDING}"


def stored(function: str, structure: Structure, place: Path | None = None) -> list[StoredProgram]:
    """Return the programs that fit a structure, the cheapest first; a file that cannot be read is no program."""
    places = [place or folder()]
    if place is None:
        with suppress(CacheError):
            places.append(found_folder())
    parts = [part for one in places for part in (one, one / SAFE)]
    found = [one for part in parts for one in _fitting(function, structure, part)]
    return sorted(found, key=lambda known: (count(known.program).total, not known.same))


def write_stored(path: Path, program: Program, about: Mapping[str, Any]) -> None:
    """Write a program with what is known about it; the same bytes for the same content."""
    text = f"# {json.dumps(about, sort_keys=True)}\n{program.to_text()}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))


def read_stored(path: Path) -> tuple[Program, dict[str, Any]]:
    """Return a program and what is known about it.

    Raises:
        TautError: where the file is damaged.
    """
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
        about = json.loads(text.partition("\n")[0].removeprefix("# "))
    except (OSError, EOFError, ValueError) as error:
        raise TautError(f"{path.name} is no stored program: {error}") from None
    return parse_program(text), about


def _fitting(function: str, structure: Structure, place: Path) -> Iterator[StoredProgram]:
    own = file_name(function, structure.name)
    for path in sorted(place.glob(f"{function}.{structure.skeleton}.*{ENDING}")):
        try:
            program, about = _read(path, path.stat().st_mtime_ns)
            if path.name != own:
                program = _adapted(program, structure)
            elif _inputs(program) - set(structure.meaning) - _states(structure):
                continue
        except (TautError, OSError, ZeroDivisionError, KeyError):
            continue
        yield StoredProgram(program, about, path.name == own)


@lru_cache(maxsize=64)
def _read(path: Path, _written: int) -> tuple[Program, dict[str, Any]]:
    """Return the program of a file, read again where the file was written again."""
    return read_stored(path)


def _adapted(program: Program, structure: Structure) -> Program:
    """Return the program of a similar structure on the constants of this one.

    Raises:
        KeyError: where it needs what only the other structure has.
        ZeroDivisionError: where it divides by what is zero here.
    """
    graph, states = structure.model.graph, _states(structure)
    meaning = {}
    for name in sorted(_inputs(program) - states):
        value = structure.places[name] if not name.startswith(HIDDEN) else None
        if value is None or isinstance(value, QuarterTurns):
            raise KeyError(name)
        meaning[name] = graph.lift(value)
    return specialised(program, meaning)


def _inputs(program: Program) -> set[str]:
    return {line.data for line in program.lines if line.op == "input"}


def _states(structure: Structure) -> set[str]:
    return {node.name for argument in ARGUMENTS for node in structure.model.symbols(argument)}
