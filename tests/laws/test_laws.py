"""Laws between the algorithms, on random asymmetric trees: none may be right alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laws.random_robots import EVERY_KIND, random_trees
from taut.api import Robot
from taut.robot import Drive, Mimic, Tree

TIGHT = 1e-11
"""Relative agreement: a few hundred roundings of doubles, well away from singularities."""

trees = random_trees(max_joints=6)
floating = random_trees(max_joints=5, free=True)
of_every_kind = random_trees(max_joints=3, kinds=EVERY_KIND)
additive = random_trees(max_joints=3, kinds=[kind for kind in EVERY_KIND if kind != "ball"])
every = st.one_of(trees, floating, of_every_kind, random_trees(max_joints=2, kinds=EVERY_KIND, free=True))
seeds = st.integers(0, 2**32 - 1)


def close(x: np.ndarray, y: np.ndarray, tolerance: float = TIGHT) -> None:
    assert np.max(np.abs(x - y)) <= tolerance * max(1e-3, float(np.max(np.abs(y))))


def state(robot: Tree, seed: int, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, ...]:
    """Return q, qd, qdd with unit quaternions."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(*batch, robot.nq))
    for start in robot.quaternions:
        part = q[..., start : start + 4]
        part /= np.linalg.norm(part, axis=-1, keepdims=True)
    return q, rng.normal(size=(*batch, robot.nv)), rng.normal(size=(*batch, robot.nv))


def driven(tree: Tree, seed: int) -> Robot:
    """Return the tree with random drives; a gear couples the first two single-axis joints."""
    rng = np.random.default_rng([seed, 7])
    joints = tuple(
        replace(j, drive=Drive(*(float(x) for x in rng.uniform(0.1, 1, 7)))) if j.motion.nv == 1 else j
        for j in tree.joints
    )
    single = [i for i, j in enumerate(joints) if j.motion.nv == 1]
    coupling = ((single[0], single[1], 0.7),) if len(single) > 1 else ()
    return Robot(replace(tree, joints=joints, coupling=coupling))


def without_springs(robot: Robot) -> Robot:
    joints = tuple(replace(j, drive=replace(j.drive, stiffness=0.0)) for j in robot.tree.joints)
    return Robot(replace(robot.tree, joints=joints))


@given(every, seeds)
@settings(max_examples=30)
def test_torque_is_mass_coriolis_gravity(tree: Tree, seed: int) -> None:
    robot = driven(tree, seed)
    q, qd, qdd = state(robot.tree, seed)
    M, C, g = robot.mass_matrix(q), robot.coriolis_matrix(q, qd), robot.gravity(q)
    close(M @ qdd + C @ qd + g, robot.inverse_dynamics(q, qd, qdd))
    close(C @ qd + g, robot.bias(q, qd))


@given(every, seeds)
@settings(max_examples=20)
def test_mass_matrix_is_the_answer_to_unit_accelerations(tree: Tree, seed: int) -> None:
    robot = driven(tree, seed)
    q, _, _ = state(robot.tree, seed)
    rest = np.zeros(robot.nv)
    columns = robot.inverse_dynamics(q, rest, np.eye(robot.nv)) - robot.gravity(q)
    M = robot.mass_matrix(q)
    close(columns.T, M, 1e-10)
    close(M, M.T)
    assert np.linalg.eigvalsh(M).min() > 0


@given(every, seeds)
@settings(max_examples=30)
def test_forward_dynamics_undoes_inverse_dynamics(tree: Tree, seed: int) -> None:
    for robot in (Robot(tree), driven(tree, seed)):
        q, qd, qdd = state(robot.tree, seed)
        tau = robot.inverse_dynamics(q, qd, qdd)
        condition = np.linalg.cond(robot.mass_matrix(q))
        close(robot.forward_dynamics(q, qd, tau), qdd, 1e-13 * condition + TIGHT)


@given(st.one_of(trees, additive), seeds)
@settings(max_examples=25)
def test_mass_rate_minus_twice_coriolis_is_skew(tree: Tree, seed: int) -> None:
    robot = Robot(tree)
    q, qd, _ = state(robot.tree, seed)
    step = 1e-6
    M_rate = (robot.mass_matrix(q + step * qd) - robot.mass_matrix(q - step * qd)) / (2 * step)
    C = robot.coriolis_matrix(q, qd)
    close(C + C.T, M_rate, 1e-6)  # central difference: step^2 and rounding / step


