"""Times a robot's code on this machine and compares it with the packages that are installed.

taut's functions are timed as C, one state and in batches, and called from Python; CasADi as the C it generates from
the textbook algorithm, with the same compiler and flags; the others through their Python interfaces, as most people
call them. Answers are compared before anything is timed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from taut.derive import Function
from taut.emit.c import Module
from taut.emit.routine import Routine
from taut.errors import InputError
from taut.questions.table import QUESTIONS
from taut.report import stopwatch
from taut.report.counts import Settings, derived
from taut.report.machine import processor
from taut.report.page import Page
from taut.report.page.parts import Listing, Section, Table
from taut.report.peers import PEERS, Asked, Calls
from taut.report.stand_in import stand_in
from taut.robot import Tree
from taut.robot.states import random_states
from taut.runtime.library import NATIVE
from taut.toolchain.compiler import CompilerError, find_compiler, load

DEFAULT = ("inverse_dynamics", "mass_matrix", "gravity", "forward_dynamics")
CASADI = "casadi"
STATES, BATCH = 64, 1024
ROUNDS = 60
SAME = 1e-9
"""Largest relative difference between two answers: rounding, nothing else."""

GIVEN = {"q": "q", "qd": "v", "qdd": "x", "tau": "x"}
"""Which of the three arrays of the common signature an argument is."""

SIGNATURE = "const double *q, const double *v, const double *x, double *out"
WAYS = ("C, one state", "C, batch", "Python, one state")


@dataclass(frozen=True)
class Timing:
    """One way to one answer.

    Attributes:
        function: the question.
        who: taut, or a peer with its version.
        way: one of WAYS.
        nanoseconds: of process CPU time a state.
        error: largest relative difference from taut's reference evaluator.
    """

    function: str
    who: str
    way: str
    nanoseconds: float
    error: float


@dataclass
class Bench:
    """What was measured, and who could not take part and why."""

    robot: str
    processor: str
    compiler: str
    timings: list[Timing] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def entry_text(function: Function, name: str, batch: bool) -> str:
    """Return taut's C of a function and, behind it, ``name(q, v, x, out)`` and ``name_batch(n, q, v, x, out)``."""
    module = Module("taut", [Routine.of(function, baked=True)], batch=batch)
    arguments = ", ".join(GIVEN[argument] for argument in function.arguments)
    unused = "(void)q, (void)v, (void)x;"
    text = f"\nvoid {name}({SIGNATURE})\n{{\n    {unused}\n    taut_{function.name}({arguments}, out);\n}}\n"
    if batch:
        call = f"taut_{function.name}_batch(n, {arguments}, out)"
        text += f"\nvoid {name}_batch(size_t n, {SIGNATURE})\n{{\n    {unused}\n    {call};\n}}\n"
    return module.single_file + text


def casadi_text(robot: Tree, function: str, name: str) -> str:
    """Return CasADi's C of the textbook algorithm, common subexpressions shared, and ``name(q, v, x, out)``."""
    import casadi

    symbols = {"q": casadi.SX.sym("q", robot.nq), "v": casadi.SX.sym("v", robot.nv), "x": casadi.SX.sym("x", robot.nv)}
    question = QUESTIONS[function]
    answer = question.compute(robot, *(casadi.vertsplit(symbols[GIVEN[argument]]) for argument in question.arguments))
    shared = casadi.cse(casadi.densify(casadi.vertcat(*np.ravel(np.array(answer, dtype=object)))))
    generator = casadi.CodeGenerator(f"{function}.c")
    generator.add(casadi.Function(function, list(symbols.values()), [shared]))
    with tempfile.TemporaryDirectory() as place:
        generator.generate(f"{place}/")
        text = Path(place, f"{function}.c").read_text("utf-8")
    return text + casadi_entry(function, name)


def casadi_entry(function: str, name: str) -> str:
    """Return the common signature of a function that CasADi wrote."""
    given, found = "const double *given[3] = {q, v, x};", "double *found[1] = {out};"
    return f"\nvoid {name}({SIGNATURE})\n{{\n    {given}\n    {found}\n    {function}(given, found, 0, 0, 0);\n}}\n"


