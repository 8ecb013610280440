"""A derived function agrees with the plain algorithm on the file's digits, or states by how much it does not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from sampled import sampled
from taut.api import Robot
from taut.cli import main
from taut.derive import derive
from taut.derive.checks.truth import judge
from taut.errors import InputError
from taut.formats.toml import read_toml
from taut.formats.urdf import read_urdf
from taut.robot.meaning import decided

Origin = tuple[str, str]


def chain(origins: Sequence[Origin], mass: float = 5.0, centre: str = "0.2 0.05 0.01") -> Robot:
    """Return a chain of joints about z, placed by (xyz, rpy)."""
    inertia = '<inertia ixx="0.05" iyy="0.08" izz="0.06" ixy="0.001" ixz="0.002" iyz="0.003"/>'
    links = "".join(
        f'<link name="l{k}"><inertial><origin xyz="{centre}"/><mass value="{mass}"/>{inertia}</inertial></link>'
        for k in range(1, len(origins) + 1)
    )
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k - 1}"/><child link="l{k}"/>'
        f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="0 0 1"/></joint>'
        for k, (xyz, rpy) in enumerate(origins, 1)
    )
    return Robot(read_urdf(f'<robot name="chain"><link name="l0"/>{links}{joints}</robot>', "chain.urdf"))


START = ("0 0 0", "1.2 0 0")
TILTED = chain([START, ("0.3 0.1 0", "2e-7 0 0")])
FOUR_OF_PI = chain([START, *[("0.4 0 0.1", "3.141593 0 0")] * 3])
LONG_AND_HEAVY = chain([START, *[("1 0 0.1", "3.14159 0 0")] * 3], mass=20.0)
HUNG = chain([("0 0 1", "3.1416 0 0"), ("0.4 0 0", "0 0 0"), ("0.3 0 0", "0 0 0")])
GRIPPER = chain(
    [("0 0 0", "1.5708 0 0"), ("0 0 0.04", "0 1.57079 0"), ("0.066 0 0", "0 0 3.6e-6"), ("0.06 0 0", "0 4.6e-6 0")],
    mass=0.06,
    centre="0.02 0.001 0.003",
)
"""Numbers as in gripper and leg files: right angles rounded in two ways, and tilts that are none."""

NOISY = chain([START, ("0.3 -1.2e-16 0", "1.5707963 0 0"), ("0.2 0 1e-17", "4.9e-12 0 0")])


@pytest.mark.parametrize("function", sampled(["inverse_dynamics", "mass_matrix", "gravity", "forward_dynamics"], 4))
@pytest.mark.parametrize(
    ("robot", "snapped"),
    [(TILTED, 0), (FOUR_OF_PI, 3), (LONG_AND_HEAVY, 3), (HUNG, 1), (GRIPPER, 2), (NOISY, 2)],
    ids=["tilt of 2e-7", "3.141593", "3.14159", "hung by 3.1416", "gripper", "noise"],
)
def test_geometry_never_makes_a_function_wrong_in_silence(robot: Robot, snapped: int, function: str) -> None:
    found = derive(robot.tree, function, effort="none")
    assert found.difference is not None
    known = judge(robot.tree, function, turned=decided(robot.tree).turned, count=300, seed=5)
    measured = known.difference(found(*(known.states[name] for name in found.arguments)), "")
    assert measured.largest <= found.difference.stated <= 2e-4
    assert measured.of_own_size <= max(2 * found.difference.of_own_size, 1e-9)
    if snapped:
        assert any(f"{snapped} angle" in note and "changes by at most" in note for note in found.notes)
    else:
        assert measured.largest <= 1e-11 and not found.notes


@pytest.mark.parametrize("lever", [0.4, 0.02])
def test_gravity_about_an_axis_that_is_meant_to_be_vertical_is_no_error(lever: float) -> None:
    """By the digits it is 7e-6 m g l; what stands beside it is m g l, even where no torque of the arm is as large."""
    hung = chain([("0 0 1", "3.1416 0 0"), (f"{lever} 0 0", "0 0 0")], centre=f"{lever / 2} 0 0")
    found = derive(hung.tree, "gravity", effort="none")
    assert found.difference is not None and 1e-6 < found.difference.largest < 1e-4


def test_a_small_term_is_judged_on_its_own_scale() -> None:
    """M_12 is a hundredth of what stands beside it; an angle moved by 1e-5 may change it by 2e-5 of that, no more."""
    small = chain([START, ("0 0 0", f"{np.pi / 2 - 0.01} 0 0")], centre="0.2 0.05 0.1")
    known = judge(small.tree, "mass_matrix", turned=1e-9)
    M = np.abs(known.expected).max(axis=0)
    assert known.scale[1] == max(M[1], 1e-3 * np.sqrt(M[0] * M[3]))
    raised = judge(small.tree, "mass_matrix", turned=1e-5).scale
    assert raised[1] == pytest.approx(max(M[1], 2 * 1e-5 / 1e-4 * np.sqrt(M[0] * M[3])))
    assert judge(small.tree, "mass_matrix", turned=1.0).scale[1] == pytest.approx(np.sqrt(M[0] * M[3]))


@pytest.mark.parametrize("function", ["coriolis_matrix", "christoffel", "coriolis_transpose"])
def test_velocity_terms_that_cancel_are_rounding(function: str) -> None:
    """A parallelogram has a constant inertia matrix; by numbers 1e-18 is left of what cancels."""
    bar = 'axis = [0, 1, 0]\nlink = {{ name = "{}", mass = 1, com = [{}, 0, 0] }}'
    pin = 'link = "coupler"\nxyz = [0.6, 0, 0]\nrpy = ["90 deg", 0, 0]\nto = "rocker"'
    text = f"""