@given(st.one_of(floating, of_every_kind), seeds)
@settings(max_examples=15)
def test_coriolis_of_a_floating_base_is_skew_in_power(tree: Tree, seed: int) -> None:
    """Power of C along qd is the rate of kinetic energy at constant rates, taken along the motion."""
    robot = Robot(tree)
    q, qd, _ = state(robot.tree, seed)
    step = 1e-6
    ahead, behind = (moved(robot.tree, q, s * step * qd) for s in (1, -1))
    rate = (robot.energy(ahead, qd)[0] - robot.energy(behind, qd)[0]) / (2 * step)
    power = qd @ robot.coriolis_matrix(q, qd) @ qd
    assert abs(power - rate) <= 1e-5 * max(1.0, abs(rate))


def moved(robot: Tree, q: np.ndarray, small: np.ndarray) -> np.ndarray:
    """Return q displaced by a small motion, free and ball joints along their body-frame twist."""
    result, at_q, at_v = q.copy(), 0, 0
    for i in robot.independent:
        motion = robot.joints[i].motion
        part = small[at_v : at_v + motion.nv]
        if motion.quaternions:
            end = at_q + motion.nq
            x, y, z, w = q[end - 4 : end]
            across = np.array([[w, -z, y], [z, w, -x], [-y, x, w], [-x, -y, -z]])
            turned = q[end - 4 : end] + 0.5 * across @ part[-3:]
            if motion.nq == 7:
                u = np.array([x, y, z])
                result[at_q : at_q + 3] += part[:3] + 2 * np.cross(u, np.cross(u, part[:3]) + w * part[:3])
            result[end - 4 : end] = turned / np.linalg.norm(turned)
        else:
            result[at_q : at_q + motion.nq] += part
        at_q, at_v = at_q + motion.nq, at_v + motion.nv
    return result


@given(every, seeds)
@settings(max_examples=20)
def test_energy_balance(tree: Tree, seed: int) -> None:
    """The power of the torque is the rate of energy: along the motion and by the acceleration."""
    robot = without_springs(driven(tree, seed))
    q, qd, qdd = state(robot.tree, seed)
    step = 1e-6
    ahead = robot.energy(moved(robot.tree, q, step * qd), qd + step * qdd).sum()
    behind = robot.energy(moved(robot.tree, q, -step * qd), qd - step * qdd).sum()
    power = robot.inverse_dynamics(q, qd, qdd) @ qd
    size = max(1.0, float(np.abs(robot.energy(q, qd)).max()), abs(power))
    assert abs((ahead - behind) / (2 * step) - power) <= 1e-6 * size


@given(every, seeds)
@settings(max_examples=20)
def test_regressor_times_parameters_is_torque(tree: Tree, seed: int) -> None:
    robot = driven(tree, seed)
    q, qd, qdd = state(robot.tree, seed)
    rigid = robot.regressor(q, qd, qdd) @ robot.parameters
    pi = [(j.drive.rotor_inertia, j.drive.coulomb, j.drive.viscous, j.drive.offset) for j in robot.tree.joints]
    drives = robot.drive_regressor(qd, qdd) @ np.array(pi).ravel()
    close(rigid + drives, without_springs(robot).joint_torque(q, qd, qdd))


@given(every, seeds)
@settings(max_examples=20)
def test_jacobian_moves_the_frame(tree: Tree, seed: int) -> None:
    robot = Robot(tree)
    q, qd, _ = state(robot.tree, seed)
    name = robot.tree.joints[-1].link.name
    step = 1e-6
    ahead, behind = (moved(robot.tree, q, s * step * qd) for s in (1, -1))
    pose, turned_back, turned = (robot.forward_kinematics(x, name) for x in (q, behind, ahead))
    velocity = robot.jacobian(q, name) @ qd
    close(velocity[:3], (turned - turned_back)[:3, 3] / (2 * step), 1e-5)
    spin = (turned - turned_back)[:3, :3] / (2 * step) @ pose[:3, :3].T
    close(velocity[3:], np.array([spin[2, 1], spin[0, 2], spin[1, 0]]), 1e-5)
    rate = (robot.jacobian(ahead, name) - robot.jacobian(behind, name)) / (2 * step)
    close(robot.jacobian_derivative(q, qd, name), rate, 1e-5)
    close(robot.jacobian_derivative(q, qd, name) @ qd, robot.jacobian_derivative_times_velocity(q, qd, name), 1e-9)


@given(every, seeds)
@settings(max_examples=15)
def test_wrench_acts_through_the_jacobian(tree: Tree, seed: int) -> None:
    robot = Robot(tree)
    q, qd, qdd = state(robot.tree, seed)
    name = robot.tree.joints[-1].link.name
    push = np.random.default_rng(seed).normal(size=6)
    without = robot.inverse_dynamics(q, qd, qdd)
    pushed = robot.inverse_dynamics(q, qd, qdd, {name: push})
    close(pushed, without - robot.jacobian(q, name).T @ push)
    condition = np.linalg.cond(robot.mass_matrix(q))
    close(robot.forward_dynamics(q, qd, pushed, {name: push}), qdd, 1e-13 * condition + TIGHT)


