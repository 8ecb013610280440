"""Derivatives of the torque: the spatial and the tightened recursion say what the graph of Newton-Euler says."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.random_robots import random_state
from laws.test_second_moments import SEEDS, close, fixed, floating, lag_sets
from taut.algorithms.newton_euler import newton_euler
from taut.algorithms.torque_derivatives import torque_derivatives
from taut.graph import Graph, Node
from taut.graph.derivative import tangent
from taut.graph.evaluate import evaluate
from taut.recursions.second_moment_derivatives import second_moment_derivatives
from taut.robot import Tree
from taut.robot.regroup import regrouped, turned_leaves
from taut.robot.screws import screw_form

Parts = list[list[Node]]


def differentiated(tree: Tree, q: list, qd: list, qdd: list) -> list[np.ndarray]:
    """Return the derivatives by q, qd and qdd of Newton-Euler's graph, evaluated at a state."""
    graph = Graph()
    given_ = {"q": q, "qd": qd, "qdd": qdd}
    symbols: dict[str, Parts] = {
        name: [[graph.symbol(f"{name}{i}_{k}") for k in range(len(part))] for i, part in enumerate(parts)]
        for name, parts in given_.items()
    }
    outputs = [graph.lift(x) for part in newton_euler(tree, *symbols.values()) for x in part]
    values = {
        symbols[name][i][k].name: x
        for name, parts in given_.items()
        for i, part in enumerate(parts)
        for k, x in enumerate(part)
    }
    found = []
    for name, parts in symbols.items():
        columns = []
        for joint, part in zip(tree.joints, parts, strict=True):
            for direction in pose_directions(part) if name == "q" and joint.motion.kind == "free" else units(part):
                columns.append(evaluate(tangent(outputs, direction), values))
        found.append(np.array(columns, float).T)
    return found


def units(part: list[Node]) -> list[dict[Node, object]]:
    return [{symbol: 1} for symbol in part]


def pose_directions(part: list[Node]) -> list[dict[Node, object]]:
    """Return how the pose of a free joint moves with each of its six rates, which are in its own axes."""
    from taut.spatial import Vec3, from_quaternion

    x, y, z, w = part[3:]
    R = from_quaternion(x, y, z, w)
    linear = [dict(zip(part[:3], R @ Vec3(*e), strict=True)) for e in np.eye(3, dtype=int).tolist()]
    half = 0.5
    angular = [
        {x: half * w, y: half * z, z: -half * y, w: -half * x},
        {x: -half * z, y: half * w, z: half * x, w: -half * y},
        {x: half * y, y: -half * x, z: half * w, w: -half * z},
    ]
    return [*linear, *angular]


@given(st.one_of(fixed, floating), SEEDS)
@settings(max_examples=12, deadline=None)
def test_derivatives_of_the_torque(tree: Tree, seed: int) -> None:
    q, qd, qdd = random_state(tree, seed)
    expected = differentiated(tree, q, qd, qdd)
    for found, exact in zip(torque_derivatives(tree, q, qd, qdd), expected, strict=True):
        close(found, exact)
    bodies = screw_form(tree)
    for arranged in (bodies, turned_leaves(regrouped(bodies))):
        for lags in lag_sets(tree, seed):
            tight = second_moment_derivatives(arranged, tree.gravity_acceleration, q, qd, qdd, lags)
            for found, exact in zip(tight, expected, strict=True):
                close(found, exact)
