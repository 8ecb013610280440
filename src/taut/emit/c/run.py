"""Compile emitted C and run it on given states."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.emit.backend import NotRun, States
from taut.emit.c.in_double import in_double
from taut.emit.c.module import Module
from taut.emit.rounding import PRECISIONS
from taut.emit.routine import Routine
from taut.toolchain.compiler import CompilerError, load


def run_c(
    module: Module,
    routine: Routine,
    states: States,
    parameters: Sequence[float],
    flags: Sequence[str],
    batch: bool,
    wide: bool = False,
) -> np.ndarray:
    """Return the answers (n, size) of a module compiled here.

    Args:
        module: the C of a robot.
        routine: one of its functions.
        states: in the precision of the module.
        parameters: of a module that reads them at run time.
        flags: for the compiler.
        batch: all states in one call, else one by one.
        wide: whether float code computes in double, its numbers as they are.
    """
    try:
        library = load(in_double(module) if wide else module.single_file, flags)
    except CompilerError as error:
        raise NotRun(str(error)) from None
    dtype = PRECISIONS["double" if wide else module.precision]
    given = [np.ascontiguousarray(states[name], dtype) for name in routine.arguments]
    count = len(given[0])
    answer = np.full((count, routine.size), np.nan, dtype)
    handed: list[Any] = []
    if not module.baked:
        room = sum(len(r.handed_over) for r in module.routines) + 1
        constants = np.zeros(room, dtype)
        handed = [_address(constants)]
        getattr(library, f"{module.prefix}_init")(*handed, _address(np.array([*parameters, 0.0])))
    call = getattr(library, f"{module.prefix}_{routine.name}{'_batch' if batch else ''}")
    call.restype = None
    if batch:
        call(*handed, ctypes.c_size_t(count), *map(_address, given), _address(answer))
    else:
        for k in range(count):
            call(*handed, *(_address(x[k]) for x in given), _address(answer[k]))
    return answer


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
