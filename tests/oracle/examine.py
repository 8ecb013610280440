"""Compares taut with an oracle on a file: every quantity, and a verdict."""

from __future__ import annotations

import re
import warnings
from unittest.mock import patch

import mujoco
import numpy as np
import pinocchio as pin

from oracle import mujoco_oracle
from oracle.agreement import MESH_TOLERANCE, State, Verdict, random_state
from oracle.mujoco_oracle import MujocoOracle
from oracle.pinocchio_oracle import PinocchioOracle
from oracle.pinocchio_oracle import load as load_pinocchio
from oracle.robot_files import RobotFile
from taut.algorithms.kinematics import body_poses, frame_pose
from taut.api import Robot, load
from taut.errors import InputError, InputWarning
from taut.formats.mjcf import meshes
from taut.robot.edit import free_base
from taut.robot.opened import Opened
from taut.spatial import Transform

WELL_CONDITIONED = 1e5
"""Up to here M^-1 keeps ten digits, so accelerations can be compared; beyond, the equation of motion is checked."""

STATES = 2
MANY = 40
"""Degrees of freedom from which one state must do, to keep the suite short."""


def with_pinocchio(file: RobotFile, *, free: bool = False) -> Verdict:
    """Return the verdict on a URDF, its base fixed or free."""
    verdict = Verdict(file.name, "Pinocchio, free base" if free else "Pinocchio", "agreed")
    try:
        model = load_pinocchio(file.decoded, free=free)
        theirs = ""
    except Exception as error:  # whatever Pinocchio raises is a refusal
        theirs = " ".join(str(error).split()) or type(error).__name__
    robot = _loaded(verdict, file, theirs)
    if robot is None or theirs:
        return verdict
    robot = Robot(free_base(robot.tree)) if free else robot
    verdict.dof = robot.nv
    for seed in range(STATES if robot.nv < MANY else 1):
        _compare_with_pinocchio(verdict, robot, model, seed)
    return verdict.concluded()


def with_mujoco(file: RobotFile) -> Verdict:
    """Return the verdict on an MJCF, or on a URDF without its shapes."""
    verdict = Verdict(file.name, "MuJoCo", "agreed")
    urdf = file.path.suffix == ".urdf"
    try:
        model = mujoco_oracle.load_urdf(file.decoded) if urdf else mujoco_oracle.load_mjcf(file.path)
        theirs = ""
    except ValueError as error:
        theirs = " ".join(str(error).split())
    robot = _loaded(verdict, file, theirs)
    if not theirs and model.njnt == 0:
        verdict.result = "nothing moves"
    if robot is None or theirs:
        return verdict
    verdict.dof = robot.nv
    if robot.tree.at().bends:  # MuJoCo holds loops by soft forces: the tree is compared with the loops open
        robot = Robot(Opened(robot.tree).tree)
    for seed in range(STATES if robot.nv < MANY else 1):
        _compare_with_mujoco(verdict, robot, model, seed)
    return verdict.concluded()


def _loaded(verdict: Verdict, file: RobotFile, theirs: str) -> Robot | None:
    """Load a file in taut and note what became of it there and with the oracle."""
    try:
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always", InputWarning)
            with patch.object(meshes, "solid_of", wraps=meshes.solid_of) as weighed:
                robot = load(file.path, roots=[file.package])
        if weighed.called:
            verdict.tolerance = MESH_TOLERANCE
        if noted:
            verdict.reason = str(noted[0].message)
    except InputError as error:
        verdict.result = "refused by both" if theirs else "refused"
        verdict.reason = str(error).replace(str(file.path), file.path.name)
        verdict.refusal = re.sub("'[^']*'", "...", error.message)
        return None
    if theirs:
        verdict.result, verdict.reason, verdict.dof = "loaded, no oracle", theirs[:160], robot.nv
    return robot


def _addends(robot: Robot, state: State) -> float:
    """Return the size of what a torque is summed from: max |Y| |pi|, and the weights at their full lever arms.

    The second part is for gravity torques that are zero because the terms inside Y cancel.
    """
    Y = robot.regressor(state.q, state.qd, state.qdd)
    summed = (np.abs(Y) @ np.abs(robot.parameters)).max()
    poses = body_poses(robot.tree, robot.tree.at(state.q).positions)
    weight = np.linalg.norm([float(x) for x in robot.tree.gravity_acceleration])
    levered = [0.0 for _ in robot.tree.joints]
    for i, pose in enumerate(poses):
        body = robot.tree.inertia(i)
        for j in robot.tree.support(i):
            moment = pose.R @ body.h + (pose.p - poses[j].p) * body.m
            levered[j] += weight * (np.linalg.norm([float(x) for x in moment]) + abs(body.m))
    return float(max(summed, *levered))


