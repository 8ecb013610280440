"""A robot's description behind the public verbs: its tree, names and sizes, and arrays that are checked against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np

from taut.batch import as_states
from taut.errors import InputError
from taut.questions.arguments import ARGUMENTS
from taut.robot import Tree, edit
from taut.robot.mechanism import mechanism
from taut.robot.states import own_positions

OPEN = 1e-6
"""Largest gap of a loop at a position, relative to the robot's size."""

UNIT_SLACK = 1e-6
"""Largest deviation from 1 of a quaternion's length."""


@dataclass(frozen=True, repr=False)
class Described:
    """A robot as data: two are equal if their trees are.

    Attributes:
        tree: joints, links, frames and every number; see :class:`taut.robot.Tree`.
    """

    tree: Tree

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.tree,)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.tree.outline}>"

    def _repr_html_(self) -> str:
        """Return the joints as a table, for a notebook."""
        head = "".join(f"<th>{text}</th>" for text in ("", "joint", "kind", "carried by", "moves", "range"))
        rows = []
        for i, joint in enumerate(self.tree.joints):
            parent = self.tree.base_name if joint.parent < 0 else self.tree.joints[joint.parent].link.name
            limits = (joint.limits.lower, joint.limits.upper)
            span = "" if limits == (None, None) else " to ".join("" if x is None else f"{x:.4g}" for x in limits)
            cells = (str(i + 1), joint.name, joint.motion.kind, parent, joint.link.name, span)
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        title = f"<strong>{escape(self.tree.name)}</strong>: {self.tree.dof} degrees of freedom"
        return f"<p>{title}</p><table><tr>{head}</tr>{''.join(rows)}</table>"

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.tree.name

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the independent joints: the order of every vector."""
        return self.tree.joint_names

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Names of the base, the links and the other frames."""
        return self.tree.frame_names

    @property
    def nq(self) -> int:
        """Length of q."""
        return self.tree.nq

    @property
    def nv(self) -> int:
        """Length of qd, qdd and tau."""
        return self.tree.nv

    @property
    def dof(self) -> int:
        """Degrees of freedom, the same as ``nv``."""
        return self.tree.nv

    @cached_property
    def numeric(self) -> Tree:
        """The robot with every symbol replaced by its value."""
        return edit.numeric(self.tree)

    def _refuse_loops(self, what: str) -> None:
        """Raise an error where the robot has loops or cams."""
        if self.tree.at().bends:
            advice = "functions of closed chains are listed in docs/closed_chains.md"
            raise InputError(f"'{self.name}' has loops or cams", what, advice)

    def _state(self, name: str, value: Any) -> np.ndarray:
        if name == "q":
            return self._position(name, value)
        known = ARGUMENTS[name]
        width = known.width(self.tree)
        return as_states(name, value, width, " ".join(known.entries) or f"{width} numbers for {self._listed_joints()}")

    def _rates(self, name: str, value: Any) -> np.ndarray:
        return as_states(name, value, self.nv, f"{self.nv} numbers for {self._listed_joints()}")

    def _position(self, name: str, value: Any) -> np.ndarray:
        q = self._unclosed(name, value)
        if self.tree.loops:
            self._check_closed(name, q)
        return q

    def _check_closed(self, name: str, q: np.ndarray) -> None:
        found = mechanism(self.tree)
        own = own_positions(self.tree, q)
        if np.isnan(own).any():
            advice = "leave the ends of the motion: robot.random_position() gives positions within it"
            raise InputError("the loops cannot close at this position", name, advice)
        gap = float(np.max(np.abs(found.gaps(own)), initial=0.0))
        if gap > OPEN * found.size:
            advice = "give an assembled position: robot.assemble(q)"
            raise InputError(f"the loops are open by {gap:.3g} m or rad", name, advice)

    def _unclosed(self, name: str, value: Any) -> np.ndarray:
        """Return positions, whether the loops are closed or not."""
        joints = [self.tree.joints[i].name for i in self.tree.placed]
        q = as_states(name, value, self.nq, f"{self.nq} numbers for {self._listed(joints)}")
        for start in self.tree.quaternions:
            length = np.linalg.norm(q[..., start : start + 4], axis=-1)
            if np.any(np.abs(length - 1) > UNIT_SLACK):
                raise InputError(
                    f"the quaternion {name}[{start}:{start + 4}] is not of length 1", name, "normalise [qx qy qz qw]"
                )
        return q

    def _listed_joints(self) -> str:
        return self._listed(self.joint_names)

    def _listed(self, names: Sequence[str]) -> str:
        return ", ".join(names[:8]) + (f", ... ({len(names)} joints)" if len(names) > 8 else "")
