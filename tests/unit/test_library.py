"""Every robot of the library loads and is the robot that its source describes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import library
from taut.errors import InputError
from taut.formats.toml import read_toml
from taut.graph.operation import Op
from taut.questions.kinematics import forward_kinematics
from taut.report.library_index import index_text
from taut.robot import Tree
from taut.robot.edit import numeric, symbols, with_values
from taut.robot.inertial import faults
from taut.spatial import Z_AXIS, is_exactly

SYMBOLIC = {
    "double_pendulum",
    "general_6r",
    "puma560_burdick",
    "puma560_full",
    "rx90",
    "scara",
    "stanford_full",
    "stanford_rrp",
}
"""Robots whose inertial numbers are symbols without values."""

NOT_PHYSICAL = {
    "puma260": {"link4", "link6"},
    "puma560": {"link1", "link3"},
    "sixr_thomas_tesar": {"link1"},
}
"""Links whose published numbers are no rigid body; the file's source says so."""

OWN_GRAVITY = {"double_pendulum", "general_6r"}
"""Robots whose gravity is not along -z of the base."""

MEASURED_LIMITS = {"iiwa14", "panda", "tx40", "ur10e", "ur5e"}
"""Robots that state range, speed and torque of every joint."""


def load(name: str) -> Tree:
    return read_toml(library.text(name), f"{name}.toml")


@pytest.fixture(scope="module", params=library.names())
def robot(request: pytest.FixtureRequest) -> Tree:
    return load(request.param)


def rows(name: str, column: int) -> list[object]:
    """Return one column of a robot's table in the order of the convention's product."""
    convention = load(name).convention
    assert convention is not None
    return [row[column] for row in convention[1]]


def degrees(name: str) -> list[int]:
    return [round(math.degrees(float(angle))) for angle in rows(name, 0)]  # type: ignore[arg-type]


# -- the files ----------------------------------------------------------------


def test_names_are_the_files() -> None:
    assert len(library.open_chains()) == 17
    assert set(library.open_chains()) < set(library.names())
    assert list(library.names()) == sorted(library.names())


def test_a_file_is_named_as_its_robot_and_says_where_it_is_from(robot: Tree) -> None:
    assert robot.name in library.names()
    assert len(robot.source) > 80


def test_every_value_belongs_to_a_symbol(robot: Tree) -> None:
    assert set(robot.values) <= symbols(robot)


def test_symbols_without_values_are_only_in_symbolic_robots(robot: Tree) -> None:
    assert bool(symbols(robot) - set(robot.values)) == (robot.name in SYMBOLIC)


def test_an_unknown_name_is_told_its_neighbours() -> None:
    with pytest.raises(InputError, match=r"no robot 'puma650' in the library; did you mean puma560"):
        library.text("puma650")
    with pytest.raises(InputError, match="known robots: cam, cassie_leg, delta"):
        library.text("../errors")


# -- the bodies ---------------------------------------------------------------


def test_numeric_links_are_physical_but_for_the_ones_the_source_names(robot: Tree) -> None:
    if robot.name in SYMBOLIC:
        return
    wrong = {joint.link.name for joint in numeric(robot).joints if faults(joint.link.inertia)}
    assert wrong == NOT_PHYSICAL.get(robot.name, set())
    assert ("not physical" in " ".join(robot.source.lower().split())) == bool(wrong)


def test_gravity_is_along_minus_z_and_the_first_axis_is_upright(robot: Tree) -> None:
    if robot.name in OWN_GRAVITY or robot.name not in library.open_chains():
        return
    x, y, z = robot.gravity_acceleration
    assert (x, y) == (0, 0)
    assert z == -9.81 if isinstance(z, float) else (-z).data == "g"
    assert robot.rest_poses[0].R @ Z_AXIS == Z_AXIS


@pytest.mark.parametrize("name", sorted(MEASURED_LIMITS))
def test_commercial_arms_state_every_limit(name: str) -> None:
    for joint in load(name).joints:
        limits = joint.limits
        assert limits.lower is not None and limits.upper is not None and limits.lower < limits.upper
        assert limits.velocity and limits.effort


# -- the geometries -----------------------------------------------------------


def test_twists_are_those_of_the_literature() -> None:
    puma = [0, -90, 0, 90, -90, 90]
    for name in ("puma560", "puma560_burdick", "puma560_full"):
        assert degrees(name) == puma
    for name in ("stanford", "stanford_full"):
        assert degrees(name) == [0, -90, 90, 0, -90, 90]
    assert degrees("panda") == [0, -90, 90, 90, -90, 90, 90]
    assert degrees("iiwa14") == [0, -90, 90, 90, -90, -90, 90]
    assert degrees("sixr_thomas_tesar") == [0, 90, 0, 0, 90, 90]
    assert degrees("tx40") == [0, -90, 0, 90, -90, 90]


