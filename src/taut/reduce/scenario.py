"""The motions a shorter model is meant for: ranges of positions, rates, accelerations, and a load.

By default they are the limits in the robot file, slowed down until the drives can give every torque; the scenario
``armstrong`` keeps the rates of the file and lets each joint accelerate as its greatest torque can move its own least
inertia, ``|qdd_i| <= effort_i / min M_ii``, all at once; see :mod:`taut.reduce.torque_limits`. A missing limit is
refused, never guessed. A scenario file narrows or completes them, and what it gives is kept; every key there is::

    [all]                        # for every joint, unless its own table has other values
    qd = 1.5                     # a size, or [lower, upper]; rad/s or m/s
    [joint.elbow]                # a joint's name
    q = ["-90 deg", "90 deg"]    # rad or m
    qd = [0, 2]
    qdd = 10                     # rad/s^2 or m/s^2
    [load]                       # held at times: anything between nothing and this
    mass = 2.5
    com = [0, 0, 0.1]            # in the frame, default [0, 0, 0]
    inertia = [0.01, 0, 0.01, 0, 0, 0.01]   # Ixx Ixy Iyy Ixz Iyz Izz about the com, default a point mass
    frame = "tool"               # default: the robot's last frame
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError, UnsupportedError
from taut.formats.formula import parse_angle, parse_constant
from taut.formats.table import Table, nearest
from taut.graph import Graph
from taut.reduce.torque_limits import Range, armstrong_accelerations, slowed
from taut.robot import Tree
from taut.robot.edit import with_load
from taut.robot.parts import Joint
from taut.robot.states import bounds

QUANTITIES = ("q", "qd", "qdd")
LOAD = ("mass", "com", "inertia", "frame")
ARMSTRONG = "armstrong"
"""Name of the scenario without torque limits."""

LARGEST_FILE = 1_000_000
"""Bytes of a scenario file beyond which it is taken for a mistake."""


@dataclass(frozen=True)
class Load:
    """A rigid body that the robot holds at times; see :func:`taut.robot.edit.with_load`."""

    mass: float
    com: tuple[float, ...] = (0.0, 0.0, 0.0)
    inertia: tuple[float, ...] | None = None
    frame: str | None = None


@dataclass(frozen=True)
class Scenario:
    """Ranges of motion, one (lower, upper) a joint in the order of ``joint_names``.

    Attributes:
        joints: names.
        q: positions [rad or m].
        qd: rates [rad/s or m/s].
        qdd: accelerations [rad/s^2 or m/s^2].
        load: what may be held; None for nothing.
    """

    joints: tuple[str, ...]
    q: tuple[Range, ...]
    qd: tuple[Range, ...]
    qdd: tuple[Range, ...]
    load: Load | None = None

    def sample(self, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return states drawn evenly, the rates and accelerations of every other one at ends of their ranges."""
        rng = np.random.default_rng(seed)
        drawn = []
        for ranges in (self.q, self.qd, self.qdd):
            low, high = np.array(ranges, dtype=float).reshape(-1, 2).T
            share = rng.random((count, len(ranges)))
            if ranges is not self.q:
                share[::2] = np.rint(share[::2])  # what is worst is at an end, as torque is linear or quadratic there
            drawn.append(low + (high - low) * share)
        return drawn[0], drawn[1], drawn[2]

    def as_json(self) -> dict[str, Any]:
        """Return the ranges for a program to read."""
        data: dict[str, Any] = {
            name: {key: list(getattr(self, key)[i]) for key in QUANTITIES} for i, name in enumerate(self.joints)
        }
        return {"joints": data} | ({"load": vars(self.load)} if self.load else {})


def scenario_of(robot: Tree, given: str | Path | Mapping[str, Any] | Scenario | None = None) -> Scenario:
    """Return the scenario of a robot.

    Args:
        robot: whose limits stand in where nothing else is said; its symbols need values.
        given: a scenario file, what such a file holds as a mapping, a scenario, ``"armstrong"`` or nothing.
    """
    if isinstance(given, Scenario):
        if given.joints != robot.joint_names:
            raise InputError(f"joints {', '.join(given.joints)}", "scenario", f"give {', '.join(robot.joint_names)}")
        return given
    if isinstance(given, str | Path) and given != ARMSTRONG:
        data, place = _read(Path(given))
    else:
        data, place = given if isinstance(given, Mapping) else {}, "scenario"
    top = Table(data, place, Graph(), ("all", "joint", "load"))
    common = top.table("all", QUANTITIES)
    own = top.table("joint", robot.joint_names)
    joints = [robot.joints[i] for i in robot.independent]
    for joint in joints:
        if joint.motion.nv != 1:
            raise UnsupportedError(f"joint '{joint.name}' is {joint.motion.kind}", place, "give the base a fixed place")
    tables = [(own.table(joint.name, QUANTITIES), common) for joint in joints]
    described = list(zip(joints, tables, strict=True))
    q = tuple(_range("q", joint, found) or _positions(robot, joint) for joint, found in described)
    qd = [_range("qd", joint, found) for joint, found in described]
    qdd = [_range("qdd", joint, found) for joint, found in described]
    load = _load(robot, top)
    rates, accelerations = _rates_and_accelerations(robot, load, q, qd, qdd, slow=given != ARMSTRONG)
    return Scenario(robot.joint_names, q, rates, accelerations, load)


