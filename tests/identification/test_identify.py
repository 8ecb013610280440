"""Identification from made recordings: the truth is found again, put into files and code, and bad input is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import taut
from identification.synthetic import excited, recording
from taut.api import Robot
from taut.cli import main
from taut.errors import InputError
from taut.identify.estimate.consistent import least_eigenvalues
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.reduced import reduced
from taut.identify.estimate.split import Split
from taut.identify.estimate.units_seen import units_in_doubt
from taut.recordings.conditioning import Filter, Motion
from taut.recordings.recording import Recording
from taut.robot import Limits
from taut.robot.edit import symbols, with_gravity


def arm() -> Robot:
    """Return an arm of three joints with friction."""
    held = taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0}).numeric
    drive = {"coulomb": 3.0, "viscous": 1.5, "smoothing": 0.005, "rotor_inertia": 0.8}
    joints = tuple(replace(j, drive=replace(j.drive, **drive)) for j in held.joints)
    return Robot(replace(held, joints=joints))


@pytest.fixture(scope="module")
def truth() -> Robot:
    return arm()


@pytest.fixture(scope="module")
def fit(truth: Robot) -> Identification[Robot]:
    return taut.identify(truth, [recording(truth)])


def test_torques_of_the_fitted_robot_are_the_truth(truth: Robot, fit: Identification[Robot]) -> None:
    _, q, qd, qdd = excited(truth, seed=5)
    expected, found = truth.joint_torque(q, qd, qdd), fit.robot.joint_torque(q, qd, qdd)
    error = np.sqrt(((expected - found) ** 2).mean(0) / (expected**2).mean(0))
    assert error.max() < 0.04
    assert max(fit.held_out.values()) < 3.0
    assert not fit.poor and not fit.warnings


def test_every_link_can_exist_also_after_writing(fit: Identification[Robot]) -> None:
    again = Robot(taut.formats.read(fit.robot.to_toml(), "arm.toml", "toml"))
    assert fit.consistent
    assert (least_eigenvalues(again.parameters, 3) > 0).all()


def test_the_robot_reproduces_the_reported_error(truth: Robot, fit: Identification[Robot]) -> None:
    """What the report calls train error is the error of the robot that is written."""
    made = recording(truth)
    t, q, qd, qdd = excited(truth)
    part = slice(30, int(0.7 * len(t)))
    predicted = fit.robot.joint_torque(q, qd, qdd)[part]
    relative = 100 * np.sqrt(((predicted - made.tau[part]) ** 2).mean(0) / (made.tau[part] ** 2).mean(0))
    assert np.allclose(relative, list(fit.train.values()), atol=1.2)


def test_standard_errors_cover_the_base_parameters(truth: Robot, fit: Identification[Robot]) -> None:
    model = fit.selection.model
    pi = np.concatenate([truth.parameters, [j.drive.rotor_inertia for j in truth.tree.joints]])
    expected = model.base.matrix @ pi
    off = [
        abs(fit.parameters[n][0] - x) / fit.parameters[n][1] for n, x in zip(model.base.names, expected, strict=True)
    ]
    assert np.median(off) < 3


def test_factors_of_parts_merge_to_the_whole(truth: Robot) -> None:
    from taut.identify.estimate.columns import Model
    from taut.identify.estimate.factors import Factors, Products
    from taut.recordings.conditioning import motion_of, rows_of
    from taut.recordings.cutoff import choose_filter
    from taut.recordings.stamps import regular

    pieces, _ = regular(recording(truth))
    filter_ = choose_filter(pieces)
    motion = motion_of(pieces[0], filter_)
    model = Model(truth.tree, np.ones(3))
    (rows,) = rows_of(motion, filter_, model)
    everything, first, second = (Factors(model.active, model.width) for _ in range(3))
    ones = np.ones_like(rows.tau)
    half = np.arange(len(rows.t)) < 150
    everything.add(0, rows, half | ~half, ones)
    first.add(0, rows, half, ones)
    second.add(0, rows, ~half, ones)
    first.merge(second)
    chosen = np.arange(model.count)
    nothing = np.zeros((0, 0))
    a, b = (Products(f).solve(chosen, np.ones(3), nothing) for f in (everything, first))
    assert np.abs(a - b).max() <= 1e-10 * np.abs(a).max()


def test_a_lag_is_found(truth: Robot) -> None:
    made = recording(truth)
    late = replace(made, tau=np.stack([np.interp(made.t - 0.02, made.t, x) for x in made.tau.T], 1))
    lags = taut.identify(truth, [late]).lags
    assert np.allclose(list(lags.values()), 0.02, atol=0.001)


def test_one_repeated_motion_is_reported(truth: Robot) -> None:
    t, *_ = excited(truth)
    w = 2 * np.pi * 0.2
    q = np.outer(np.sin(w * t), [0.5, 0.4, 0.3])
    qd, qdd = np.outer(w * np.cos(w * t), [0.5, 0.4, 0.3]), -w * w * q
    fit = taut.identify(truth, [Recording("sine", t, q, truth.joint_torque(q, qd, qdd))])
    assert fit.excitation.uniform
    assert any("one repeated motion" in text for text in fit.warnings)


def test_slow_motion_is_said_to_leave_inertias_open(truth: Robot) -> None:
    t, q, qd, qdd = excited(truth)
    slow = 30.0
    tau = truth.joint_torque(q, qd / slow, qdd / slow**2)
    fit = taut.identify(truth, [Recording("slow", t * slow, q, tau)])
    assert any("inertias are not" in text for text in fit.warnings)
    assert max(fit.held_out.values()) < 5.0


@pytest.mark.slow
def test_the_direction_of_gravity_is_found(truth: Robot) -> None:
    leaning = Robot(with_gravity(truth.tree, (4.0, -3.0, -8.43)))
    fit = taut.identify(truth, [recording(leaning)], settings=Settings(Split(0.3), gravity="estimate"))
    found = np.array([float(x) for x in fit.robot.tree.gravity_acceleration])
    assert np.linalg.norm(found - [4.0, -3.0, -8.43]) < 0.4
    assert max(fit.held_out.values()) < 3.0
    assert any("gravity found along" in note for note in fit.notes)


@pytest.mark.slow
def test_robust_losses_ignore_outliers(truth: Robot) -> None:
    made = recording(truth, seconds=12)
    rng = np.random.default_rng(3)
    tau = made.tau.copy()
    for start in rng.integers(0, len(tau) - 30, 12):
        tau[start : start + 20, 1] += 60.0
    _, q, qd, qdd = excited(truth, seed=5)
    expected = truth.joint_torque(q, qd, qdd)
    errors = []
    for loss in ("squares", "tukey"):
        robot = taut.identify(truth, [replace(made, tau=tau)], settings=Settings(Split(0.3), loss=loss)).robot
        errors.append(np.sqrt(((expected - robot.joint_torque(q, qd, qdd))[:, 1] ** 2).mean()))
    assert errors[1] < 0.6 * errors[0]


def test_inertias_without_values_are_what_is_asked_for() -> None:
    robot = taut.load("scara")
    names = sorted(symbols(robot.tree))
    rng = np.random.default_rng(4)
    known = robot.with_values({name: float(x) for name, x in zip(names, rng.uniform(0.5, 1, len(names)), strict=True)})
    fit = taut.identify(robot, [recording(known, seconds=10)])
    assert max(fit.held_out.values()) < 3.0


# -- bad input ------------------------------------------------------------------


def write_csv(path: Path, columns: dict[str, np.ndarray]) -> str:
    np.savetxt(path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="")
    return str(path)


def columns_of(made: Recording) -> dict[str, np.ndarray]:
    n = made.q.shape[1]
    columns = {"t": made.t} | {f"q{k + 1}": made.q[:, k] for k in range(n)}
    return columns | {f"tau{k + 1}": made.tau[:, k] for k in range(n)}


def test_missing_column(truth: Robot, tmp_path: Path) -> None:
    columns = columns_of(recording(truth))
    del columns["tau2"]
    with pytest.raises(InputError, match="torque of joint 'joint2' is missing"):
        taut.identify(truth, [write_csv(tmp_path / "log.csv", columns)])


def test_degrees(truth: Robot, tmp_path: Path) -> None:
    made = recording(truth)
    log = write_csv(tmp_path / "log.csv", columns_of(replace(made, q=np.degrees(made.q))))
    with pytest.raises(InputError, match="degrees"):
        taut.identify(truth, [log])


def test_constant_joint(truth: Robot) -> None:
    t, q, qd, qdd = excited(truth)
    for x in (q, qd, qdd):
        x[:, 1] = 0.0
    fit = taut.identify(truth, [Recording("held", t, q, truth.joint_torque(q, qd, qdd))])
    assert any("joint2 stands still" in text for text in (*fit.warnings, *fit.verdict))
    assert fit.robot.tree.joints[1].drive.coulomb == fit.robot.tree.joints[1].drive.viscous == 0


def test_too_few_samples(truth: Robot) -> None:
    made = recording(truth, seconds=0.5)
    with pytest.raises(InputError, match="too few samples"):
        taut.identify(truth, [made])


def test_dirt_is_cut_and_reported(truth: Robot) -> None:
    made = recording(truth)
    t, q, tau = made.t.copy(), made.q.copy(), made.tau.copy()
    tau[100, 1], q[200, 0], t[300] = np.nan, 1e282, t[290]
    t[1000:] += 3.0
    fit = taut.identify(truth, [Recording("dirty", t, q, tau)])
    notes = " ".join(fit.notes)
    for words in ("no numbers", "garbage", "backward stamps", "1 gap of up to 3.01 s"):
        assert words in notes
    assert max(fit.held_out.values()) < 4.0


def test_time_backwards(truth: Robot) -> None:
    made = recording(truth)
    with pytest.raises(InputError, match=r"increase|backwards"):
        taut.identify(truth, [replace(made, t=made.t[::-1])])


def test_wrong_transmission_sign(truth: Robot) -> None:
    made = recording(truth)
    tau = made.tau.copy()
    tau[:, 2] *= -1
    fit = taut.identify(truth, [replace(made, tau=tau)])
    assert any(text.startswith("joint3") and "wrong sign" in text for text in fit.warnings)


def test_units_that_the_robot_contradicts(truth: Robot) -> None:
    """A current is proportional to the torque; positions in degrees leave the limits."""
    bounded = replace(
        truth.tree, joints=tuple(replace(j, limits=Limits(-1.5, 1.5)) for j in truth.tree.joints), name="bounded"
    )
    _, q, qd, qdd = excited(truth, seconds=4.0)
    tau = truth.inverse_dynamics(q, qd, qdd)
    zero = np.zeros_like(q)

    def doubts(q: np.ndarray, tau: np.ndarray) -> list[str]:
        return units_in_doubt(bounded, [Motion(100.0, q, qd, qdd, tau, "made", 0.0)], Filter(8.0, 20.0, 0.25, ""))

    assert doubts(q, tau) == [] and doubts(q, zero + 1.0) == []
    currents = doubts(q, tau / 30)
    assert len(currents) == 3 and all("a current" in text for text in currents)
    assert any("its limits are -1.5 and 1.5" in text for text in doubts(np.degrees(q) / 8, zero + 1.0))


def test_wrong_sign_of_the_first_joint(truth: Robot) -> None:
    made = recording(truth)
    fit = taut.identify(truth, [replace(made, tau=made.tau * [-1, 1, 1])])
    assert any(text.startswith("joint1") and "wrong sign" in text for text in fit.warnings)


def test_joints_that_move_together(truth: Robot) -> None:
    t, q, qd, qdd = excited(truth)
    for x in (q, qd, qdd):
        x[:, 2] = 0.7 * x[:, 1]
    fit = taut.identify(truth, [Recording("tied", t, q, truth.joint_torque(q, qd, qdd))])
    assert any("joint2 and joint3 always move together" in text for text in fit.warnings)


def test_torque_of_zeros(truth: Robot) -> None:
    made = recording(truth)
    with pytest.raises(InputError, match="torque of joint2 is zero"):
        taut.identify(truth, [replace(made, tau=made.tau * [1, 0, 1])])


def test_wrong_joint_order(truth: Robot) -> None:
    made = recording(truth)
    fit = taut.identify(truth, [replace(made, tau=made.tau[:, [1, 0, 2]])])
    assert any("order" in text and "joint1" in text and "joint2" in text for text in fit.warnings)


@pytest.mark.parametrize("what", ["torque columns", "position columns", "joints"])
def test_what_is_in_another_order_is_named(truth: Robot, what: str) -> None:
    """Torques, positions or both in a circle; nothing else, such as a wrong sign, is claimed of them."""
    made, order = recording(truth), [1, 2, 0]
    q = made.q if what == "torque columns" else made.q[:, order]
    tau = made.tau if what == "position columns" else made.tau[:, order]
    fit = taut.identify(truth, [replace(made, q=q, tau=tau)])
    listed = "that of joint3 fits joint1, that of joint1 fits joint2, that of joint2 fits joint3"
    assert fit.verdict == (f"the {what} seem to be in another order: {listed}; check their order or give a mapping",)
    assert not any("sign" in text for text in fit.warnings)


def test_a_joint_that_is_another_where_it_is_held_out_is_named(truth: Robot) -> None:
    made = recording(truth)
    tau = made.tau.copy()
    tau[int(0.71 * len(tau)) :, 1] *= 3.0
    fit = taut.identify(truth, [replace(made, tau=tau)])
    assert list(fit.poor) == ["joint2"]
    assert any(text.startswith("joint2: held-out error 6") for text in fit.verdict)


def test_milliseconds_are_noted(truth: Robot, tmp_path: Path) -> None:
    made = recording(truth)
    fit = taut.identify(truth, [write_csv(tmp_path / "log.csv", columns_of(replace(made, t=made.t * 1000)))])
    assert any("ms" in note for note in fit.notes)
    assert max(fit.held_out.values()) < 3.0


# -- command line -----------------------------------------------------------------


def test_one_command_from_log_to_c(truth: Robot, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot, out = tmp_path / "arm.toml", tmp_path / "fitted"
    robot.write_text(truth.to_toml(), "utf-8")
    log = write_csv(tmp_path / "log.csv", columns_of(recording(truth)))
    assert main(["identify", str(robot), log, "-o", str(out), "--json", "--effort", "none"]) == 0
    data = json.loads(capsys.readouterr().out)
    for key in ("held_out", "train", "base_parameters", "condition", "terms", "consistent"):
        assert key in data
    assert data["consistent"] and max(data["held_out"].values()) < 3.0
    again = taut.load(out / "robot.toml")
    assert np.allclose(again.tree.joints[0].drive.coulomb, data["base_parameters"]["coulomb of joint1"]["value"])
    assert {"robot.toml", "robot.urdf", "report.html", "report.json", "c"} <= {p.name for p in out.iterdir()}
    assert any(p.suffix == ".c" for p in (out / "c").iterdir())
    assert main(["identify", str(robot), log, "--blocks"]) == 0
    assert "held out" in capsys.readouterr().out


def test_significant_parameters_give_shorter_code(truth: Robot, fit: Identification[Robot]) -> None:
    found = reduced(truth.tree, fit.selection)
    assert 5 < len(found.kept) < len(found.shares)
    assert all((found.shares[name] >= 0.01) == (name in found.kept) for name in found.shares)
    assert max(found.after.values()) < 4.0
    robot = Robot(found.robot)
    counts = [r.derive("joint_torque", effort="none").operations.total for r in (fit.robot, robot)]
    assert counts[1] < counts[0]
    _, q, qd, qdd = excited(truth, seed=5)
    expected, predicted = truth.joint_torque(q, qd, qdd), robot.joint_torque(q, qd, qdd)
    assert np.sqrt(((expected - predicted) ** 2).mean(0) / (expected**2).mean(0)).max() < 0.06


def test_terms_of_the_file_that_are_not_chosen_are_gone(truth: Robot) -> None:
    """Drives whose file has Stribeck's friction and harmonics get only what the recording shows."""
    drive = {"stribeck": 50.0, "stribeck_speed": 0.1, "cos1": 40.0, "load_friction": 0.3}
    joints = tuple(replace(j, drive=replace(j.drive, **drive)) for j in truth.tree.joints)
    fit = taut.identify(Robot(replace(truth.tree, joints=joints)), [recording(truth, seconds=10)])
    assert max(fit.held_out.values()) < 3.0


