"""The robots that come with taut: one TOML file each, with the source of its numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from taut.errors import InputError

FOLDER = Path(__file__).parent
"""Where the files of the robots are."""


def names() -> tuple[str, ...]:
    """Return the names of the robots, in alphabetical order."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


INDEX = "index.json"
"""The file of :func:`index`, which :mod:`taut.report.library_index` writes."""


def index() -> list[dict[str, Any]]:
    """Return one entry per robot: name, degrees of freedom, first letters of its joints' kinds, symbols, source.

    >>> [entry["dof"] for entry in index() if entry["name"] == "delta"]
    [3]
    """
    found: list[dict[str, Any]] = json.loads(FOLDER.joinpath(INDEX).read_text(encoding="utf-8"))
    return found


LOOPS = ("[[loop]]", "[[gear]]", "[[cam]]", "[[rolling]]")
"""Tables of a file that tie joints together."""


def open_chains() -> tuple[str, ...]:
    """Return the names of the robots without loops, gears, cams and rolling.

    >>> "panda" in open_chains(), "delta" in open_chains()
    (True, False)
    """
    return tuple(name for name in names() if not any(table in text(name) for table in LOOPS))


def text(name: str) -> str:
    """Return the file of a robot.

    >>> text("panda").splitlines()[0]
    'name = "panda"'
    """
    known = names()
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=3, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"known robots: {', '.join(known)}"
        raise InputError(f"no robot '{name}' in the library", advice=advice)
    return FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8")
