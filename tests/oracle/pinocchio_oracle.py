"""What Pinocchio says about a URDF, in taut's coordinates.

The model is built without mimic; mimicking joints are reduced here by v_full = G v. Vectors are matched by
joint name: Pinocchio orders joints by name, and gives a continuous joint the pair (cos, sin).
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from oracle.agreement import State
from taut.api import Robot


def load(text: str, *, free: bool = False) -> pin.Model:
    """Return Pinocchio's model of a URDF; raises what Pinocchio raises."""
    return pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if free else pin.buildModelFromXML(text)


class PinocchioOracle:
    """The dynamics of one state."""

    def __init__(self, model: pin.Model, robot: Robot, state: State) -> None:
        self.model, self.robot, self.state = model, robot, state
        self.data = model.createData()
        self.ids = [model.getJointId(joint.name) for joint in robot.tree.joints]
        assert all(i < model.njoints for i in self.ids), "a joint of taut is unknown to Pinocchio"
        assert model.nv == sum(joint.motion.nv for joint in robot.tree.joints), "Pinocchio has joints unknown to taut"
        model.gravity.linear = np.array([float(x) for x in robot.tree.gravity_acceleration])
        self.G = np.column_stack([self._rates(unit) for unit in np.eye(robot.nv)])
        self.q, self.v, self.a = self._positions(state.q), self._rates(state.qd), self._rates(state.qdd)

    def _positions(self, q: np.ndarray) -> np.ndarray:
        full = pin.neutral(self.model)
        for i, part in zip(self.ids, self.robot.tree.at(q).positions, strict=True):
            joint = self.model.joints[i]
            turning = joint.nq == 2
            full[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(part[0]), np.sin(part[0])] if turning else part
        return full

    def _rates(self, qd: np.ndarray) -> np.ndarray:
        full = np.zeros(self.model.nv)
        for i, part in zip(self.ids, self.robot.tree.at().rates(qd), strict=True):
            joint = self.model.joints[i]
            full[joint.idx_v : joint.idx_v + joint.nv] = part
        return full

    def inverse_dynamics(self) -> np.ndarray:
        return self.G.T @ pin.rnea(self.model, self.data, self.q, self.v, self.a)

    def gravity(self) -> np.ndarray:
        return self.G.T @ pin.computeGeneralizedGravity(self.model, self.data, self.q)

    def bias(self) -> np.ndarray:
        return self.G.T @ pin.nonLinearEffects(self.model, self.data, self.q, self.v)

    def mass_matrix(self) -> np.ndarray:
        upper = np.triu(pin.crba(self.model, self.data, self.q))
        return self.G.T @ (upper + np.triu(upper, 1).T) @ self.G

    def coriolis_matrix(self) -> np.ndarray:
        return self.G.T @ pin.computeCoriolisMatrix(self.model, self.data, self.q, self.v) @ self.G

    def forward_dynamics(self) -> np.ndarray:
        if self.robot.tree.mimics:
            return np.linalg.solve(self.mass_matrix(), self.state.tau - self.bias())
        back = self.G.T  # a permutation
        return back @ pin.aba(self.model, self.data, self.q, self.v, self.G @ self.state.tau)

    def regressor(self) -> np.ndarray:
        """Columns in taut's order of bodies."""
        full = pin.computeJointTorqueRegressor(self.model, self.data, self.q, self.v, self.a)
        Y = self.G.T @ np.reshape(full, (self.model.nv, -1))  # a single row comes as a vector
        return np.hstack([Y[:, 10 * (i - 1) : 10 * i] for i in self.ids])

    def poses(self, names: list[str]) -> np.ndarray:
        pin.framesForwardKinematics(self.model, self.data, self.q)
        return np.array([self.data.oMf[self._frame(name)].homogeneous for name in names])

    def jacobian(self, name: str) -> np.ndarray:
        frame = self._frame(name)
        J = pin.computeFrameJacobian(self.model, self.data, self.q, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        return np.reshape(J, (6, self.model.nv)) @ self.G

    def jacobian_derivative_times_velocity(self, name: str) -> np.ndarray:
        frame = self._frame(name)
        pin.forwardKinematics(self.model, self.data, self.q, self.v, np.zeros(self.model.nv))
        pin.updateFramePlacements(self.model, self.data)
        reference = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return pin.getFrameClassicalAcceleration(self.model, self.data, frame, reference).vector

    def inverse_dynamics_under(self, name: str, wrench: np.ndarray) -> np.ndarray:
        """Inverse dynamics with a wrench [force; moment] on a frame, world axes, at its origin."""
        pin.framesForwardKinematics(self.model, self.data, self.q)
        frame = self._frame(name)
        carrier = self.model.frames[frame].parentJoint
        there = pin.SE3(np.eye(3), self.data.oMf[frame].translation)
        forces = pin.StdVec_Force()
        for i in range(self.model.njoints):
            at_frame = pin.Force(wrench) if i == carrier else pin.Force.Zero()
            forces.append(self.data.oMi[i].actInv(there.act(at_frame)))
        return self.G.T @ pin.rnea(self.model, self.data, self.q, self.v, self.a, forces)

    def _frame(self, name: str) -> int:
        index = self.model.getFrameId(name, pin.FrameType.BODY)
        assert index < self.model.nframes, f"Pinocchio knows no link {name}"
        return index