def test_bad_options_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", "puma560", str(tmp_path / "absent.csv")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_terms_can_be_forced_and_forbidden(truth: Robot) -> None:
    settings = Settings(Split(0.3), force={"joint1": {"stribeck"}}, forbid={"*": {"square", "root"}})
    fit = taut.identify(truth, [recording(truth, seconds=10)], settings=settings)
    assert "stribeck" in fit.terms["joint1"]
    assert not any({"square", "root"} & set(terms) for terms in fit.terms.values())


def one_way(robot: Robot, seconds: float, seed: int, drift: float) -> Recording:
    """Return a recording whose first joint keeps turning one way where the drift is above one."""
    rng, t = np.random.default_rng(seed), np.arange(0, seconds, 0.01)
    w = 2 * np.pi * np.array([0.3, 0.7, 1.1])
    a, phase = rng.uniform(-0.4, 0.4, (robot.nv, 3)), rng.uniform(0, 6, (robot.nv, 3))
    angles = w * t[:, None, None] + phase
    q, qd = (a * np.sin(angles)).sum(-1), (a * w * np.cos(angles)).sum(-1)
    qdd = -(a * w * w * np.sin(angles)).sum(-1)
    speed = drift * np.abs(qd[:, 0]).max()
    q[:, 0], qd[:, 0] = q[:, 0] + speed * t, qd[:, 0] + speed
    tau = robot.joint_torque(q, qd, qdd)
    return Recording("one way", t, q, tau + 0.02 * tau.std(0) * np.random.default_rng(9).normal(size=tau.shape))


@pytest.mark.parametrize("seed", [1, 2])
def test_dry_friction_and_offset_of_a_joint_that_moves_one_way_stay_small(seed: int) -> None:
    robot = taut.load("puma560").lock({"joint4": 0.0, "joint5": 0.0, "joint6": 0.0})
    fit = taut.identify(robot, [one_way(robot, 3.0, seed, 1.2)], test=[one_way(robot, 6.0, seed + 50, 0.0)])
    assert fit.held_out["joint1"] < 60 and fit.train["joint1"] < 1
