"""The few public verbs: load a robot, ask it for its dynamics."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from taut import formats, library
from taut.batch import as_states, broadcast, evaluate
from taut.errors import InputError
from taut.graph import Graph
from taut.questions.arguments import ARGUMENTS
from taut.questions.by_origin import Contributions
from taut.questions.fusion import with_frame
from taut.questions.table import asked, question
from taut.robot import Placement, Tree, edit, states
from taut.robot.assembly import no_moving_joint
from taut.robot.parameters import with_parameters
from taut.robot.placement import rpy as rpy_turns
from taut.robot.states import Bounds
from taut.spatial import Vec3

if TYPE_CHECKING:  # imported where they are used, so that importing taut is fast
    from taut.calibration.calibrate import Calibration
    from taut.calibration.poses import Poses
    from taut.closed_form import Kinematics
    from taut.derive import Function
    from taut.equations import Equations
    from taut.explicit.rate_matrices import RateMatrices
    from taut.generate import Generated
    from taut.identify.base_parameters import BaseParameters
    from taut.identify.estimate.identification import Identification, Settings
    from taut.identify.estimate.validate import Validation
    from taut.inverse_kinematics.result import InverseKinematics
    from taut.measuring.sheet import Sheet
    from taut.recordings.mapping import Mapping as Columns
    from taut.recordings.recording import Recording
    from taut.simulate.linear import LinearModel
    from taut.simulate.result import Simulation
    from taut.trajectory import Line, TorqueHistory, Trajectory

UNIT_SLACK = 1e-6
"""How far a quaternion's length may be from one before it is taken for a mistake."""


def load(
    robot: str | Path,
    base: str = "fixed",
    lock: Mapping[str, float] | None = None,
    roots: Sequence[str | Path] = (),
    packages: Mapping[str, str | Path] | None = None,
) -> Robot:
    """Return a robot of taut's library, or of a description file.

    Args:
        robot: a name from ``taut list``, or a path to a .toml, .urdf, .xml (MJCF or URDF), .par or .robot file, which
            may begin with ``package://NAME/``.
        base: ``"fixed"``, or ``"free"`` to let the base link float.
        lock: {joint: position} of joints to hold; their links become frames.
        roots: folders besides the file's own that it may include files and meshes from.
        packages: {name: folder} of ROS packages, besides those the ROS path variables name.

    >>> load("puma560").dof
    6
    """
    if base not in ("fixed", "free"):
        raise InputError(f"base is {base!r}", "load", "use 'fixed' or 'free'")
    name = str(robot)
    # os.path.exists, unlike Path.exists, is False for a name that no system allows.
    if name not in library.names() and (Path(name).suffix or os.path.exists(name)):
        tree = formats.read_path(name, roots, packages)
    else:
        tree = formats.read(library.text(name), f"{name}.toml", "toml")
    if base == "free":
        tree = edit.free_base(tree)
    if lock:
        tree = edit.lock(tree, lock)
    if not tree.joints:
        raise no_moving_joint(tree.name)
    return Robot.of(tree)


def from_dh(label: str, rows: Sequence[Mapping[str, Any]], **description: Any) -> Robot:
    """Return the robot of a Denavit-Hartenberg table; see :func:`taut.formats.dh.from_dh`.

    >>> from_dh("standard", [{"a": 0.4}, {"a": 0.3}]).dof
    2
    """
    from taut.formats import dh

    return Robot.of(dh.from_dh(label, rows, **description))


def measure(sheet: str | Path) -> Sheet:
    """Return what a measurement sheet says; see :mod:`taut.measuring.sheet`.

    ``.results()`` lists every quantity with its tolerance, ``.findings`` what contradicts what, and ``.robot()`` is
    the robot with the measured numbers.
    """
    from taut.formats.files import decoded, read_bytes
    from taut.measuring.sheet import read_sheet

    return read_sheet(decoded(read_bytes(Path(sheet), str(sheet)), str(sheet)), str(sheet), load)


