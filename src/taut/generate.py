"""From derived functions to a directory of code: emit, try it, measure it, write it whole."""

from __future__ import annotations

import difflib
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.derive.function import Function
from taut.emit.c import Module, project
from taut.emit.javascript import javascript_source
from taut.emit.latex import latex_source
from taut.emit.matlab import matlab_sources
from taut.emit.names import identifier
from taut.emit.python import python_source
from taut.emit.routine import Routine
from taut.emit.straight import parameter_names
from taut.errors import InputError, TautError
from taut.functions import FUNCTIONS
from taut.runtime.compiler import CompilerError
from taut.runtime.measure import sizes
from taut.runtime.trial import States, run_c, run_javascript, run_python

LANGUAGES = ("c", "python", "javascript", "matlab", "latex")
PORTABLE = ("-O3", "-fno-math-errno")
STATES = 200
"""Random states on which emitted code is compared with the reference evaluator."""

SEED = 5


@dataclass(frozen=True)
class Wanted:
    """What to generate.

    Attributes:
        language: one of LANGUAGES.
        precision: ``double`` or ``float``, of C.
        trig: ``poly`` or ``libm``, of C.
        batch: whether C functions also come for arrays of states.
    """

    language: str = "c"
    precision: str = "double"
    trig: str = "poly"
    batch: bool = False

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise InputError(f"language '{self.language}'", "generate", f"choose one of {', '.join(LANGUAGES)}")
        if self.precision != "double" and self.language != "c":
            raise InputError(f"{self.precision} in {self.language}", "generate", "only C comes in float")


@dataclass(frozen=True)
class Row:
    """What is known about one generated function.

    Attributes:
        name: of the function.
        operations: counted, and sines and cosines.
        code: bytes of machine code with portable flags; None where not measured.
        stack: bytes; None where not measured.
        error: largest relative difference from the reference evaluator; None where it was not run.
        typical: the median over the states.
    """

    name: str
    operations: int
    trig: int
    code: int | None = None
    stack: int | None = None
    error: float | None = None
    typical: float | None = None


def functions_named(text: str) -> list[tuple[str, str | None]]:
    """Return the functions and frames of a list such as ``mass_matrix,jacobian:tool``; ``all`` is every function."""
    if text == "all":
        return [(name, None) for name in FUNCTIONS]
    asked: list[tuple[str, str | None]] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        name, colon, frame = word.partition(":")
        if name not in FUNCTIONS:
            near = difflib.get_close_matches(name, FUNCTIONS, 1)
            advice = f"did you mean '{near[0]}'?" if near else f"choose from {', '.join(FUNCTIONS)}"
            raise InputError(f"no function '{name}'", "--functions", advice)
        if colon and not FUNCTIONS[name].on_frame:
            raise InputError(f"{name} has no frame", "--functions", f"write {name} alone")
        if (name, frame or None) in asked:
            raise InputError(f"{word} is there twice", "--functions", "name each once")
        asked.append((name, frame or None))
    if not asked:
        raise InputError("no function is named", "--functions", f"choose from {', '.join(FUNCTIONS)}")
    return asked


def routine_of(function: Function, frame: str | None = None) -> Routine:
    """Return the routine of a derived function, with the equation of the table of functions."""
    return Routine.of(function, FUNCTIONS[function.name].summary.removeprefix("Return "), frame)


def files(robot: str, joints: Sequence[str], routines: Sequence[Routine], wanted: Wanted) -> dict[str, str]:
    """Return {file name: text} of the generated directory."""
    prefix = identifier(robot)
    if wanted.language == "c":
        return project(module_of(robot, joints, routines, wanted))
    if wanted.language == "python":
        return {f"{prefix}_dynamics.py": python_source(robot, routines, joints)}
    if wanted.language == "javascript":
        return {f"{prefix}_dynamics.mjs": javascript_source(robot, routines, joints)}
    if wanted.language == "matlab":
        return matlab_sources(prefix, robot, routines)
    return {f"{prefix}_dynamics.tex": latex_source(robot, routines)}


def module_of(robot: str, joints: Sequence[str], routines: Sequence[Routine], wanted: Wanted) -> Module:
    """Return the C module of what is wanted."""
    return Module(robot, routines, joints, wanted.precision, wanted.trig, wanted.batch)


def examine(
    robot: str, joints: Sequence[str], functions: Sequence[Function], routines: Sequence[Routine], wanted: Wanted
) -> list[Row]:
    """Return one row a function: count, size and the error of the emitted text against the reference evaluator."""
    texts = files(robot, joints, routines, wanted)
    run = _runner(robot, joints, routines, wanted, texts)
    measured = {}
    if wanted.language == "c":
        module = module_of(robot, joints, routines, wanted)
        try:
            measured = {
                name.removeprefix(f"{module.prefix}_"): size
                for name, size in sizes(module.single_file, PORTABLE).items()
            }
        except CompilerError:
            measured = {}
    rows = []
    for function, routine in zip(functions, routines, strict=True):
        size = measured.get(routine.name)
        errors = None if run is None else _errors(function, routine, run, parameter_names(routines), wanted.precision)
        worst, typical = (None, None) if errors is None else (float(errors.max()), float(np.median(errors)))
        ops = function.operations
        rows.append(Row(routine.name, ops.total, ops.trig, size and size.code, size and size.stack, worst, typical))
    return rows


Runner = Callable[[Routine, States, Sequence[float]], np.ndarray]


def _runner(
    robot: str, joints: Sequence[str], routines: Sequence[Routine], wanted: Wanted, texts: Mapping[str, str]
) -> Runner | None:
    """Return what runs the emitted text here; None where nothing does."""
    text = next(iter(texts.values()))
    if wanted.language == "python":
        return lambda routine, states, p: run_python(text, routine, states, p)
    if wanted.language == "javascript" and shutil.which("node"):
        return lambda routine, states, p: run_javascript(text, routine, states, p)
    if wanted.language == "c":
        module = module_of(robot, joints, routines, wanted)
        return lambda routine, states, p: run_c(module, routine, states, p, PORTABLE, wanted.batch)
    return None


def _errors(
    function: Function, routine: Routine, run: Runner, names: Sequence[str], precision: str
) -> np.ndarray | None:
    """Return the error on random states, each relative to the largest number of the answer; NaN stays NaN."""
    draw = random.Random(SEED)
    values = dict(routine.values)
    values.update({name: draw.uniform(0.2, 0.8) for name in [*names, *routine.parameters] if name not in values})
    dtype = np.float64 if precision == "double" else np.float32
    generator = np.random.default_rng(SEED)
    states = {
        name: generator.uniform(-2, 2, (STATES, len(symbols))).astype(dtype).astype(float)
        for name, symbols in routine.arguments.items()
    }
    expected = function(*states.values(), parameters=values).reshape(STATES, routine.size)
    try:
        found = run(routine, states, [values[name] for name in names])
    except CompilerError:
        return None
    scale = np.abs(expected).max(axis=1, keepdims=True, initial=0.0)
    errors: np.ndarray = (np.abs(found - expected) / np.where(scale > 0, scale, 1.0)).max(axis=1, initial=0.0)
    return errors


ACCEPTED = {"double": 1e-9, "float": 1e-2}
"""Typical errors beyond these are no rounding; single states may be ill-conditioned, as near a singularity."""


def refuse_wrong(rows: Sequence[Row], precision: str) -> None:
    """Raise when emitted code does not compute what it should; nothing is written then."""
    for row in rows:
        if row.typical is not None and not row.typical <= ACCEPTED[precision]:
            raise TautError(f"{row.name}: the emitted code is off by {row.typical:.1e}; report this")
