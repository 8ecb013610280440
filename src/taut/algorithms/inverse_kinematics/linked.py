"""Two angles from two linear equations, and two circles of which a turn brings a point of one onto the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from taut.algorithms.inverse_kinematics.conics import common_points
from taut.algorithms.inverse_kinematics.constants import Constants
from taut.algorithms.inverse_kinematics.subproblems import angle_between, on_line
from taut.spatial import Scalar, Vec3, cos, sin

VANISHES = 1e-9
"""Part of the arm's reach, or sine of an angle, below which a coefficient counts as zero."""

Line = tuple[Scalar, Scalar, Scalar]
"""(a, b, c) of a cos q + b sin q + c."""


@dataclass(frozen=True)
class Circle:
    """The places middle + across cos q + beside sin q."""

    middle: Vec3
    across: Vec3
    beside: Vec3

    def along(self, h: Vec3) -> Line:
        """Return the height of the places along a direction."""
        return h.dot(self.across), h.dot(self.beside), h.dot(self.middle)

    def half_square(self, o: Vec3) -> Line:
        """Return half of the squared distance of the places from a point."""
        far = self.middle - o
        return far.dot(self.across), far.dot(self.beside), (far.dot(far) + self.across.dot(self.across)) / 2

    def at(self, q: Scalar) -> Vec3:
        """Return the place at an angle."""
        return self.middle + self.across * cos(q) + self.beside * sin(q)


def circle_about(k: Vec3, p: Vec3, x: Vec3, sense: int = 1) -> Circle:
    """Return the places of a point x that turns about the direction k through p, backwards for ``sense`` -1."""
    middle = p + k * k.dot(x - p)
    return Circle(middle, x - middle, k.cross(x - middle) * sense)


def linked(
    of: Constants, first: Sequence[Line], second: Sequence[np.ndarray], sizes: Sequence[float]
) -> Iterator[tuple[Scalar, Scalar, Scalar]]:
    """Yield the four pairs (q, r) of angles with first_k(q) = second_k(r) for k = 1, 2, and what each pair lacks.

    Args:
        of: makes constants.
        first: two lines over the first angle.
        second: two lines over the second one, numbers of the arm.
        sizes: of the numbers of each line, for what counts as zero.
    """
    B = np.array([line[:2] for line in second])
    gone = [k for k in range(2) if np.abs(B[k]).max() < VANISHES * sizes[k]]
    if gone:  # one equation has the first angle alone
        [k] = gone
        a, b, c = first[k]
        scale = of.number(1 / sizes[k] ** 2)
        pair = on_line(a, b, of.number(float(second[k][2])) - c)
        for q in pair.angles:
            e, f, g = first[1 - k]
            value = e * cos(q) + f * sin(q) + g - of.number(float(second[1 - k][2]))
            other = on_line(of.number(float(B[1 - k, 0])), of.number(float(B[1 - k, 1])), value)
            for r in other.angles:
                yield q, r, pair.lack * scale + other.lack * of.number(1 / sizes[1 - k] ** 2)
        return
    inverse = [[of.number(float(x)) for x in row] for row in np.linalg.inv(B)]
    rest = [line[2] - of.number(float(known[2])) for line, known in zip(first, second, strict=True)]
    G = [[-(row[0] * first[0][j] + row[1] * first[1][j]) for j in range(2)] for row in inverse]
    yield from common_points(G, [row[0] * rest[0] + row[1] * rest[1] for row in inverse])


def turned_together(
    of: Constants, k: np.ndarray, o: np.ndarray, first: Circle, second: Circle, known: Circle, reach: float
) -> Iterator[tuple[Scalar, Scalar, Scalar, Scalar]]:
    """Yield (q, turn, r, lack): turned about k through o, the place of the second circle at r is the first's at q.

    Args:
        of: makes constants.
        k: direction of the axis.
        o: point of the axis; the point where it meets the axis of the second circle if there is one.
        first: depends on the pose.
        second: belongs to the arm, in constants of the formulas.
        known: the same in numbers.
        reach: of the arm [m].
    """
    axis, point = of.vector(k), of.vector(o)
    lines = [known.along(Vec3(*k)), known.half_square(Vec3(*o))]
    second_lines = [np.array([float(x) for x in line]) for line in lines]
    found = linked(of, [first.along(axis), first.half_square(point)], second_lines, (reach, reach**2))
    for q, r, lack in found:
        yield q, angle_between(axis, second.at(r) - point, first.at(q) - point), r, lack