def calibrate(
    robot: Robot,
    poses: str | Path | Poses,
    frame: str | None = None,
    *,
    offsets: bool = False,
    eccentric: bool = False,
    compliance: bool = False,
) -> Calibration:
    """Return the robot's geometry fitted to measured poses; see :func:`taut.calibration.calibrate.calibrate`."""
    from taut.calibration.calibrate import calibrate as fit_geometry
    from taut.calibration.poses import Poses, read_poses

    given = poses if isinstance(poses, Poses) else read_poses(poses, robot)
    place = "poses" if isinstance(poses, Poses) else str(poses)
    return fit_geometry(robot, given, frame, offsets=offsets, eccentric=eccentric, compliance=compliance, place=place)


def identify(
    robot: Robot,
    logs: Sequence[str | Path | Recording],
    test: Sequence[str | Path | Recording] = (),
    mapping: str | Columns | None = None,
    settings: Settings | None = None,
) -> Identification[Robot]:
    """Return the robot whose torques fit recordings; see :func:`taut.identify.estimate.identify.identify`.

    Args:
        robot: its geometry is taken as it is.
        logs: files or recordings to fit; the last 30 % of each are held out unless the settings say otherwise.
        test: files or recordings that are held out whole.
        mapping: which columns are what; guessed from their names without it.
        settings: the defaults serve every robot.
    """
    from taut.identify.estimate.identify import identify as fit

    return fit(robot, _recordings(robot, logs, mapping), _recordings(robot, test, mapping), settings)


def validate(
    robot: Robot,
    logs: Sequence[str | Path | Recording],
    mapping: str | Columns | None = None,
    cutoff: float | None = None,
    edge: float | None = None,
) -> Validation:
    """Return how a robot predicts the torques of recordings; see :func:`taut.identify.estimate.validate.validate`."""
    from taut.identify.estimate.validate import validate as compare

    return compare(robot, _recordings(robot, logs, mapping), cutoff, edge)


def _recordings(robot: Robot, logs: Sequence[str | Path | Recording], mapping: str | Columns | None) -> list[Recording]:
    from taut.recordings.read import read_recording
    from taut.recordings.recording import Recording

    return [log if isinstance(log, Recording) else read_recording(str(log), robot.joint_names, mapping) for log in logs]


