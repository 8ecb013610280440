"""A robot of numbers in place of a symbolic one: measured values first, seeded draws for the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from taut.graph.node import Node
from taut.graph.walk import symbols_of
from taut.robot import Tree
from taut.robot.edit import numeric, symbols, with_values
from taut.spatial import Inertia, Sym3, Vec3

SEED = 20
SMALLEST, LARGEST = 0.2, 0.8
"""Draws are lengths of an arm, masses and angles alike: away from 0 and from right angles."""

ROD_MASS, ROD_RADIUS, SHORTEST_ROD = 1.0, 0.04, 0.1
"""Links without inertial numbers are drawn and moved as rods of 1 kg [kg, m, m]."""


def unvalued(robot: Tree) -> list[str]:
    """Return the names of the symbols that have no measured value."""
    return sorted(symbols(robot) - set(robot.values))


def stand_in(robot: Tree) -> Tree:
    """Return the robot with every symbol replaced by its value, or by a draw where it has none."""
    missing = unvalued(robot)
    draws = np.random.default_rng(SEED).uniform(SMALLEST, LARGEST, len(missing))
    return numeric(with_values(robot, dict(zip(missing, map(float, draws), strict=True))))


def with_rods(robot: Tree) -> Tree:
    """Return a robot that can move: a link some of whose inertial numbers are unknown is a rod to what it carries."""
    unknown = set(unvalued(robot))
    if not unknown:
        return numeric(robot)
    drawn = stand_in(robot)
    joints = list(drawn.joints)
    for i, joint in enumerate(robot.joints):
        names = {x.name for number in joint.link.inertia.parameters for x in _symbols(number)}
        if names & unknown:
            rod = _rod(_tip(drawn, i))
            joints[i] = replace(joints[i], link=replace(joints[i].link, inertia=rod))
    return replace(drawn, joints=tuple(joints))


def _symbols(number: object) -> list[Node]:
    return symbols_of([number]) if isinstance(number, Node) else []


def _tip(robot: Tree, i: int) -> np.ndarray:
    """Return the mean place of what a link carries, in its own frame."""
    places = [robot.rest_poses[k].p for k in robot.children[i]]
    places += [frame.transform.p for frame in robot.frames if frame.body == i]
    tip = np.mean([[float(x) for x in p] for p in places], axis=0) if places else np.zeros(3)
    return tip if np.linalg.norm(tip) >= SHORTEST_ROD else np.array([0.0, 0.0, SHORTEST_ROD])


def _rod(tip: np.ndarray) -> Inertia:
    """Return a solid cylinder from the origin to a point."""
    length = float(np.linalg.norm(tip))
    along = np.outer(tip, tip) / length**2
    across = ROD_MASS * (length**2 / 12 + ROD_RADIUS**2 / 4)
    tensor = across * (np.eye(3) - along) + ROD_MASS * ROD_RADIUS**2 / 2 * along
    xx, xy, xz, _, yy, yz, _, _, zz = (float(x) for x in tensor.ravel())
    return Inertia.about_centre(ROD_MASS, Vec3(*(float(x) / 2 for x in tip)), Sym3(xx, xy, yy, xz, yz, zz))
