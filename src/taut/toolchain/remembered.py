"""Results that are slow to work out, kept between runs by what they follow from and by the version of taut."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from taut.toolchain.cache import CacheError, found, kept

T = TypeVar("T")

ENDING = ".result"

LONGEST = 600.0
"""Seconds after which a file that is being written was left by a killed process."""


def remembered(identity: str, make: Callable[[], T], ending: str = ENDING) -> T:
    """Return the result of ``make``, from the cache where it was worked out before.

    Args:
        identity: all that the result depends on, besides the version of taut and Python, its kind first.
        make: works the result out; what it raises is not kept.
        ending: of the file's name.
    """
    key = versioned(identity)
    with suppress(CacheError, OSError):
        if (file := found(key, ending)) is not None:
            known: T = pickle.loads(file.read_bytes())
            return known
    made = make()
    with suppress(CacheError):  # no place to keep it: the next run works it out again
        keep(key, made, ending)
    return made


def keep(key: str, made: object, ending: str = ENDING) -> None:
    """Put a result into the cache under a key of :func:`versioned`."""

    def write(draft: Path) -> Path:
        file = draft / "result"
        file.write_bytes(pickle.dumps(made))
        return file

    kept(key, write, LONGEST, ending)


def versioned(identity: str) -> str:
    """Return an identity together with the version of taut and Python: another version works everything out anew."""
    return "\n".join([source_hash(), sys.version, identity])


@cache
def source_hash() -> str:
    """Return the hash of all files of the package."""
    place = Path(str(files("taut")))
    total = sha256()
    for file in sorted(place.rglob("*")):
        if file.is_file() and file.suffix in (".py", ".c", ".h", ".gz"):
            total.update(f"{file.relative_to(place)}\n".encode() + file.read_bytes())
    return total.hexdigest()
