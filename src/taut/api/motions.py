"""Motions of a robot: positions stepped and compared, simulation, linear models, inverse kinematics, trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.api.answers import Answers
from taut.api.described import UNIT_SLACK
from taut.batch import as_states, broadcast
from taut.errors import InputError, refuse_unknown
from taut.robot import states
from taut.robot.states import Bounds

if TYPE_CHECKING:  # imported where they are used, so that importing taut is fast
    from taut.inverse_kinematics.result import InverseKinematics
    from taut.simulate.linear import LinearModel
    from taut.simulate.result import Simulation
    from taut.trajectory import Line, TorqueHistory, Trajectory


class Motions(Answers):
    """What moves a robot, and how it moves."""

    @property
    def limits(self) -> Bounds:
        """Limits of positions (nq), rates and torques (nv) as arrays, infinite where the file gives none."""
        return states.bounds(self.tree)

    @property
    def neutral(self) -> np.ndarray:
        """The zero position, shape (nq,); the quaternion of a free joint is the identity [0 0 0 1]."""
        return states.neutral(self.tree)

    def random_position(self, shape: int | tuple[int, ...] = (), seed: int = 0) -> np.ndarray:
        """Return positions drawn uniformly within the limits, shape (\\*shape, nq).

        Angles without limits are drawn between -pi and pi, lengths between -1 and 1 m.

        >>> import taut
        >>> taut.load("puma560").random_position(4).shape
        (4, 6)
        """
        leading = (shape,) if isinstance(shape, int) else tuple(shape)
        return states.random_positions(self.tree, np.random.default_rng(seed), leading)

    def step(self, q: Any, v: Any, dt: float = 1.0) -> np.ndarray:
        """Return the position reached from q after the time dt with constant rates v, shape (..., nq).

        A free joint follows the screw motion of its twist, exactly; its quaternion keeps its length.

        >>> import taut
        >>> taut.load("double_pendulum").step([0.0, 1.0], [1.0, -2.0], 0.5)
        array([0.5, 0. ])
        """
        return states.step(self.tree, *broadcast(q=self._position("q", q), v=self._rates("v", v) * dt))

    def difference(self, start: Any, end: Any) -> np.ndarray:
        """Return the rates v with ``step(start, v) = end``, shape (..., nv)."""
        return states.difference(
            self.tree, *broadcast(start=self._position("start", start), end=self._position("end", end))
        )

    # -- motion -------------------------------------------------------------------

    def simulate(self, q0: Any = None, qd0: Any = None, torque: Any = None, t: Any = 1.0, **options: Any) -> Simulation:
        """Return the motion from an initial state under torques; see :func:`taut.simulate.simulation.simulate`.

        Args:
            q0: positions (..., nq); the zero position by default, with loops the assembled one nearest to the start.
            qd0: rates (..., nv); rest by default.
            torque: None for zero, nv numbers, a pair (times (N), torques (N, nv)), the name of a
                CSV file with columns t, tau1, ..., a control law (:class:`taut.control.Following`), a function
                (t, q, qd) -> tau, or one of these as a :class:`taut.simulate.sampled.Sampled` controller.
            t: the end time from 0, or increasing times at which the motion is wanted [s].
            options: ``parameters``, and the fields of :class:`taut.simulate.options.Options`: ``method``, ``step``,
                ``drives``, ``stops``, ``wrenches`` and others.

        >>> import taut
        >>> taut.load("puma560").simulate(t=0.5, step=1e-2).q.shape
        (51, 6)
        """
        from taut.simulate.simulation import simulate

        q = self._position("q0", self.neutral if q0 is None else q0)
        qd = self._rates("qd0", np.zeros(self.nv) if qd0 is None else qd0)
        q, qd = (x.copy() for x in broadcast(q0=q, qd0=qd))
        return simulate(self.numeric, q, qd, torque, t, **options)

    def linearise(
        self, q: Any, qd: Any = None, tau: Any = None, output: str = "state", frame: str | None = None
    ) -> LinearModel:
        """Return the linear model about a state; see :mod:`taut.simulate.linear`.

        Args:
            q: positions (..., nq).
            qd: rates (..., nv); rest by default.
            tau: torques (..., nv); by default those that keep the rates constant, an equilibrium where qd is zero.
            output: y is the ``state`` [dq; dqd], the ``position`` dq, the ``velocity`` dqd, or of a ``frame``
                [displacement; rotation; linear velocity; angular velocity] in world axes.
            frame: for the output ``frame``; the last one by default.

        >>> import taut
        >>> taut.load("puma560").linearise([0.1] * 6).A.shape
        (12, 12)
        """
        from taut.simulate.linear import LinearModel, state_matrices

        self._refuse_loops("linearise")
        refuse_unknown("output", output, ("state", "position", "velocity", "frame"), "linearise")
        q = self._position("q", q)
        qd = self._rates("qd", np.zeros(self.nv) if qd is None else qd)
        tau = self.bias(q, qd) if tau is None else self._rates("tau", tau)
        q, qd, tau = broadcast(q=q, qd=qd, tau=tau)
        A, B = state_matrices(self.numeric, qd, *self.forward_dynamics_derivatives(q, qd, tau))
        if output == "frame":
            J = self.jacobian(q, frame)
            along = [self.jacobian_derivative(q, unit, frame) @ qd[..., None] for unit in np.eye(self.nv)]
            upper, lower = [J, np.zeros_like(J)], [np.concatenate(along, axis=-1), J]
            C = np.concatenate([np.concatenate(upper, axis=-1), np.concatenate(lower, axis=-1)], axis=-2)
        else:
            rows = {"state": slice(None), "position": slice(self.nv), "velocity": slice(self.nv, None)}[output]
            C = np.broadcast_to(np.eye(2 * self.nv)[rows], (*q.shape[:-1], *np.eye(2 * self.nv)[rows].shape)).copy()
        D = np.zeros((*C.shape[:-1], self.nv))
        return LinearModel(A, B, C, D, q, qd, tau, self.forward_dynamics(q, qd, tau))

    def inverse_kinematics(
        self,
        pose: Any,
        frame: str | None = None,
        start: Any = None,
        *,
        method: str = "best",
        posture: Any = None,
        starts: int = 100,
        tolerance: float = 1e-9,
        weight: float = 1.0,
        seed: int = 0,
    ) -> InverseKinematics:
        """Return positions within the limits at which a frame has a pose.

        An arm of six revolute joints with a spherical wrist or three parallel axes is solved in closed form: ``q`` is
        the solution nearest to the start and ``branches`` has all. Any other robot takes damped Newton steps from
        several starts.

        Args:
            pose: (..., 4, 4) in the world, or places (..., 3) if the orientation is free.
            frame: the last one by default.
            start: positions (..., nq) to begin from, or to be near to; the middle of the limits by default.
            method: ``closed``, ``numeric``, or the ``best`` of the two for this geometry; ``path`` takes the poses
                (N, 4, 4) as a path and follows it from the start without a jump.
            posture: position (nq) that a redundant robot is to be near to.
            starts: most starts for each pose.
            tolerance: of place and orientation together [m].
            weight: metres that count as much as a radian.
            seed: of the random starts.

        Where a pose is not reached, ``reached`` is False and ``q`` the nearest that was found.

        >>> import taut
        >>> robot = taut.load("puma560")
        >>> found = robot.inverse_kinematics(robot.forward_kinematics([0.1] * 6))
        >>> bool(found.reached), found.branches.shape
        (True, (8, 6))
        """
        from taut.inverse_kinematics.branches import compiled_closed_form, solve_closed
        from taut.inverse_kinematics.numeric import Goal, inverse_kinematics
        from taut.inverse_kinematics.path import follow

        self._refuse_loops("inverse_kinematics")
        goal = _goal(pose)
        refuse_unknown("method", method, ("best", "closed", "numeric", "path"), "inverse_kinematics")
        for name, value in (("starts", starts), ("tolerance", tolerance), ("weight", weight)):
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"{name} is {value!r}", "inverse_kinematics", "give a number above 0")
        first = self._middle() if start is None else self._position("start", start)
        wanted = None if posture is None else self._position("posture", posture)
        place = self.numeric.frame(frame).name
        if method == "path":
            return follow(self.numeric, goal, place, first, tolerance, weight)
        asked = Goal(goal, place, first, int(starts), tolerance, weight, seed)
        whole = goal.shape[-1] == 4 and method != "numeric"
        if method == "closed" or (whole and compiled_closed_form(self.tree, place) is not None):
            if not whole:
                raise InputError("a place without an orientation", "pose", "give a pose, or solve numerically")
            return solve_closed(self.tree, self.numeric, asked)
        return inverse_kinematics(self.numeric, asked, wanted)

    def _middle(self) -> np.ndarray:
        """Return the middle of the limits, the zero position where there are none."""
        lower, upper = self.limits.lower, self.limits.upper
        limited = np.isfinite(lower) & np.isfinite(upper)
        return np.where(limited, 0.5 * (np.where(limited, lower, 0) + np.where(limited, upper, 0)), self.neutral)

    def along(self, line: Line, start: Any, frame: str | None = None, tolerance: float = 1e-11) -> Trajectory:
        """Return the joint motion whose frame moves along a line in space, from a position near its beginning.

        Positions follow the path without a jump; rates and accelerations are exact, qd = J^-1 V and
        qdd = J^-1 (A - Jdot qd). What more than six joints do without moving the frame is differentiated by a spline.

        Args:
            line: as :func:`taut.trajectory.straight_line` makes it.
            start: a position near the first pose (nq).
            frame: the last one by default.
            tolerance: of place and orientation together [m].
        """
        from taut.trajectory import Trajectory
        from taut.trajectory.table import slope

        q = self.inverse_kinematics(line.pose, frame, start, method="path", tolerance=tolerance).q
        J = self.jacobian(q, frame)
        inverse = np.linalg.pinv(J)

        def resolved(moved: np.ndarray, order: int) -> np.ndarray:
            own = slope(line.t, q, order, "along")[..., None] if self.nv > 6 else np.zeros((*q.shape, 1))
            return (inverse @ (moved[..., None] - J @ own) + own)[..., 0]

        qd = resolved(line.velocity, 1)
        rest = line.acceleration - self.jacobian_derivative_times_velocity(q, qd, frame)
        return Trajectory(line.t, q, qd, resolved(rest, 2))

    def time_optimal(
        self,
        points: Any,
        *,
        velocity: Any = None,
        acceleration: Any = None,
        torque: Any = None,
        drives: bool = False,
        grid: int = 200,
    ) -> Trajectory:
        """Return the fastest motion on the spline through points; see :mod:`taut.trajectory.time_optimal`.

        Args:
            points: positions (N, n).
            velocity: largest magnitudes of the rates (n); the robot's limits by default.
            acceleration: of the accelerations; none by default.
            torque: of the torques; the robot's limits by default.
            drives: whether the torques include friction, offsets and springs of the drives.
            grid: points of the path at which the limits are imposed; they hold on a grid ten times finer.
        """
        from taut.simulate.accelerations import compiled_function
        from taut.trajectory.time_optimal import Limits, time_optimal

        self._refuse_loops("time_optimal")
        if self.tree.quaternions:
            raise InputError(f"'{self.name}' has a free base", "time_optimal", "plan for a fixed base")
        known = {"velocity": self.limits.velocity, "acceleration": np.full(self.nv, np.inf)}
        known["torque"] = self.limits.effort
        given = {"velocity": velocity, "acceleration": acceleration, "torque": torque}
        limits = {}
        for name, value in given.items():
            limits[name] = known[name] if value is None else np.broadcast_to(np.asarray(value, float), (self.nv,))
            if not (limits[name] > 0).all():
                raise InputError(f"a limit of {name} is not above 0", "time_optimal", f"give {self.nv} numbers above 0")
        rows = self._position("points", points)
        run = compiled_function(self.numeric, "joint_torque" if drives else "inverse_dynamics")
        return time_optimal(rows, Limits(**limits), run, grid)

    def torques(self, trajectory: str | Path | Trajectory, drives: bool = False) -> TorqueHistory:
        """Return the torques along a trajectory.

        Args:
            trajectory: a CSV file as :mod:`taut.trajectory.table` reads it, or a
                :class:`~taut.trajectory.trajectory.Trajectory`.
            drives: add friction, offsets and springs of the drives.

        >>> from taut.trajectory import point_to_point
        >>> import taut
        >>> taut.load("puma560").torques(point_to_point([0.0] * 6, [1.0] * 6, 2.0)).tau.shape
        (101, 6)
        """
        from taut.trajectory import TorqueHistory, Trajectory
        from taut.trajectory.table import read_trajectory

        motion = trajectory if isinstance(trajectory, Trajectory) else read_trajectory(trajectory, self.tree)
        compute = self.joint_torque if drives else self.inverse_dynamics
        names = [self.tree.joints[i].name for i in self.tree.independent for _ in range(self.tree.joints[i].motion.nv)]
        return TorqueHistory(motion, compute(motion.q, motion.qd, motion.qdd), tuple(names))


def _goal(pose: Any) -> np.ndarray:
    """Return poses (..., 4, 4) or places (..., 3) as arrays; the error names what is wrong with them."""
    width = np.shape(pose)[-1] if np.ndim(pose) else 0
    if width == 3:
        return as_states("pose", pose, 3, "x, y, z [m]")
    goal = as_states("pose", pose, 4, "a row of a 4x4 matrix")
    if goal.shape[-2:] != (4, 4):
        raise InputError(f"shape {goal.shape}, expected (..., 4, 4) or (..., 3)", "pose", "give a pose or a place")
    R = goal[..., :3, :3]
    turned = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max() <= UNIT_SLACK and np.all(np.linalg.det(R) > 0)
    if not turned or np.any(goal[..., 3, :] != [0, 0, 0, 1]):
        raise InputError("is no rotation and translation", "pose", "give a rotation matrix and the last row 0 0 0 1")
    return goal
