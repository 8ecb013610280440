"""The robots that are compared, given to every contestant in its own form.

The files are those of example-robot-data. taut reads them itself; the peers get what Pinocchio's reader makes of them,
with rotations by right angles made exact: the files write pi in a few digits, and nobody should pay for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

import taut

SNAP = 1e-9
"""Entries of a rotation this near to 0 or 1 are taken for it."""


@dataclass(frozen=True)
class Joint:
    """A joint and the body it carries, as numbers.

    Attributes:
        parent: index of the joint before it, from 1; 0 is the world.
        kind: Pinocchio's name, e.g. ``JointModelRZ``.
        axis: of a joint with one.
        rotation: of the joint's frame in its parent's.
        position: of its origin in its parent's frame [m].
        mass: [kg].
        centre: of mass, in the joint's frame [m].
        inertia: about the centre [kg m^2].
    """

    parent: int
    kind: str
    axis: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    mass: float
    centre: np.ndarray
    inertia: np.ndarray

    @property
    def free(self) -> bool:
        """Whether it has six degrees of freedom, else one."""
        return self.kind == "JointModelFreeFlyer"

    @property
    def prismatic(self) -> bool:
        """Whether it slides."""
        return self.kind.startswith("JointModelP")


@dataclass(frozen=True)
class Contested:
    """A robot of the comparison.

    Attributes:
        name: short, for tables.
        file: below the robots of example-robot-data.
        free: whether its base floats.
        locked: joints held at zero.
        effort: of taut's derivation.
        questions: what is compared, () for everything.
    """

    name: str
    file: str
    free: bool = False
    locked: tuple[str, ...] = ()
    effort: str = "normal"
    questions: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where the file is."""
        folder = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
        return Path(str(folder)) / self.file

    @cached_property
    def robot(self) -> taut.Robot:
        """The robot as taut reads it."""
        return taut.load(self.path, base="free" if self.free else "fixed", lock=dict.fromkeys(self.locked, 0.0))

    @cached_property
    def model(self):
        """The robot as Pinocchio reads it, locked joints merged."""
        import pinocchio

        root = [pinocchio.JointModelFreeFlyer()] if self.free else []
        model = pinocchio.buildModelFromUrdf(str(self.path), *root)
        locked = [model.getJointId(name) for name in self.locked]
        model = pinocchio.buildReducedModel(model, locked, np.zeros(model.nq)) if locked else model
        for i in range(1, model.njoints):
            model.jointPlacements[i].rotation = _snapped(model.jointPlacements[i].rotation)
        return model

    @cached_property
    def joints(self) -> list[Joint]:
        """The peers' robot as numbers, parents first."""
        model = self.model
        found = []
        for i in range(1, model.njoints):
            kind, place, body = model.joints[i].shortname(), model.jointPlacements[i], model.inertias[i]
            axis = np.eye(3)["XYZ".index(kind[-1])] if kind[-1] in "XYZ" else np.zeros(3)
            numbers = (axis, place.rotation, place.translation, body.mass, body.lever, body.inertia)
            found.append(Joint(model.parents[i], kind, *(np.copy(x) if np.ndim(x) else x for x in numbers)))
        return found

    @property
    def text(self) -> str:
        """The peers' robot as robot.hpp reads it."""
        rows = []
        for j in self.joints:
            numbers = [j.rotation, j.position, [j.mass], j.centre, j.inertia]
            rows.append(f"{j.parent} {j.kind} " + " ".join(repr(float(x)) for part in numbers for x in np.ravel(part)))
        return "\n".join(rows) + "\n"

    @cached_property
    def order(self) -> tuple[list[int], list[int], list[int]]:
        """For taut's vectors, the places of their entries in the peers': of q, of rates, of inertial parameters."""
        model, robot = self.model, self.robot
        q, v, parameters = [], [], []
        for joint in robot.tree.joints:
            i = model.getJointId("root_joint" if joint.motion.nv == 6 else joint.name)
            q += range(model.idx_qs[i], model.idx_qs[i] + model.nqs[i])
            v += range(model.idx_vs[i], model.idx_vs[i] + model.nvs[i])
            parameters += range(10 * (i - 1), 10 * i)
        return q, v, parameters

    def states(self, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return random q, velocities and accelerations or torques, in the peers' order."""
        rng = np.random.default_rng(seed)
        q, v, x = (rng.uniform(-2, 2, (count, n)) for n in (self.model.nq, self.model.nv, self.model.nv))
        if self.free:
            q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1, keepdims=True)
        return q, v, x


def _snapped(rotation: np.ndarray) -> np.ndarray:
    near = np.rint(rotation)
    return np.where(np.abs(rotation - near) < SNAP, near, rotation)


FINGERS = ("panda_finger_joint1", "panda_finger_joint2")
LEGGED = ("inverse_dynamics", "mass_matrix", "forward_dynamics")

ROBOTS = (
    Contested("UR5", "ur_description/urdf/ur5_robot.urdf"),
    Contested("Panda", "panda_description/urdf/panda.urdf", locked=FINGERS),
    Contested("ANYmal", "anymal_b_simple_description/robots/anymal.urdf", True, (), "quick", LEGGED),
    Contested("Talos", "talos_data/robots/talos_reduced.urdf", True, (), "quick", LEGGED),
)
