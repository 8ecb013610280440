"""Derived functions kept between runs, by everything that they depend on.

The key is the content of the robot, the options and the source of taut itself, so that a kept function is what the
same derivation would return again. Only searches that ended by their steps are kept: what a clock or a measured time
decided may end elsewhere. The files are in the cache of compiled code, which no other user can write to, and each is
compared with the hash in its name before it is read.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from taut.derive.function import Function
from taut.derive.stored.found import keep_found, newer_than, searches_of
from taut.derive.tightening.efforts import EFFORTS
from taut.derive.tightening.objective import TIMED
from taut.robot import Tree
from taut.robot.content import content
from taut.toolchain.cache import CacheError, found
from taut.toolchain.remembered import keep, versioned

ENDING = ".function"


def kept_function(
    tree: Tree, options: Mapping[str, Any], derive: Callable[[], Function], again: bool = False
) -> Function:
    """Return a function that was derived before with the same options from the same robot, or derive it now.

    It is derived now as well where a program for robots like this one was found since then.

    Args:
        tree: the robot.
        options: of the derivation, the name of the function included.
        derive: makes the function.
        again: whether to derive it in any case.
    """
    key = identity(tree, options)
    with suppress(CacheError, OSError):
        known, file = _known(key)
        if known is not None and file is not None:
            if not again and not newer_than(file, known.name, known.structure):
                return known
            file.unlink(missing_ok=True)
    made = derive()
    if made.reproducible and made.objective != TIMED:
        with suppress(CacheError):  # no place to keep it: the next run derives it again
            keep(key, made, ENDING)
    return made


def keep_program(made: Function) -> None:
    """Keep the program that a search has found, by structure; see :mod:`taut.derive.stored.found`."""
    if made.structural is not None and made.proof is not None and EFFORTS[made.effort]:
        about = {"function": made.name, "effort": made.effort, "method": made.method, "seed": made.seed}
        keep_found(made.name, made.structure, made.structural, made.generic, about)


def searches_before(tree: Tree, options: Mapping[str, Any]) -> int:
    """Return how many searches there were of a function that is kept; 0 where it is not."""
    with suppress(CacheError, OSError):
        known, _ = _known(identity(tree, options))
        return 0 if known is None else searches_of(known.name, known.structure, known.generic)
    return 0


def _known(key: str) -> tuple[Function | None, Path | None]:
    file = found(key, ENDING)
    return (None if file is None else pickle.loads(file.read_bytes())), file


def identity(tree: Tree, options: Mapping[str, Any]) -> str:
    """Return everything that a derived function depends on, as text."""
    return versioned(f"{content(tree)!r}\n{sorted(options.items())!r}")
