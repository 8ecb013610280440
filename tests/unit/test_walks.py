"""The three walks of the architecture page: every function on them is called, in that order."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import taut
from taut.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "ARCHITECTURE.md"
WALKS = re.split(r"\n\*\*`", PAGE.read_text("utf-8").partition("## Three walks")[2].partition("\n## ")[0])[1:]
LINK = """<link name="{name}"><inertial><origin xyz="0.2 0 0"/><mass value="{mass}"/>
  <inertia ixx="0.05" iyy="0.08" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/><origin xyz="0.3 0 0"/>
  <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="2" effort="90"/></joint>"""
ROBOT = f"""<robot name="two"><link name="base"/>
{LINK.format(name="upper", mass=5)}{LINK.format(name="lower", mass=2)}
{JOINT.format(name="j1", parent="base", child="upper")}
{JOINT.format(name="j2", parent="upper", child="lower")}</robot>"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAUT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "two.urdf").write_text(ROBOT)
    return tmp_path


def first_calls(walk: Callable[[], Any]) -> list[CodeType]:
    """Return the functions that are called, in the order of their first calls."""
    found: dict[CodeType, None] = {}

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found.setdefault(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        walk()
    finally:
        sys.setprofile(before)
    return list(found)


def hops(walk: str) -> Iterator[tuple[str, CodeType]]:
    """Yield the functions that a walk names, a class as its constructor; names of modules are passed over."""
    for name in re.findall(r"`([a-z_]+\.[A-Za-z_.]+)`", walk.partition("\n")[2]):
        if not name.endswith(".py") and not inspect.ismodule(found := resolved(f"taut.{name}")):
            if inspect.isclass(found):
                found = found.__init__ if hasattr(found.__init__, "__code__") else found.__call__
            yield name, inspect.unwrap(found).__code__


def resolved(name: str) -> Any:
    """Return what a dotted name stands for."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        outer, _, last = name.rpartition(".")
        return getattr(resolved(outer), last)


def check(walk: str, least: int, go: Callable[[], Any]) -> None:
    named, calls = list(hops(walk)), first_calls(go)
    assert len(named) >= least
    for name, code in named:
        assert code in calls, f"{name} is not called"
    order = [calls.index(code) for _, code in named]
    assert order == sorted(order), [name for _, (name, _) in sorted(zip(order, named, strict=True))]


def test_generate(place: Path) -> None:
    command = ["generate", str(place / "two.urdf"), "--functions", "mass_matrix", "--effort", "quick", "--quiet"]
    check(WALKS[0], 24, lambda: main([*command, "-o", str(place / "code")]))


def test_explicit_and_abbreviate(place: Path) -> None:
    robot = taut.load(place / "two.urdf")
    check(WALKS[1], 15, lambda: robot.explicit().abbreviate(0.01))


def test_numeric_torque(place: Path) -> None:
    robot = taut.load(place / "two.urdf")
    check(WALKS[2], 7, lambda: robot.inverse_dynamics([0.1, 0.2], [0.3, 0.4], [0.5, 0.6]))
