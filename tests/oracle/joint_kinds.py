"""Random trees of every joint kind: one specification, written for taut, built in Pinocchio and in MuJoCo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

from taut.api import Robot
from taut.formats.toml import read_toml

PARTS = {"universal": ("turn1", "turn2"), "planar": ("x", "y", "turn"), "cylindrical": ("turn", "slide")}
GRAVITY = np.array([1.0, -2.0, -9.0])


@dataclass(frozen=True)
class Part:
    """A joint and its link: everything general, nothing symmetric."""

    kind: str
    parent: int
    p: np.ndarray
    rpy: np.ndarray
    axis: np.ndarray
    axis2: np.ndarray
    pitch: float
    mass: float
    centre: np.ndarray
    tensor: np.ndarray

    @property
    def R(self) -> np.ndarray:
        return Rotation.from_euler("xyz", self.rpy).as_matrix()


def random_parts(seed: int, kinds: list[str], free: bool) -> list[Part]:
    """Return a tree with one joint of each given kind, in random order on random parents; a free one is the root."""
    rng = np.random.default_rng(seed)
    order = (["free"] if free else []) + [str(kind) for kind in rng.permutation(kinds)]
    parts = []
    for i, kind in enumerate(order):
        points, masses = rng.normal(0, 0.3, (6, 3)), rng.uniform(0.1, 0.5, 6)
        centre = masses @ points / masses.sum()
        second = np.einsum("k,ki,kj->ij", masses, points - centre, points - centre)
        axis, across = rng.normal(size=3), rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        across = np.cross(axis, across) / np.linalg.norm(np.cross(axis, across))
        place = rng.normal(0, 0.4, 3), rng.uniform(-1.4, 1.4, 3)
        if kind == "free":
            place = np.zeros(3), np.zeros(3)
        if kind == "planar":
            axis = np.array([0.0, 0.0, 1.0])
        parent = i - 1
        if i > 1 and rng.random() < 0.5:
            parent = parts[parent].parent  # beside the joint before it, so that the order stays depth first
        tensor = np.trace(second) * np.eye(3) - second
        pitch = float(rng.uniform(-0.1, 0.1))
        parts.append(Part(kind, parent, *place, axis, across, pitch, float(masses.sum()), centre, tensor))
    return parts


def taut_robot(parts: list[Part]) -> Robot:
    """Return taut's robot, by way of its TOML."""
    lines = [f"gravity = {_row(GRAVITY)}"]
    for i, part in enumerate(parts):
        I = part.tensor  # noqa: E741 - the book's letter
        lines += ["[[joint]]", f'name = "j{i}"', f'kind = "{part.kind}"']
        lines += [f'parent = "{f"l{part.parent}" if part.parent >= 0 else "base"}"']
        lines += [f"xyz = {_row(part.p)}", f"rpy = {_row(part.rpy)}"]
        lines += [f"axis = {_row(part.axis)}"] * (part.kind not in ("ball", "free"))
        lines += [f"axis2 = {_row(part.axis2)}"] * (part.kind == "universal")
        lines += [f"pitch = {part.pitch!r}"] * (part.kind == "helical")
        lines += ["[joint.link]", f'name = "l{i}"', f"mass = {part.mass!r}", f"com = {_row(part.centre)}"]
        lines += [f"inertia = {_row([I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])}", 'about = "com"']
    return Robot(read_toml("\n".join(lines)))


def pinocchio_model(parts: list[Part]) -> pin.Model:
    """Return Pinocchio's model, with its own joint of every kind."""
    model, ids = pin.Model(), [0]
    model.gravity.linear = GRAVITY
    for i, part in enumerate(parts):
        ids.append(model.addJoint(ids[part.parent + 1], _pinocchio_joint(part), pin.SE3(part.R, part.p), f"j{i}"))
        model.appendBodyToJoint(ids[-1], pin.Inertia(part.mass, part.centre, part.tensor), pin.SE3.Identity())
        model.addFrame(pin.Frame(f"l{i}", ids[-1], pin.SE3.Identity(), pin.FrameType.BODY))
    return model


def _pinocchio_joint(part: Part) -> pin.JointModel:
    simple: dict[str, Callable[[], pin.JointModel]] = {
        "free": pin.JointModelFreeFlyer,
        "ball": pin.JointModelSpherical,
        "planar": pin.JointModelPlanar,
        "revolute": lambda: pin.JointModelRevoluteUnaligned(part.axis),
        "prismatic": lambda: pin.JointModelPrismaticUnaligned(part.axis),
        "helical": lambda: pin.JointModelHelicalUnaligned(part.axis, part.pitch),
        "universal": lambda: pin.JointModelUniversal(part.axis, part.axis2),
    }
    if part.kind != "cylindrical":
        return simple[part.kind]()
    both = pin.JointModelComposite(pin.JointModelRevoluteUnaligned(part.axis))
    both.addJoint(pin.JointModelPrismaticUnaligned(part.axis))
    return both


