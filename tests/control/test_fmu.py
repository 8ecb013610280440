"""The FMU of a robot passes FMPy's validation, builds from its sources and moves like taut's own integrator."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.errors import InputError

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed: pip install fmpy")
validation = pytest.importorskip("fmpy.validation")


@pytest.fixture(scope="module")
def robot() -> taut.Robot:
    return taut.load("ur5e")


def built(robot: taut.Robot, function: str, place: Path) -> Path:
    """Return the folder of an FMU, validated, with its binary compiled from its sources."""
    file = place / "arm.fmu"
    robot.derive(function, effort="none").to_fmu(file, "arm")
    assert validation.validate_fmu(str(file)) == []
    folder = Path(fmpy.extract(str(file), unzipdir=str(place / "unit")))
    binary = folder / "binaries" / "x86_64-linux" / "arm.so"
    binary.parent.mkdir(parents=True)
    sources = [folder / "sources" / name for name in ("fmu.c", "arm.c")]
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, *sources, "-o", binary, "-lm"], check=True)
    return folder


def test_co_simulation_is_our_own_runge_kutta(robot: taut.Robot, tmp_path: Path) -> None:
    folder = built(robot, "forward_dynamics", tmp_path)
    q0, tau, h = np.array([0.1, -1.0, 0.8, 0.2, -0.3, 0.4]), np.array([1.0, -20, 5, 2, 1, 0.5]), 1e-3
    start = {f"q{k + 1}": x for k, x in enumerate(q0)} | {f"tau{k + 1}": x for k, x in enumerate(tau)} | {"step": h}
    found = fmpy.simulate_fmu(
        str(folder),
        fmi_type="CoSimulation",
        start_values=start,
        stop_time=0.5,
        output_interval=h,
        output=[f"q{k + 1}" for k in range(6)],
    )
    own = robot.simulate(q0, np.zeros(6), torque=tau, t=0.5, step=h, method="rk4")
    last = np.array([found[f"q{k + 1}"][-1] for k in range(6)])
    assert found["time"][-1] == pytest.approx(0.5)
    np.testing.assert_allclose(last, own.q[-1], rtol=0, atol=1e-12)


def test_inverse_dynamics_is_a_block(robot: taut.Robot, tmp_path: Path) -> None:
    folder = built(robot, "inverse_dynamics", tmp_path)
    given = {name: np.linspace(-1, 1, 6) * k for k, name in enumerate(("q", "qd", "qdd"), start=1)}
    start = {f"{name}{k + 1}": x for name, values in given.items() for k, x in enumerate(values)}
    found = fmpy.simulate_fmu(str(folder), fmi_type="CoSimulation", start_values=start, stop_time=0.01)
    tau = [found[f"tau{k + 1}"][-1] for k in range(6)]
    np.testing.assert_allclose(tau, robot.inverse_dynamics(*given.values()), atol=1e-10)


def test_what_is_no_unit_is_refused(robot: taut.Robot, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mass_matrix as an FMU"):
        robot.derive("mass_matrix", effort="none").to_fmu(tmp_path / "x.fmu")
    with pytest.raises(InputError, match="free joint"):
        free = taut.load("ur5e", base="free", lock={name: 0.0 for name in robot.joint_names[1:]})
        free.derive("inverse_dynamics", effort="none").to_fmu(tmp_path / "x.fmu")
