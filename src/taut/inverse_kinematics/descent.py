"""Damped Newton steps from many starts as one compiled loop: :file:`descend.c` behind the robot's own step."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from taut.emit.c.module import Module
from taut.inverse_kinematics.newton_step import newton_function
from taut.robot import Tree
from taut.runtime.library import load_fast
from taut.toolchain.compiler import CompilerError


@dataclass(frozen=True)
class Numbers:
    """What a descent goes by: see :mod:`taut.inverse_kinematics.numeric`."""

    tolerance: float
    weight: float
    stall: float
    least: float
    most: float
    iterations: int


class _Limits(ctypes.Structure):
    """``taut_limits`` of descend.c."""

    _fields_ = (
        ("lower", ctypes.c_void_p),
        ("upper", ctypes.c_void_p),
        *((name, ctypes.c_double) for name in ("tolerance", "weight", "stall", "least", "most")),
        ("iterations", ctypes.c_int),
    )


class Descent:
    """The compiled loop of a robot's frame.

    Args:
        tree: a robot whose positions add up, without symbols.
        frame: whose pose is wanted.
        place_only: whether a goal is a place.

    Raises CompilerError where there is no compiler.
    """

    def __init__(self, tree: Tree, frame: str, place_only: bool) -> None:
        function = newton_function(tree, frame, place_only)
        routine = replace(function.routine(baked=True), remarks=())
        module = Module(tree.name, [routine])
        goal, width = (3, 3) if place_only else (12, 6)
        numbers = {"N": tree.nv, "GOAL": goal, "WIDTH": width, "LENGTH": function.shape[0]}
        lines = [f"#define {name} {value}" for name, value in numbers.items()]
        lines.append(f"#define NEWTON {module.prefix}_{routine.name}")
        text = files("taut.inverse_kinematics").joinpath("descend.c").read_text("utf-8")
        run: Any = load_fast("\n".join([module.single_file, *lines, text])).taut_descend
        size, array = ctypes.c_ssize_t, ctypes.c_void_p
        run.argtypes = (ctypes.POINTER(_Limits), size, array, size, array, array, array, array)
        run.restype = None
        self._run = run

    def __call__(
        self,
        q: np.ndarray,
        goals: np.ndarray,
        shared: np.ndarray,
        limits: tuple[np.ndarray, np.ndarray],
        numbers: Numbers,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the positions reached (N, nq), the sizes of their errors and how many starts each pose took.

        Args:
            q: the first start of each pose (N, nq).
            goals: the poses (N, 12 or 3).
            shared: further starts (S, nq), for every pose that is not reached before.
            limits: lower and upper (nq).
            numbers: of the descent.
        """
        best, goals, shared, lower, upper = (np.array(x, dtype=float, order="C") for x in (q, goals, shared, *limits))
        sizes, used = np.empty(len(best)), np.empty(len(best), dtype=np.intp)
        at = _Limits(lower=lower.ctypes.data, upper=upper.ctypes.data, **asdict(numbers))
        given = (len(best), goals.ctypes.data, len(shared), shared.ctypes.data)
        self._run(ctypes.byref(at), *given, best.ctypes.data, sizes.ctypes.data, used.ctypes.data)
        return best, sizes, used


@lru_cache(maxsize=64)
def descent(tree: Tree, frame: str, place_only: bool) -> Descent | None:
    """Return the compiled loop, None where positions do not add up or there is no compiler."""
    if tree.quaternions:
        return None
    try:
        return Descent(tree, frame, place_only)
    except CompilerError:
        return None
