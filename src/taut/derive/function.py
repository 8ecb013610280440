"""A derived function: the program, what it costs, how it came about and the proof that it is exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from taut.analysis.angles import angles
from taut.analysis.fused import fused
from taut.analysis.opcount import Operations, count
from taut.batch import as_states, evaluate
from taut.derive.checks.health import sound
from taut.derive.checks.truth import Difference
from taut.derive.fastest import Simulated
from taut.derive.naming.model import NUMBERS
from taut.emit.c.module import Module
from taut.emit.casadi import casadi_function
from taut.emit.casadi_c import casadi_source
from taut.emit.equations import equations
from taut.emit.fmu import fmu_files, write_fmu
from taut.emit.jax import jax_function
from taut.emit.routine import Routine
from taut.emit.sympy import sympy_matrix
from taut.errors import InputError
from taut.graph import Graph, Node
from taut.graph.program import Program
from taut.questions.fusion import separated
from taut.questions.quantity import UNKNOWN, Quantity
from taut.questions.table import NAMED_ONLY, QUESTIONS
from taut.robot.records import Record
from taut.runtime.library import Compiled, compiled


@dataclass(frozen=True)
class Step:
    """What one pass left: its name and the count after it."""

    name: str
    operations: Operations


@dataclass(frozen=True)
class Proof:
    """Evidence that the program equals the textbook algorithm as a function.

    Attributes:
        reference: the algorithm it was compared with.
        points: random points of GF(2^61 - 1) at which all outputs agree exactly.
    """

    reference: str
    points: int


@dataclass(frozen=True)
class Function:
    """An exact, tightened program for one question to one robot.

    Attributes:
        name: the question, e.g. ``inverse_dynamics``.
        robot: name of the robot.
        program: three-address lines with stages.
        arguments: {argument: names of its symbols, in order}.
        shape: of the answer.
        values: of parameter symbols that have one.
        records: {symbol: its record} of the parameters that can change at run time and of symbols of the file.
        method: the algorithm and frames the program started from.
        parameters: how inertial parameters were treated.
        effort: how hard it was tightened.
        steps: the count after every pass.
        proof: None where verification was switched off.
        notes: what was decided about the file's numbers, in words.
        formulas: {base parameter: its formula in the parameters of the robot}.
        seconds: how long it took.
        reproducible: whether steps, not the clock, ended the search.
        interrupted: whether Ctrl-C ended it.
        refused: programs that were not taken, and why.
        stored: whether it is, or began with, a program that comes with taut.
        structural: the program in the symbols of the robot's structure, which serves every robot that has it.
        structure: the name of the robot's structure, where it has one.
        seed: of the search.
        objective: what was made small.
        trace: (seconds, count) at every moment the count fell.
        difference: from the plain numeric algorithm on the file's digits; None where a symbol has no value to try.
        generic: whether some values of the parameters may make it divide by zero; those of the robot do not.
        frame: whose pose or motion it is, of functions of a frame.
        result: letter, meaning and unit of the answer.
        remarks: sentences that the comment of generated code has to have besides.
        snap: what written angles were taken for, as the user gave it; see :func:`taut.robot.meaning.decided`.
        keep: parameters that stay inputs though other numbers are written into the code, as the user gave them.
        parts: {question: shape of its answer} of a function that answers several, one after the other.
        load: the frame of a load whose parameters are inputs, as the user gave it.
        simulated: its time, compared with that of the fewest operations; None where it has these, see :mod:`.fastest`.
        form: the screw form in whose symbols the program is; see :attr:`taut.derive.naming.model.DerivedRobot.forms`.
    """

    name: str
    robot: str
    program: Program
    arguments: Mapping[str, tuple[str, ...]]
    shape: tuple[int, ...]
    values: Mapping[str, float]
    method: str
    parameters: str
    effort: str
    steps: tuple[Step, ...]
    proof: Proof | None
    notes: tuple[str, ...] = ()
    formulas: Mapping[str, str] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)
    reproducible: bool = True
    stored: bool = False
    structural: Program | None = None
    seed: int = 1
    objective: str = "m+a"
    trace: tuple[tuple[float, int], ...] = field(default=(), compare=False)
    difference: Difference | None = field(default=None, compare=False)
    frame: str | None = None
    generic: bool = False
    result: Quantity = UNKNOWN
    records: Mapping[str, Record] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    snap: float | None = None
    keep: tuple[str, ...] = ()
    parts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    load: str | None = None
    form: str = NUMBERS
    simulated: Simulated | None = field(default=None, compare=False)
    interrupted: bool = field(default=False, compare=False)
    refused: tuple[str, ...] = field(default=(), compare=False)
    structure: str = field(default="", compare=False)

    def __hash__(self) -> int:
        return hash((self.name, self.robot, self.program, self.shape, self.method, self.parameters, self.frame))

    def __repr__(self) -> str:
        frame = f", frame {self.frame}" if self.frame else ""
        count, proof = self.operations, "proved" if self.proof else "not proved"
        cost = f"{count.total} operations ({count.mul} multiplications, {count.add} additions)"
        return f"<Function {self.name}({', '.join(self.arguments)}) of {self.robot}{frame}: {cost}, {proof}>"

    def _repr_html_(self) -> str:
        """Return what it is and, folded, its equations, for a notebook."""
        folded = f"<details><summary>equations</summary><pre>{escape(self.text())}</pre></details>"
        return f"<p>{escape(repr(self)[1:-1])}</p>{folded}"

    @cached_property
    def operations(self) -> Operations:
        """Multiplications, additions, sines and cosines, by stage."""
        return count(self.program)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Symbols of parameters the program needs, in the order of its lines."""
        given = {name for names in self.arguments.values() for name in names}
        return tuple(line.data for line in self.program.lines if line.op == "input" and line.data not in given)

    @property
    def is_safe(self) -> bool:
        """Whether it is right for every value of its parameters; numbers written into the code are fixed."""
        return not self.generic or not self.run_time

    @property
    def run_time(self) -> bool:
        """Whether some parameters are inputs of generated code; else all numbers are written into it."""
        return self.parameters != "numeric" or any(record.run_time for record in self.records.values())

    @property
    def run_time_names(self) -> tuple[str, ...]:
        """Symbols of the program that are inputs of generated code, in the order of its lines."""
        return tuple(name for name in self.parameter_names if self._changes(name))

    @property
    def meanings(self) -> Mapping[str, str]:
        """What parameters measure: quantity, unit, body and reference point; the formula of a base parameter."""
        known = {symbol: str(record) for symbol, record in self.records.items()}
        return known | {symbol: f"base parameter, {formula}" for symbol, formula in self.formulas.items()}

    def _changes(self, name: str) -> bool:
        if name in self.records:
            return self.records[name].run_time
        return name in self.formulas or name not in self.values

    @property
    def sparsity(self) -> np.ndarray:
        """Which entries of the answer are not zero for every state: booleans of its shape."""
        lines = self.program.lines
        some = [not (lines[i].op == "constant" and lines[i].data == 0) for _, i in self.program.outputs]
        return np.array(some).reshape(self.shape)

    def graph(self) -> list[Node]:
        """Return the outputs as nodes of a new graph."""
        return self.program.trace(Graph())

    def __call__(self, *states: Any, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """Return the answer for states with any leading axes, in the order of ``arguments``.

        Args:
            states: one array (..., width) an argument.
            parameters: values of symbols that have none, or other values for those that do.
        """
        if len(states) != len(self.arguments):
            expected = ", ".join(self.arguments)
            raise InputError(f"{len(states)} arguments", self.name, f"give {expected}")
        constants = {**self.values, **(parameters or {})}
        missing = [name for name in self.parameter_names if name not in constants]
        if missing:
            listed = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
            raise InputError(f"parameters without values: {listed}", self.name, "give parameters={name: value}")
        if parameters:
            self._refuse_zero_divisors(constants)
        given = {
            name: as_states(name, state, len(symbols), f"{len(symbols)} numbers")
            for (name, symbols), state in zip(self.arguments.items(), states, strict=True)
        }

        def compute(**scalars: Any) -> Any:
            symbols = dict(constants)
            for name, names in self.arguments.items():
                symbols.update(zip(names, scalars[name], strict=True))
            return _shaped(self.program.evaluate(symbols), self.shape)

        return evaluate(compute, given, self.shape)

    def separate(self, answer: np.ndarray) -> dict[str, np.ndarray]:
        """Return {question: its answer} of a function that answers several, from the vector it returns.

        Args:
            answer: (..., number of outputs).
        """
        return separated(answer, self.parts or {self.name: self.shape})

    def routine(self, frame: str | None = None, baked: bool | None = None) -> Routine:
        """Return what emitters write, with the equation of the table of functions.

        Args:
            frame: asked for by name, to be part of the function's.
            baked: all numbers in the code, or all read at run time; by default as the derivation has them.
        """
        known = (QUESTIONS | NAMED_ONLY).get(self.name)
        return Routine.of(self, known.summary.removeprefix("Return ") if known else "", frame, baked)

    def text(self) -> str:
        """Return this function as readable assignments, stage by stage, answers last."""
        return equations(self)

    def to_c(self, precision: str = "double", trig: str = "poly", batch: bool = False, name: str | None = None) -> str:
        """Return this function as one C99 text, its declarations included.

        Args:
            precision: ``double`` or ``float``.
            trig: sines by polynomials, ``poly``, or by the mathematics library, ``libm``.
            batch: whether it also comes for arrays of states.
            name: that the names of functions begin with; made from the robot's by default.
        """
        return Module(self.robot, [self.routine()], (), precision, trig, batch, name=name).single_file

    def to_fmu(self, path: str | Path, name: str | None = None) -> None:
        """Write this function as an FMI 3.0 co-simulation unit with its C sources; see :mod:`taut.emit.fmu`.

        Args:
            path: of the .fmu file.
            name: of the model; made from the robot's by default.
        """
        write_fmu(path, fmu_files(Module(self.robot, [self.routine(baked=True)], name=name)))

    def to_casadi(self) -> Any:
        """Return this function as a ``casadi.Function`` of column vectors; every parameter needs a value."""
        return casadi_function(self.routine(baked=True))

    def to_casadi_c(self, derivatives: Function, name: str | None = None) -> str:
        """Return C that ``casadi.external`` loads once it is compiled: this function, its Jacobian and its sparsity.

        Args:
            derivatives: by all arguments side by side, such as ``rk4_step_derivatives`` of ``rk4_step``.
            name: that ``casadi.external`` asks for; the function's by default.
        """
        if list(derivatives.arguments) != list(self.arguments) or derivatives.shape != (*self.shape, self._width):
            advice = f"give the derivatives of {self.name} by {', '.join(self.arguments)}"
            raise InputError(f"{derivatives.name} does not fit", "casadi", advice)
        pattern = derivatives.sparsity.tolist()
        own, slopes = self.routine(baked=True), derivatives.routine(baked=True)
        return casadi_source(self.robot, name or self.name, own, slopes, pattern)

    @property
    def _width(self) -> int:
        return sum(map(len, self.arguments.values()))

    def to_jax(self) -> Callable[..., Any]:
        """Return this function as a JAX function of one state; every parameter needs a value."""
        return jax_function(self.routine(baked=True))

    def to_sympy(self) -> Any:
        """Return the answer as a SymPy matrix in real symbols: arguments, and parameters read at run time."""
        return sympy_matrix(self.routine())

    def compile(self, **options: Any) -> Compiled:
        """Return this function as machine code; see :func:`taut.runtime.library.compiled`."""
        self._refuse_zero_divisors({**self.values, **(options.get("parameters") or {})})
        return compiled(self, **options)

    def _refuse_zero_divisors(self, values: Mapping[str, float]) -> None:
        """Raise where a generic program divides by zero, or nearly, for these parameters."""
        if self.generic and not sound(self.program, values):
            advice = "derive it with parameters='symbolic' or 'pattern' and without generic=True"
            raise InputError("the program divides by zero for these parameters", self.name, advice)

    def explain(self) -> str:
        """Return the count after every pass as a table."""
        width = max(len(step.name) for step in self.steps)
        rows = [f"{self.name} of {self.robot}, parameters {self.parameters}, effort {self.effort}"]
        rows += [f"  {step.name:<{width}}  {step.operations}" for step in self.steps]
        rows += [f"  refused: {why}" for why in self.refused]
        rows.append(f"  depth {self.operations.depth}; {fused(self.program)} with fused multiply-add")
        if not self.is_safe:
            rows.append("  generic: some values of the parameters, such as zeros, make it divide by zero")
        if self.proof:
            rows.append(f"  exact: equals {self.proof.reference} at {self.proof.points} points of GF(2^61 - 1)")
        if self.difference and not self.difference.snapped:
            rows.append(f"  file: {self.difference.text}")
        rows += [f"  note: {note}" for note in self.notes]
        return "\n".join(rows)

    def as_json(self) -> dict[str, Any]:
        """Return counts and provenance for programs to read."""
        ops = self.operations
        return {
            "mul": ops.mul,
            "add": ops.add,
            "div": ops.div,
            "total": ops.total,
            "trig": ops.trig,
            **angles(self.program).as_data(),
            "depth": ops.depth,
            "fma": fused(self.program),
            "by_stage": {
                stage: {"mul": part.mul, "add": part.add, "total": part.total} for stage, part in ops.by_stage.items()
            },
            "method": self.method,
            "parameters": self.parameters,
            "seconds": round(self.seconds, 3),
            "verified": self.proof is not None,
            "reproducible": self.reproducible,
            "stored": self.stored,
            "generic": self.generic,
            "objective": self.objective,
            "simulated": None if self.simulated is None else asdict(self.simulated),
            "notes": list(self.notes),
            "difference": None if self.difference is None else self.difference.stated,
            "difference_of_own_size": None if self.difference is None else self.difference.of_own_size,
            "snapped": self.difference is not None and self.difference.snapped,
            "run_time_parameters": [self._parameter(name) for name in self.run_time_names],
        }

    def _parameter(self, name: str) -> dict[str, Any]:
        known = {"symbol": name, "value": self.values.get(name)}
        if name in self.formulas:
            return known | {"quantity": "base parameter", "formula": self.formulas[name]}
        if name not in self.records:
            return known
        record = self.records[name]
        return known | {key: getattr(record, key) for key in ("quantity", "unit", "of", "point")}


def _shaped(flat: list[Any], shape: tuple[int, ...]) -> list[Any]:
    if len(shape) == 1:
        return flat
    size = len(flat) // shape[0]
    return [_shaped(flat[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]
