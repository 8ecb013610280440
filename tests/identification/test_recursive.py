"""The recursive estimator: least squares over all samples, and C that does what the Python does."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from identification.synthetic import excited
from identification.test_formula_terms import arm
from taut.errors import InputError
from taut.identify.published import full_regressor
from taut.identify.recursive import RecursiveEstimator, RecursiveModel, recursive_files

NOISE = np.array([0.5, 0.3])


def samples() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return a motion and torques of the arm with other friction and masses."""
    _, q, qd, qdd = excited(arm(), seconds=3.0)
    rng = np.random.default_rng(4)
    return q, qd, qdd, 1.3 * arm().joint_torque(q, qd, qdd) + rng.normal(0, NOISE, q.shape)


def test_without_forgetting_it_is_least_squares_over_all_samples() -> None:
    model = RecursiveModel(arm().tree, NOISE)
    q, qd, qdd, tau = samples()
    estimator = RecursiveEstimator(model)
    for sample in zip(q, qd, qdd, tau, strict=True):
        estimator.update(*sample)
    W = full_regressor(model.robot, q, qd, qdd)[..., model.columns] / NOISE[:, None]
    H = np.einsum("tjp,tjq->pq", W, W) + np.diag(model.deviation**-2)
    c = np.einsum("tjp,tj->p", W, tau / NOISE) + model.start / model.deviation**2
    expected = np.linalg.solve(H, c)
    assert np.abs(estimator.x - expected).max() < 1e-8 * np.abs(expected).max()
    assert np.allclose(estimator.P, np.linalg.inv(H), rtol=1e-5, atol=1e-9)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_c_gives_the_numbers_of_python(tmp_path: Path) -> None:
    robot = arm()
    model = RecursiveModel(robot.tree, NOISE)
    robot.generate(str(tmp_path / "c"), ["regressor", "drive_regressor"], effort="none")
    for file, text in recursive_files(model, "arm").items():
        (tmp_path / "c" / file).write_text(text, "utf-8")
    command = ["cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "arm.c", "arm_recursive.c"]
    subprocess.run([*command, "-o", "estimator.so", "-lm"], cwd=tmp_path / "c", check=True)
    library = ctypes.CDLL(str(tmp_path / "c" / "estimator.so"))
    count = len(model.columns)
    state = np.zeros(count + count * count + 1)
    pointer = ctypes.POINTER(ctypes.c_double)
    library.arm_estimator_start(state.ctypes.data_as(pointer), ctypes.c_double(0.998))
    estimator = RecursiveEstimator(model, 0.998)
    for sample in zip(*samples(), strict=True):
        estimator.update(*sample)
        library.arm_estimator_update(
            state.ctypes.data_as(pointer), *(np.ascontiguousarray(x).ctypes.data_as(pointer) for x in sample)
        )
    assert np.abs(state[:count] - estimator.x).max() < 1e-9 * np.abs(estimator.x).max()
    assert np.abs(state[count:-1] - estimator.P.reshape(-1)).max() < 1e-9 * np.abs(estimator.P).max()


def test_bad_numbers_are_named() -> None:
    with pytest.raises(InputError, match="noise"):
        RecursiveModel(arm().tree, np.array([1.0, 0.0]))
    with pytest.raises(InputError, match="forgetting"):
        RecursiveEstimator(RecursiveModel(arm().tree, NOISE), 1.5)