def _compare_with_pinocchio(verdict: Verdict, robot: Robot, model: pin.Model, seed: int) -> None:
    state = random_state(robot, seed)
    q, qd, qdd, wrench = state.q, state.qd, state.qdd, state.wrench
    oracle = PinocchioOracle(model, robot, state)
    size = _addends(robot, state)
    verdict.compare("regressor", robot.regressor(q, qd, qdd), oracle.regressor())
    _compare_dynamics(verdict, robot, oracle, size)
    verdict.compare("gravity", robot.gravity(q), oracle.gravity(), size)
    C = robot.coriolis_matrix(q, qd)
    verdict.compare("C qd", C @ qd, oracle.bias() - oracle.gravity(), size)
    if robot.tree.single_axis:  # Christoffel symbols belong to coordinates, free and ball joints have quasi-velocities
        verdict.compare("Coriolis matrix", C, oracle.coriolis_matrix(), size)
    names = [name for name in robot.frame_names if not (not robot.tree.single_axis and name == robot.tree.base_name)]
    Q = robot.tree.at(q).positions
    poses = [_matrix(frame_pose(robot.tree, Q, robot.tree.frame(name))) for name in names]
    verdict.compare("poses", np.array(poses), oracle.poses(names))
    frame = robot.tree.frame().name
    verdict.compare("Jacobian", robot.jacobian(q, frame), oracle.jacobian(frame))
    drift = robot.jacobian_derivative_times_velocity(q, qd, frame)
    verdict.compare("Jdot qd", drift, oracle.jacobian_derivative_times_velocity(frame), float(np.square(qd).sum()))
    pushed = robot.inverse_dynamics(q, qd, qdd, wrenches={frame: wrench})
    verdict.compare("inverse dynamics under a wrench", pushed, oracle.inverse_dynamics_under(frame, wrench), size)


def _compare_with_mujoco(verdict: Verdict, robot: Robot, model: mujoco.MjModel, seed: int) -> None:
    state = random_state(robot, seed)
    q, qd, qdd, wrench = state.q, state.qd, state.qdd, state.wrench
    oracle = MujocoOracle(model, robot, state)
    size = _addends(robot, state)
    _compare_dynamics(verdict, robot, oracle, size)
    known = [name for name in robot.frame_names if oracle.body_id(name) > 0]
    Q = robot.tree.at(q).positions
    poses = [_matrix(frame_pose(robot.tree, Q, robot.tree.frame(name))) for name in known]
    verdict.compare("poses", np.array(poses), np.array([oracle.pose(name) for name in known]))
    if known:
        frame = known[-1]
        verdict.compare("Jacobian", robot.jacobian(q, frame), oracle.jacobian(frame))
        pushed = robot.inverse_dynamics(q, qd, qdd, wrenches={frame: wrench})
        verdict.compare("inverse dynamics under a wrench", pushed, oracle.inverse_dynamics_under(frame, wrench), size)


def _compare_dynamics(verdict: Verdict, robot: Robot, oracle: PinocchioOracle | MujocoOracle, size: float) -> None:
    """Compare what both oracles know: inverse and forward dynamics, the mass matrix, the bias torque."""
    state = oracle.state
    q, qd, qdd, tau = state.q, state.qd, state.qdd, state.tau
    verdict.compare("inverse dynamics", robot.inverse_dynamics(q, qd, qdd), oracle.inverse_dynamics(), size)
    verdict.compare("bias", robot.bias(q, qd), oracle.bias(), size)
    M = oracle.mass_matrix()
    verdict.compare("mass matrix", robot.mass_matrix(q), M)
    condition = np.linalg.cond(M)
    if condition < WELL_CONDITIONED:
        verdict.compare("forward dynamics", robot.forward_dynamics(q, qd, tau), oracle.forward_dynamics())
    elif condition < 1 / np.finfo(float).eps:
        needed = M @ robot.forward_dynamics(q, qd, tau) + oracle.bias()
        verdict.compare("forward dynamics, put back", needed, tau, _backward_size(M, condition, tau, oracle.bias()))
    else:
        verdict.reason = (
            verdict.reason or "M is singular: a moving joint carries no mass; forward dynamics not compared"
        )


def _backward_size(M: np.ndarray, condition: float, tau: np.ndarray, bias: np.ndarray) -> float:
    """Return the magnitude of M times the accelerations that a load of this size can cause."""
    return float(condition * (np.abs(tau).max() + np.abs(bias).max()))


def _matrix(pose: Transform) -> np.ndarray:
    full = np.eye(4)
    full[:3, :3] = [[float(x) for x in row] for row in pose.R.matrix.rows]
    full[:3, 3] = [float(x) for x in pose.p]
    return full
