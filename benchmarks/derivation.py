"""Time, memory and operation counts of derivations.

Every row runs in a process of its own, one after the other. Writes ``benchmarks/results/derivation.md``.
"""

from __future__ import annotations

import importlib.metadata
import multiprocessing
import platform
import resource
import sys
from dataclasses import dataclass
from pathlib import Path

import taut
from taut.report.machine import processor
from taut.report.markdown import markdown_table
from taut.report.table import table

RESULTS = Path(__file__).parent / "results" / "derivation.md"


@dataclass(frozen=True)
class Task:
    """What to derive, and the count or time it is held against.

    Attributes:
        robot: a name of the library, or a URDF of example-robot-data.
        aim: operations; seconds where ``in_seconds``.
    """

    robot: str
    function: str
    parameters: str | None
    effort: str
    base: str = "fixed"
    aim: float = 0
    in_seconds: bool = False


TORQUE, MATRIX = "inverse_dynamics", "mass_matrix"
TASKS = (
    Task("puma560_burdick", TORQUE, None, "normal", aim=300),
    Task("puma560", TORQUE, "pattern", "normal", aim=305),
    Task("puma560_full", TORQUE, None, "normal", aim=450),
    Task("general_6r", TORQUE, None, "normal", aim=705),
    Task("panda", TORQUE, "symbolic", "normal", aim=550),
    Task("iiwa14", TORQUE, "symbolic", "normal", aim=520),
    Task("stanford_full", TORQUE, None, "normal", aim=390),
    Task("puma560_burdick", MATRIX, None, "normal", aim=143),
    Task("puma560_full", MATRIX, None, "normal", aim=260),
    Task("panda", TORQUE, "symbolic", "quick", aim=2, in_seconds=True),
    Task("iiwa14", TORQUE, "symbolic", "quick", aim=2, in_seconds=True),
    Task("anymal_b_simple_description/robots/anymal.urdf", TORQUE, None, "quick", "free", aim=2491),
    Task("talos_data/robots/talos_reduced.urdf", TORQUE, None, "quick", "free", aim=6009),
)
"""Aims: what effort normal was asked to reach (fixed arms), two seconds (quick), the flops of CasADi code with
common subexpressions from Pinocchio's templates (free bases)."""


@dataclass(frozen=True)
class Result:
    """What a task took."""

    dof: int
    method: str
    mul: int
    add: int
    traced: int
    verified: bool
    seconds: float
    megabytes: float


def run(task: Task) -> Result:
    """Derive and prove; in a process of its own, so that its peak of memory is the task's."""
    robot = taut.load(_path(task.robot), base=task.base)
    derived = robot.derive(task.function, parameters=task.parameters, effort=task.effort)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ops = derived.operations
    traced = derived.steps[0].operations.total
    return Result(robot.dof, derived.method, ops.mul, ops.add, traced, derived.proof is not None, derived.seconds, peak)


def _path(robot: str) -> str | Path:
    if not robot.endswith(".urdf"):
        return robot
    files = importlib.metadata.distribution("example-robot-data")
    return Path(str(files.locate_file("cmeel.prefix/share/example-robot-data/robots"))) / robot


def cells(task: Task, result: Result) -> list[str]:
    name = f"{Path(task.robot).stem}{', free base' if task.base == 'free' else ''}"
    total = result.mul + result.add
    reached = result.seconds if task.in_seconds else total
    aim = f"{task.aim:g} s" if task.in_seconds else f"{task.aim:g}"
    return [
        name,
        "torque" if task.function == TORQUE else "M",
        task.parameters or "default",
        task.effort,
        str(result.dof),
        str(result.traced),
        f"{result.mul} + {result.add} = {total}",
        aim,
        "yes" if reached <= task.aim else "no",
        "yes" if result.verified else "no",
        f"{result.seconds:.2f}",
        f"{result.megabytes:.0f}",
    ]


HEAD = ["robot", "function", "parameters", "effort", "dof", "traced", "operations", "aim", "met", "proved", "s", "MB"]


def main() -> None:
    """Run the tasks, print and write the table."""
    context = multiprocessing.get_context("spawn")
    rows = []
    for task in TASKS:
        with context.Pool(1) as pool:
            rows.append(cells(task, pool.apply(run, (task,))))
        print(*rows[-1], sep="\t", file=sys.stderr, flush=True)
    print(table(HEAD, rows, left=4))
    lines = [
        "# Derivation: seconds, memory, operations",
        "",
        f"{processor()}, Python {platform.python_version()}; every row in a process of its own, tracing, search and",
        "proof included. Aims: for fixed arms what effort normal was asked to reach, for `quick` two seconds, for",
        "free bases the flops of CasADi code with common subexpressions eliminated, from Pinocchio's templates.",
        "Proved: equal to Newton-Euler or composite bodies at random points of GF(2^61 - 1). Made by `make bench`.",
        "",
        markdown_table(HEAD, rows, left=4),
        "",
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
