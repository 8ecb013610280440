"""The geometric Jacobian in chosen axes at a chosen point, exact; and the choice that leaves the most zeros.

Column j is the velocity that joint j gives the last link, seen at a point P of it:

.. math:: v_j = z_j \\times (P - O_j),\\; w_j = z_j \\quad\\text{(turning)}, \\qquad v_j = z_j,\\; w_j = 0
          \\quad\\text{(sliding)}

Linear and angular rows may be in the axes of different links: a rotation of three rows changes no rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from flint import fmpq, fmpq_mat

from taut.closed_form.chain import Chain, Point
from taut.closed_form.structure import Block, blocks
from taut.errors import UnsupportedError
from taut.polynomials.algebra import Polynomial
from taut.polynomials.chain_ring import length
from taut.spatial import Vec3

ROWS = ("vx", "vy", "vz", "wx", "wy", "wz")
Matrix = list[list[Polynomial]]


@dataclass(frozen=True)
class Jacobian:
    """J of the last link at a point.

    Attributes:
        chain: the arm.
        point: where the linear velocity is taken.
        linear_axes: number of the axes of rows vx, vy, vz; 0 is the world.
        angular_axes: of rows wx, wy, wz.
        matrix: six rows of canonical polynomials, a column for each joint.
    """

    chain: Chain
    point: Point
    linear_axes: int
    angular_axes: int
    matrix: Matrix

    @cached_property
    def moving_rows(self) -> tuple[int, ...]:
        """Rows that are not zero whatever the joints do."""
        return tuple(k for k, row in enumerate(self.matrix) if any(x != 0 for x in row))

    @property
    def zeros(self) -> int:
        """Entries that vanish identically."""
        return sum(x == 0 for row in self.matrix for x in row)

    def rank(self, rows: Sequence[int] | None = None) -> int:
        """Return the rank at a general configuration: exact, at one random rational point."""
        chosen = range(6) if rows is None else rows
        point = _sample(self.chain)
        entries = [[self.chain.ring.values(point, x) for x in self.matrix[k]] for k in chosen]
        return int(fmpq_mat(entries).rank()) if entries else 0

    @cached_property
    def point_name(self) -> str:
        """The point by what is special about it: where the last axes meet, else its own name."""
        numbers = [
            number
            for j, number in enumerate(self.chain.numbers)
            if self.chain.links[j].pure_turn and all(self.matrix[k][j] == 0 for k in range(3))
        ]
        return "wrist centre" if len(numbers) == 3 and numbers[-1] == self.chain.numbers[-1] else self.point.name

    def where(self) -> str:
        """Say what the rows are."""
        chain = self.chain
        linear, angular = chain.axes_name(self.linear_axes), chain.axes_name(self.angular_axes)
        axes = f"axes of {linear}" if linear == angular else f"v in axes of {linear}, w in axes of {angular}"
        return f"velocity of {chain.frame.name} at the {self.point_name}, {axes}"


def jacobian(chain: Chain, point: Point, linear_axes: int, angular_axes: int) -> Jacobian:
    """Return J at a point in the axes of two links (or of the world, 0)."""
    rows_v, rows_w = _linear(chain, point, linear_axes), _angular(chain, angular_axes)
    return Jacobian(chain, point, linear_axes, angular_axes, rows_v + rows_w)


def _linear(chain: Chain, point: Point, axes: int) -> Matrix:
    return _as_rows([chain.seen_in(v, j + 1, axes) for j, v in enumerate(_point_velocities(chain, point))])


def _point_velocities(chain: Chain, point: Point) -> list[Vec3]:
    """Return the velocity of the point for a unit rate of each joint, in the joint's own link."""
    velocities = []
    for j in range(chain.n):
        link = chain.links[j]
        v = link.axis if link.pure_slide else link.axis.cross(chain.place_in(point, j + 1))
        velocities.append(Vec3(*(chain.ring.reduced(x) for x in v)))
    return velocities


def _angular(chain: Chain, axes: int) -> Matrix:
    zero = Vec3(0, 0, 0)
    columns = [
        chain.seen_in(link.axis if link.pure_turn else zero, j + 1, axes)
        for j, link in enumerate(chain.links[: chain.n])
    ]
    return _as_rows(columns)