class PinocchioState:
    """A state in Pinocchio's coordinates: (cos, sin) of a planar joint, whose rates are in the moving axes there."""

    def __init__(self, parts: list[Part], robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> None:
        self.q, self.v, self.a = [], [], []
        self.T = np.zeros((0, 0))  # v = T qd
        at_q = at_v = 0
        for part in parts:
            nq, nv = {"free": (7, 6), "ball": (4, 3)}.get(part.kind, (len(PARTS.get(part.kind, "1")),) * 2)
            own, rate, acceleration = q[at_q : at_q + nq], qd[at_v : at_v + nv], qdd[at_v : at_v + nv]
            at_q, at_v, T, drift = at_q + nq, at_v + nv, np.eye(nv), np.zeros(nv)
            if part.kind == "planar":
                c, s = np.cos(own[2]), np.sin(own[2])
                own = np.array([own[0], own[1], c, s])
                T = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
                v = T @ rate
                drift = np.array([v[2] * v[1], -v[2] * v[0], 0])
            self.q += list(own)
            self.v += list(T @ rate)
            self.a += list(T @ acceleration + drift)
            n = len(self.T)
            self.T = np.block([[self.T, np.zeros((n, nv))], [np.zeros((nv, n)), T]])
        self.q, self.v, self.a = (np.array(x) for x in (self.q, self.v, self.a))


def mujoco_model(parts: list[Part]) -> mujoco.MjModel:
    """Return MuJoCo's model: a planar, universal or cylindrical joint is several joints of one body."""
    below = {i: [k for k, part in enumerate(parts) if part.parent == i] for i in range(-1, len(parts))}

    def body(i: int) -> str:
        part = parts[i]
        I = part.tensor  # noqa: E741 - the book's letter
        w, x, y, z = Rotation.from_matrix(part.R).as_quat(scalar_first=True)
        full = _xml([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
        inertial = f'<inertial pos="{_xml(part.centre)}" mass="{part.mass!r}" fullinertia="{full}"/>'
        joints = "".join(
            f'<joint type="{kind}" name="j{i}_{k}" axis="{_xml(axis)}"/>'
            for k, (kind, axis) in enumerate(_mujoco_joints(part))
        )
        inside = "".join(body(k) for k in below[i])
        return f'<body pos="{_xml(part.p)}" quat="{_xml([w, x, y, z])}">{joints}{inertial}{inside}</body>'

    world = "".join(body(k) for k in below[-1])
    compiler = '<compiler angle="radian" balanceinertia="false" boundmass="0"/>'
    option = f'<option gravity="{_xml(GRAVITY)}"/>'
    return mujoco.MjModel.from_xml_string(f"<mujoco>{compiler}{option}<worldbody>{world}</worldbody></mujoco>")


def _mujoco_joints(part: Part) -> list[tuple[str, np.ndarray]]:
    x, y, z = np.eye(3)
    return {
        "free": [("free", z)],
        "ball": [("ball", z)],
        "planar": [("slide", x), ("slide", y), ("hinge", z)],
        "revolute": [("hinge", part.axis)],
        "prismatic": [("slide", part.axis)],
        "universal": [("hinge", part.axis), ("hinge", part.axis2)],
        "cylindrical": [("hinge", part.axis), ("slide", part.axis)],
    }[part.kind]


class MujocoState:
    """A state in MuJoCo's coordinates: scalar part first, linear rates of a free joint in the world's axes."""

    def __init__(
        self, parts: list[Part], model: mujoco.MjModel, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
    ) -> None:
        self.data = mujoco.MjData(model)
        self.T = np.eye(model.nv)
        drift = np.zeros(model.nv)
        at_q = at_v = 0
        order = []
        for i, part in enumerate(parts):
            first = model.joint(f"j{i}_0")
            nq, nv = {"free": (7, 6), "ball": (4, 3)}.get(part.kind, (len(PARTS.get(part.kind, "1")),) * 2)
            own = q[at_q : at_q + nq]
            if part.kind in ("free", "ball"):
                own = np.array([*own[:-4], own[-1], *own[-4:-1]])
            self.data.qpos[first.qposadr[0] : first.qposadr[0] + nq] = own
            order += list(range(first.dofadr[0], first.dofadr[0] + nv))
            if part.kind == "free":
                R = Rotation.from_quat(q[at_q + 3 : at_q + 7]).as_matrix()
                k = slice(at_v, at_v + 3)
                self.T[k, k] = R
                drift[k] = R @ np.cross(qd[at_v + 3 : at_v + 6], qd[k])
            at_q, at_v = at_q + nq, at_v + nv
        self.T = np.eye(model.nv)[:, order] @ self.T
        self.data.qvel[:] = self.T @ qd
        self.a = self.T @ qdd + np.eye(model.nv)[:, order] @ drift
        self.drift = np.eye(model.nv)[:, order] @ drift


def _row(numbers: np.ndarray | list[float]) -> str:
    return "[" + ", ".join(repr(float(x)) for x in numbers) + "]"


def _xml(numbers: np.ndarray | list[float]) -> str:
    return " ".join(repr(float(x)) for x in numbers)
