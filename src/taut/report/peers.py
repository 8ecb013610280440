"""Other packages that answer the same question; each gets the same robot and answers in taut's order.

A peer is built for one robot and returns {function: how to ask it for one state}; what it cannot do it leaves out. One
that is not installed, or cannot hold the robot, raises ImportError or InputError with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import numpy as np

from taut.errors import InputError
from taut.formats.urdf_writer import write_urdf
from taut.robot import Tree
from taut.spatial import Inertia

Call = Callable[..., np.ndarray]
"""Takes the arguments of the function, q, qd and qdd or tau as it needs them."""


class Asked(NamedTuple):
    """A call, and what makes taut's answer of its answer; only the call is timed."""

    call: Call
    whole: Call = np.copy


Calls = Mapping[str, Asked]

FAR_LIMITS = '<limit lower="-1e9" upper="1e9" effort="0" velocity="0"/>'
RIGHT = 1e-9
"""How far a rotation may be from the one of a DH row."""


class Peer(NamedTuple):
    """Another package: how people call it, its name on the index, and what makes its calls for a robot."""

    title: str
    package: str
    build: Callable[[Tree], Calls]

    @property
    def version(self) -> str:
        """The installed version, or nothing."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


def pinocchio(robot: Tree) -> Calls:
    """Return Pinocchio's functions, called through its Python interface."""
    import pinocchio as pin

    _plain_joints(robot)
    # A joint without limits would be a pair (cos, sin): it gets some that are never met.
    text = write_urdf(robot).replace('type="continuous">', f'type="revolute">{FAR_LIMITS}')
    model = pin.buildModelFromXML(text)
    model.gravity.linear = _numbers(robot.gravity_acceleration)
    data = model.createData()
    ids = [model.getJointId(joint.name) for joint in robot.joints]
    if max(ids) >= model.njoints:
        raise InputError("a joint of the robot is not in its model", "Pinocchio")
    v = [model.idx_vs[i] + k for i in ids for k in range(model.nvs[i])]
    q = [model.idx_qs[i] + k for i in ids for k in range(model.nqs[i])]
    rotors = np.zeros(model.nv)
    rotors[[model.idx_vs[i] for i in ids]] = [float(joint.drive.rotor_inertia) for joint in robot.joints]
    model.armature = rotors

    def own(order: list[int]) -> Callable[[np.ndarray], np.ndarray]:
        if order == sorted(order):
            return lambda x: x
        inverse = np.argsort(order)
        return lambda x: x[inverse]

    Q, V = own(q), own(v)

    def matrix(upper: np.ndarray) -> np.ndarray:
        return (np.triu(upper) + np.triu(upper, 1).T)[np.ix_(v, v)]

    def vector(found: np.ndarray) -> np.ndarray:
        return found[v]

    return {
        "inverse_dynamics": Asked(lambda a, b, c: pin.rnea(model, data, Q(a), V(b), V(c)), vector),
        "mass_matrix": Asked(lambda a: pin.crba(model, data, Q(a)), matrix),
        "gravity": Asked(lambda a: pin.computeGeneralizedGravity(model, data, Q(a)), vector),
        "bias": Asked(lambda a, b: pin.nonLinearEffects(model, data, Q(a), V(b)), vector),
        "forward_dynamics": Asked(lambda a, b, c: pin.aba(model, data, Q(a), V(b), V(c)), vector),
    }


