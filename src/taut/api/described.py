"""A robot's description behind the public verbs: its tree, names and sizes, and arrays that are checked against it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from taut.batch import as_states
from taut.errors import InputError
from taut.questions.arguments import ARGUMENTS
from taut.robot import Tree, edit

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

    def _state(self, name: str, value: Any) -> np.ndarray:
        if name == "q":
            return self._position(name, value)
        known = ARGUMENTS[name]
        width = known.width(self.tree)
        return as_states(name, value, width, " ".join(known.entries) or f"{width} numbers for {self._listed_joints()}")

    def _rates(self, name: str, value: Any) -> np.ndarray:
        return as_states(name, value, self.nv, f"{self.nv} numbers for {self._listed_joints()}")

    def _position(self, name: str, value: Any) -> np.ndarray:
        q = as_states(name, value, self.nq, f"{self.nq} numbers for {self._listed_joints()}")
        for start in self.tree.quaternions:
            length = np.linalg.norm(q[..., start : start + 4], axis=-1)
            if np.any(np.abs(length - 1) > UNIT_SLACK):
                raise InputError(
                    f"the quaternion {name}[{start}:{start + 4}] is not of length 1", name, "normalise [qx qy qz qw]"
                )
        return q

    def _listed_joints(self) -> str:
        names = list(self.joint_names)
        return ", ".join(names[:8]) + (f", ... ({len(names)} joints)" if len(names) > 8 else "")
