"""Methods of a robot with loops: assembled positions, mobility, forces of motors and closures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taut.api.motions import Motions
from taut.batch import broadcast
from taut.errors import InputError, refuse_unknown
from taut.robot import edit
from taut.robot.closures import STOPPED
from taut.robot.mechanism import mechanism
from taut.robot.states import own_positions, placed_positions

if TYPE_CHECKING:
    from taut.questions.closed_state import ClosedState
    from taut.robot.mobility import Mobility

POSITIONS = ("independent", "all")
"""What q of generated code holds."""

DETERMINED = 1e-9
"""Smallest singular value, relative to the largest, with which motors determine the motion."""


@dataclass(frozen=True)
class ClosureForce:
    """What a closure exerts on the first of its two links.

    Attributes:
        rows: the components: ``force x``, ``moment z``, ..., along the axes of the closure's second frame, at the
            origin of its first frame; of rolling, ``multiplier``.
        values: one number a component [N, N m].
        unique: whether each is determined; redundant closures share what they carry in ways rigid bodies do not tell.
    """

    rows: tuple[str, ...]
    values: np.ndarray
    unique: np.ndarray


class ClosedChains(Motions):
    """Robots with loops; every method serves robots without, too."""

    def assemble(self, guess: Any = None, hold: Mapping[str, float] | None = None) -> np.ndarray:
        """Return the assembled position near a guess, shape (nq,): Newton's method; the guess decides the branch.

        Args:
            guess: positions (nq), or {joint: position}, in which joints that are not named start as in the file.
            hold: {joint: position} of joints that keep these positions.

        >>> import taut
        >>> bool(abs(taut.load("four_bar").assemble(hold={"crank": 1.0})[0] - 1.0) < 1e-15)
        True
        """
        found = mechanism(self.tree)
        q = found.start.copy() if guess is None or isinstance(guess, Mapping) else self._plain_position(guess)
        named = {**(guess if isinstance(guess, Mapping) else {}), **(hold or {})}
        slots = self._slots()
        for name, value in named.items():
            if name not in slots:
                raise InputError(f"no joint '{name}' of one axis with a position of its own", "assemble")
            q[slots[name][0]] = float(value)
        return placed_positions(self.tree, found.closed(q, [slots[name][1] for name in hold or {}]))

    def _plain_position(self, guess: Any) -> np.ndarray:
        q = np.array(guess, dtype=float)
        if q.shape != (self.nq,):
            raise InputError(f"shape {q.shape}, expected ({self.nq},)", "assemble", "give one number a position")
        return own_positions(self.tree, q)

    def _slots(self) -> dict[str, tuple[int, int]]:
        """Return {single-axis joint: its place in q, its place among the rates of the own joints}."""
        slots, at_q, at_v = {}, 0, 0
        for i in self.tree.own:
            joint = self.tree.joints[i]
            if joint.motion.nv == 1:
                slots[joint.name] = (at_q, at_v)
            at_q, at_v = at_q + joint.motion.nq, at_v + joint.motion.nv
        return slots

    @property
    def position_names(self) -> tuple[str, ...]:
        """The joints whose positions are q, in order; with loops these are more than ``joint_names``."""
        return tuple(self.tree.joints[i].name for i in self.tree.placed)

    def closure_gap(self, q: Any) -> np.ndarray:
        """Return how far the closures are from holding [m, and sines of angles], shape (..., rows)."""
        return mechanism(self.tree).gaps(own_positions(self.tree, self._unclosed("q", q)))

    def constraint_jacobian(self, q: Any) -> np.ndarray:
        """Return the conditions on the rates of all joints that follow none, shape (..., rows, rates)."""
        return mechanism(self.tree).jacobian(own_positions(self.tree, self._unclosed("q", q)))

    def mobility(self) -> Mobility:
        """Return degrees of freedom, redundant rows and idle rods by rank at 40 digits; see :mod:`taut.robot.mobility`.

        >>> import taut
        >>> taut.load("four_bar").mobility().dof
        1
        """
        from taut.robot.mobility import mobility

        return mobility(self.tree)

    def in_closed_form(self) -> Self:
        """Return the robot with planar loops solved by formulas: q has no positions of the joints they give.

        Loops of two dependent joints that turn or slide in a plane, as of four-bars, slider-cranks and five-bars, are
        solved, on the branch on which the robot is put together; others stay as they are.

        >>> import taut
        >>> robot = taut.load("four_bar").in_closed_form()
        >>> robot.position_names, robot.nq
        (('crank',), 1)
        """
        from taut.robot.closed_form import with_closed_form

        return type(self)(with_closed_form(self.tree))

    def with_positions(self, which: str) -> Self:
        """Return the robot as code is generated for it.

        Args:
            which: ``independent`` as :meth:`in_closed_form`, or ``all`` positions of joints that follow none.
        """
        refuse_unknown("choice of positions", which, POSITIONS)
        return self.in_closed_form() if which == "independent" else self

    def with_active(self, loops: Mapping[str, bool]) -> Self:
        """Return the robot with loops switched on or off by name, as a foot that leaves the ground."""
        return type(self)(edit.with_active(self.tree, loops))

    def with_independent(self, *joints: str) -> Self:
        """Return the robot with the rates of these joints as qd."""
        return type(self)(edit.with_independent(self.tree, joints))

    # -- forces -----------------------------------------------------------------------

    def actuator_torque(
        self, q: Any, qd: Any, qdd: Any, actuated: Sequence[str] | None = None, internal: Any = None
    ) -> np.ndarray:
        """Return the torques of chosen motors for a motion, shape (..., motors).

        With more motors than degrees of freedom the torques of least norm are taken, or those nearest to ``internal``.

        Args:
            q: positions (..., nq).
            qd: rates (..., nv).
            qdd: accelerations (..., nv).
            actuated: joints with a motor; those of the file by default, else the independent joints.
            internal: torques (motors) that over-actuated motors are to stay near to: internal forces.
        """
        names = self._motors(actuated)
        tau = self.inverse_dynamics(q, qd, qdd)
        wanted = np.zeros(len(names)) if internal is None else np.asarray(internal, dtype=float)
        if wanted.shape != (len(names),):
            raise InputError(f"shape {wanted.shape}", "internal", f"give {len(names)} numbers for {', '.join(names)}")
        G = self._motor_ratios(self._position("q", q), names)
        rest = tau - np.einsum("...mn,m->...n", G, wanted)
        return wanted + np.einsum("...mn,...n->...m", np.swapaxes(np.linalg.pinv(G, rcond=DETERMINED), -1, -2), rest)

    def _motors(self, actuated: Sequence[str] | None) -> list[str]:
        single = [joint.name for joint in self.tree.joints if joint.motion.nv == 1]
        names = list(actuated) if actuated is not None else [self.tree.joints[i].name for i in self.tree.loops.actuated]
        names = names or list(self.joint_names)
        for name in names:
            if name not in single:
                raise InputError(f"no joint '{name}' of one axis", "actuated", f"choose from {', '.join(single)}")
        return names

    def _motor_ratios(self, q: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Return the rates of joints per independent rate, shape (..., joints, nv); refuse what leaves motion free."""
        tree, flat = self.numeric, q.reshape(-1, self.nq)
        index = {joint.name: i for i, joint in enumerate(tree.joints)}
        at = tree.at(list(flat.T))
        columns = [at.rates(unit) for unit in np.eye(self.nv).tolist()]
        G = np.stack(
            [np.stack([np.broadcast_to(c[index[name]][0], len(flat)) for c in columns], -1) for name in names], -2
        )
        values = np.linalg.svd(G, compute_uv=False) if len(names) >= self.nv else np.zeros((1, 1))
        if np.any(values[..., -1] <= DETERMINED * np.maximum(values[..., 0], 1e-300)):
            raise InputError(
                f"the motors {', '.join(names)} do not determine the motion of {self.nv} degrees of freedom",
                "actuated",
                "name other joints, or leave this position: it is singular for them",
            )
        return G.reshape(*q.shape[:-1], len(names), self.nv)

    def constraint_forces(
        self, q: Any, qd: Any, qdd: Any, actuated: Sequence[str] | None = None
    ) -> dict[str, ClosureForce]:
        """Return what every closure exerts at a motion of one state that motors cause.

        Args:
            q: positions (nq).
            qd: rates (nv).
            qdd: accelerations (nv).
            actuated: joints with a motor; those of the file by default, else the independent joints.
        """
        state = self._closed_state(q, qd)
        found, unique = state.multipliers(self._rates("qdd", qdd).tolist(), self._motor_forces(q, qd, qdd, actuated))
        forces, at = {}, 0
        for closure in self.tree.loops.closures:
            if closure.active:
                slides, turns = STOPPED[closure.kind]
                rows = tuple(f"force {x}" for x in slides) + tuple(f"moment {x}" for x in turns)
                here = slice(at, at + len(rows))
                forces[closure.name] = ClosureForce(rows, found[here], unique[here])
                at += len(rows)
        for row in self.tree.loops.rate_rows:
            if row.active:
                forces[row.name] = ClosureForce(("multiplier",), found[at : at + 1], unique[at : at + 1])
                at += 1
        return forces

    def constrained_acceleration(self, q: Any, qd: Any, tau: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return accelerations and J^T lambda of all joints of :attr:`position_names`, solved together at one state.

        It serves positions where the independent joints do not determine the motion, too.

        Args:
            q: positions (nq).
            qd: independent rates (nv).
            tau: forces of all joints of :attr:`position_names`, one a rate.
        """
        state = self._closed_state(q, qd)
        acceleration, multipliers = state.solve(np.asarray(tau, dtype=float))
        return acceleration, state.J.T @ multipliers

    def _motor_forces(self, q: Any, qd: Any, qdd: Any, actuated: Sequence[str] | None) -> np.ndarray:
        """Return the forces of motors over the rates of the joints that follow none."""
        parts: list[list[float]] = [[0.0] * joint.motion.nv for joint in self.tree.joints]
        names = self._motors(actuated)
        index = {joint.name: i for i, joint in enumerate(self.tree.joints)}
        for name, torque in zip(names, self.actuator_torque(q, qd, qdd, names), strict=True):
            parts[index[name]] = [float(torque)]
        return self._closed_state(q, qd).over_own(parts)

    def _closed_state(self, q: Any, qd: Any) -> ClosedState:
        from taut.questions.closed_state import ClosedState

        position, rates = self._position("q", q), self._rates("qd", qd)
        broadcast(q=position, qd=rates)
        if position.ndim != 1 or rates.ndim != 1:
            raise InputError("more than one state", "constraint_forces", "give one state")
        return ClosedState(self.numeric, position.tolist(), rates.tolist())
