"""The functions that a simulation is made of besides forward dynamics: losses of drives, wrenches, the Lagrangian.

Each is traced on the robot's symbols and runs compiled like any derived function.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from taut.algorithms import drives
from taut.algorithms.coefficients import Coefficients
from taut.algorithms.linear_solve import solve_symmetric
from taut.derive.function import Function
from taut.derive.traced import TracedRobot, traced
from taut.graph.derivative import gradient
from taut.graph.stage import Stage
from taut.questions.energy import energy_terms
from taut.questions.quantity import TORQUE, Quantity
from taut.robot import Tree
from taut.robot.opened import Opened


@cache
def losses(tree: Tree) -> Function:
    """Return what friction, offsets, springs and formulas of the drives take of a torque, of (q, qd, tau)."""

    def compute(robot: TracedRobot, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> Any:
        at = robot.tree.at(list(q))
        rates = at.rates(list(qd))
        springs = at.gather(drives.spring_torque(robot.tree, at.positions))
        stated = at.gather(drives.formula_torque(robot.tree, at.positions, rates))
        rubbed = at.gather(drives.friction(robot.tree, rates, at.positions))
        lost = [a + b for a, b in zip(rubbed, stated, strict=True)]
        if drives.has_load_friction(robot.tree):
            left = [t - x for t, x in zip(tau, lost, strict=True)]
            loads = drives.carried(robot.tree, rates, left)
            lost = [t - x for t, x in zip(tau, loads, strict=True)]
        return [a + b for a, b in zip(lost, springs, strict=True)]

    arguments = {**_state(tree), "tau": (tree.nv, Stage.APPLIED)}
    return traced(tree, "losses", compute, arguments, Quantity("tau", "torques the drives lose", TORQUE))


@cache
def conditions(robot: Tree) -> Function:
    """Return [g; J row by row; d] of the opened tree's (q, u): gaps, Jacobian and drift of closures, rolling, cams."""
    opened = Opened(robot)

    def compute(robot: TracedRobot, q: np.ndarray, u: np.ndarray) -> Any:
        gaps, rows, drift = Opened(robot.tree).conditions(list(q), list(u))
        return [*gaps, *(x for row in rows for x in row), *drift]

    arguments = {"q": (opened.tree.nq, Stage.CONFIGURATION), "u": (opened.tree.nv, Stage.VELOCITY)}
    return traced(robot, "conditions", compute, arguments, Quantity("y", "conditions of the loops"))


@cache
def pushes(tree: Tree, frames: tuple[str, ...]) -> Function:
    """Return the joint torque J^T F of wrenches [force; moment] on frames, in world axes at their origins."""

    def compute(robot: TracedRobot, q: np.ndarray, wrenches: np.ndarray) -> Any:
        parts = zip(frames, np.split(wrenches, len(frames)), strict=True)
        return sum(robot.evaluate("jacobian", q, frame=frame).T @ wrench for frame, wrench in parts)

    arguments = {"q": (tree.nq, Stage.CONFIGURATION), "wrenches": (6 * len(frames), Stage.APPLIED)}
    return traced(tree, "pushes", compute, arguments, Quantity("tau", "torques of the wrenches", TORQUE))


@cache
def slopes(tree: Tree) -> Function:
    """Return [dL/dqd; dL/dq] of the Lagrangian of links and rotors, kinetic less potential energy."""
    rigid = replace(tree, joints=tuple(replace(j, drive=replace(j.drive, stiffness=0.0)) for j in tree.joints))

    def compute(robot: TracedRobot, q: np.ndarray, qd: np.ndarray) -> Any:
        kinetic, potential = energy_terms(robot.tree, list(q), list(qd))
        return gradient(robot.graph.lift(kinetic - potential), [*qd, *q])

    return traced(rigid, "slopes", compute, _state(tree), Quantity("y", "slopes of the Lagrangian"))


def held_accelerations(tree: Tree, coefficients: Function) -> Function:
    """Return qdd of (coefficients of the explicit equations, qd, tau): what a step needs while they are held.

    .. math:: M \\ddot q = \\tau - \\sum b_{ijk} \\dot q_j \\dot q_k - \\sum c_{ij} \\dot q_j^2 - g

    Args:
        tree: the robot.
        coefficients: the question ``explicit``, of the robot or of an abbreviated model; those that are zero are known.
    """
    program = coefficients.program
    zero = [program.lines[i].op == "constant" and program.lines[i].data == 0 for _, i in program.outputs]

    def compute(_: TracedRobot, k: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> Any:
        found = Coefficients.listed([0 if gone else x for gone, x in zip(zero, k, strict=True)], tree.nv)
        bias = found.torque(list(qd), [0] * tree.nv)
        return solve_symmetric([list(row) for row in found.M], [t - b for t, b in zip(tau, bias, strict=True)])

    arguments = {
        "coefficients": (len(zero), Stage.CONFIGURATION),
        "qd": (tree.nv, Stage.VELOCITY),
        "tau": (tree.nv, Stage.APPLIED),
    }
    return traced(tree, "held_accelerations", compute, arguments, Quantity("qdd", "accelerations"))


def _state(tree: Tree) -> dict[str, tuple[int, Stage]]:
    return {"q": (tree.nq, Stage.CONFIGURATION), "qd": (tree.nv, Stage.VELOCITY)}
