"""Rounding errors of tightened programs, compared with those of the plain algorithms.

The reference is the plain algorithm in extended precision: Newton-Euler, composite bodies, and M^-1 (tau - bias) from
both for forward dynamics, at 10,000 random states. The error of a state is the largest difference over its outputs,
divided by the largest output. Programs run in double and in float32, their constants computed in double. Robots with
symbols that have no value take 20 seeded, physically consistent draws. Writes
``benchmarks/results/numerical_health.md``; exit code 1 where a program's largest error is more than ten times that of
the plain algorithm.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import taut
from taut import library
from taut.algorithms.linear_solve import solve_symmetric
from taut.derive import Function
from taut.graph import Node, Stage, topological
from taut.graph.operation import Op
from taut.graph.split import split
from taut.questions.rigid_body import bias, mass_matrix
from taut.questions.table import QUESTIONS
from taut.report.machine import processor
from taut.report.markdown import markdown_table
from taut.report.progress import ProgressLine
from taut.report.stand_in import unvalued
from taut.robot import Tree
from taut.robot.edit import numeric
from taut.robot.inertial import faults

RESULTS = Path(__file__).parent / "results" / "numerical_health.md"
STATES, DRAWS = 10_000, 20
MOST_TIMES_WORSE = 10
SUBJECTS = (*((name, None) for name in library.open_chains()), ("panda", "symbolic"), ("iiwa14", "symbolic"))
ASKED = {"inverse_dynamics": "torque", "mass_matrix": "M", "forward_dynamics": "forward dynamics"}
REACH = {"q": np.pi, "qd": 3.0, "qdd": 10.0, "tau": 50.0}
PLAIN: dict[str, Callable[..., Any]] = {name: QUESTIONS[name].compute for name in ASKED}


def _solved(tree: Tree, q: Any, qd: Any, tau: Any) -> Any:
    """Forward dynamics by the equation that the tightened program solves, from the plain algorithms."""
    return solve_symmetric(mass_matrix(tree, q), [t - b for t, b in zip(tau, bias(tree, q, qd), strict=True)])


ARTICULATED = PLAIN["forward_dynamics"]
PLAIN["forward_dynamics"] = _solved

PRECISIONS = {"double": np.float64, "float32": np.float32}

MASS, MOMENT, DIAGONAL = (0,), (1, 2, 3), (4, 6, 9)
"""Places in the ten inertial parameters."""


@dataclass
class Errors:
    """Largest relative errors so far, by precision; for forward dynamics also that of articulated bodies in double."""

    tightened: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PRECISIONS, 0.0))
    plain: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PRECISIONS, 0.0))
    articulated: float = 0.0

    @property
    def ratios(self) -> dict[str, float]:
        """How many times worse the program is."""
        return {name: self.tightened[name] / self.plain[name] if self.plain[name] else 1.0 for name in PRECISIONS}


def machines(robot: taut.Robot) -> Iterator[tuple[Tree, dict[str, float]]]:
    """Yield robots of numbers and what was drawn for them: the one there is, or seeded draws that could exist."""
    if not unvalued(robot.tree):
        yield numeric(robot.tree), {}
        return
    rng = np.random.default_rng(7)
    found = 0
    while found < DRAWS:
        values = _draw(robot, rng)
        tree = numeric(robot.with_values(values).tree)
        if not any(faults(joint.link.inertia) for joint in tree.joints):
            found += 1
            yield tree, values


def _draw(robot: taut.Robot, rng: np.random.Generator) -> dict[str, float]:
    """Draw the symbols without values by the place they have in the robot: a heavy, compact body a link."""
    reach: dict[str, tuple[float, float]] = {}

    def note(x: Any, low: float, high: float) -> Any:
        if isinstance(x, Node):
            for node in topological([x]):
                if node.op is Op.SYMBOL:
                    reach.setdefault(node.name, (low, high))
        return x

    bodies = [joint.link.inertia.parameters for joint in robot.tree.joints]
    for places, low, high in ((MASS, 5.0, 10.0), (MOMENT, -0.3, 0.3), (DIAGONAL, 0.8, 1.2), (range(10), -0.05, 0.05)):
        for parameters in bodies:
            for place in places:
                note(parameters[place], low, high)
    robot.tree.map(
        lambda x: note(x, -0.5, 0.5), angle=lambda x: note(x, -np.pi, np.pi), drive=lambda x: note(x, 0.1, 1.0)
    )
    return {name: float(rng.uniform(*reach[name])) for name in unvalued(robot.tree)}


def states(robot: Tree, function: str) -> list[np.ndarray]:
    """Return random arguments, one row a component, each number one that float32 holds exactly."""
    rng = np.random.default_rng(3)
    return [
        rng.uniform(-REACH[name], REACH[name], (robot.nv, STATES)).astype(np.float32)
        for name in QUESTIONS[function].arguments
    ]


def plain(tree: Tree, compute: Callable[..., Any], given: list[np.ndarray], kind: Any) -> np.ndarray:
    """Return the outputs of an algorithm on states of one kind, one row an output."""
    return _rows(compute(tree, *(list(x.astype(kind)) for x in given)))


def tightened(f: Function, values: dict[str, float], given: list[np.ndarray], kind: Any) -> np.ndarray:
    """Return the outputs of a program: what is known off line computed in double, the rest in one kind."""
    before, carried, after = split(f.program, Stage.PARAMETER)
    known = before.evaluate({**f.values, **values})
    table: dict[str, Any] = {value.name: kind(x) for value, x in zip(carried, known, strict=True)}
    for symbols, rows in zip(f.arguments.values(), given, strict=True):
        table.update(zip(symbols, rows.astype(kind), strict=True))
    return _rows(after.evaluate(table))


def _rows(answer: Any) -> np.ndarray:
    flat = [x for entry in answer for x in (entry if isinstance(entry, list) else [entry])]
    return np.array([np.broadcast_to(x, STATES) for x in flat], dtype=np.longdouble)


def relative_error(found: np.ndarray, exact: np.ndarray) -> float:
    """Return the largest over the states of max |x - y| / max |y|."""
    return float((np.abs(found - exact).max(axis=0) / np.abs(exact).max(axis=0)).max())


def examine(robot: taut.Robot, f: Function) -> Errors:
    """Return the largest errors of a program and of the plain algorithm over all states and draws."""
    errors = Errors()
    for tree, values in machines(robot):
        given, compute = states(tree, f.name), PLAIN[f.name]
        exact = plain(tree, compute, given, np.longdouble)
        if compute is _solved:
            other = relative_error(plain(tree, ARTICULATED, given, np.float64), exact)
            errors.articulated = max(errors.articulated, other)
        for name, kind in PRECISIONS.items():
            here = relative_error(tightened(f, values, given, kind), exact)
            errors.tightened[name] = max(errors.tightened[name], here)
            errors.plain[name] = max(errors.plain[name], relative_error(plain(tree, compute, given, kind), exact))
    return errors


HEAD = ["robot", "parameters", "function", "operations"]
HEAD += [f"{precision}{what}" for precision in PRECISIONS for what in ("", ", plain", ", ratio")]
HEAD += ["articulated bodies, double"]


def main() -> int:
    """Examine every program, print and write the table."""
    rows, worst = [], 0.0
    for name, parameters in SUBJECTS:
        robot = taut.load(name)
        for function, title in ASKED.items():
            with ProgressLine(f"{name} {function}") as progress:
                f = robot.derive(function, parameters=parameters, progress=progress)
            errors = examine(robot, f)
            cells = [name, f.parameters, title, str(f.operations.total)]
            for p in PRECISIONS:
                cells += [f"{errors.tightened[p]:.1e}", f"{errors.plain[p]:.1e}", f"{errors.ratios[p]:.2f}"]
            cells.append(f"{errors.articulated:.1e}" if errors.articulated else "")
            rows.append(cells)
            worst = max(worst, *errors.ratios.values())
            print(*cells, sep="\t", flush=True)
    healthy = worst <= MOST_TIMES_WORSE
    lines = [
        "# Numerical health of tightened programs",
        "",
        f"Largest relative error over {STATES:,} random states (and {DRAWS} draws where symbols have no values),",
        "against the plain algorithm in extended precision; beside it the plain algorithm's own error and how many",
        f"times worse the program is. At most {MOST_TIMES_WORSE} is asked; the worst is {worst:.2f}. Effort `normal`.",
        "Forward dynamics is held against M^-1 (tau - bias) from the plain algorithms, the equation that is solved;",
        "the last column has articulated bodies, which lose fewer digits where M is ill-conditioned.",
        f"{processor()}, NumPy {np.__version__}. Made by `make bench`.",
        "",
        markdown_table(HEAD, rows, left=3),
        "",
    ]
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text("\n".join(lines), encoding="utf-8")
    return 0 if healthy else 1


if __name__ == "__main__":
    sys.exit(main())