class Robot(Tree):
    """A robot and the questions one can ask it.

    Every vector follows ``joint_names``; every method takes arrays with any leading axes and
    answers with the same leading axes. SI units, radians; see :class:`taut.robot.Tree` for the data.
    """

    @classmethod
    def of(cls, tree: Tree) -> Self:
        """Return the robot with the data of ``tree``."""
        return cls(**{f.name: getattr(tree, f.name) for f in fields(Tree)})

    # -- files ------------------------------------------------------------------

    def to_toml(self) -> str:
        """Return the robot in taut's own format, symbols, values and tolerances included."""
        from taut.formats.toml_writer import write_toml

        return write_toml(self)

    def to_urdf(self) -> str:
        """Return the robot as URDF; symbols are replaced by their values."""
        from taut.formats.urdf_writer import write_urdf

        return write_urdf(self)

    # -- changes ----------------------------------------------------------------

    def with_load(
        self, mass: Any, com: Sequence[Any] = (0.0, 0.0, 0.0), inertia: Any = None, frame: str | None = None
    ) -> Self:
        """Return the robot carrying a rigid load; see :func:`taut.robot.edit.with_load`.

        A number may be a text: the name of a parameter of its own, or a formula.

        >>> load("puma560").with_load("mL", [0, 0, "cL"]).with_values({"mL": 2.0, "cL": 0.1}).gravity([0.0] * 6).shape
        (6,)
        """
        mass, com, inertia = _formulas("with_load", mass, com, inertia)
        return edit.with_load(self, mass, com, inertia, frame)

    def with_tool(
        self,
        xyz: Sequence[Any] = (0.0, 0.0, 0.0),
        rpy: Sequence[Any] = (0.0, 0.0, 0.0),
        name: str = "tool",
        frame: str | None = None,
    ) -> Self:
        """Return the robot with one more named frame, placed in ``frame``; it becomes the default frame."""
        xyz, rpy = _formulas("with_tool", xyz, rpy)
        return edit.with_tool(self, Placement(Vec3(*xyz), rpy_turns(*rpy)), name, frame)

    def with_values(self, values: Mapping[str, float]) -> Self:
        """Return the robot with named symbols given values."""
        return edit.with_values(self, values)

    def with_gravity(self, acceleration: Sequence[Any]) -> Self:
        """Return the robot under another gravity, in the world frame [m/s^2]."""
        return edit.with_gravity(self, acceleration)

    def with_parameters(
        self,
        links: Any = None,
        drives: Any = None,
        order: str = "taut",
        joints: Sequence[str] | None = None,
    ) -> Self:
        """Return the robot with other inertial or drive parameters; see :func:`taut.robot.parameters.with_parameters`.

        >>> robot = load("puma560")
        >>> heavier = robot.with_parameters(2 * robot.parameters)
        >>> bool((heavier.parameters == 2 * robot.parameters).all())
        True
        """
        return with_parameters(self, links, drives, order, joints)

    def lock(self, positions: Mapping[str, float]) -> Self:
        """Return the robot with joints held at positions."""
        return edit.lock(self, positions)

    # -- coordinates --------------------------------------------------------------

    @property
    def limits(self) -> Bounds:
        """Limits of positions (nq), rates and torques (nv) as arrays, infinite where the file gives none."""
        return states.bounds(self)

    @property
    def neutral(self) -> np.ndarray:
        """The zero position, shape (nq,); the quaternion of a free joint is the identity [0 0 0 1]."""
        return states.neutral(self)

    def random_position(self, shape: int | tuple[int, ...] = (), seed: int = 0) -> np.ndarray:
        """Return positions drawn uniformly within the limits, shape (\\*shape, nq).

        Angles without limits are drawn between -pi and pi, lengths between -1 and 1 m.

        >>> load("puma560").random_position(4).shape
        (4, 6)
        """
        leading = (shape,) if isinstance(shape, int) else tuple(shape)
        return states.random_positions(self, np.random.default_rng(seed), leading)

    def step(self, q: Any, v: Any, dt: float = 1.0) -> np.ndarray:
        """Return the position reached from q after the time dt with constant rates v, shape (..., nq).

        A free joint follows the screw motion of its twist, exactly; its quaternion keeps its length.

        >>> load("double_pendulum").step([0.0, 1.0], [1.0, -2.0], 0.5)
        array([0.5, 0. ])
        """
        return states.step(self, *broadcast(q=self._position("q", q), v=self._rates("v", v) * dt))

    def difference(self, start: Any, end: Any) -> np.ndarray:
        """Return the rates v with ``step(start, v) = end``, shape (..., nv)."""
        return states.difference(self, *broadcast(start=self._position("start", start), end=self._position("end", end)))

    # -- any question -----------------------------------------------------------

    def evaluate(
        self, function: str, *given: Any, frame: str | None = None, wrenches: Mapping[str, Any] | None = None
    ) -> np.ndarray:
        """Return the answer to a question by name, shape (..., *shape of the answer).

        Args:
            function: a name of ``taut list --functions`` or an alias; ``jacobian:tool`` names the frame, too, and
                ``torque+jacobian:tool`` asks for two answers, one after the other in one vector.
            given: one array (..., width) per argument of the question, in its order.
            frame: for questions on a frame; the last one by default.
            wrenches: {frame: [force; moment]} of the world, for questions that take them.

        >>> load("ur5e").evaluate("torque", [0] * 6, [0] * 6, [0] * 6).shape
        (6,)
        """
        spelled = with_frame(asked(function, "evaluate"), frame, "evaluate")
        known = spelled.question
        if len(given) != len(known.arguments):
            raise InputError(f"{len(given)} arguments", known.name, f"give {', '.join(known.arguments)}")
        if wrenches and not known.on_wrenches:
            raise InputError(f"{known.name} takes no wrenches", "evaluate", "leave them out")
        by_name = dict(zip(known.arguments, given, strict=True))
        return self._ask(known.name, spelled.frame_or(frame, "evaluate"), wrenches, **by_name)

    # -- dynamics ---------------------------------------------------------------

    def inverse_dynamics(self, q: Any, qd: Any, qdd: Any, wrenches: Mapping[str, Any] | None = None) -> np.ndarray:
        """Return tau = M qdd + C qd + g - J^T F, shape (..., nv).

        Args:
            q: positions (..., nq).
            qd: rates (..., nv).
            qdd: accelerations (..., nv).
            wrenches: {frame: [force; moment] (..., 6)} that the world exerts on frames, in world
                axes at the frame's origin.
        """
        return self._ask("inverse_dynamics", wrenches=wrenches, q=q, qd=qd, qdd=qdd)

    def mass_matrix(self, q: Any) -> np.ndarray:
        """Return M, reflected rotor inertia included, shape (..., nv, nv)."""
        return self._ask("mass_matrix", q=q)

    def gravity(self, q: Any) -> np.ndarray:
        """Return the torque g(q) that holds the robot still, shape (..., nv)."""
        return self._ask("gravity", q=q)

    def bias(self, q: Any, qd: Any, wrenches: Mapping[str, Any] | None = None) -> np.ndarray:
        """Return C qd + g - J^T F, shape (..., nv)."""
        return self._ask("bias", wrenches=wrenches, q=q, qd=qd)

    def coriolis_matrix(self, q: Any, qd: Any) -> np.ndarray:
        """Return the Christoffel C with Mdot - 2C skew, shape (..., nv, nv)."""
        return self._ask("coriolis_matrix", q=q, qd=qd)

    def christoffel(self, q: Any) -> np.ndarray:
        """Return the Christoffel symbols, C_ij = sum_k G_ijk qd_k, shape (..., nv, nv, nv)."""
        return self._ask("christoffel", q=q)

    def forward_dynamics(self, q: Any, qd: Any, tau: Any, wrenches: Mapping[str, Any] | None = None) -> np.ndarray:
        """Return qdd under joint torques tau and wrenches, shape (..., nv)."""
        return self._ask("forward_dynamics", wrenches=wrenches, q=q, qd=qd, tau=tau)

    def joint_torque(self, q: Any, qd: Any, qdd: Any, wrenches: Mapping[str, Any] | None = None) -> np.ndarray:
        """Return what the drives must supply: inverse dynamics, friction, offsets, springs, shape (..., nv)."""
        return self._ask("joint_torque", wrenches=wrenches, q=q, qd=qd, qdd=qdd)

    def reaction_wrenches(self, q: Any, qd: Any, qdd: Any, wrenches: Mapping[str, Any] | None = None) -> np.ndarray:
        """Return [force; moment] that the parent exerts on the link of every joint, shape (..., joints, 6).

        One row a joint of ``joints``, mimicking ones included, in the axes and at the origin of the joint's link
        frame. Rigid bodies alone: along its axis a joint transmits inverse dynamics without rotor inertia.
        """
        return self._ask("reaction_wrenches", wrenches=wrenches, q=q, qd=qd, qdd=qdd)

    def contributions(self, q: Any, qd: Any, qdd: Any) -> Contributions:
        """Return the joint torque split by origin: inertial, rotor, Coriolis, centrifugal, gravity, friction, spring.

        >>> load("ur5e").contributions([0.1] * 6, [1] * 6, [0] * 6).gravity.shape
        (6,)
        """
        return Contributions.of(self._ask("contributions", q=q, qd=qd, qdd=qdd), self.joint_names)

    def rate_matrices(self, q: Any, qd: Any) -> RateMatrices:
        """Return M, B, C, G, qq and q2 of tau = M qdd + B qq + C q2 + G; see :mod:`taut.explicit.rate_matrices`.

        >>> load("ur5e").rate_matrices([0.1] * 6, [1] * 6).B.shape
        (6, 15)
        """
        from taut.explicit.rate_matrices import matrices_at

        coefficients, rates = self._ask("explicit", q=q), self._rates("qd", qd)
        lead = np.broadcast_shapes(coefficients.shape[:-1], rates.shape[:-1])
        return matrices_at(
            np.broadcast_to(coefficients, (*lead, coefficients.shape[-1])), np.broadcast_to(rates, (*lead, self.nv))
        )

    def inverse_dynamics_derivatives(self, q: Any, qd: Any, qdd: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return dtau/dq, dtau/dqd and dtau/dqdd = M of inverse dynamics, each of shape (..., nv, nv).

        The derivative by the position of a free joint is along its six rates, in its own axes.
        """
        return self._three(self._ask("inverse_dynamics_derivatives", q=q, qd=qd, qdd=qdd))

    def forward_dynamics_derivatives(self, q: Any, qd: Any, tau: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return dqdd/dq, dqdd/dqd and dqdd/dtau = M^-1 of forward dynamics, each of shape (..., nv, nv)."""
        return self._three(self._ask("forward_dynamics_derivatives", q=q, qd=qd, tau=tau))

    def _three(self, side_by_side: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        n = self.nv
        return side_by_side[..., :n], side_by_side[..., n : 2 * n], side_by_side[..., 2 * n :]

    def friction(self, qd: Any) -> np.ndarray:
        """Return the torque of friction and drive offsets, shape (..., nv)."""
        return self._ask("friction", qd=qd)

    def regressor(self, q: Any, qd: Any, qdd: Any) -> np.ndarray:
        """Return Y with tau = Y pi, ten columns a link, shape (..., nv, 10 * links)."""
        return self._ask("regressor", q=q, qd=qd, qdd=qdd)

    def drive_regressor(self, qd: Any, qdd: Any) -> np.ndarray:
        """Return the columns of rotor inertia, Coulomb, viscous, offset of each joint, shape (..., nv, 4 * joints)."""
        return self._ask("drive_regressor", qd=qd, qdd=qdd)

    def load_torque(self, q: Any, qd: Any, qdd: Any, load: Any, frame: str | None = None) -> np.ndarray:
        """Return the torque that a load on a frame adds, shape (..., nv).

        Args:
            q: positions (..., nq).
            qd: rates (..., nv).
            qdd: accelerations (..., nv).
            load: m mx my mz Ixx Ixy Iyy Ixz Iyz Izz about the frame's origin, in its axes (..., 10).
            frame: that holds the load; the last one by default.
        """
        return self._ask("load_torque", frame, q=q, qd=qd, qdd=qdd, load=load)

    @property
    def parameters(self) -> np.ndarray:
        """The inertial parameters of all links, ten each in taut's order: the pi of ``Y pi``."""
        tree = self.numeric
        return np.array([float(x) for i in range(len(tree.joints)) for x in tree.inertia(i).parameters])

    # -- kinematics and energy ----------------------------------------------------

    def forward_kinematics(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return the pose of a frame in the world, shape (..., 4, 4)."""
        return self._ask("forward_kinematics", frame, q=q)

    def jacobian(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return J, [linear; angular] in world axes at the frame's origin, shape (..., 6, nv)."""
        return self._ask("jacobian", frame, q=q)

    def jacobian_derivative(self, q: Any, qd: Any, frame: str | None = None) -> np.ndarray:
        """Return dJ/dt, shape (..., 6, nv)."""
        return self._ask("jacobian_derivative", frame, q=q, qd=qd)

    def jacobian_derivative_times_velocity(self, q: Any, qd: Any, frame: str | None = None) -> np.ndarray:
        """Return Jdot qd, shape (..., 6)."""
        return self._ask("jacobian_derivative_times_velocity", frame, q=q, qd=qd)

    def operational_inertia(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return (J M^-1 J^T)^-1 at a frame, shape (..., 6, 6)."""
        return self._ask("operational_inertia", frame, q=q)

    def operational_bias(self, q: Any, qd: Any, frame: str | None = None) -> np.ndarray:
        """Return mu with F = Lambda a + mu at a frame, shape (..., 6)."""
        return self._ask("operational_bias", frame, q=q, qd=qd)

    def energy(self, q: Any, qd: Any) -> np.ndarray:
        """Return [kinetic, potential] energy, shape (..., 2)."""
        return self._ask("energy", q=q, qd=qd)

    def momentum(self, q: Any, qd: Any) -> np.ndarray:
        """Return momentum [linear; angular] about the world's origin, shape (..., 6)."""
        return self._ask("momentum", q=q, qd=qd)

    def center_of_mass(self, q: Any) -> np.ndarray:
        """Return the centre of mass of the moving links in the world, shape (..., 3)."""
        return self._ask("center_of_mass", q=q)

    # -- motion -------------------------------------------------------------------

    def simulate(self, q0: Any = None, qd0: Any = None, torque: Any = None, t: Any = 1.0, **options: Any) -> Simulation:
        """Return the motion from an initial state under torques; see :func:`taut.simulate.simulation.simulate`.

        Args:
            q0: positions (..., nq); the zero position by default.
            qd0: rates (..., nv); rest by default.
            torque: None for zero, nv numbers, a pair (times (N), torques (N, nv)), the name of a
                CSV file with columns t, tau1, ..., or a function (t, q, qd) -> tau.
            t: the end time from 0, or increasing times at which the motion is wanted [s].
            options: ``method``, ``step``, ``drives``, ``saturate``, ``tolerance``.

        >>> load("puma560").simulate(t=0.5, step=1e-2).q.shape
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

        >>> load("puma560").linearise([0.1] * 6).A.shape
        (12, 12)
        """
        from taut.simulate.linear import LinearModel, state_matrices

        if output not in ("state", "position", "velocity", "frame"):
            raise InputError(f"output {output!r}", "linearise", "use 'state', 'position', 'velocity' or 'frame'")
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

        >>> robot = load("puma560")
        >>> found = robot.inverse_kinematics(robot.forward_kinematics([0.1] * 6))
        >>> bool(found.reached), found.branches.shape
        (True, (8, 6))
        """
        from taut.inverse_kinematics.branches import compiled_closed_form, solve_closed
        from taut.inverse_kinematics.numeric import inverse_kinematics
        from taut.inverse_kinematics.path import follow

        goal = _goal(pose)
        if method not in ("best", "closed", "numeric", "path"):
            advice = "use 'best', 'closed', 'numeric' or 'path'"
            raise InputError(f"method {method!r}", "inverse_kinematics", advice)
        for name, value in (("starts", starts), ("tolerance", tolerance), ("weight", weight)):
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"{name} is {value!r}", "inverse_kinematics", "give a number above 0")
        first = self._middle() if start is None else self._position("start", start)
        wanted = None if posture is None else self._position("posture", posture)
        place = self.numeric.frame(frame).name
        if method == "path":
            return follow(self.numeric, goal, place, first, tolerance, weight)
        whole = goal.shape[-1] == 4 and method != "numeric"
        if method == "closed" or (whole and compiled_closed_form(self, place) is not None):
            if not whole:
                raise InputError("a place without an orientation", "pose", "give a pose, or solve numerically")
            return solve_closed(self, self.numeric, goal, place, first, int(starts), tolerance, weight, seed)
        return inverse_kinematics(self.numeric, goal, place, first, int(starts), tolerance, weight, seed, wanted)

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

        if self.quaternions:
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
        >>> load("puma560").torques(point_to_point([0.0] * 6, [1.0] * 6, 2.0)).tau.shape
        (101, 6)
        """
        from taut.trajectory import TorqueHistory, Trajectory
        from taut.trajectory.table import read_trajectory

        motion = trajectory if isinstance(trajectory, Trajectory) else read_trajectory(trajectory, self)
        compute = self.joint_torque if drives else self.inverse_dynamics
        names = [self.joints[i].name for i in self.independent for _ in range(self.joints[i].motion.nv)]
        return TorqueHistory(motion, compute(motion.q, motion.qd, motion.qdd), tuple(names))

    # -- derivation ---------------------------------------------------------------

    def derive(self, function: str, method: str = "best", parameters: str | None = None, **options: Any) -> Function:
        """Return a function of this robot as an exact, tightened program; see :func:`taut.derive.derive`.

        >>> load("double_pendulum").derive("gravity", effort="quick").operations.total
        3
        """
        from taut.derive import derive

        return derive(self, function, method, parameters, **options)

    def generate(
        self,
        directory: str | Path,
        functions: Sequence[str] | str | None = None,
        *,
        language: str = "c",
        precision: str = "double",
        trig: str = "poly",
        batch: bool = False,
        name: str | None = None,
        tasks: str | None = None,
        recompute: int = 0,
        **derivation: Any,
    ) -> Generated:
        """Write functions of this robot as code that was run and compared first.

        Args:
            directory: new, empty, or with code that taut wrote for the same robot.
            functions: names, each with its frame after a colon if it has one, as in ``jacobian:tool``; or ``"all"``;
                torque, mass matrix, gravity, bias, accelerations, pose and Jacobian by default.
            language: ``c``, ``python``, ``javascript``, ``matlab`` or ``latex``.
            precision: ``double`` or ``float``, of C.
            trig: sines of C by polynomials (``poly``) or by the mathematics library (``libm``).
            batch: whether C functions also come for arrays of states.
            name: that files and functions begin with; made from the robot's by default.
            tasks: ``two-rate``, or a list of stages: C tasks that run at rates of their own; see
                :func:`taut.tasks.grouping.grouping`. The torque by default.
            recompute: operations that a value handed between background tasks must save.
            derivation: further arguments of :meth:`derive`.

        A function that cannot be derived is named in ``missing`` of the result; the others are written.
        """
        from taut.generate import DEFAULT, Wanted, functions_named, generate

        wanted = Wanted(language, precision, trig, batch, name)
        if tasks is not None:
            from taut.derive import derive
            from taut.tasks.generate import DEFAULT as TORQUE
            from taut.tasks.generate import generate_tasks, planned

            listed = functions if isinstance(functions, str) else ",".join(functions or [TORQUE])
            made = planned(
                self,
                functions_named(listed),
                tasks,
                lambda tree, one, frame: derive(tree, one, frame=frame, **derivation),
                recompute,
            )
            return generate_tasks(self, str(directory), made, wanted, derivation.get("load"))
        listed = functions if isinstance(functions, str) else ",".join(functions or [DEFAULT])
        chosen = functions_named(listed)
        return generate(
            self, str(directory), chosen, wanted, lambda one, frame: self.derive(one, frame=frame, **derivation)
        )

    def explicit(self, **options: Any) -> Equations:
        """Return M, b, c and g element by element, as sums a person can read; see :func:`taut.explicit.build.explicit`.

        >>> str(load("double_pendulum").explicit().M[0, 0])
        'M11 = K1 + 2*K2*C2'
        """
        from taut.equations import Equations
        from taut.explicit import explicit

        return Equations.of(explicit(self, **options))

    def kinematics(self, frame: str | None = None, rows: Sequence[str] | None = None) -> Kinematics:
        """Return pose, Jacobian and its analytic inverse in closed form; see :func:`taut.closed_form.kinematics`.

        >>> load("puma560").kinematics().determinant
        '-a2*S5*(a3*S3 - d4*C3)*(a2*C2 + a3*C23 + d4*S23)'
        """
        from taut.closed_form import kinematics

        return kinematics(self, frame, rows)

    def base_parameters(self, **options: Any) -> BaseParameters:
        """Return the parameters that motion can tell apart; see :func:`taut.identify.base_parameters`.

        >>> load("puma560").base_parameters().count
        36
        """
        from taut.identify.base_parameters import base_parameters

        return base_parameters(self, **options)

    # -- inside -------------------------------------------------------------------

    @cached_property
    def numeric(self) -> Tree:
        """The robot with every symbol replaced by its value."""
        return edit.numeric(self)

    def _ask(
        self, name: str, frame: str | None = None, wrenches: Mapping[str, Any] | None = None, **given: Any
    ) -> np.ndarray:
        """Check the arguments of a function of the table and evaluate it."""
        function, tree = question(name), self.numeric
        states = {key: self._state(key, value) for key, value in given.items()}
        options: dict[str, Any] = {}
        if function.on_frame:
            options["frame"] = tree.frame(frame).name
        pushed = {tree.frame(key).name: value for key, value in (wrenches or {}).items()}
        for key, value in pushed.items():
            meaning = "[force; moment] in world axes at the frame's origin"
            states[f"wrench on {key}"] = as_states(f"wrench on '{key}'", value, 6, meaning)

        def compute(**scalars: Any) -> Any:
            if pushed:
                forces = {key: scalars.pop(f"wrench on {key}") for key in pushed}
                return function.compute(tree, **scalars, **options, wrenches=forces)
            return function.compute(tree, **scalars, **options)

        try:
            return evaluate(compute, states, function.shape(tree))
        except ZeroDivisionError:
            advice = "see that every joint moves some mass"
            raise InputError(f"{name} of '{self.name}' divides by zero at this state", advice=advice) from None

    def _state(self, name: str, value: Any) -> np.ndarray:
        if name == "q":
            return self._position(name, value)
        known = ARGUMENTS[name]
        width = known.width(self)
        return as_states(name, value, width, " ".join(known.entries) or f"{width} numbers for {self._listed_joints()}")

    def _rates(self, name: str, value: Any) -> np.ndarray:
        return as_states(name, value, self.nv, f"{self.nv} numbers for {self._listed_joints()}")

    def _position(self, name: str, value: Any) -> np.ndarray:
        q = as_states(name, value, self.nq, f"{self.nq} numbers for {self._listed_joints()}")
        for start in self.quaternions:
            length = np.linalg.norm(q[..., start : start + 4], axis=-1)
            if np.any(np.abs(length - 1) > UNIT_SLACK):
                raise InputError(
                    f"the quaternion {name}[{start}:{start + 4}] is not of length 1", name, "normalise [qx qy qz qw]"
                )
        return q

    def _listed_joints(self) -> str:
        names = list(self.joint_names)
        return ", ".join(names[:8]) + (f", ... ({len(names)} joints)" if len(names) > 8 else "")


def _goal(pose: Any) -> np.ndarray:
    """Return poses (..., 4, 4) or places (..., 3) as arrays, or say what is wrong with them."""
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


def _formulas(place: str, *values: Any) -> list[Any]:
    """Return numbers and lists of them with every text read as a formula; its names are parameters."""
    from taut.formats.formula import parse

    graph = Graph()

    def read(value: Any) -> Any:
        if isinstance(value, str):
            return parse(value, graph, place)
        return [read(x) for x in value] if isinstance(value, list | tuple) else value

    return [read(value) for value in values]
