"""The robots that come with taut: one TOML file each, with the source of its numbers."""

from __future__ import annotations

from difflib import get_close_matches
from importlib.resources import files

from taut.errors import InputError


def names() -> tuple[str, ...]:
    """Return the names of the robots, in alphabetical order."""
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def text(name: str) -> str:
    """Return the file of a robot.

    >>> text("panda").splitlines()[0]
    'name = "panda"'
    """
    known = names()
    if name not in known:
        near = get_close_matches(name, known, n=3, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"known robots: {', '.join(known)}"
        raise InputError(f"no robot '{name}' in the library", advice=advice)
    return files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
