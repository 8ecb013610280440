"""Instructions, code and stack of generated float code on an emulated Cortex-M4F and M7, as a Markdown table.

    python benchmarks/small_machines.py [--cpu cortex-m7] ROBOT ...

Needs gcc-arm-none-eabi, libnewlib-arm-none-eabi and qemu-system-arm.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import taut
from cortex_m import BOARDS, MISSING, available, counted
from taut.derive.checks.truth import completed
from taut.emit.c.module import Module
from taut.emit.routine import Routine
from taut.tasks.generate import planned
from taut.tasks.routines import task_routines

FUNCTIONS = (
    "inverse_dynamics",
    "gravity",
    "bias",
    "mass_matrix",
    "forward_dynamics",
    "coriolis_matrix",
    "forward_kinematics",
    "jacobian",
    "generalized_momentum",
    "coriolis_transpose",
    "passivity_torque",
    "inverse_dynamics+jacobian+gravity",
)


def measured(robot: taut.Robot, routines: list[Routine], cpu: str) -> list[str]:
    """Return a row for each routine."""
    rng = np.random.default_rng(1)
    states = {r.name: {key: rng.uniform(-2, 2, (4, len(s))) for key, s in r.arguments.items()} for r in routines}
    module = Module("arm", routines, (), "float", name="arm")
    with tempfile.TemporaryDirectory() as place:
        found = counted(module, states, Path(place), cpu)
    rows = []
    for r in routines:
        one = found[r.name]
        count = f"{one.most}" if one.least == one.most else f"{one.least} to {one.most}"
        rows.append(f"| {robot.name} | {r.name} | {count} | {one.code} | {one.stack} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="+")
    parser.add_argument("--cpu", choices=BOARDS, default="cortex-m4")
    given = parser.parse_args()
    if not available():
        sys.exit(MISSING)
    print("| robot | function or task | instructions | code bytes | stack bytes |\n|---|---|---|---|---|")
    for name in given.robots:
        robot = taut.Robot(completed(taut.load(name).tree))
        routines = [robot.derive(f, parameters="numeric", effort="quick").routine() for f in FUNCTIONS]
        print("\n".join(measured(robot, routines, given.cpu)), flush=True)
        plan = planned(
            robot.tree,
            [("inverse_dynamics", None)],
            "two-rate",
            lambda tree, f, frame: taut.Robot(tree).derive(f, frame=frame, parameters="numeric", effort="quick"),
        )
        print("\n".join(measured(robot, task_routines(plan), given.cpu)), flush=True)


if __name__ == "__main__":
    main()
