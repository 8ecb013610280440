"""A derived function: the program, what it costs, how it came about and the proof that it is exact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from taut.analysis.fused import fused
from taut.analysis.opcount import Operations, count
from taut.batch import as_states, evaluate
from taut.errors import InputError
from taut.graph import Graph, Node
from taut.graph.program import Program
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
        method: the algorithm and frames the program started from.
        parameters: how inertial parameters were treated.
        effort: how hard it was tightened.
        steps: the count after every pass.
        proof: None where verification was switched off.
        notes: what was snapped, in words.
        formulas: {base parameter: its formula in the parameters of the robot}.
        seconds: how long it took.
        reproducible: whether steps, not the clock, ended the search.
        stored: whether it is, or began with, a program that comes with taut.
        structural: the program in the symbols of the robot's structure, which serves every robot that has it.
        seed: of the search.
        objective: what was made small.
        trace: (seconds, count) at every moment the count fell.
        frame: whose pose or motion it is, of functions of a frame.
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
    seconds: float = 0.0
    reproducible: bool = True
    stored: bool = False
    structural: Program | None = None
    seed: int = 1
    objective: str = "m+a"
    trace: tuple[tuple[float, int], ...] = ()
    frame: str | None = None

    @cached_property
    def operations(self) -> Operations:
        """Multiplications, additions, sines and cosines, by stage."""
        return count(self.program)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Symbols of parameters the program needs, in the order of its lines."""
        given = {name for names in self.arguments.values() for name in names}
        return tuple(line.data for line in self.program.lines if line.op == "input" and line.data not in given)

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

    def compile(self, **options: Any) -> Compiled:
        """Return this function as machine code; see :func:`taut.runtime.library.compiled`."""
        return compiled(self, **options)

    def explain(self) -> str:
        """Return the count after every pass as a table."""
        width = max(len(step.name) for step in self.steps)
        rows = [f"{self.name} of {self.robot}, parameters {self.parameters}, effort {self.effort}"]
        rows += [f"  {step.name:<{width}}  {step.operations}" for step in self.steps]
        rows.append(f"  depth {self.operations.depth}; {fused(self.program)} with fused multiply-add")
        if self.proof:
            rows.append(f"  exact: equals {self.proof.reference} at {self.proof.points} points of GF(2^61 - 1)")
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
            "objective": self.objective,
            "notes": list(self.notes),
        }


def _shaped(flat: list[Any], shape: tuple[int, ...]) -> list[Any]:
    if len(shape) == 1:
        return flat
    size = len(flat) // shape[0]
    return [_shaped(flat[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]
