"""What MuJoCo says about an MJCF or a URDF, in taut's coordinates.

MuJoCo gives a free joint its linear velocity in world axes and its quaternion scalar first; taut in body axes,
scalar last. With v_mujoco = T v, T = blockdiag(R, 1): M = T^T M_mujoco T, tau = T^T tau_mujoco, and
a_mujoco = T a + dT/dt v. Joint equalities are reduced as mimics. Friction, springs and contacts stay out.
"""

from __future__ import annotations

import re
from pathlib import Path

import mujoco
import numpy as np

from oracle.agreement import State
from taut.api import Robot

mujoco.set_mju_user_warning(lambda message: None)  # MuJoCo would write a log file where the tests run

_SHAPES = re.compile(r"<(visual|collision)\b[^>]*?(/>|>.*?</\1\s*>)", re.DOTALL)
_COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)
_COMPILER = '<mujoco><compiler fusestatic="false" discardvisual="false" strippath="true"/></mujoco>'


def load_mjcf(path: Path) -> mujoco.MjModel:
    """Return MuJoCo's model of an MJCF; raises ValueError as MuJoCo does."""
    return mujoco.MjModel.from_xml_path(str(path))


def load_urdf(text: str) -> mujoco.MjModel:
    """Return MuJoCo's model of a URDF without its shapes."""
    bare = _SHAPES.sub("", _COMMENTS.sub("", text)).strip()
    return mujoco.MjModel.from_xml_string(re.sub(r"(<robot\b[^>]*>)", rf"\1{_COMPILER}", bare, count=1))


class MujocoOracle:
    """The dynamics of one state."""

    def __init__(self, model: mujoco.MjModel, robot: Robot, state: State) -> None:
        self.model, self.robot, self.state = model, robot, state
        self.data = mujoco.MjData(model)
        self.ids = [self._joint_id(i) for i in range(len(robot.tree.joints))]
        assert model.nv == sum(joint.motion.nv for joint in robot.tree.joints), "MuJoCo has joints unknown to taut"
        self._place(state.q)
        self.G = np.column_stack([self._rates(unit) for unit in np.eye(robot.nv)])
        self.T = np.eye(model.nv)
        self.drift = np.zeros(model.nv)  # dT/dt v
        full = self._rates(state.qd)
        for joint, start in self._free_joints():
            R = self.data.xmat[model.jnt_bodyid[joint]].reshape(3, 3)
            self.T[start : start + 3, start : start + 3] = R
            linear, angular = full[start : start + 3], full[start + 3 : start + 6]
            self.drift[start : start + 3] = R @ np.cross(angular, linear)
        self.B = self.T @ self.G
        self.data.qvel[:] = self.B @ state.qd
        mujoco.mj_fwdVelocity(model, self.data)

    def _joint_id(self, i: int) -> int:
        """Find taut's joint by its name; one without a name in the file by its place, as both go depth first."""
        joint = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, self.robot.tree.joints[i].name)
        return joint if joint >= 0 else i

    def _free_joints(self) -> list[tuple[int, int]]:
        free = mujoco.mjtJoint.mjJNT_FREE
        return [(j, self.model.jnt_dofadr[j]) for j in range(self.model.njnt) if self.model.jnt_type[j] == free]

    def _place(self, q: np.ndarray) -> None:
        for j, part in zip(self.ids, self.robot.tree.at(q).positions, strict=True):
            at = self.model.jnt_qposadr[j]
            if len(part) in (4, 7):
                *xyz, x, y, z, w = part
                part = [*xyz, w, x, y, z]
            self.data.qpos[at : at + len(part)] = part
        mujoco.mj_fwdPosition(self.model, self.data)

    def _rates(self, qd: np.ndarray) -> np.ndarray:
        full = np.zeros(self.model.nv)
        for j, part in zip(self.ids, self.robot.tree.at().rates(qd), strict=True):
            at = self.model.jnt_dofadr[j]
            full[at : at + len(part)] = part
        return full

    def _torque(self, qdd: np.ndarray) -> np.ndarray:
        """Rigid bodies and armature at an acceleration of taut's."""
        self.data.qacc[:] = self.B @ qdd + self.drift
        torque = np.zeros(self.model.nv)
        mujoco.mj_rne(self.model, self.data, 1, torque)
        return self.B.T @ (torque + self.model.dof_armature * self.data.qacc)

    def inverse_dynamics(self) -> np.ndarray:
        return self._torque(self.state.qdd)

    def bias(self) -> np.ndarray:
        return self._torque(np.zeros(self.robot.nv))

    def mass_matrix(self) -> np.ndarray:
        full = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, full)
        return self.B.T @ full @ self.B

    def forward_dynamics(self) -> np.ndarray:
        return np.linalg.solve(self.mass_matrix(), self.state.tau - self.bias())

    def body_id(self, name: str) -> int:
        return mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name)

    def pose(self, name: str) -> np.ndarray:
        body, pose = self.body_id(name), np.eye(4)
        pose[:3, :3], pose[:3, 3] = self.data.xmat[body].reshape(3, 3), self.data.xpos[body]
        return pose

    def jacobian(self, name: str) -> np.ndarray:
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jacBody(self.model, self.data, linear, angular, self.body_id(name))
        return np.vstack([linear, angular]) @ self.B

    def inverse_dynamics_under(self, name: str, wrench: np.ndarray) -> np.ndarray:
        """Inverse dynamics with a wrench [force; moment] on a body, world axes, at its origin."""
        push, body = np.zeros(self.model.nv), self.body_id(name)
        force, moment = wrench[:3].copy(), wrench[3:].copy()
        mujoco.mj_applyFT(self.model, self.data, force, moment, self.data.xpos[body].copy(), body, push)
        return self.inverse_dynamics() - self.B.T @ push
