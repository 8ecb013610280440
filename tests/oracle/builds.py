"""The ways in which generated C is compiled for a comparison: compilers, fused multiply-add on and off."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from unittest.mock import patch

import numpy as np

from taut.derive.function import Function
from taut.emit.c import Module
from taut.emit.c.run import run_c

FUSED, PLAIN = ("-O2", "-march=native"), ("-O2", "-ffp-contract=off")
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]

Build = tuple[str, tuple[str, ...]]
"""A compiler and its flags."""

ALL = [(compiler, flags) for compiler in COMPILERS for flags in (FUSED, PLAIN)]
ONE = ALL[:1]


def answers(
    function: Function, states: Mapping[str, np.ndarray], builds: list[Build]
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield, for every build, its name and the function's answers (n, outputs) by its C."""
    routine = function.routine()
    module = Module(function.robot, [routine])
    for compiler, flags in builds:
        with patch.dict(os.environ, {"CC": compiler}):
            yield f"{compiler} {flags[1]}", run_c(module, routine, states, [], flags, batch=False)
