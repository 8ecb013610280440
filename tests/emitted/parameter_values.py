"""Values that a user may set for parameters read at run time, and how far a function is off for them.

Every parameter times 0, +-1e-12, 1e-8, 1e-4 and -1; all parameters of one link, and of the last two, zero at once; no
gravity; pairs of parameters made equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

import taut
from counts.consistent import consistent_values
from taut.derive.function import Function
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.traces import textbook
from taut.graph.lower import lower
from taut.graph.program import Program

FACTORS = (0.0, 1e-12, -1e-12, 1e-8, 1e-4, -1.0)
STATES, SEED = 6, 11
PAIRS = 40
"""Pairs of parameters that are made equal, drawn at random."""

FLOOR = 1e-3
"""An output is measured on its own largest size over the states, but not below this part of the largest output."""

Values = dict[str, float]


def given_values(robot: str, function: Function) -> Values:
    """Return the parameters of a function: the file's numbers where it has them, else those of a possible arm."""
    drawn = consistent_values(taut.load(robot).tree, SEED)
    return {name: function.values.get(name, drawn.get(name, 0.3)) for name in function.parameter_names}


def settings(values: Values) -> dict[str, Values]:
    """Return what a user may set, by what it is."""
    found: dict[str, Values] = {"as given": dict(values)}
    for name, x in values.items():
        found |= {f"{name} * {factor:g}": values | {name: factor * x} for factor in FACTORS}
    links: dict[str, list[str]] = {}
    for name in values:
        if number := re.search(r"(\d+)$", name):
            links.setdefault(number[1], []).append(name)
    last = sorted(links, key=int)
    for number, names in links.items():
        found[f"all of link {number} zero"] = values | dict.fromkeys(names, 0.0)
    found["all of the last two links zero"] = values | {name: 0.0 for n in last[-2:] for name in links[n]}
    draw = np.random.default_rng(SEED)
    pairs = list(combinations(values, 2))
    for k in draw.permutation(len(pairs))[:PAIRS]:
        a, b = pairs[k]
        found[f"{a} = {b}"] = values | {a: values[b]}
    return found


def states(function: Function) -> dict[str, np.ndarray]:
    """Return random states, (STATES, width) an argument."""
    draw = np.random.default_rng(SEED)
    return {name: draw.uniform(-3, 3, (STATES, len(symbols))) for name, symbols in function.arguments.items()}


@lru_cache
def _plain(robot: str, parameters: str, name: str) -> Program:
    model: DerivedRobot = derived_robot(taut.load(robot).tree, parameters, SNAP)
    return lower(textbook(model, name).outputs)


def expected(robot: str, function: Function, chosen: Sequence[Values], dtype: type = np.longdouble) -> np.ndarray:
    """Return the textbook algorithm's answers, (settings, states, outputs)."""
    program = _plain(robot, function.parameters, function.name)
    needed = {line.data: 0.3 for line in program.lines if line.op == "input"}  # by an answer that does not depend on it
    symbols: dict[str, np.ndarray] = {
        name: np.array([values.get(name, x) for values in chosen], dtype)[:, None]
        for name, x in {**needed, **function.values, **chosen[0]}.items()
    }
    for name, rows in states(function).items():
        symbols |= {symbol: rows[None, :, k].astype(dtype) for k, symbol in enumerate(function.arguments[name])}
    with np.errstate(all="ignore"):
        answer = program.evaluate(symbols)
    return np.stack([np.broadcast_to(x, (len(chosen), STATES)) for x in answer], axis=-1)


def errors(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the largest error of each setting, each output relative to its own scale; NaN where one is not finite."""
    scale = np.abs(wanted).max(axis=1, keepdims=True)
    scale = np.maximum(scale, FLOOR * scale.max(axis=2, keepdims=True))
    off = np.abs(found - wanted)
    return np.asarray(np.where(off == 0, 0, off / np.where(scale == 0, 1, scale)).max(axis=(1, 2)), float)


def evaluated(function: Function, chosen: Sequence[Values]) -> np.ndarray:
    """Return the answers of the derived program in double, (settings, states, outputs)."""
    symbols: dict[str, np.ndarray] = {
        name: np.array([values[name] for values in chosen])[:, None] for name in chosen[0]
    }
    for name, rows in states(function).items():
        symbols |= {symbol: rows[None, :, k] for k, symbol in enumerate(function.arguments[name])}
    with np.errstate(all="ignore"):
        answer = function.program.evaluate(symbols)
    return np.stack([np.broadcast_to(x, (len(chosen), STATES)) for x in answer], axis=-1)


def worst(named: Mapping[str, Values], found: np.ndarray) -> list[tuple[float, str]]:
    """Return the largest errors with the settings that make them, NaN first."""
    rows = sorted(zip(found.tolist(), named, strict=True), key=lambda row: -row[0] if row[0] == row[0] else -np.inf)
    return rows[:5]
