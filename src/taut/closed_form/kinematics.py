"""Forward kinematics, Jacobian and analytic inverse of an arm in closed form: the object a user holds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from taut.closed_form.chain import Chain, Point
from taut.closed_form.inverse import Inverse
from taut.closed_form.jacobian import ROWS, Jacobian, Matrix, Task, jacobian, sparsest
from taut.closed_form.program import (
    function_of,
    identity,
    in_world,
    inverse_nodes,
    prove_determinant,
    prove_forward,
    prove_inverse,
    prove_rows,
    pseudo_inverse_nodes,
    task_nodes,
)
from taut.closed_form.singular import Singularity, singularities
from taut.closed_form.substitution import Nodes, substituted
from taut.closed_form.writing import LATEX, determinant_written, written
from taut.derive.function import Function
from taut.emit.latex_lines import aligned
from taut.errors import InputError, UnsupportedError
from taut.robot import Tree
from taut.spatial import Vec3


def kinematics(tree: Tree, frame: str | None = None, rows: Sequence[str] | None = None) -> Kinematics:
    """Return the kinematics of a frame in closed form.

    Args:
        tree: the robot; the frame has to hang on revolute and prismatic joints.
        frame: whose velocity; the last frame by default.
        rows: the velocities the inverse is to reach, of vx, vy, vz, wx, wy, wz; by default all the arm can move.
    """
    return Kinematics(tree, frame, rows)


class Kinematics:
    """An arm in closed form.

    Attributes:
        chain: the joints that move the frame, and the polynomials everything is written in.
    """

    def __init__(self, tree: Tree, frame: str | None = None, rows: Sequence[str] | None = None) -> None:
        self.chain = Chain(tree, frame)
        self._rows = rows

    @property
    def robot(self) -> str:
        """Name of the robot."""
        return self.chain.tree.name

    @cached_property
    def forward(self) -> Matrix:
        """Pose of the frame in the world, 4 x 4."""
        chain, last = self.chain, self.chain.n + 1
        columns = [chain.seen_in(Vec3(*(int(k == j) for j in range(3))), last, 0) for k in range(3)]
        p = chain.place_in(Point(last, Vec3(0, 0, 0), ""), 0)
        rows = [[*row, x] for row, x in zip(zip(*columns, strict=True), p, strict=True)]
        return [*rows, [chain.ring.zero] * 3 + [chain.ring.one]]

    def jacobian(self, axes: str | None = None, at: str | None = None, angular_axes: str | None = None) -> Jacobian:
        """Return J, [linear; angular], exact.

        Args:
            axes: ``world``, or the link (or the frame) in whose axes to write it; the sparsest choice by default.
            at: the link at whose origin the velocity is taken; the frame's origin by default, or where the last axes
                meet in the sparsest choice.
            angular_axes: other axes for the angular rows.
        """
        if axes is None and at is None and angular_axes is None:
            return self.task.jacobian
        linear = self._axes(axes or "world")
        angular = linear if angular_axes is None else self._axes(angular_axes)
        return jacobian(self.chain, self._point(at), linear, angular)

    @cached_property
    def task(self) -> Task:
        """The rows to invert, in the axes and at the point that leave the smallest blocks."""
        return sparsest(self.chain, self._rows)

    @property
    def redundant(self) -> bool:
        """Whether there are more joints than rows."""
        return len(self.task.rows) < self.chain.n

    @cached_property
    def inverse(self) -> Inverse:
        """J^-1 by blocks; the error of an arm that has none states why."""
        if self.redundant:
            raise UnsupportedError(
                f"{self.chain.n} joints for {len(self.task.rows)} velocities: there is no inverse",
                f"inverse Jacobian of '{self.robot}'",
                "use the right pseudo-inverse J^T (J J^T)^-1, inverse_function()",
            )
        return Inverse(self.task)

    @property
    def determinant(self) -> str:
        """The determinant of the rows that are inverted, factored."""
        return determinant_written(self.inverse)

    @cached_property
    def singularities(self) -> list[Singularity]:
        """Where the arm loses a direction."""
        return singularities(self.inverse)

    def __str__(self) -> str:
        rows = [f"{self.robot}: {self.task.jacobian.where()}"]
        if self.redundant:
            rows.append(
                f"{self.chain.n} joints for {len(self.task.rows)} velocities: right pseudo-inverse J^T (J J^T)^-1"
            )
        else:
            rows += [f"det J = {self.determinant}", *map(str, self.singularities)]
        return "\n".join(rows)

    def _repr_latex_(self) -> str:
        J, numbers = self.task.jacobian, self.chain.numbers
        pairs = [
            (f"J_{{{ROWS[k]},{number}}}", written(self.chain.ring, x, LATEX))
            for k in self.task.rows
            for number, x in zip(numbers, J.matrix[k], strict=True)
            if x != 0
        ]
        if not self.redundant:
            pairs.append((r"\det J", determinant_written(self.inverse, LATEX)))
        return f"$${aligned(pairs)}$$"

    # -- programs -------------------------------------------------------------------

    def forward_function(self, **options: Any) -> Function:
        """Return the pose of the frame as a program: the first three rows of the 4 x 4 matrix.

        Args:
            options: ``effort``: none, quick, normal or max; ``progress``: called while the count falls.
        """
        ring = self.chain.ring
        rows = [[ring.node(ring.shortest(x)) for x in row] for row in self.forward[:3]]
        proof = prove_forward(self.chain, rows)
        return function_of(self.chain, "forward_kinematics", {"closed form": rows}, proof, **options)

    def jacobian_function(self, **options: Any) -> Function:
        """Return the rows of the task as a program; options as in :meth:`forward_function`."""
        starts = {self.task.jacobian.where(): task_nodes(self.task)}
        return function_of(self.chain, "jacobian", starts, prove_rows(self.chain, self.task), **options)

    def inverse_function(self, axes: str | None = None, **options: Any) -> Function:
        """Return the inverse Jacobian, or the right pseudo-inverse of a redundant arm, as a proved program.

        Args:
            axes: ``world`` for velocities [linear; angular] of the frame in world axes at its origin; by default
                those of :attr:`task`, in which the inverse is shortest.
            options: as in :meth:`forward_function`.
        """
        if axes not in (None, "world"):
            raise InputError(f"axes '{axes}'", "inverse Jacobian", "leave them out, or ask for 'world'")
        world = axes == "world"
        starts: dict[str, Nodes] = {}
        if self.redundant:
            starts["right pseudo-inverse"] = pseudo_inverse_nodes(self.task)
        elif self.inverse.is_readable:
            starts["inverse by entries"] = inverse_nodes(self.inverse)
        if world:
            starts = {method: in_world(self.task, G) for method, G in starts.items()}
        if not self.redundant:
            unit = identity(self.chain, len(self.task.rows))
            starts["inverse by blocks"] = substituted(self.inverse, in_world(self.task, unit) if world else unit)
        proof = prove_inverse(self.chain, self.task, next(iter(starts.values())), world)
        return function_of(self.chain, "inverse_jacobian", starts, proof, **options)

    def determinant_function(self, **options: Any) -> Function:
        """Return the determinant of the Jacobian of six joints as a program; options as in :meth:`forward_function`."""
        found = self.inverse.determinant
        graph, ring = self.chain.model.graph, self.chain.ring
        factors = [(ring.node(f), power) for f, power in zip(found.factors, found.powers, strict=True)]
        det = [[graph.product(found.number, factors)]]
        return function_of(
            self.chain,
            "jacobian_determinant",
            {"product of factors": det},
            prove_determinant(self.chain, det),
            **options,
        )

    # -- inside -------------------------------------------------------------------

    def _axes(self, name: str) -> int:
        names = [self.chain.axes_name(k) for k in range(self.chain.n + 2)]
        if name not in names:
            raise InputError(f"no axes '{name}'", "jacobian", f"choose one of {', '.join(dict.fromkeys(names))}")
        return names.index(name)

    def _point(self, name: str | None) -> Point:
        at = self.chain.n + 1 if name is None else self._axes(name)
        return Point(at, Vec3(0, 0, 0), f"origin of {self.chain.axes_name(at)}")
