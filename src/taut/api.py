"""The few public verbs: load a robot, ask it for its dynamics."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from taut import formats, library
from taut.batch import as_states, evaluate
from taut.closed_form import Kinematics, kinematics
from taut.derive import Function, derive
from taut.errors import InputError
from taut.explicit import ExplicitModel, explicit
from taut.formats import dh
from taut.formats.toml_writer import write_toml
from taut.formats.urdf_writer import write_urdf
from taut.functions import FUNCTIONS
from taut.identify.base_parameters import BaseParameters, base_parameters
from taut.reduce.abbreviate import Abbreviated, abbreviate
from taut.reduce.scenario import Scenario
from taut.robot import PARAMETER_NAMES, Placement, Tree, edit
from taut.robot.placement import rpy as rpy_turns
from taut.spatial import Vec3

UNIT_SLACK = 1e-6
"""How far a quaternion's length may be from one before it is taken for a mistake."""


def load(robot: str | Path, base: str = "fixed", lock: Mapping[str, float] | None = None) -> Robot:
    """Return a robot of taut's library, or of a description file.

    Args:
        robot: a name from ``taut list``, or a path to a .toml, .urdf, .xml (MJCF or URDF), .par or .robot file.
        base: ``"fixed"``, or ``"free"`` to let the base link float.
        lock: {joint: position} of joints to hold; their links become frames.

    >>> load("puma560").dof
    6
    """
    if base not in ("fixed", "free"):
        raise InputError(f"base is {base!r}", "load", "use 'fixed' or 'free'")
    name = str(robot)
    # os.path.exists, unlike Path.exists, is False for a name that no system allows.
    if name not in library.names() and (Path(name).suffix or os.path.exists(name)):
        tree = formats.read_path(Path(name))
    else:
        tree = formats.read(library.text(name), f"{name}.toml", "toml")
    if base == "free":
        tree = edit.free_base(tree)
    if lock:
        tree = edit.lock(tree, lock)
    return Robot.of(tree)


def from_dh(label: str, rows: Sequence[Mapping[str, Any]], **description: Any) -> Robot:
    """Return the robot of a Denavit-Hartenberg table; see :func:`taut.formats.dh.from_dh`.

    >>> from_dh("standard", [{"a": 0.4}, {"a": 0.3}]).dof
    2
    """
    return Robot.of(dh.from_dh(label, rows, **description))


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
        return write_toml(self)

    def to_urdf(self) -> str:
        """Return the robot as URDF; symbols are replaced by their values."""
        return write_urdf(self)

    # -- changes ----------------------------------------------------------------

    def with_load(
        self, mass: Any, com: Sequence[Any] = (0.0, 0.0, 0.0), inertia: Any = None, frame: str | None = None
    ) -> Self:
        """Return the robot carrying a rigid load; see :func:`taut.robot.edit.with_load`."""
        return edit.with_load(self, mass, com, inertia, frame)

    def with_tool(
        self,
        xyz: Sequence[Any] = (0.0, 0.0, 0.0),
        rpy: Sequence[Any] = (0.0, 0.0, 0.0),
        name: str = "tool",
        frame: str | None = None,
    ) -> Self:
        """Return the robot with one more named frame, placed in ``frame``; it becomes the default frame."""
        return edit.with_tool(self, Placement(Vec3(*xyz), rpy_turns(*rpy)), name, frame)

    def with_values(self, values: Mapping[str, float]) -> Self:
        """Return the robot with named symbols given values."""
        return edit.with_values(self, values)

    def with_gravity(self, acceleration: Sequence[Any]) -> Self:
        """Return the robot under another gravity, in the world frame [m/s^2]."""
        return edit.with_gravity(self, acceleration)

    def lock(self, positions: Mapping[str, float]) -> Self:
        """Return the robot with joints held at positions."""
        return edit.lock(self, positions)

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

    # -- derivation ---------------------------------------------------------------

    def derive(self, function: str, method: str = "best", parameters: str | None = None, **options: Any) -> Function:
        """Return a function of this robot as an exact, tightened program; see :func:`taut.derive.derive`.

        >>> load("double_pendulum").derive("gravity", effort="quick").operations.total
        3
        """
        return derive(self, function, method, parameters, **options)

    def explicit(self, **options: Any) -> Equations:
        """Return M, b, c and g element by element, as sums a person can read; see :func:`taut.explicit.build.explicit`.

        >>> str(load("double_pendulum").explicit().M[0, 0])
        'M11 = K1 + 2*K2*C2'
        """
        return Equations.of(explicit(self, **options))

    def kinematics(self, frame: str | None = None, rows: Sequence[str] | None = None) -> Kinematics:
        """Return pose, Jacobian and its analytic inverse in closed form; see :func:`taut.closed_form.kinematics`.

        >>> load("puma560").kinematics().determinant
        '-a2*S5*(a3*S3 - d4*C3)*(a2*C2 + a3*C23 + d4*S23)'
        """
        return kinematics(self, frame, rows)

    def base_parameters(self, **options: Any) -> BaseParameters:
        """Return the parameters that motion can tell apart; see :func:`taut.identify.base_parameters`.

        >>> load("puma560").base_parameters().count
        36
        """
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
        function, tree = FUNCTIONS[name], self.numeric
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

        return evaluate(compute, states, function.shape(tree))

    def _state(self, name: str, value: Any) -> np.ndarray:
        if name == "load":
            return as_states(name, value, len(PARAMETER_NAMES), " ".join(PARAMETER_NAMES))
        width = self.nq if name == "q" else self.nv
        states = as_states(name, value, width, f"{width} numbers for {self._listed_joints()}")
        if name == "q":
            for start in self._quaternion_starts:
                length = np.linalg.norm(states[..., start : start + 4], axis=-1)
                if np.any(np.abs(length - 1) > UNIT_SLACK):
                    raise InputError(
                        f"the quaternion q[{start}:{start + 4}] has not length 1", "q", "normalise [qx qy qz qw]"
                    )
        return states

    @cached_property
    def _quaternion_starts(self) -> list[int]:
        starts, at = [], 0
        for i in self.independent:
            motion = self.joints[i].motion
            if motion.kind == "free":
                starts.append(at + 3)
            at += motion.nq
        return starts

    def _listed_joints(self) -> str:
        names = list(self.joint_names)
        return ", ".join(names[:8]) + (f", ... ({len(names)} joints)" if len(names) > 8 else "")


class Equations(ExplicitModel):
    """The explicit equations of a robot and what one can do with them; see :class:`taut.explicit.ExplicitModel`."""

    @classmethod
    def of(cls, model: ExplicitModel) -> Self:
        """Return the equations with the data of ``model``."""
        return cls(**{f.name: getattr(model, f.name) for f in fields(ExplicitModel)})

    def abbreviate(
        self,
        threshold: float = 0.01,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        rule: str = "armstrong",
        operations: int | None = None,
    ) -> Abbreviated:
        """Return shorter equations together with their torque error; see :func:`taut.reduce.abbreviate.abbreviate`.

        >>> print(load("puma560").explicit(verify=False).abbreviate(0.01, rule="torque"))  # doctest: +ELLIPSIS
        puma560 by rule torque: ... terms, ... operations with torque, worst torque error ... %
        """
        return abbreviate(self, threshold, scenario, rule, operations)
