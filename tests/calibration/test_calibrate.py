"""Calibration of robots with known errors: truth within its standard errors, outliers, other instruments, bad files."""

import json

import numpy as np
import pytest

import taut
from calibration.synthetic import Machine, write_csv
from taut import InputError
from taut.calibration.chain import Chain
from taut.calibration.next_poses import next_poses
from taut.calibration.parameters import parameters
from taut.calibration.poses import Poses
from taut.cli import main

NOISE = 1e-4


def check_draws(name: str, draws: int) -> tuple[float, float]:
    """Return the share of parameters within three standard errors, and the worst error on unseen poses over noise."""
    inside, unseen = [], []
    for draw in range(draws):
        machine = Machine(name, draw)
        found = taut.calibrate(machine.robot, machine.measured(50, 1000 + draw, NOISE))
        fitted = Chain.of(machine.tree, None, found.base)
        # The first joint's offset and the base are relative to where the base was found.
        for p in found.fitted:
            if p.place != "base" and p is not found.fitted[0]:
                error = abs(found.fit.errors[p.name] - machine.errors[p.name])
                inside.append(error <= 3 * found.standard_errors[p.name])
        test = machine.measured(100, 5000 + draw, NOISE)
        T, _ = fitted.poses(test.q, found.fit.errors, [])
        rms = np.sqrt(np.mean((T[:, :3, 3] - test.position) ** 2))
        unseen.append(rms / NOISE)
    return float(np.mean(inside)), float(np.mean(unseen))


@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_errors_are_found_within_three_standard_errors(name):
    inside, unseen = check_draws(name, 2)
    assert inside >= 0.96  # of some 60 parameters
    assert unseen <= 1.2


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ["ur5e", "panda"])
def test_errors_are_found_within_three_standard_errors_in_50_draws(name):
    inside, unseen = check_draws(name, 50)
    assert inside >= 0.99
    assert unseen <= 1.2


def test_two_outliers_in_fifty_are_named_and_removed():
    machine = Machine("ur5e", 3)
    poses = machine.measured(50, 4, NOISE)
    poses.position[7] += [0.02, 0, 0]
    poses.rotation[20] = poses.rotation[20] @ np.array([[1, 0, 0], [0, 0.9998, -0.02], [0, 0.02, 0.9998]])
    found = taut.calibrate(machine.robot, poses)
    assert found.removed == (7, 20)
    assert found.after["position"] < 2.2 * NOISE and found.held_out["position"] < 2.6 * NOISE


