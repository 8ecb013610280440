"""Every function and task as float code on an emulated Cortex-M4F and M7: instructions, code, stack, errors.

    python benchmarks/small_machines.py ROBOT ...

prints a Markdown table a robot. Outputs are compared with the program in extended precision; the command fails where
the difference is more than rounding explains. Needs gcc-arm-none-eabi, libnewlib-arm-none-eabi and qemu-system-arm.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import taut
from cortex_m import BOARDS, MISSING, Counted, available, counted
from taut.derive.checks.truth import completed
from taut.emit.c.module import Module
from taut.emit.constants import EXTENDED
from taut.emit.rounding import allowed_errors, evaluated
from taut.emit.routine import Routine
from taut.errors import InputError
from taut.questions.table import QUESTIONS
from taut.tasks.routines import task_routines

FUSED = "inverse_dynamics+jacobian+gravity"
STATES, JUDGED = 4, 200
"""States that are run, and those by which it is judged what rounding may change."""

wrong: list[str] = []
"""Functions whose outputs differ by more."""
HEAD = ["function or task", "instructions M4F", "M7", "code bytes M4F", "M7", "stack bytes M4F", "M7", "error"]


def routines_of(robot: taut.Robot) -> tuple[list[Routine], dict[str, str]]:
    """Return all functions and the tasks of the torque, and {function: why the robot does not have it}."""
    found, missing = [], {}
    for name in (*QUESTIONS, FUSED):
        try:
            found.append(robot.derive(name, parameters="numeric", effort="none").routine())
        except InputError as error:
            missing[name] = error.message
    return [*found, *task_routines(robot.tasks(parameters="numeric", effort="none"))], missing


def rows(routines: Sequence[Routine]) -> Iterator[list[str]]:
    """Yield a row of the table for each function, counted on both cores."""
    states = {r.name: drawn(r, STATES, 1) for r in routines}
    module = Module("arm", routines, (), "float", batch=False, name="arm")
    both: list[dict[str, Counted]] = []
    for cpu in BOARDS:
        with tempfile.TemporaryDirectory() as place:
            both.append(counted(module, states, Path(place), cpu))
    for r in routines:
        cores = [found[r.name] for found in both]
        counts = [f"{one.most}" if one.least == one.most else f"{one.least} to {one.most}" for one in cores]
        sizes = [str(one.code) for one in cores] + [str(one.stack) for one in cores]
        yield [r.name, *counts, *sizes, f"{max(error(r, states[r.name], one.outputs) for one in cores):.0e}"]


def drawn(routine: Routine, count: int, seed: int) -> dict[str, np.ndarray]:
    """Return random states, exact in float."""
    rng = np.random.default_rng(seed)
    return {key: rng.uniform(-2, 2, (count, len(s))).astype(np.float32) for key, s in routine.arguments.items()}


def error(routine: Routine, states: dict[str, np.ndarray], found: np.ndarray) -> float:
    """Return the largest error as a part of the largest output of a state; say where it is not that of rounding."""
    exact = evaluated(routine, {}, states, np.dtype(np.longdouble), EXTENDED).astype(float)
    off = np.abs(found - exact)
    if not (off <= allowed_errors(routine, {}, drawn(routine, JUDGED, 2), "float")).all():
        wrong.append(routine.name)
    return float((off / np.abs(exact).max(axis=1, keepdims=True, initial=1e-30)).max(initial=0.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="+")
    given = parser.parse_args()
    if not available():
        sys.exit(MISSING)
    for name in given.robots:
        robot = taut.Robot(completed(taut.load(name).tree))
        routines, missing = routines_of(robot)
        print(f"### {name}\n\n| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
        for row in rows(routines):
            print(f"| {' | '.join(row)} |", flush=True)
        for function, reason in missing.items():
            print(f"\n{function}: {reason}.")
        print()
    if wrong:
        sys.exit(f"outputs on a board are wrong: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
