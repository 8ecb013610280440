"""More is never worse: numbers known, or more search, never give more operations. ``make order`` does all robots."""

from __future__ import annotations

from pathlib import Path

import pytest

import taut
from counts.order import FUNCTIONS, before, disorder, robots, totals
from taut.derive.tightening.efforts import EFFORTS, efforts_up_to
from taut.formats.urdf import read_urdf

SMALL = [(name, place) for name, place in robots() if name in ("scara", "stanford_rrp", "puma260", "ur5e", "panda")]
SEEDED = ("puma260", "ur5e", "scara", "stanford_rrp", "tx40")
SIZE = 40
URDFS = [(name, place) for name, place in robots() if isinstance(place, Path)][::5][:SIZE]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("name", "place"), SMALL, ids=lambda x: x if isinstance(x, str) else "")
def test_numbers_never_cost_operations(name: str, place: Path | str, function: str) -> None:
    assert disorder(totals(taut.load(place).tree, function, "none")) is None


NEARLY_PARALLEL = """
<robot name="arm"><link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0.05 0.01"/><mass value="5"/>
    <inertia ixx="0.05" iyy="0.08" izz="0.06" ixy="0.001" ixz="0.002" iyz="0.003"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.1 -0.04 0.03"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.02" izz="0.04" ixy="0.002" ixz="-0.001" iyz="0.001"/></inertial></link>
  <joint name="j1" type="continuous"><parent link="base"/><child link="upper"/>
    <origin rpy="0.7 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="j2" type="continuous"><parent link="upper"/><child link="lower"/>
    <origin xyz="0.3 0.1 0" rpy="2e-7 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"""
"""Its common normal is too far away for numbers; formulas of the file's numbers need none."""


@pytest.mark.parametrize("function", FUNCTIONS)
def test_numbers_of_nearly_parallel_axes_never_cost_operations(function: str) -> None:
    assert disorder(totals(read_urdf(NEARLY_PARALLEL, "arm.urdf"), function, "none")) is None


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place for the programs that searches find, as every user has one."""
    monkeypatch.setenv("TAUT_PROGRAMS", str(tmp_path / "programs"))


@pytest.mark.slow
@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(("name", "place"), URDFS, ids=lambda x: x if isinstance(x, str) else "")
def test_numbers_never_cost_operations_of_robots_in_packages(name: str, place: Path) -> None:
    try:
        tree = taut.load(place).tree
    except taut.TautError as error:
        pytest.skip(str(error))
    if len(tree.joints) > 12:
        pytest.skip("large: 'make order' leaves it out, too")
    assert disorder(totals(tree, "mass_matrix", "quick")) is None


@pytest.mark.slow
@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize("name", SEEDED)
def test_a_search_never_ends_above_no_search(name: str) -> None:
    tree = taut.load(name).tree
    none, quick, normal = (totals(tree, "mass_matrix", effort) for effort in ("none", "quick", "normal"))
    assert all(normal[mode] <= quick[mode] <= none[mode] for mode in quick)
    assert disorder(quick) is None
    assert disorder(normal) is None


def test_an_effort_makes_the_searches_of_all_before_it() -> None:
    assert efforts_up_to("max") == ["none", "quick", "normal", "max"] == list(EFFORTS)
    assert efforts_up_to("quick") == ["none", "quick"]


def test_an_effort_that_was_spent_on_a_structure_is_not_spent_again() -> None:
    assert efforts_up_to("quick", "quick") == efforts_up_to("quick", "max") == ["none"]
    assert efforts_up_to("normal", "normal") == efforts_up_to("normal", "max") == ["none", "quick"]
    assert efforts_up_to("normal", "quick") == ["none", "quick", "normal"]
    assert efforts_up_to("max", "max") == list(EFFORTS)


def test_disorder_is_noticed() -> None:
    assert [before(effort) for effort in ("none", "quick", "normal")] == [None, "none", "quick"]
    assert disorder({"numeric": 5, "pattern": 4, "symbolic": 9}) == "numeric 5 > pattern 4"
    assert disorder({"pattern": 4, "symbolic": 4}) is None
