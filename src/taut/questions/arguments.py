"""The table of arguments: stage, width, meaning and unit of every vector that a function can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from taut.graph.stage import Stage


class Coordinates(Protocol):
    """The numbers of positions and rates of a robot."""

    @property
    def nq(self) -> int:
        """Positions."""

    @property
    def nv(self) -> int:
        """Rates."""


def _positions(robot: Coordinates) -> int:
    return robot.nq


def per_rate(robot: Coordinates) -> int:
    """Return nv: the width of an argument with one entry per rate."""
    return robot.nv


@dataclass(frozen=True)
class Argument:
    """A vector that functions take.

    Attributes:
        name: of the vector; its symbols are the name followed by 1, 2, ...
        stage: from which its entries are known.
        meaning: for comments in generated code, with units.
        width: number of entries for a robot.
        entries: names of the entries, where they do not belong to joints.
        latex: its symbol in formulas.
        size: of its entries, for trials.
    """

    name: str
    stage: Stage
    meaning: str
    width: Callable[[Coordinates], int] = per_rate
    entries: tuple[str, ...] = ()
    latex: str = ""
    size: float = 1.0


PARAMETERS_OF_A_LOAD = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")

ARGUMENTS: dict[str, Argument] = {
    argument.name: argument
    for argument in (
        Argument(
            "q",
            Stage.CONFIGURATION,
            "joint positions [rad or m]; of a free joint x y z [m] and the unit quaternion qx qy qz qw",
            width=_positions,
            latex="q",
        ),
        Argument(
            "qd",
            Stage.VELOCITY,
            "joint rates [rad/s or m/s]; of a free joint its linear, then its angular velocity in its own axes",
            latex=r"\dot q",
        ),
        Argument("qdd", Stage.ACCELERATION, "joint accelerations [rad/s^2 or m/s^2]", latex=r"\ddot q"),
        Argument("tau", Stage.APPLIED, "joint torques [N m] or forces [N]", latex=r"\tau"),
        Argument(
            "load",
            Stage.CONFIGURATION,
            "m mx my mz Ixx Ixy Iyy Ixz Iyz Izz of the load about the frame's origin, in its axes [kg, kg m, kg m^2]",
            width=lambda _: len(PARAMETERS_OF_A_LOAD),
            entries=PARAMETERS_OF_A_LOAD,
        ),
        Argument("p", Stage.VELOCITY, "generalised momenta M qd [kg m^2/s or kg m/s]", latex="p"),
        Argument("after", Stage.APPLIED, "joint positions after the step [rad or m]", latex="q'"),
        Argument(
            "dt",
            Stage.APPLIED,
            "length of the time step [s]",
            width=lambda _: 1,
            entries=("dt",),
            latex=r"\Delta t",
            size=5e-3,
        ),
        Argument(
            "pose",
            Stage.CONFIGURATION,
            "the first three rows of the 4x4 pose of the frame in the world, one after the other [m]",
            width=lambda _: 12,
            entries=tuple(f"{letter}{k}" for k in (1, 2, 3) for letter in "xyzp"),
        ),
        Argument("qd_r", Stage.VELOCITY, "reference rates of a control law [rad/s or m/s]", latex=r"\dot q_r"),
        Argument(
            "qdd_r",
            Stage.ACCELERATION,
            "reference accelerations of a control law [rad/s^2 or m/s^2]",
            latex=r"\ddot q_r",
        ),
        Argument("qddd", Stage.JERK, "third derivatives of the joint positions [rad/s^3 or m/s^3]", latex=r"q^{(3)}"),
        Argument("qdddd", Stage.SNAP, "fourth derivatives of the joint positions [rad/s^4 or m/s^4]", latex=r"q^{(4)}"),
    )
}
"""Every argument by name."""


def meaning(name: str) -> str:
    """Return what an argument is, for a comment."""
    return ARGUMENTS[name].meaning if name in ARGUMENTS else "given"


def latex(name: str) -> str:
    """Return the symbol of an argument in formulas; empty where it has none of its own."""
    return ARGUMENTS[name].latex if name in ARGUMENTS else ""


def size_of(name: str) -> float:
    """Return the size of an argument's entries, for trials; 1 where it has none of its own."""
    return ARGUMENTS[name].size if name in ARGUMENTS else 1.0
