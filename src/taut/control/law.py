"""What a control law is: gains, the references it follows, and its torque; the same text on numbers and on symbols.

A law is a frozen dataclass. Calling it with a robot, the measured state and the references gives the torque: with a
:class:`taut.Robot` numbers, with a :class:`~taut.derive.traced.TracedRobot` expressions, from which
:func:`law_function` makes the law's twin in C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from taut.derive.function import Function
from taut.derive.traced import TracedRobot, traced
from taut.errors import InputError
from taut.graph.stage import Stage
from taut.questions.quantity import TORQUE, Quantity
from taut.robot import Tree


class Dynamics(Protocol):
    """What a law asks a robot for."""

    def evaluate(self, name: str, *given: Any, frame: str | None = None) -> np.ndarray:
        """Return the answer to a question by name."""

    def gravity(self, q: Any) -> np.ndarray:
        """Return g(q)."""

    def bias(self, q: Any, qd: Any) -> np.ndarray:
        """Return C qd + g."""

    def inverse_dynamics(self, q: Any, qd: Any, qdd: Any) -> np.ndarray:
        """Return M qdd + C qd + g."""

    def forward_dynamics(self, q: Any, qd: Any, tau: Any) -> np.ndarray:
        """Return M^-1 (tau - C qd - g)."""


class Law(Protocol):
    """A control law: a frozen dataclass whose arrays are gains.

    Attributes:
        name: of its function in C.
        references: names of what it follows, of :data:`REFERENCES`.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]
    references: ClassVar[tuple[str, ...]]

    def __call__(self, robot: Dynamics, q: Any, qd: Any, *references: Any) -> np.ndarray:
        """Return the torque for a measured state."""


REFERENCES: dict[str, Callable[[Tree], int]] = {
    "q_ref": lambda tree: tree.nv,
    "qd_ref": lambda tree: tree.nv,
    "qdd_ref": lambda tree: tree.nv,
    "pose_ref": lambda _: 12,
    "twist_ref": lambda _: 6,
    "acceleration_ref": lambda _: 6,
}
"""What laws follow, with its width. A pose is the first three rows of its 4x4 matrix, row by row."""


@dataclass(frozen=True)
class Following:
    """A law and what it is to follow, as ``torque`` of a simulation.

    Attributes:
        law: the control law.
        reference: times (N) -> one array (N, width) a reference of the law.
    """

    law: Law
    reference: Callable[[np.ndarray], tuple[np.ndarray, ...]]


def law_function(tree: Tree, law: Law) -> Function:
    """Return a law as a derived function of q, qd and its references: program, counts, proof, C.

    Its gains are parameters with values, named after the law's fields.
    """
    if not tree.single_axis:
        raise InputError("a free or ball joint has no drive", law.name, "control a robot with one-axis joints alone")
    settings = {f.name: getattr(law, f.name) for f in fields(law)}
    numbers = {key: np.asarray(x, dtype=float) for key, x in settings.items() if not isinstance(x, str | None)}
    for key, value in numbers.items():
        if not np.isfinite(value).all():
            raise InputError(f"{key} holds NaN or infinity", law.name, "give finite gains")
    others = {key: x for key, x in settings.items() if key not in numbers}
    known = (tree, type(law), repr(sorted(others.items())), *(x.tobytes() for x in numbers.values()))
    if known not in _TRACED:
        _TRACED[known] = _traced_law(tree, law, numbers)
    return _TRACED[known]


_TRACED: dict[Any, Function] = {}
"""Laws that were traced before in this process."""


def _traced_law(tree: Tree, law: Law, numbers: dict[str, np.ndarray]) -> Function:
    def compute(robot: TracedRobot, *given: np.ndarray) -> np.ndarray:
        return replace(law, **{key: robot.parameter(key, value) for key, value in numbers.items()})(robot, *given)

    arguments = {"q": (tree.nq, Stage.CONFIGURATION), "qd": (tree.nv, Stage.VELOCITY)}
    arguments |= {name: (REFERENCES[name](tree), Stage.APPLIED) for name in law.references}
    return traced(tree, law.name, compute, arguments, Quantity("tau", "torques", TORQUE), "control law")
