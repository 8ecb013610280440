"""A state of a robot with loops, solved for motion and constraint forces together, on numbers.

.. math:: \\begin{pmatrix} M & -J^T \\\\ J & 0 \\end{pmatrix} \\begin{pmatrix} \\ddot q \\\\ \\lambda \\end{pmatrix}
    = \\begin{pmatrix} \\tau - h \\\\ -\\dot J \\dot q \\end{pmatrix}

over the rates of all joints that follow none [RBDA 8.2]. M is scaled to a unit diagonal, where it has one, and each
row of J to unit length. Where rows depend on each other the multipliers are not unique: those of least norm are taken,
and which of them every solution shares is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from taut.algorithms import drives
from taut.algorithms.composite_bodies import composite_bodies
from taut.algorithms.newton_euler import newton_euler
from taut.robot import Loops, PerJoint, Spread, Tree

RANK = 1e-10
"""Singular value of the scaled conditions, relative to the largest, below which a combination of rows is redundant."""

MASSLESS = 1e-14
"""Inertia of a joint, relative to the largest, below which its link has none: the closures move it."""

UNIQUE = 1e-8
"""Part of a multiplier that redundant combinations may hold for it to count as unique."""


@dataclass(frozen=True)
class ClosedState:
    """A robot with loops at one state, seen over the rates of all joints that follow none.

    Attributes:
        tree: the robot, its numbers floats.
        q: positions (nq).
        qd: independent rates (nv).
    """

    tree: Tree
    q: Sequence[float]
    qd: Sequence[float]

    @cached_property
    def at(self) -> Spread:
        """The joints, with dependent rates."""
        return Spread(self.tree, self.q)

    @cached_property
    def J(self) -> np.ndarray:
        """The conditions, a row each."""
        rows = self.at.own_rows
        return np.array(rows, dtype=float).reshape(len(rows), self._tree_alone.tree.nv)

    @cached_property
    def _tree_alone(self) -> Spread:
        """The joints without closures: mimicking joints follow, and nothing else is tied."""
        return Spread(replace(self.tree, loops=Loops()), self.q)

    def over_own(self, forces: PerJoint) -> np.ndarray:
        """Return forces of all joints as they act on the joints that follow none."""
        return np.array(self._tree_alone.gather(forces), dtype=float)

    @cached_property
    def M(self) -> np.ndarray:
        """The mass matrix, loops open."""
        bodies = np.array(composite_bodies(self.tree, self.at.positions), dtype=float)
        whole = bodies + np.array(drives.rotor_matrix(self.tree), dtype=float)
        return np.array(self._tree_alone.reduced(whole.tolist()), dtype=float)

    def force(self, qdd: Sequence[float]) -> np.ndarray:
        """Return what the joints must supply together with the closures at independent accelerations."""
        rates, accelerations = self.at.rates(self.qd), self.at.accelerations(self.qd, qdd)
        tau = newton_euler(self.tree, self.at.positions, rates, accelerations)
        rotors = drives.rotor_torque(self.tree, rates, accelerations)
        both = [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(tau, rotors, strict=True)]
        return self.over_own(both)

    @cached_property
    def _bent(self) -> np.ndarray:
        """Accelerations of the joints that follow none where the independent ones have none."""
        parts = self.at.accelerations(self.qd, [0.0] * len(self.qd))
        return np.array([x for i in self.tree.own for x in parts[i]], dtype=float)

    @cached_property
    def drift(self) -> np.ndarray:
        """dJ/dt qd, and what the laws of cams add."""
        return -self.J @ self._bent

    @cached_property
    def bias(self) -> np.ndarray:
        """h: the force at accelerations of zero of the joints that follow none."""
        return self.force([0.0] * len(self.qd)) - self.M @ self._bent

    def solve(self, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return accelerations of the joints that follow none and multipliers of least norm.

        Args:
            tau: forces of these joints.
        """
        n, own = len(self.M), np.diag(self.M)
        scale = 1 / np.sqrt(np.where(own > MASSLESS * own.max(), own, own.max()))
        lengths = np.linalg.norm(self.J * scale, axis=1)
        rows = np.where(lengths > 0, 1 / np.maximum(lengths, 1e-300), 0.0)
        J = self.J * scale * rows[:, None]
        kkt = np.block([[self.M * np.outer(scale, scale), -J.T], [J, np.zeros((len(J), len(J)))]])
        right = np.concatenate([(tau - self.bias) * scale, -self.drift * rows])
        found = np.linalg.lstsq(kkt, right, rcond=RANK)[0]
        return found[:n] * scale, found[n:] * rows

    def multipliers(self, qdd: Sequence[float], tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the multipliers of least norm with J^T lambda = force - tau, and which of them are unique.

        Args:
            qdd: independent accelerations.
            tau: forces of the joints that follow none.
        """
        left, values, right = np.linalg.svd(self.J.T, full_matrices=True)
        rank = int(np.sum(values > RANK * max(values[0] if len(values) else 0.0, 1e-300)))
        wanted = left[:, :rank].T @ (self.force(qdd) - tau)
        found = right[:rank].T @ (wanted / values[:rank])
        redundant = right[rank:]
        return found, np.linalg.norm(redundant, axis=0) < UNIQUE