def _read(path: Path) -> tuple[Mapping[str, Any], str]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InputError("more than a megabyte", str(path), "a scenario is a few lines of TOML")
        return tomllib.loads(path.read_text("utf-8")), str(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no UTF-8 text"
        raise InputError(f"cannot read: {reason}", str(path), "name a scenario file") from None
    except RecursionError:
        raise InputError("brackets are nested too deeply", str(path), "write it flatter") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", str(path), "correct the text there") from None


# -- ranges -------------------------------------------------------------------


def _range(key: str, joint: Joint, tables: Sequence[Table]) -> Range | None:
    table = next((t for t in tables if key in t), None)
    if table is None:
        return None
    value, place = table.data[key], table.where(key)
    angle = key == "q" and joint.motion.pure_turn
    ends = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    numbers = [_number(x, place, angle) for x in ends]
    if len(numbers) == 1 and key != "q":
        if numbers[0] < 0:
            raise InputError(f"{numbers[0]:g} is no size", place, "give 0 or more, or [lower, upper]")
        return -numbers[0], numbers[0]
    if len(numbers) != 2:
        raise InputError(f"found {len(numbers)} numbers", place, "give [lower, upper]")
    if numbers[0] > numbers[1]:
        raise InputError(f"lower {numbers[0]:g} is above upper {numbers[1]:g}", place, "exchange them")
    return numbers[0], numbers[1]


def _number(value: Any, place: str, angle: bool) -> float:
    if angle:
        number = parse_angle(value, Graph(), place)
        if not isinstance(number, float | int):
            raise InputError(f"{value!r} has a name in it", place, "give a number")
        return float(number)
    return parse_constant(value, place)


def _positions(robot: Tree, joint: Joint) -> Range:
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is None or upper is None:
        raise _missing(robot, joint, "lower" if lower is None else "upper", "q = [lower, upper]")
    return lower, upper


def _rates_and_accelerations(
    robot: Tree,
    load: Load | None,
    q: Sequence[Range],
    qd: Sequence[Range | None],
    qdd: Sequence[Range | None],
    slow: bool,
) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """Return the given ranges completed from the limits of the joints."""
    joints = [robot.joints[i] for i in robot.independent]
    for joint, rate, acceleration in zip(joints, qd, qdd, strict=True):
        if rate is None and joint.limits.velocity is None:
            raise _missing(robot, joint, "velocity", "qd = ...")
        if acceleration is None and joint.limits.effort is None:
            raise _missing(robot, joint, "effort", "qdd = ...")
    if all(qdd) and all(qd):
        return tuple(x for x in qd if x), tuple(x for x in qdd if x)
    if slow:
        held = with_load(robot, load.mass, load.com, load.inertia, load.frame) if load else robot
        return slowed(held, q, qd, qdd)
    return _completed(qd, bounds(robot).velocity), _completed(qdd, armstrong_accelerations(robot, q))


def _completed(given: Sequence[Range | None], most: np.ndarray) -> tuple[Range, ...]:
    return tuple(own or (-float(x), float(x)) for own, x in zip(given, most, strict=True))


def _missing(robot: Tree, joint: Joint, limit: str, key: str) -> InputError:
    return InputError(
        f"joint '{joint.name}' has no limit '{limit}'",
        f"robot '{robot.name}'",
        f"add it to the robot file, or write {key} under [joint.{joint.name}] in a scenario file",
    )


# -- load ---------------------------------------------------------------------


def _load(robot: Tree, top: Table) -> Load | None:
    if "load" not in top:
        return None
    table = top.table("load", LOAD)
    mass = table.constant("mass")
    if mass < 0:
        raise InputError(f"mass is {mass:g}", table.where("mass"), "give 0 kg or more")
    frame = table.text("frame") if "frame" in table else None
    if frame is not None and frame not in robot.frame_names:
        raise InputError(f"no frame '{frame}'", table.where("frame"), nearest(frame, robot.frame_names))

    def numbers(key: str, length: int) -> tuple[float, ...]:
        return tuple(parse_constant(x, f"{table.where(key)}[{k}]") for k, x in enumerate(table.entries(key, length)))

    com = numbers("com", 3) if "com" in table else (0.0, 0.0, 0.0)
    return Load(mass, com, numbers("inertia", 6) if "inertia" in table else None, frame)
