"""Random robots and states for the laws: trees with nothing symmetric about them.

Everything follows from one integer, so a failing example is its seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from taut.robot import (
    COMPOUNDS,
    Ball,
    DescribedJoint,
    Free,
    Helical,
    Link,
    Placement,
    Prismatic,
    Revolute,
    Tree,
    assemble,
    in_parts,
)
from taut.spatial import Inertia, Sym3, Vec3

State = tuple[list[list[float]], list[list[float]], list[list[float]]]
"""q, qd and qdd, one list a joint."""

KINDS = ("revolute", "prismatic")
EVERY_KIND = (*KINDS, "helical", "ball", "planar", "universal", "cylindrical")
QUARTER = math.pi / 2


def random_trees(
    max_joints: int = 6, kinds: Sequence[str] = KINDS, free: bool = False, chain: bool = False
) -> st.SearchStrategy[Tree]:
    """Draw trees of 1 to ``max_joints`` single-axis joints; with ``free`` their root floats besides."""
    return st.builds(
        random_tree,
        seed=st.integers(0, 2**32 - 1),
        joints=st.integers(1, max_joints),
        kinds=st.just(tuple(kinds)),
        free=st.just(free),
        chain=st.just(chain),
    )


def random_tree(seed: int, joints: int, kinds: Sequence[str] = KINDS, free: bool = False, chain: bool = False) -> Tree:
    """Return the tree of a seed: asymmetric real bodies, general placements and axes, gravity anywhere."""
    rng = np.random.default_rng([seed, joints, len(kinds), free, chain])
    links = [Link("base", random_inertia(rng))]
    parts = []
    if free:
        links.append(Link("trunk", random_inertia(rng)))
        parts.append(DescribedJoint("root", "base", "trunk", random_placement(rng), Free()))
    for i in range(joints):
        first = 1 if free else 0
        parent = links[-1] if chain else links[rng.integers(first, len(links))]
        link = Link(f"link{i}", random_inertia(rng))
        kind, place = str(rng.choice(list(kinds))), random_placement(rng)
        joint = DescribedJoint(f"joint{i}", parent.name, link.name, place)
        if kind in COMPOUNDS:
            axes = {"axis": random_axis(rng)}
            if kind == "universal":
                across = np.cross(tuple(axes["axis"]), _direction(rng))
                axes["axis2"] = Vec3(*(float(x) for x in across / np.linalg.norm(across)))
            between, several = in_parts(joint, COMPOUNDS[kind](**axes))
            links += between
            parts += several
        elif kind == "ball":
            parts.append(replace(joint, motion=Ball()))
        elif kind == "helical":
            parts.append(replace(joint, motion=Helical(random_axis(rng), float(rng.uniform(-0.2, 0.2)))))
        else:
            parts.append(replace(joint, motion=(Revolute if kind == "revolute" else Prismatic)(random_axis(rng))))
        links.append(link)
    return assemble(
        f"random-{seed}",
        links,
        parts,
        base=random_placement(rng),
        gravity_acceleration=Vec3(*(9.81 * float(x) for x in _direction(rng))),
    )


def random_inertia(rng: np.random.Generator) -> Inertia:
    """Return the inertia of six random point masses: physical, and no two of its numbers equal."""
    masses = rng.uniform(0.1, 1.0, 6)
    points = rng.normal(0.0, 0.3, (6, 3)) + rng.normal(0.0, 0.2, 3)
    second = np.einsum("k,ki,kj->ij", masses, points, points)
    tensor = np.trace(second) * np.eye(3) - second
    rows, columns = (0, 0, 1, 0, 1, 2), (0, 1, 1, 2, 2, 2)
    moment = Vec3(*(float(x) for x in masses @ points))
    return Inertia(float(masses.sum()), moment, Sym3(*(float(x) for x in tensor[rows, columns])))


def random_placement(rng: np.random.Generator) -> Placement:
    """Return a general pose, or every third time one of right angles."""
    angles = rng.choice([0.0, QUARTER, -QUARTER], 3) if rng.random() < 1 / 3 else rng.uniform(-3, 3, 3)
    turns = tuple((axis, float(angle)) for axis, angle in enumerate(angles) if angle != 0)
    return Placement(Vec3(*(float(x) for x in rng.normal(0.0, 0.5, 3))), turns)


def random_axis(rng: np.random.Generator) -> Vec3:
    """Return a unit axis: along or against a coordinate axis, or in a general direction."""
    if rng.random() < 0.5:
        axis = [0.0, 0.0, 0.0]
        axis[rng.integers(3)] = float(rng.choice([-1.0, 1.0]))
        return Vec3(*axis)
    return Vec3(*(float(x) for x in _direction(rng)))


def _direction(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def random_state(robot: Tree, seed: int) -> State:
    """Return q, qd, qdd of a seed, one list a joint; the orientation of a free joint is a unit quaternion."""
    rng = np.random.default_rng(seed)
    q = []
    for joint in robot.joints:
        position = rng.uniform(-2.0, 2.0, joint.motion.nq)
        if joint.motion.quaternions:
            position[-4:] /= np.linalg.norm(position[-4:])
        q.append([float(x) for x in position])
    rates = [[[float(x) for x in rng.uniform(-2.0, 2.0, j.motion.nv)] for j in robot.joints] for _ in range(2)]
    return q, rates[0], rates[1]