def mujoco(robot: Tree) -> Calls:
    """Return what MuJoCo's pipeline gives, through its Python interface; contacts and constraints stay out."""
    import mujoco as mj

    _plain_joints(robot, free=False)
    settings = '<mujoco><compiler fusestatic="false" strippath="true"/></mujoco>'
    head, mark, rest = write_urdf(robot).partition("<robot")
    name, close, body = rest.partition(">")
    try:
        model = mj.MjModel.from_xml_string(f"{head}{mark}{name}{close}{settings}{body}")
    except ValueError as error:
        raise InputError(f"it refuses the robot: {str(error).splitlines()[0]}", "MuJoCo") from None
    model.opt.gravity[:] = _numbers(robot.gravity_acceleration)
    ids = [mj.mj_name2id(model, mj.mjtObj.mjOBJ_JOINT, joint.name) for joint in robot.joints]
    order = [int(model.jnt_dofadr[i]) for i in ids]
    if model.nv != robot.nv or min(ids) < 0:
        raise InputError("its joints are not those of the robot", "MuJoCo")
    model.dof_armature[order] = [float(joint.drive.rotor_inertia) for joint in robot.joints]
    data, answer = mj.MjData(model), np.zeros(model.nv)

    def place(q: np.ndarray, qd: np.ndarray | float = 0.0) -> None:
        data.qpos[order], data.qvel[order] = q, qd
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_comVel(model, data)

    def inverse_dynamics(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        place(q, qd)
        data.qacc[order] = qdd
        mj.mj_rne(model, data, 1, answer)
        return answer

    def bias(q: np.ndarray, qd: np.ndarray | float) -> np.ndarray:
        place(q, qd)
        mj.mj_rne(model, data, 0, answer)
        return answer

    def vector(found: np.ndarray) -> np.ndarray:
        return found[order]

    def with_rotors(found: np.ndarray) -> np.ndarray:
        return (found + model.dof_armature * data.qacc)[order]

    return {
        "inverse_dynamics": Asked(inverse_dynamics, with_rotors),
        "gravity": Asked(lambda q: bias(q, 0.0), vector),
        "bias": Asked(bias, vector),
    }


def roboticstoolbox(robot: Tree) -> Calls:
    """Return the Robotics Toolbox's functions of an arm in modified DH form."""
    import roboticstoolbox as rtb

    _plain_joints(robot, free=False)
    links = []
    for i, joint in enumerate(robot.joints):
        pose, parent = robot.rest_poses[i], joint.parent
        turned, p = np.array([_numbers(row) for row in pose.R.matrix.rows]), _numbers(pose.p)
        alpha = float(np.arctan2(turned[2, 1], turned[2, 2]))
        row = np.array([[1, 0, 0], [0, np.cos(alpha), -np.sin(alpha)], [0, np.sin(alpha), np.cos(alpha)]])
        d = float(p @ turned[:, 2])
        axis = getattr(joint.motion, "axis", None)
        along = axis is not None and np.allclose(_numbers(axis), [0, 0, 1], atol=RIGHT)
        fits = np.abs(turned - row).max() < RIGHT and np.abs(p - [p[0], *(d * turned[1:, 2])]).max() < RIGHT
        if not (fits and along and joint.motion.pure_turn and parent == i - 1):
            raise InputError("only arms of revolute joints in modified DH form", "Robotics Toolbox")
        mass, centre, tensor = _about_centre(joint.link.inertia)
        moments = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[1, 2], tensor[0, 2]]
        drive: dict[str, Any] = {"Jm": float(joint.drive.rotor_inertia), "G": 1, "B": 0, "Tc": [0, 0]}
        links.append(rtb.RevoluteMDH(alpha=alpha, a=p[0], d=d, m=mass, r=centre, I=moments, **drive))
    arm = rtb.DHRobot(links, gravity=_numbers(robot.gravity_acceleration))
    rest = np.zeros(robot.nv)
    return {
        "inverse_dynamics": Asked(arm.rne),
        "mass_matrix": Asked(arm.inertia),
        "gravity": Asked(lambda q: arm.rne(q, rest, rest)),
        "bias": Asked(lambda q, qd: arm.rne(q, qd, rest)),
    }


PEERS = {
    "pin": Peer("Pinocchio", "pin", pinocchio),
    "mujoco": Peer("MuJoCo", "mujoco", mujoco),
    "rtb": Peer("Robotics Toolbox", "roboticstoolbox-python", roboticstoolbox),
}
"""By the name that `taut bench --peers` takes."""


def _plain_joints(robot: Tree, free: bool = True) -> None:
    if robot.tied or robot.coupling:
        raise InputError("a robot with coupled joints is not compared")
    if not free and any(joint.motion.floats for joint in robot.joints):
        raise InputError("a robot with a free base is not compared")


def _numbers(values: Any) -> np.ndarray:
    return np.array([float(x) for x in values])


def _about_centre(inertia: Inertia) -> tuple[float, np.ndarray, np.ndarray]:
    mass, moment = float(inertia.m), _numbers(inertia.h)
    centre = moment / mass if mass else moment
    shift = mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return mass, centre, np.array([_numbers(row) for row in inertia.I.matrix.rows]) - shift
