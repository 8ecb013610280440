"""The fitted robot: parameters put back into links and drives, every chosen term a key of its drive."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from taut.identify.estimate.columns import FORMULA, LOAD_FRICTION, Model
from taut.identify.estimate.selection import Choice
from taut.robot import Tree
from taut.spatial import Inertia


def fitted_robot(robot: Tree, model: Model, choice: Choice, chosen: np.ndarray, pi: np.ndarray, x: np.ndarray) -> Tree:
    """Return the robot with fitted parameters.

    Args:
        robot: the one that was identified.
        model: the columns.
        choice: of terms and speeds.
        chosen: indices of the columns in the fit.
        pi: ten parameters a link, then rotor inertias.
        x: parameters of the chosen columns; those of the links are ignored.
    """
    from taut.robot.edit import numeric

    tree = numeric(robot)
    driven = [i for i, joint in enumerate(tree.joints) if joint.motion.nv == 1]
    rotors = dict(zip(driven, pi[10 * len(tree.joints) :], strict=True))
    joints = []
    for i, joint in enumerate(tree.joints):
        link = replace(joint.link, inertia=Inertia.from_parameters(tuple(float(v) for v in pi[10 * i : 10 * i + 10])))
        own = [c for c in model.columns if c.drive >= 0 and tree.independent[c.drive] == i]
        open_terms = {LOAD_FRICTION: 0.0} | {c.name: 0.0 for c in own if not c.name.startswith(FORMULA)}
        drive = replace(joint.drive, **open_terms, rotor_inertia=float(rotors.get(i, 0.0)))
        joints.append(replace(joint, link=link, drive=drive, formulas=()))
    for k, value in zip(chosen, x, strict=True):
        column = model.columns[k]
        if column.drive < 0:
            continue
        i = tree.independent[column.drive]
        drive = joints[i].drive
        if column.name.startswith(FORMULA):
            formulas = (*joints[i].formulas, model.formula_of(column).scaled(float(value)))
            joints[i] = replace(joints[i], formulas=formulas)
            continue
        speeds = model.drive_of(column)
        changes = {column.name: float(value)}
        if column.smoothing is not None:
            changes["smoothing"] = float(speeds.smoothing)
        if column.stribeck is not None:
            changes["stribeck_speed"] = float(speeds.stribeck_speed)
        if column.name == "stiffness":
            changes["rest"] = 0.0
        joints[i] = replace(joints[i], drive=replace(drive, **changes))
    return replace(robot, joints=tuple(joints), values=tree.values)