def test_lengths_that_are_zero_are_exactly_zero() -> None:
    def where(name: str, column: int) -> list[int]:
        return [i + 1 for i, x in enumerate(rows(name, column)) if not (isinstance(x, int | float) and x == 0)]

    along_x, along_z = 1, 3
    for name in ("puma560", "puma560_burdick", "puma560_full"):
        assert (where(name, along_x), where(name, along_z)) == ([3, 4], [2, 3, 4])
    assert (where("panda", along_x), where("panda", along_z)) == ([4, 5, 7], [1, 3, 5])
    assert (where("iiwa14", along_x), where("iiwa14", along_z)) == ([], [1, 3, 5])
    assert (where("stanford_full", along_x), where("stanford_full", along_z)) == ([], [2])
    assert all(len(where("general_6r", column)) == 6 for column in (0, along_x, along_z))


def test_the_elbow_offsets_of_the_panda_cancel_exactly() -> None:
    lengths = rows("panda", 1)
    assert is_exactly(lengths[3] + lengths[4], 0)  # type: ignore[operator]


def test_the_general_arm_is_free_in_everything() -> None:
    assert len(symbols(load("general_6r"))) == 6 * 10 + 6 * 3 + 3


def test_gears_of_the_tx40_wrist_are_coupled() -> None:
    assert load("tx40").coupling == ((5, 4, 1),)


# -- the patterns of zeros and ties -------------------------------------------


def zeros(name: str) -> list[str]:
    """Return for each link which of its ten parameters vanish, as a string of 0 and x."""
    bodies = [joint.link.inertia.parameters for joint in load(name).joints]
    return ["".join("0" if isinstance(x, int | float) and x == 0 else "x" for x in body) for body in bodies]


def test_armstrong_measured_what_the_paper_says() -> None:
    # m, mx my mz, Ixx Ixy Iyy Ixz Iyz Izz about the joint's origin: off-diagonal terms come from the shift alone
    assert zeros("puma560") == ["000000000x", "xxxxxxxxxx", "x0xxx0x0xx", "x00xx0x00x", "x000x0x00x", "x00xx0x00x"]
    assert {"Ixx6", "Izz6"} < symbols(load("puma560")) and "Iyy6" not in symbols(load("puma560"))
    last = load("puma560").joints[5].link.inertia.I
    assert last.xx is last.yy
    assert all(value.tolerance for name, value in load("puma560").values.items() if name[0] == "m")


def test_burdick_keeps_his_zeros_and_ties() -> None:
    bodies = ["x0x0xxxxxx", "xx00xxxxxx", "x0x0xxxxxx", "x000x0x00x", "x0x0x0x00x", "x00xx0x00x"]
    assert zeros("puma560_burdick") == bodies
    assert not {"Iyy5", "Iyy6", "Ixy4"} & symbols(load("puma560_burdick"))


@pytest.mark.parametrize("name", ["puma560_full", "stanford_full", "general_6r", "rx90", "scara"])
def test_full_robots_have_ten_free_parameters_a_link(name: str) -> None:
    for joint in load(name).joints:
        parameters = joint.link.inertia.parameters
        assert len({node.data for node in parameters}) == 10
        assert {node.op for node in parameters} == {Op.SYMBOL}


@pytest.mark.parametrize("name", ["rx90", "scara"])
def test_a_real_machine_without_inertias_says_so(name: str) -> None:
    assert "Only the geometry is public" in load(name).source


# -- numbers a drawing shows --------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tip"),
    [
        ("panda", (0.088, 0, 0.333 + 0.316 + 0.384 - 0.107)),  # flange pointing down
        ("iiwa14", (0, 0, 0.36 + 0.42 + 0.4 + 0.126)),  # upright
        ("ur5e", (-0.425 - 0.3922, -0.1333 - 0.0996, 0.1625 - 0.0997)),  # stretched along -x
        ("tx40", (0, 0.035, 0.32 + 0.225 + 0.225)),  # upright
        ("scara", (0.6, 0, 0.387)),
        ("rx90", (0.45, 0, 0.45)),
    ],
)
def test_the_tip_at_zero_is_where_the_maker_draws_it(name: str, tip: tuple[float, ...]) -> None:
    robot = load(name)
    robot = with_values(robot, {symbol: 1.0 for symbol in symbols(robot) - set(robot.values)})
    pose = np.array(forward_kinematics(numeric(robot), [0.0] * robot.nq), dtype=float)
    np.testing.assert_allclose(pose[:3, 3], tip, atol=1e-12)


def test_the_index_says_what_the_files_say() -> None:
    kept = library.FOLDER.joinpath(library.INDEX).read_text("utf-8")
    assert kept == index_text(), "python -m taut.report.library_index writes it anew"