@given(st.one_of(trees, additive), seeds)
@settings(max_examples=15)
def test_christoffel_symbols_make_the_coriolis_matrix(tree: Tree, seed: int) -> None:
    robot = Robot(tree)
    q, qd, _ = state(robot.tree, seed)
    G = robot.christoffel(q)
    close(G @ qd, robot.coriolis_matrix(q, qd), 1e-10)
    close(G, np.swapaxes(G, 1, 2), 1e-10)  # symmetric in the two rates


@given(trees, seeds)
@settings(max_examples=15)
def test_mimicking_joint_is_a_constraint(tree: Tree, seed: int) -> None:
    """Reduction by G is the unreduced robot driven along G: tau = G^T tau_full."""
    if len(tree.joints) < 2:
        return
    full = driven(tree, seed)
    follower, leader = len(tree.joints) - 1, 0
    robot = Robot(replace(full.tree, mimics=(Mimic(follower, leader, -0.6, 0.2),)))
    G = np.eye(full.nv)[:, :-1]
    G[follower, leader] = -0.6
    q, qd, qdd = state(robot.tree, seed)
    Q = G @ q
    Q[follower] += 0.2
    close(robot.inverse_dynamics(q, qd, qdd), G.T @ full.inverse_dynamics(Q, G @ qd, G @ qdd))
    close(robot.mass_matrix(q), G.T @ full.mass_matrix(Q) @ G)
    close(robot.coriolis_matrix(q, qd), G.T @ full.coriolis_matrix(Q, G @ qd) @ G, 1e-10)
    close(robot.regressor(q, qd, qdd), G.T @ full.regressor(Q, G @ qd, G @ qdd), 1e-10)
    close(robot.jacobian(q), full.jacobian(Q) @ G, 1e-10)
    close(robot.christoffel(q) @ qd, robot.coriolis_matrix(q, qd), 1e-10)


@given(every, seeds)
@settings(max_examples=10)
def test_batches_equal_single_states(tree: Tree, seed: int) -> None:
    robot = driven(tree, seed)
    q, qd, qdd = state(robot.tree, seed, (2, 3))
    tau, M = robot.inverse_dynamics(q, qd, qdd), robot.mass_matrix(q)
    assert tau.shape == (2, 3, robot.nv) and M.shape == (2, 3, robot.nv, robot.nv)
    close(tau[1, 2], robot.inverse_dynamics(q[1, 2], qd[1, 2], qdd[1, 2]))
    close(M[0, 1], robot.mass_matrix(q[0, 1]))
    assert robot.bias(q, qd[0, 0]).shape == (2, 3, robot.nv)


@pytest.mark.parametrize("where", ["first joint of a chain", "last joint"])
def test_locked_joint_is_the_robot_at_rest_there(where: str) -> None:
    from laws.random_robots import random_tree

    full = Robot(random_tree(5, 5, ("revolute", "prismatic")))
    i = 0 if where.startswith("first") else full.nv - 1
    held = full.lock({full.joint_names[i]: 0.4})
    q, qd, qdd = state(held.tree, 3)
    Q, QD, QDD = (np.insert(x, i, value) for x, value in ((q, 0.4), (qd, 0.0), (qdd, 0.0)))
    close(held.inverse_dynamics(q, qd, qdd), np.delete(full.inverse_dynamics(Q, QD, QDD), i))
    name = full.tree.joints[-1].link.name
    close(held.forward_kinematics(q, name), full.forward_kinematics(Q, name))


def test_load_moves_with_its_frame() -> None:
    from laws.random_robots import random_tree

    robot = Robot(random_tree(11, 4)).with_tool((0.1, 0.2, 0.3), (0.3, -0.2, 0.5))
    mass, com, inertia = 2.0, (0.05, -0.02, 0.1), (0.02, 0.001, 0.03, -0.002, 0.003, 0.025)
    loaded = robot.with_load(mass, com, inertia, "tool")
    q, qd, _ = state(robot.tree, 1)
    X, J = robot.forward_kinematics(q, "tool"), robot.jacobian(q, "tool")
    arm = X[:3, :3] @ np.array(com)
    J_com = J[:3] + np.cross(J[3:].T, arm).T
    xx, xy, yy, xz, yz, zz = inertia
    tensor = X[:3, :3] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ X[:3, :3].T
    extra = mass * J_com.T @ J_com + J[3:].T @ tensor @ J[3:]
    close(loaded.mass_matrix(q) - robot.mass_matrix(q), extra, 1e-10)
    assert loaded.energy(q, qd)[1] != robot.energy(q, qd)[1]