def test_offsets_alone_are_found_in_the_robots_own_base(tmp_path, capsys):
    machine = Machine("panda", 5, frames=False)
    write_csv(tmp_path / "poses.csv", machine.measured(30, 6, NOISE))
    assert main(["calibrate", "panda", str(tmp_path / "poses.csv"), "--offsets", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    for joint in machine.tree.joint_names:
        assert data["offsets"][joint] == pytest.approx(machine.errors[f"{joint}.offset"], abs=4e-4)
        assert data["parameters"][f"{joint}.offset"]["unit"] == "rad"
    assert data["held_out"]["position"] < 2.5 * NOISE


@pytest.mark.parametrize("ending", ["toml", "urdf"])
def test_the_corrected_robot_reaches_the_measured_poses(tmp_path, capsys, ending):
    machine = Machine("ur5e", 8)
    poses = machine.measured(60, 9, NOISE)
    write_csv(tmp_path / "poses.csv", poses)
    out = tmp_path / f"corrected.{ending}"
    assert main(["calibrate", "ur5e", str(tmp_path / "poses.csv"), "-o", str(out)]) == 0
    assert "standard error" in capsys.readouterr().out
    corrected = taut.load(out)
    frame = corrected.frame_names[-1]
    found = corrected.forward_kinematics(poses.q, frame)
    if ending == "toml":  # a URDF places the robot's base at the origin of the world
        assert np.sqrt(np.mean((found[:, :3, 3] - poses.position) ** 2)) < 1.2 * NOISE
    relative = np.linalg.inv(found[:1]) @ found
    measured = np.tile(np.eye(4), (len(poses), 1, 1))
    measured[:, :3, :3], measured[:, :3, 3] = poses.rotation, poses.position
    np.testing.assert_allclose(relative, np.linalg.inv(measured[:1]) @ measured, atol=15 * NOISE)


def test_positions_alone_and_an_unknown_world_are_enough():
    machine = Machine("panda", 11)
    poses = machine.measured(80, 12, NOISE)
    world = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    found = taut.calibrate(machine.robot, Poses(poses.q, poses.position @ world.T + [3.0, -2, 1]))
    assert found.found.rank == 29
    assert found.after["position"] < 2 * NOISE and found.held_out["position"] < 2.5 * NOISE


@pytest.mark.parametrize("instrument", ["ball bar", "touching"])
def test_a_fixed_point_serves_as_the_world(instrument):
    machine = Machine("stanford", 13, frames=False)
    machine.errors = {name: x for name, x in machine.errors.items() if name.startswith(("joint2", "joint4", "joint5"))}
    centre = np.array([0.4, 0.3, 0.2])
    if instrument == "ball bar":
        poses = machine.measured(150, 14, 0.0)
        poses = Poses(poses.q, length=np.linalg.norm(poses.position - centre, axis=1))
    else:  # joint positions that bring the tool to one point, found by Newton steps on the true machine
        rng, rows = np.random.default_rng(15), []
        for _ in range(40):
            q = machine.robot.random_position(seed=int(rng.integers(1 << 30)))
            for _ in range(25):
                T, J = machine.chain.poses(q[None], machine.errors, _moving(machine))
                q = q + np.linalg.pinv(J[0, :3], rcond=1e-3) @ (centre - T[0, :3, 3])
            if np.linalg.norm(T[0, :3, 3] - centre) < 1e-12:
                rows.append(q)
        poses = Poses(np.array(rows))
        with pytest.raises(InputError, match="does not tell the robot's size"):
            taut.calibrate(machine.robot, poses)
    found = taut.calibrate(machine.robot, poses, offsets=True)
    for name in ("joint2.offset", "joint4.offset"):
        if name in found.fit.errors:
            assert found.fit.errors[name] == pytest.approx(machine.errors[name], abs=1e-6)
    assert "joint2.offset" in found.fit.errors and "joint1.offset" not in found.fit.errors


def _moving(machine):
    return parameters(machine.tree, None, frames=False)


def test_eccentric_gears_and_compliance_are_found():
    machine = Machine("puma560", 16)
    tree = machine.robot.numeric
    chain = Chain.of(tree, None)
    q = machine.robot.random_position(80, seed=17)
    torques = machine.robot.gravity(q)
    truth = {"joint2.sine": 1e-3, "joint2.cosine": -5e-4, "joint3.compliance": 2e-4, "joint2.compliance": 1e-4}
    T, _ = chain.poses(q, truth, [], torques)
    found = taut.calibrate(machine.robot, Poses(q, T[:, :3, 3], T[:, :3, :3]), eccentric=True, compliance=True)
    assert found.after["position"] < 1e-9
    for name in ("joint3.compliance", "joint2.sine"):
        assert found.fit.errors[name] == pytest.approx(truth[name], abs=1e-6)


def test_next_poses_lower_the_worst_standard_error_more_than_random_ones():
    machine = Machine("ur5e", 18)
    rng = np.random.default_rng(19)
    q = 0.25 * rng.uniform(-1, 1, (25, 6)) + [0.3, -1.0, 1.2, 0.4, 1.0, 0.2]  # a corner of the workspace
    found = taut.calibrate(machine.robot, machine.measured(25, 20, NOISE, q))
    proposed, left = next_poses(found, 8)
    low, high = machine.robot.limits.lower, machine.robot.limits.upper
    assert np.all(proposed >= low) and np.all(proposed <= high)
    random = [worst_error(machine, found, machine.robot.random_position(8, seed=seed)) for seed in range(20)]
    reached = worst_error(machine, found, proposed)
    assert reached == pytest.approx(max(left.values()), rel=1e-9)
    assert np.median(random) / reached >= 1.5


def worst_error(machine, found, q):
    """Return the largest standard error that measuring at q would leave, by the information matrix."""
    _, J = Chain.of(machine.tree, None, found.base).poses(q, found.fit.errors, found.fitted)
    rows = (J / np.repeat(found.fit.noise, 3)[None, :, None]).reshape(-1, len(found.fitted))
    information = np.linalg.inv(found.fit.covariance) + rows.T @ rows
    return float(np.sqrt(np.diag(np.linalg.inv(information))).max())


def broken(tmp_path, change):
    machine = Machine("ur5e", 21)
    poses = machine.measured(40, 22, NOISE)
    path = tmp_path / "poses.csv"
    change(machine, poses, path)
    return path


def _millimetres(machine, poses, path):
    write_csv(path, poses, scale=1000.0)


def _degrees(machine, poses, path):
    write_csv(path, poses, degrees=True)


def _small_degrees(machine, poses, path):
    q = 0.1 * poses.q
    write_csv(path, machine.measured(40, 23, NOISE, q), degrees=True)


def _w_first(machine, poses, path):
    write_csv(path, poses, order="wxyz")


def _few(machine, poses, path):
    write_csv(path, poses.chosen(np.arange(4)))


def _alike(machine, poses, path):
    write_csv(path, poses.chosen(np.zeros(40, dtype=int)))


def _no_column(machine, poses, path):
    write_csv(path, poses)
    path.write_text(path.read_text().replace("q3", "elbow", 1))


def _text_cell(machine, poses, path):
    write_csv(path, poses)
    path.write_text(path.read_text() + "\n" + ",".join(["n/a"] * 13))


def _short_line(machine, poses, path):
    write_csv(path, poses)
    path.write_text(path.read_text() + "\n1,2,3")


def _empty(machine, poses, path):
    path.write_text("q1,x\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_millimetres, "look like millimetres"),
        (_degrees, "degrees; give radians|better as degrees"),
        (_small_degrees, "degrees"),
        (_w_first, "better with w first"),
        (_few, "4 poses give 24 numbers for 30 parameters"),
        (_alike, "all poses are alike"),
        (_no_column, "column 'q3' is missing"),
        (_text_cell, "line 42, column 'q1' holds 'n/a'"),
        (_short_line, "line 42 has 3 cells, expected 13"),
        (_empty, "has no poses"),
    ],
)
def test_bad_poses_are_named_with_what_to_do(tmp_path, capsys, change, words):
    path = broken(tmp_path, change)
    with pytest.raises(InputError, match=words):
        taut.calibrate(taut.load("ur5e"), path)
    out = tmp_path / "out.toml"
    assert main(["calibrate", "ur5e", str(path), "-o", str(out)]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not out.exists()


def test_offsets_alone_need_the_robots_own_base():
    machine = Machine("ur5e", 24, frames=False)
    poses = machine.measured(30, 25, NOISE)
    with pytest.raises(InputError, match="base frame"):
        taut.calibrate(machine.robot, Poses(poses.q, poses.position + np.array([1.0, 0, 0])), offsets=True)