def _as_rows(columns: Sequence[Vec3]) -> Matrix:
    return [list(row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True)
class Task:
    """A square or wide part of a Jacobian: which rows are asked for, and its diagonal blocks if it is square."""

    jacobian: Jacobian
    rows: tuple[int, ...]
    blocks: tuple[Block, ...]

    @property
    def entries(self) -> list[Polynomial]:
        """What is not zero."""
        return [x for k in self.rows for x in self.jacobian.matrix[k] if x != 0]

    @property
    def cost(self) -> tuple[int, int]:
        """How hard it is to invert: work on the blocks, entries."""
        return sum(len(block.rows) ** 3 for block in self.blocks), len(self.entries)

    @property
    def letters(self) -> int:
        """How long it reads."""
        ring = self.jacobian.chain.ring
        return sum(sum(length(ring.shortest(x))) for x in self.entries)


def sparsest(chain: Chain, rows: Sequence[str] | None = None) -> Task:
    """Return the task whose Jacobian falls into the smallest diagonal blocks, over all axes and points.

    Args:
        chain: the arm.
        rows: the velocities to be reached, of vx, vy, vz, wx, wy, wz; by default all that the arm can move, and
            those it can choose freely where it has too few joints for them.
    """
    asked = None if rows is None else _asked(rows)
    tasks: list[Task] = []
    for J in _candidates(chain):
        for chosen in _row_choices(J, asked):
            pattern = [[x != 0 for x in J.matrix[k]] for k in chosen]
            found = blocks(pattern) if len(chosen) == chain.n else []
            if found is not None:
                tasks.append(Task(J, chosen, tuple(found)))
    if not tasks:
        raise UnsupportedError(
            f"the arm cannot choose the velocities {', '.join(rows or ROWS)} freely",
            f"inverse Jacobian of '{chain.tree.name}'",
            "ask for fewer or other rows",
        )
    least = min(task.cost for task in tasks)
    return min((task for task in tasks if task.cost == least), key=lambda task: task.letters)


def _candidates(chain: Chain) -> Iterator[Jacobian]:
    """Yield the Jacobians that may be the shortest, in any axes.

    Six joints reach every velocity of the last link, which any point of it can stand for: that which the most joints
    leave at rest is taken, the wrist centre if there is one. With fewer joints, or more, the point is the frame's.
    """
    points = chain.points if chain.n == 6 else chain.points[:1]
    still = [sum(all(x == 0 for x in v) for v in _point_velocities(chain, point)) for point in points]
    angular = [_angular(chain, axes) for axes in range(chain.n + 1)]
    for point in (point for point, count in zip(points, still, strict=True) if count == max(still)):
        for linear_axes in range(chain.n + 1):
            linear = _linear(chain, point, linear_axes)
            for angular_axes, rows in enumerate(angular):
                yield Jacobian(chain, point, linear_axes, angular_axes, linear + rows)


def _row_choices(J: Jacobian, asked: tuple[int, ...] | None) -> list[tuple[int, ...]]:
    """Return sets of rows to invert: as many as the rank, position first."""
    n = J.chain.n
    if asked is not None:
        return [asked] if J.rank(asked) == len(asked) <= n else []
    moving, rank = J.moving_rows, J.rank()
    if len(moving) == rank:
        return [moving]
    linear = {k for k in moving if k < 3}
    sets = [chosen for chosen in combinations(moving, rank) if J.rank(chosen) == rank]
    preferred = [chosen for chosen in sets if linear <= set(chosen) or set(chosen) <= linear]
    return preferred or sets


def _asked(rows: Sequence[str]) -> tuple[int, ...]:
    for row in rows:
        if row not in ROWS:
            raise UnsupportedError(f"no row '{row}'", "inverse Jacobian", f"choose of {', '.join(ROWS)}")
    return tuple(sorted({ROWS.index(row) for row in rows}))


def _sample(chain: Chain) -> dict[int, fmpq]:
    """Return exact values of the letters at a general configuration: rational points of the circle."""
    ring = chain.ring
    values: dict[int, fmpq] = {}
    for k in range(len(ring.single)):
        t = fmpq(2 * k + 3, 3 * k + 7)
        values[k], values[k + len(ring.angles)] = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    first = 2 * len(ring.angles)
    for k in range(first, len(ring.generators)):
        values[k] = fmpq(5 * (k - first) + 4, 3 * (k - first) + 11)
    return values
