"""Mapping files: what the columns of a recording are, and how motor signals become joint signals.

A small TOML file; every key may be left out::

    time = "stamp"                    # column; or rate = 5000 [Hz] where the file has no stamps
    time_unit = "ms"                  # s, ms, us, ns
    position = ["m1", "m2"]           # columns in the order of the robot's joints; or a stem: "qm" is qm1, qm2, ...
    velocity = ["v1", "v2"]
    torque = "taum"
    reference = "q_ref"               # positions that the controller followed
    position_unit = "deg"             # rad, deg
    gain = [1, 1]                     # torque per unit of the torque column, e.g. a drive's N m per ampere
    transmission = [[32, 0], [32, 45]] # motor positions = T (q - offset); torques at the joints = T^T (gain * column)
    gear = [32, 45]                   # the same where T is diagonal
    offset = [0, "-90 deg"]           # joint position where the motor reads zero
    kp = [400, 300]                   # gains of the controller at the joints, for estimators that simulate it
    kd = [40, 30]
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError


@dataclass(frozen=True)
class Mapping:
    """The content of a mapping file; None for what it leaves out.

    Attributes:
        slides: for each joint whether it slides: known from the robot, not from the file. Degrees are not for them.
    """

    time: str | None = None
    rate: float | None = None
    time_unit: str | None = None
    position: tuple[str, ...] | str | None = None
    velocity: tuple[str, ...] | str | None = None
    torque: tuple[str, ...] | str | None = None
    reference: tuple[str, ...] | str | None = None
    position_unit: str | None = None
    gain: np.ndarray | None = None
    transmission: np.ndarray | None = None
    offset: np.ndarray | None = None
    kp: np.ndarray | None = None
    kd: np.ndarray | None = None
    slides: tuple[bool, ...] = ()


KEYS = (*(f.name for f in fields(Mapping) if f.name != "slides"), "gear")


def read_mapping(path: str) -> Mapping:
    """Return the mapping in a file."""
    try:
        data = tomllib.loads(Path(path).read_text("utf-8-sig"))
    except OSError:
        raise InputError("no such file", path, "check the path of the mapping") from None
    except ValueError as error:
        raise InputError(f"not TOML: {error}", path, "correct the text there") from None
    return mapping_of(data, path)


def mapping_of(data: dict[str, Any], place: str = "mapping") -> Mapping:
    """Return the mapping that a table describes."""
    for key in data:
        if key not in KEYS:
            raise InputError(f"unknown key '{key}'", place, f"known: {', '.join(KEYS)}")
    given = dict(data)
    gear = given.pop("gear", None)
    if gear is not None:
        if "transmission" in given:
            raise InputError("both gear and transmission", place, "give one of them")
        given["transmission"] = np.diag(_numbers(gear, place, "gear"))
    elif "transmission" in given:
        rows = [_numbers(row, place, "transmission") for row in given["transmission"]]
        if any(len(row) != len(rows) for row in rows):
            raise InputError("transmission is not square", place, "one row a motor, one column a joint")
        given["transmission"] = np.array(rows)
    if "transmission" in given and not np.linalg.cond(given["transmission"]) < 1e8:
        raise InputError("transmission cannot be inverted", place, "every joint needs a motor")
    for key in ("gain", "offset", "kp", "kd"):
        if key in given:
            given[key] = _numbers(given[key], place, key)
    for key in ("position", "velocity", "torque", "reference"):
        if isinstance(given.get(key), list):
            given[key] = tuple(str(name) for name in given[key])
    if ("kp" in given) != ("kd" in given):
        raise InputError("one of kp and kd alone", place, "give both gains of the controller, one number a joint each")
    for key, units in (("time_unit", ("s", "ms", "us", "ns")), ("position_unit", ("rad", "deg"))):
        if key in given and given[key] not in units:
            raise InputError(f"{key} is '{given[key]}'", place, f"one of {', '.join(units)}")
    return Mapping(**given)


def _numbers(values: Any, place: str, key: str) -> np.ndarray:
    try:
        return np.array([_number(x) for x in values])
    except (TypeError, ValueError):
        raise InputError(f"{key} is not a list of numbers", place, 'numbers, or angles such as "-90 deg"') from None


def _number(x: Any) -> float:
    if isinstance(x, str) and x.strip().endswith("deg"):
        return math.radians(float(x.strip().removesuffix("deg")))
    return float(x)
