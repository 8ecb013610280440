"""Numeric answers of a robot: dynamics, kinematics and energy on arrays of states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.api.described import Described
from taut.batch import as_states, broadcast, evaluate
from taut.errors import InputError
from taut.robot.inertial_orders import ten_in

if TYPE_CHECKING:  # imported where they are used, so that importing taut is fast
    from taut.explicit.rate_matrices import RateMatrices
    from taut.questions.by_origin import Contributions


SINGULAR = 1e-14
"""Determinant, as a share of the largest that columns of this length can have, that is zero to rounding."""


class Answers(Described):
    """The functions of :mod:`taut.questions`, evaluated; any leading axes of the arguments are those of the answer."""

    def evaluate(
        self, function: str, *given: Any, frame: str | None = None, wrenches: Mapping[str, Any] | None = None
    ) -> np.ndarray:
        """Return the answer to a question by name, leading axes first, then the shape of the answer.

        Args:
            function: a name of ``taut list --functions`` or an alias; ``jacobian:tool`` names the frame, too, and
                ``torque+jacobian:tool`` asks for two answers, one after the other in one vector.
            given: one array (..., width) per argument of the question, in its order.
            frame: for questions on a frame; the last one by default.
            wrenches: {frame: [force; moment]} of the world, for questions that take them.

        >>> import taut
        >>> taut.load("ur5e").evaluate("torque", [0] * 6, [0] * 6, [0] * 6).shape
        (6,)
        """
        from taut.questions.fusion import with_frame
        from taut.questions.table import asked

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

    def rotor_torque(self, q: Any, qd: Any, qdd: Any) -> np.ndarray:
        """Return the torques that rotors as spinning bodies add, shape (..., nv); they are part of joint_torque."""
        return self._ask("rotor_torque", q=q, qd=qd, qdd=qdd)

    def rotor_regressor(self, q: Any, qd: Any, qdd: Any) -> np.ndarray:
        """Return the torques of a unit of spin_x, spin_y, spin_z of every drive, shape (..., nv, 3 joints)."""
        return self._ask("rotor_regressor", q=q, qd=qd, qdd=qdd)

    def contributions(self, q: Any, qd: Any, qdd: Any) -> Contributions:
        """Return the joint torque split by origin: inertial, rotor, Coriolis, centrifugal, gravity, friction, spring.

        >>> import taut
        >>> taut.load("ur5e").contributions([0.1] * 6, [1] * 6, [0] * 6).gravity.shape
        (6,)
        """
        from taut.questions.by_origin import Contributions

        return Contributions.of(self._ask("contributions", q=q, qd=qd, qdd=qdd), self.joint_names)

    def rate_matrices(self, q: Any, qd: Any) -> RateMatrices:
        """Return M, B, C, G, qq and q2 of tau = M qdd + B qq + C q2 + G; see :mod:`taut.explicit.rate_matrices`.

        >>> import taut
        >>> taut.load("ur5e").rate_matrices([0.1] * 6, [1] * 6).B.shape
        (6, 15)
        """
        from taut.explicit.rate_matrices import matrices_at

        coefficients, rates = broadcast(elements=self._ask("explicit", q=q), qd=self._rates("qd", qd))
        return matrices_at(coefficients, rates)

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

    def parameters_in(self, order: str) -> np.ndarray:
        """Return the inertial parameters as another library orders them, shape (links, 10).

        Args:
            order: taut, pinocchio, idyntree, symoro, mujoco or rtb; see :mod:`taut.robot.inertial_orders`.

        >>> import taut
        >>> taut.load("ur5e").parameters_in("mujoco").shape
        (6, 10)
        """
        tree = self.numeric
        return np.array([ten_in(tree.inertia(i), order) for i in range(len(tree.joints))], dtype=float)

    # -- kinematics and energy ----------------------------------------------------

    def forward_kinematics(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return the pose of a frame in the world, shape (..., 4, 4)."""
        return self._ask("forward_kinematics", frame, q=q)

    def jacobian(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return J, [linear; angular] in world axes at the frame's origin, shape (..., 6, nv)."""
        return self._ask("jacobian", frame, q=q)

    def inverse_jacobian(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return J^-1 of six joints: rates from the velocity [linear; angular] of a frame, shape (..., 6, 6).

        A state at which the determinant is zero to rounding is refused.

        >>> import taut
        >>> taut.load("ur5e").inverse_jacobian([0.3] * 6).shape
        (6, 6)
        """
        det, J = self.jacobian_determinant(q, frame), self.jacobian(q, frame)
        limit = SINGULAR * np.prod(np.linalg.norm(J, axis=-2), axis=-1)  # Hadamard's bound of the determinant
        if np.any(np.abs(det) <= limit):
            at = np.unravel_index(int(np.argmin(np.abs(det) - limit)), det.shape)
            where = f" at state {', '.join(map(str, at))}" if at else ""
            place = self.numeric.frame(frame).name
            raise InputError(
                f"the Jacobian of '{place}' is singular{where}: its determinant is 0 to rounding",
                "inverse_jacobian",
                "ask jacobian_determinant first, and robot.kinematics().singularities for what is lost there",
            )
        return self._ask("inverse_jacobian", frame, q=q)

    def jacobian_determinant(self, q: Any, frame: str | None = None) -> np.ndarray:
        """Return det J of six joints at a frame, shape (...): zero where the arm is singular."""
        return self._ask("jacobian_determinant", frame, q=q)[..., 0]

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

    def _ask(
        self, name: str, frame: str | None = None, wrenches: Mapping[str, Any] | None = None, **given: Any
    ) -> np.ndarray:
        """Check the arguments of a function of the table and evaluate it."""
        from taut.questions.table import question

        function, tree = question(name), self.numeric
        function.refuse_loops(tree)
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
