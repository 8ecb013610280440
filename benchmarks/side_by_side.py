"""Speed of taut and its peers: C to C, in batches and from Python, on UR5, Panda, ANYmal and Talos.

Everyone gets the same robot, the same states, the same compilers and flags; answers are compared to 1e-9 before
anything is timed; all contestants of a robot take turns in one process, each in a few copies of its library, and the
least process CPU time of each counts; callgrind counts instructions. Who does not install is named in the table.

Writes ``benchmarks/results/peers.json`` and ``peers.md``, ``docs/speed.md`` and its figure. Derived functions and
compiled code are kept in ``build/bench``: the first run takes half an hour, most of it C++; the next a few minutes.

    python benchmarks/side_by_side.py [--quick] [--robots UR5,Panda] [--pages]
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from peers import build, page, python_level
from peers.contestants import QUESTIONS, Contestant, Field
from peers.measure import COPIES, SAME, Measuring, instructions, one_core
from peers.robots import ROBOTS, Contested
from peers.targets import BATCH, ONE, Row, targets

import taut
from taut.derive import Function
from taut.report import stopwatch
from taut.report.bench import difference

RESULTS = Path(__file__).with_name("results")
ROUNDS = 100
DERIVING = (
    *("algorithms", "analysis", "derive", "emit", "formats", "graph", "passes", "polynomials"),
    *("questions", "recursions", "robot", "search", "spatial"),
)
"""What a derived function depends on; when any of it changes, functions are derived again."""

OBJECTIVE = "time"
"""The default of ``taut generate``."""


def derived(contested: Contested, question: str, current: str) -> Function:
    """Return taut's function, derived now unless it was kept."""
    asked = f"{contested.path.read_text()} {contested} {question} {OBJECTIVE} {current}"
    label = sha256(asked.encode()).hexdigest()[:24]
    kept = build.KEPT / f"{contested.name}-{question}-{label}.pickle"
    if kept.exists():
        return pickle.loads(kept.read_bytes())
    say(f"deriving {question} of {contested.name}")
    function = contested.robot.derive(question, parameters="numeric", effort=contested.effort, objective=OBJECTIVE)
    kept.write_bytes(pickle.dumps(function))
    return function


def sources() -> str:
    """Return a mark of the code that derives."""
    place = Path(taut.__file__).parent
    files = sorted(f for name in DERIVING for f in [place / name, *(place / name).rglob("*")] if f.is_file())
    return sha256(b"".join(f.read_bytes() for f in files if f.suffix in (".py", ".c", ".h"))).hexdigest()


def measured(contested: Contested, current: str, rounds: int, counted: bool) -> tuple[list[Row], dict[str, str], float]:
    """Return a robot's measurements, who is missing and why, and seconds to derive and compile taut's functions."""
    took: dict[str, float] = {}

    def derive(question: str) -> Function:
        function = derived(contested, question, current)
        took[question] = function.seconds
        return function

    field, measuring = Field(contested, derive), Measuring(contested)
    entered: list[tuple[str, str, Contestant]] = []
    missing: dict[str, str] = {}
    compiling = dict.fromkeys(build.compilers(), 0.0)
    for question in contested.questions or QUESTIONS:
        expected = None
        for compiler in build.compilers():
            for contestant in field.of(question, compiler):
                answers = measuring.answers(contestant, question)
                expected = answers if expected is None else expected
                error = difference(answers, expected)
                if not error < SAME:
                    missing[f"{contestant.name}, {question}"] = f"differs by {error:.1e}"
                    continue
                entered.append((question, compiler, contestant))
                if contestant.name == "taut":
                    compiling[compiler] += contestant.seconds
    say(f"timing {len(entered)} functions of {contested.name}")
    with one_core():
        turns = {
            (k, copy): measuring.measurement(c, q, copy)
            for k, (q, _, c) in enumerate(entered)
            for copy in range(COPIES)
        }
        times = stopwatch.least(turns, rounds // COPIES)
    best = [min(times[k, copy] for copy in range(COPIES)) for k in range(len(entered))]
    counts = instructions(measuring, [(q, c) for q, _, c in entered]) if counted else [None] * len(entered)
    rows = [
        Row(contested.name, q, BATCH if c.batch else ONE, c.name, c.sines, compiler, best[k], counts[k], c.seconds)
        for k, (q, compiler, c) in enumerate(entered)
    ]
    loops = [row for row in rows if row.who == "Pinocchio" and row.question == "inverse_dynamics" and row.way == ONE]
    rows += [Row(r.robot, r.question, BATCH, r.who, r.sines, r.compiler, r.nanoseconds) for r in loops]
    seconds = sum(took.values()) + max(compiling.values())
    return rows, {**missing, **field.missing}, seconds


def say(text: str) -> None:
    """Tell what is going on."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


def compared(chosen: Sequence[Contested], quick: bool) -> dict[str, Any]:
    """Measure; return everything that is told, as JSON holds it."""
    rows: list[Row] = []
    missing: dict[str, dict[str, str]] = {}
    seconds: dict[str, float] = {}
    current = sources()
    for contested in chosen:
        found, absent, took = measured(contested, current, ROUNDS // 5 if quick else ROUNDS, not quick)
        if not contested.free:
            function = derived(contested, "inverse_dynamics", current)
            with one_core():
                more, without = python_level.measured(contested, function, quick)
            found, absent = found + more, {**absent, **without}
        rows += found
        seconds[contested.name], missing[contested.name] = took, absent
    told = {"machine": page.machine(), "rows": [asdict(row) for row in rows]}
    return {**told, "seconds": seconds, "missing": missing}


def main() -> None:
    """Measure, judge, write."""
    parser = argparse.ArgumentParser(description="Time taut beside its peers.")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, no instruction counts")
    parser.add_argument("--robots", default=",".join(robot.name for robot in ROBOTS), help="which; all by default")
    parser.add_argument("--pages", action="store_true", help="only write the pages again, from peers.json")
    given = parser.parse_args()
    kept = RESULTS / "peers.json"
    chosen = [robot for robot in ROBOTS if robot.name in given.robots.split(",")]
    data = json.loads(kept.read_text()) if given.pages else compared(chosen, given.quick)
    rows = [Row(**row) for row in data["rows"]]
    lines = targets(rows, data["seconds"])
    if len(data["seconds"]) == len(ROBOTS):  # a part of it replaces nothing
        data["targets"] = [{**asdict(line), "met": line.met} for line in lines]
        kept.write_text(json.dumps(data, indent=1) + "\n")
        (RESULTS / "peers.md").write_text(page.everything(rows, data["missing"], data["machine"]))
        page.write(rows, lines, data["missing"], data["machine"])
    print(page.judged(lines))


if __name__ == "__main__":
    main()
