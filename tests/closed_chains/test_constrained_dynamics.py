"""Closed chains of the library against Pinocchio's constrained forward dynamics, its model built through its API."""

from __future__ import annotations

import numpy as np
import pytest
from plain import plain
from test_oracles import every_rate, own_accelerations, relative, spread_force, state

import taut

pin = pytest.importorskip("pinocchio")

UNIT = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def placed(xyz, turns):
    R = np.eye(3)
    for axis, angle in turns:
        R = R @ pin.AngleAxis(angle, np.array(UNIT[axis], float)).matrix()
    return pin.SE3(R, np.array(xyz, float))


def built(name):
    """Return model, constraints and the index of every joint's first rate in Pinocchio."""
    robot = plain(name)
    model = pin.Model()
    model.gravity.linear[:] = robot.gravity
    ids = {-1: 0}
    for i, body in enumerate(robot.bodies):
        axis = np.array(body.axis)
        kinds = {
            "revolute": lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
            "prismatic": lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
            "free": lambda axis=axis: pin.JointModelFreeFlyer(),
        }
        ids[i] = model.addJoint(ids[body.parent], kinds[body.kind](), placed(body.xyz, body.turns), body.name)
        xx, xy, yy, xz, yz, zz = body.inertia
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        model.appendBodyToJoint(ids[i], pin.Inertia(body.mass, np.array(body.com), tensor), pin.SE3.Identity())
    constraints = []
    for loop in robot.pins:
        frames = placed(loop.xyz, loop.turns), placed(loop.at, loop.at_turns)
        joints = ids[loop.body], ids[loop.other]
        constraints.append(
            pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, joints[0], frames[0], joints[1], frames[1])
        )
    together = pin.StdVec_RigidConstraintModel()
    together.extend(constraints)
    return model, together, [model.joints[ids[i]] for i in range(len(robot.bodies))]


def in_pinocchio(model, joints, values, size):
    """Return a vector of taut, one joint after the other, in Pinocchio's order."""
    found = np.zeros(model.nq if size == "nq" else model.nv)
    at = 0
    for joint in joints:
        width, start = (joint.nq, joint.idx_q) if size == "nq" else (joint.nv, joint.idx_v)
        found[start : start + width] = values[at : at + width]
        at += width
    return found


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "five_bar", "delta", "stewart", "palletiser"])
def test_accelerations_are_pinocchios(name):
    robot = taut.load(name)
    model, constraints, joints = built(name)
    for seed in range(3):
        q, qd, tau = state(robot, seed)
        if robot.tree.loops:
            full_q, full_qd, force = q, every_rate(robot, q, qd), spread_force(robot, tau)
        else:  # solved parallelograms: all joints from the independent ones
            at = robot.numeric.at(q.tolist())
            full_q, full_qd = (np.array([x for part in parts for x in part]) for parts in (at.positions, at.rates(qd)))
            force = np.zeros(len(full_qd))
            force[list(robot.tree.own)] = tau
        datas = pin.StdVec_RigidConstraintData()
        datas.extend([constraint.createData() for constraint in constraints])
        data = model.createData()
        pin.initConstraintDynamics(model, data, constraints, datas)
        found = pin.constraintDynamics(
            model,
            data,
            in_pinocchio(model, joints, full_q, "nq"),
            in_pinocchio(model, joints, full_qd, "nv"),
            in_pinocchio(model, joints, force, "nv"),
            constraints,
            datas,
            pin.ProximalSettings(1e-14, 1e-10, 50),
        )
        qdd = robot.forward_dynamics(q, qd, tau)
        if robot.tree.loops:
            mine = own_accelerations(robot, q, qd, qdd)
        else:
            parts = robot.numeric.at(q.tolist()).accelerations(qd.tolist(), qdd.tolist())
            mine = np.array([x for part in parts for x in part])
        assert relative(in_pinocchio(model, joints, mine, "nv"), found) < 1e-9
