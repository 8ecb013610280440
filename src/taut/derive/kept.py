"""Derived functions kept between runs, by everything that they depend on.

The key is the content of the robot, the options and the source of taut itself, so that a kept function is what the
same derivation would return again. Only searches that ended by their steps are kept: what a clock or a measured time
decided may end elsewhere. The files are in the cache of compiled code, which nobody else can write to, and each is
compared with the hash in its name before it is read.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from taut.derive.function import Function
from taut.derive.tightening.objective import TIMED
from taut.robot import Tree
from taut.robot.content import content
from taut.toolchain.cache import CacheError, found, kept

ENDING = ".function"

LONGEST = 600.0
"""Seconds after which a file that is being written was left by a killed process."""


def kept_function(tree: Tree, options: Mapping[str, Any], derive: Callable[[], Function]) -> Function:
    """Return a function that was derived before with the same options from the same robot, or derive it now.

    Args:
        tree: the robot.
        options: of the derivation, the name of the function included.
        derive: makes the function.
    """
    key = identity(tree, options)
    with suppress(CacheError, OSError):
        file = found(key, ENDING)
        if file is not None:
            function: Function = pickle.loads(file.read_bytes())
            return function
    made = derive()
    if made.reproducible and made.objective != TIMED:

        def write(draft: Path) -> Path:
            file = draft / "function"
            file.write_bytes(pickle.dumps(made))
            return file

        with suppress(CacheError):  # no place to keep it: the next run derives it again
            kept(key, write, LONGEST, ENDING)
    return made


def identity(tree: Tree, options: Mapping[str, Any]) -> str:
    """Return everything that a derived function depends on, as text."""
    return "\n".join([source_hash(), sys.version, repr(content(tree)), repr(sorted(options.items()))])


@cache
def source_hash() -> str:
    """Return the hash of all files of the package: another version derives anew."""
    place = Path(str(files("taut")))
    total = sha256()
    for file in sorted(place.rglob("*")):
        if file.is_file() and file.suffix in (".py", ".c", ".h", ".gz"):
            total.update(f"{file.relative_to(place)}\n".encode() + file.read_bytes())
    return total.hexdigest()
