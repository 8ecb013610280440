"""Which geometric errors can be told apart: exact numbers, derivatives, conditioning."""

import warnings

import numpy as np
import pytest

import taut
from calibration.synthetic import FULL
from oracle.robot_files import urdf_files
from taut.calibration.calibrate import geometry, told_apart
from taut.calibration.chain import Chain
from taut.calibration.identifiable import exact_rank
from taut.calibration.parameters import parameters
from taut.calibration.poses import Poses
from taut.errors import InputWarning
from taut.robot.states import random_positions

LIBRARY = ("puma560", "panda", "ur5e", "stanford", "scara", "iiwa14", "rx90", "tx40", "puma260", "sixr_thomas_tesar")


def numeric_rank(columns: np.ndarray) -> int:
    sizes = np.linalg.svd(columns, compute_uv=False)
    return int(np.sum(sizes > 1e-9 * sizes[0]))


def check_rank(robot: taut.Robot) -> None:
    tree = geometry(robot.tree)
    chain, wanted = Chain.of(tree, None), parameters(tree, None)
    q = random_positions(tree, np.random.default_rng(1), (60,), limited=False)
    _, J = chain.poses(q, {}, wanted)
    for rows in (range(6), range(3)):
        assert exact_rank(tree, None, wanted, rows) == numeric_rank(J[:, list(rows)].reshape(-1, len(wanted)))


@pytest.mark.parametrize("name", LIBRARY)
def test_the_exact_number_is_the_numerical_rank(name):
    check_rank(taut.load(name))


def test_the_exact_number_is_the_numerical_rank_of_ten_other_robots():
    rng, checked = np.random.default_rng(5), 0
    files = urdf_files()
    for k in rng.permutation(len(files)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)
                robot = taut.load(files[k].path)
            parameters(geometry(robot.tree), None)
        except taut.TautError:
            continue
        if robot.tree.mimics or not 2 <= len(Chain.of(geometry(robot.tree), None).joints) <= 8:
            continue
        check_rank(robot)
        checked += 1
        if checked == 10:
            return
    assert checked == 10


@pytest.mark.parametrize(("name", "count"), [("ur5e", 30), ("panda", 34), ("stanford", 28)])
def test_four_errors_a_turning_joint_two_a_sliding_one_and_six(name, count):
    tree = geometry(taut.load(name).tree)
    assert exact_rank(tree, None, parameters(tree, None)) == count


def test_parallel_axes_keep_a_turn_instead_of_a_length_along_the_axis():
    tree = geometry(taut.load("ur5e").tree)
    found = told_apart(Chain.of(tree, None), parameters(tree, None), FULL, Poses(np.zeros((1, 6))))
    kept = {p.name for p in found.kept}
    assert {"elbow_joint.ry", "wrist_1_joint.ry"} <= kept
    assert not {"elbow_joint.z", "wrist_1_joint.z"} & kept
    assert found.dropped["elbow_joint.z"] == {"shoulder_lift_joint.z": pytest.approx(1)}


def test_nearly_parallel_axes_are_as_well_conditioned_as_parallel_ones():
    rows = [
        {"alpha": 0, "d": 0.3},
        {"alpha": "90 deg"},
        {"a": 0.4, "alpha": 1e-3},
        {"a": 0.4, "alpha": "90 deg", "d": 0.1},
    ]
    tree = geometry(taut.from_dh("modified", rows).tree)
    chain = Chain.of(tree, None)
    found = told_apart(chain, parameters(tree, None), FULL, Poses(np.zeros((1, 4))))
    q = random_positions(tree, np.random.default_rng(2), (100,))
    _, J = chain.poses(q, {}, found.kept)
    columns = J.reshape(-1, len(found.kept))
    assert len(found.kept) == 22
    assert np.linalg.cond(columns / np.linalg.norm(columns, axis=0)) < 100


def test_columns_are_the_derivatives_of_the_pose():
    robot = taut.load("stanford")
    tree = geometry(robot.tree, inertial=True)
    chain = Chain.of(tree, None)
    wanted = parameters(tree, None, eccentric=True, compliance=True)
    rng, step = np.random.default_rng(3), 1e-6
    q = random_positions(tree, rng, (4,))
    torques = rng.normal(size=(4, 6))
    errors = {p.name: 0.02 * rng.normal() for p in wanted}
    T, J = chain.poses(q, errors, wanted, torques)
    for k, parameter in enumerate(wanted):
        ahead, behind = (
            chain.poses(q, errors | {parameter.name: errors[parameter.name] + sign * step}, [], torques)[0]
            for sign in (1, -1)
        )
        change = (ahead - behind) / (2 * step)
        np.testing.assert_allclose(change[:, :3, 3], J[:, :3, k], atol=2e-9)
        spin = change[:, :3, :3] @ np.swapaxes(T[:, :3, :3], 1, 2)
        angular = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        np.testing.assert_allclose(angular, J[:, 3:, k], atol=2e-9)
