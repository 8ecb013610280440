"""A joint kind in one place: a worm gear, added here, against a revolute joint that a prismatic one follows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.robot.motion import KINDS, SingleAxis
from taut.spatial import Force, Motion, Rotation, Scalar, Transform, about

PITCH = 0.25
"""Metres along the axis per radian about it."""


@dataclass(frozen=True)
class Worm(SingleAxis):
    """Turns about its axis and moves along it."""

    kind = "worm"
    reach = np.pi

    def transform(self, q: Sequence[Scalar]) -> Transform:
        return Transform(Rotation((about(self.axis, q[0]),)), self.axis * (PITCH * q[0]))

    def rate(self, qd: Sequence[Scalar]) -> Motion:
        return Motion(self.axis * qd[0], self.axis * (PITCH * qd[0]))

    def project(self, f: Force) -> list[Scalar]:
        return [self.axis.dot(f.n) + PITCH * self.axis.dot(f.f)]

    @property
    def columns(self) -> list[Motion]:
        return [Motion(self.axis, self.axis * PITCH)]


LINKS = """
[[joint]]
name = "shoulder"
axis = [0, 1, 0]
link = {name = "arm", mass = 2.0, com = [0.3, 0, 0.05], inertia = [0.02, 0, 0.03, 0, 0, 0.04], about = "com"}
"""
INERTIA = "[0.01, 0, 0.012, 0, 0, 0.006]"
LAST = f'link = {{name = "quill", mass = 1.5, com = [0.02, 0.01, 0.2], inertia = {INERTIA}, about = "com"}}'
SCREW = f"""name = "drill"
{LINKS}
[[joint]]
name = "spindle"
kind = "worm"
xyz = [0.5, 0, 0]
axis = [0, 0, 1]
{LAST}
"""
TWO_JOINTS = f"""name = "drill"
{LINKS}
[[joint]]
name = "spindle"
xyz = [0.5, 0, 0]
axis = [0, 0, 1]
link = {{name = "nut"}}
[[joint]]
name = "feed"
kind = "prismatic"
axis = [0, 0, 1]
mimic = {{joint = "spindle", multiplier = {PITCH}}}
{LAST}
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.setitem(KINDS, "worm", Worm)
    for name, text in {"screw": SCREW, "two": TWO_JOINTS}.items():
        (tmp_path / f"{name}.toml").write_text(text)
    return str(tmp_path / "screw.toml"), str(tmp_path / "two.toml")


def test_numbers_are_those_of_two_joints(files: tuple[str, str]) -> None:
    screw, two = map(taut.load, files)
    assert screw.dof == two.dof == 2
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 7, 2))
    for name, states in {
        **{"inverse_dynamics": (q, qd, qdd), "mass_matrix": (q,), "gravity": (q,), "coriolis_matrix": (q, qd)},
        **{"forward_dynamics": (q, qd, qdd), "inverse_dynamics_derivatives": (q, qd, qdd), "energy": (q, qd)},
        **{"jacobian:quill": (q,), "jacobian_derivative:quill": (q, qd), "forward_kinematics:quill": (q,)},
    }.items():
        np.testing.assert_allclose(
            screw.evaluate(name, *states), two.evaluate(name, *states), rtol=1e-9, atol=1e-12, err_msg=name
        )
    np.testing.assert_allclose(screw.step(q, qd, 0.5), q + 0.5 * qd)
    assert screw.random_position(3).shape == (3, 2)


def test_it_is_shown_written_derived_and_generated(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    screw = taut.load(files[0])
    (tmp_path / "again.toml").write_text(screw.to_toml())
    assert taut.load(tmp_path / "again.toml").tree.joints == screw.tree.joints
    derived = screw.derive("torque", effort="none")
    q, qd, qdd = np.random.default_rng(4).uniform(-1, 1, (3, 7, 2))
    assert derived.proof is not None
    np.testing.assert_allclose(derived(q, qd, qdd), screw.inverse_dynamics(q, qd, qdd), rtol=1e-10)
    assert main(["show", files[0]]) == 0
    assert "worm" in capsys.readouterr().out
    functions = "torque,mass_matrix,forward_dynamics,jacobian:quill"
    assert (
        main(
            ["generate", files[0], "-o", str(tmp_path / "out"), "--functions", functions, "--effort", "none", "--json"]
        )
        == 0
    )
    assert all(row["error"] < 1e-12 for row in json.loads(capsys.readouterr().out)["functions"])