start = {{ crank = 1, coupler = -1, rocker = 1 }}
[[joint]]
name = "crank"
{bar.format("crank", 0.1)}
[[joint]]
name = "coupler"
xyz = [0.2, 0, 0]
{bar.format("coupler", 0.2)}
[[joint]]
name = "rocker"
parent = "base"
xyz = [0.6, 0, 0]
{bar.format("rocker", 0.15)}
[[loop]]
kind = "pin"
{pin}
at = {{ xyz = [0.2, 0, 0], rpy = ["90 deg", 0, 0] }}
"""
    found = Robot(read_toml(text)).derive(function, effort="none", fresh=True)
    assert found.operations.total == 0


def test_noise_costs_nothing() -> None:
    exact = chain([START, ("0.3 0 0", f"{np.pi / 2} 0 0"), ("0.2 0 0", "0 0 0")])
    counts = [derive(robot.tree, "inverse_dynamics", effort="none").operations.total for robot in (NOISY, exact)]
    assert counts[0] == counts[1]


def test_axes_that_are_nearly_parallel_do_not_go_through_their_common_normal() -> None:
    values = derive(TILTED.tree, "inverse_dynamics", effort="none").values
    assert max(abs(x) for x in values.values()) < 100


def test_a_difference_that_is_too_large_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"differs from the file's digits by .*3.14159 for 180.*1e-09 is accepted.*--snap 0"
    ):
        derive(LONG_AND_HEAVY.tree, "gravity", effort="none", accept=1e-9)
    assert derive(LONG_AND_HEAVY.tree, "gravity", effort="none", snap=0, accept=1e-9).notes == ()


def test_a_snap_that_the_user_wrote_is_accepted_and_reported() -> None:
    coarse = chain([("0 0 0", "1.57 0 0"), ("0.4 0 0", "1.57 0 0"), ("0.4 0 0", "1.57 0 0")])
    kept = derive(coarse.tree, "inverse_dynamics", effort="none")
    taken = derive(coarse.tree, "inverse_dynamics", effort="none", snap=1e-3)
    assert taken.operations.total < kept.operations.total
    assert taken.difference is not None and 1e-4 < taken.difference.largest < 1e-2
    assert any("1.57 for 90" in note and "changes by at most" in note for note in taken.notes)
    [hint] = kept.notes
    assert f"--snap 0.001 would take them for these: {taken.operations.total} operations instead of" in hint


def test_explicit_and_closed_forms_say_it_too() -> None:
    for made in (HUNG.explicit(), HUNG.kinematics().forward_function(effort="none")):
        assert made.difference is not None and made.difference.snapped
        assert any("3.1416 for 180" in note for note in made.notes)
    with pytest.raises(InputError, match="the explicit form of 'chain' differs"):
        LONG_AND_HEAVY.explicit(accept=1e-12)


def test_the_commands_say_it(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "hung.urdf"
    file.write_text(HUNG.to_urdf())
    assert main(["show", str(file), "--check"]) == 0
    assert "1 angle taken for a right angle (3.1416 for 180)" in capsys.readouterr().out
    place = tmp_path / "out"
    assert main(["generate", str(file), "-o", str(place), "--functions", "gravity", "--effort", "none"]) == 0
    for name in ("chain.h", "README.md"):
        assert "1 angle taken for a right angle (3.1416 for 180): each output changes by at most" in (
            (place / name).read_text()
        )
    refused = ["generate", str(file), "-o", str(tmp_path / "none"), "--functions", "gravity", "--accept", "1e-12"]
    assert main(refused) == 2
    assert not (tmp_path / "none").exists()