def bench(robot: Tree, functions: Sequence[str], peers: Sequence[str], settings: Settings) -> Bench:
    """Compare, then time; symbols without values get seeded draws.

    Args:
        robot: the robot.
        functions: of the table of functions, those of a whole robot.
        peers: names of PEERS, and ``casadi``.
        settings: how taut derives.
    """
    _check(functions, peers)
    robot = stand_in(robot)
    found = Bench(robot.name, processor(), " ".join(find_compiler()))
    calls: dict[str, tuple[str, Calls]] = {}
    for peer in (PEERS[name] for name in peers if name != CASADI):
        try:
            calls[peer.title] = (f"{peer.title} {peer.version}", peer.build(robot))
        except ImportError:
            found.absent[peer.title] = f"not installed: pip install {peer.package}"
        except InputError as error:
            found.absent[peer.title] = str(error)
    states = _states(robot)
    measurements: dict[tuple[str, str, str], tuple[int, stopwatch.Measurement]] = {}
    errors: dict[tuple[str, str, str], float] = {}

    def enter(key: tuple[str, str, str], answer: np.ndarray, expected: np.ndarray, count: int, how: Any) -> None:
        errors[key] = difference(answer.reshape(len(answer), -1), expected[: len(answer)])
        if errors[key] < SAME:
            measurements[key] = (count, how)
        else:
            found.wrong.append(f"{key[1]}, {key[0]}: differs from taut by {errors[key]:.1e}, not timed")

    for name in functions:
        function = derived(robot, name, settings)
        given = [states[GIVEN[argument]] for argument in function.arguments]
        expected = function(*given).reshape(BATCH, -1)
        few = [np.ascontiguousarray(x[:STATES]) for x in given]
        for who, text, batch in _texts(robot, function, CASADI in peers, found):
            library = load(text, NATIVE)
            three = [np.ascontiguousarray(x[:STATES]) for x in states.values()]
            answer = np.zeros(expected.shape[1])
            single = getattr(library, f"entry_{name}")
            rows = np.array([_called(single, row, answer) for row in zip(*three, strict=True)])
            enter((name, who, WAYS[0]), rows, expected, STATES, stopwatch.of_c(single, three, answer))
            if batch:
                many, answers = getattr(library, f"entry_{name}_batch"), np.zeros_like(expected)
                measure = stopwatch.of_c_batch(many, list(states.values()), answers)
                measure(1)
                enter((name, who, WAYS[1]), answers, expected, BATCH, measure)
        compiled = function.compile()
        theirs = [(who, functions_of[name]) for who, functions_of in calls.values() if name in functions_of]
        for who, asked in [("taut", Asked(compiled)), *theirs]:
            rows = np.array([asked.whole(asked.call(*row)) for row in zip(*few, strict=True)])
            enter((name, who, WAYS[2]), rows, expected, STATES, stopwatch.of_python(asked.call, few))
    best = stopwatch.least(measurements, ROUNDS)
    found.timings += [Timing(*key, best[key], errors[key]) for key in measurements]
    return found


def bench_page(found: Bench) -> Page:
    """Return the measurements: nanoseconds a state, and how many times taut's."""
    rows = []
    ours = {(t.function, t.way): t.nanoseconds for t in found.timings if t.who == "taut"}
    for t in found.timings:
        beside = ours.get((t.function, t.way))
        ratio = "" if t.who == "taut" or not beside else f"{t.nanoseconds / beside:.1f} x"
        rows.append((t.function, t.way, t.who, f"{t.nanoseconds:.1f}", ratio, f"{t.error:.0e}"))
    head = ("function", "called", "who", "ns a state", "of taut's", "difference")
    sections = [Section("", (Table(head, tuple(rows), left=3),))]
    remarks = (*(f"{who}: not measured, {why}" for who, why in found.absent.items()), *found.wrong)
    if remarks:
        sections.append(Section("Not measured", (Listing(remarks),)))
    title = f"{found.robot} on {found.processor}, {found.compiler} {' '.join(NATIVE)}"
    return Page(title, tuple(sections))


def bench_data(found: Bench) -> dict[str, Any]:
    """Return the measurements for a program to read."""
    return {
        "robot": found.robot,
        "processor": found.processor,
        "compiler": found.compiler,
        "flags": list(NATIVE),
        "timings": [vars(timing) for timing in found.timings],
        "absent": found.absent,
        "wrong": found.wrong,
    }


def _check(functions: Sequence[str], peers: Sequence[str]) -> None:
    for name in functions:
        question = QUESTIONS.get(name)
        if question is None or question.on_frame or not set(question.arguments) <= set(GIVEN):
            known = [f.name for f in QUESTIONS.values() if not f.on_frame and set(f.arguments) <= set(GIVEN)]
            raise InputError(f"no function '{name}' to time", "--functions", f"choose from {', '.join(known)}")
    for name in peers:
        if name not in (*PEERS, CASADI):
            raise InputError(f"no peer '{name}'", "--peers", f"choose from {', '.join([*PEERS, CASADI])}, or none")


def _texts(robot: Tree, function: Function, casadi: bool, found: Bench) -> list[tuple[str, str, bool]]:
    """Return (who, C text, whether it has a batch)."""
    entry = f"entry_{function.name}"
    texts = [("taut", entry_text(function, entry, batch=True), True)]
    if casadi:
        try:
            text = casadi_text(robot, function.name, entry)
            texts.append((f"CasADi {version('casadi')}", text, False))
        except ImportError:
            found.absent["CasADi"] = "not installed: pip install casadi"
        except (TypeError, ValueError, AttributeError, CompilerError) as error:
            found.absent[f"CasADi, {function.name}"] = f"cannot trace it ({type(error).__name__})"
    return texts


def _states(robot: Tree) -> dict[str, np.ndarray]:
    return dict(zip("qvx", random_states(robot, np.random.default_rng(1), (BATCH,), limited=False), strict=True))


def _called(function: Any, row: Sequence[np.ndarray], answer: np.ndarray) -> np.ndarray:
    function.restype = None
    function(*map(stopwatch.pointer, (*row, answer)))
    return answer.copy()


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Return the largest relative difference: over a state's entries, by the largest of them."""
    return float((np.abs(a - b).max(axis=1) / np.maximum(np.abs(b).max(axis=1), 1e-300)).max())
