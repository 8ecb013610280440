"""Taut's tight recursions on one arrangement of a robot, in the form in which questions take algorithms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from taut.recursions.second_moment_christoffel import second_moment_christoffel
from taut.recursions.second_moment_derivatives import second_moment_derivatives
from taut.recursions.second_moment_gravity import second_moment_gravity
from taut.recursions.second_moment_matrix import Carrying, second_moment_matrix
from taut.recursions.second_moments import second_moment_torque
from taut.recursions.stretched_axes import stretched, stretched_back, stretched_felt
from taut.robot import Tree
from taut.robot.screws import Screw
from taut.spatial import Vec3

Compute = Callable[..., Any]
"""(robot, q, ...) -> the answer to a question."""


@dataclass(frozen=True)
class Recursions:
    """The second-moment algorithms for one arrangement.

    Attributes:
        bodies: the robot in screw form.
        gravity_acceleration: in the frame the first joints are placed in.
        lags: bodies whose frame does not turn with their joint.
    """

    bodies: Sequence[Screw]
    gravity_acceleration: Vec3
    lags: frozenset[int]

    def torque(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Joint forces, by the recursion."""
        return second_moment_torque(self.bodies, self.gravity_acceleration, Q, QD, QDD, self.lags)

    def at_rest(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Joint forces without motion, by composite first moments."""
        return second_moment_gravity(self.bodies, self.gravity_acceleration, Q, self.lags)

    def matrix(self, _: Tree, Q: Any) -> Any:
        """The mass matrix."""
        return second_moment_matrix(self.bodies, Q, self.lags)

    def matrix_on_stretched_axes(self, _: Tree, Q: Any) -> Any:
        """The mass matrix, forces carried over frames whose axes have other lengths."""
        return second_moment_matrix(self.bodies, Q, self.lags, Carrying(stretched, stretched_back, stretched_felt))

    def symbols(self, _: Tree, Q: Any) -> Any:
        """Christoffel symbols."""
        return second_moment_christoffel(self.bodies, Q, self.lags)

    def derivatives(self, _: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        """Derivatives of the joint forces by q, qd and qdd."""
        return second_moment_derivatives(self.bodies, self.gravity_acceleration, Q, QD, QDD, self.lags)
