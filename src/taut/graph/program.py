"""A graph in the order of computation: three-address lines, each with its stage.

A line has one operation on earlier lines; there is no negation among the counted ones, since a
minus sign moves through sums and products and ends at the outputs, where it is free.
:meth:`Program.evaluate` is the meaning that every emitter must agree with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from taut.errors import InputError
from taut.graph.elementary import FUNCTIONS
from taut.graph.evaluate import REAL, Arithmetic
from taut.graph.node import Graph, Node
from taut.graph.stage import Stage
from taut.graph.text import number_text

LEAVES = ("input", "constant")
BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
ARITY = {**dict.fromkeys(LEAVES, 0), **dict.fromkeys(BINARY, 2), "neg": 1}
"""Operands of every operation besides elementary functions, whose number is in their table."""


class Line(NamedTuple):
    """One step of a program.

    Attributes:
        op: ``input``, ``constant``, ``add``, ``sub``, ``mul``, ``div``, ``neg`` or the name of an elementary function.
        args: the lines it works on.
        stage: what it waits for.
        data: name of an input, value of a constant (0 or more).
        free: whether it only forms an angle, such as q2 + q3, and is not counted.
    """

    op: str
    args: tuple[int, ...]
    stage: Stage
    data: Any = None
    free: bool = False

    @property
    def counted(self) -> bool:
        """Whether this is an addition, subtraction, multiplication or division that is counted."""
        return self.op in BINARY and self.stage > Stage.PARAMETER and not self.free


class Signed(NamedTuple):
    """``sign * line``: what an output is."""

    sign: int
    line: int


@dataclass(frozen=True)
class Program:
    """Lines in order, those known off line (constants, parameters) first, and what is read from them."""

    lines: tuple[Line, ...]
    outputs: tuple[Signed, ...]

    def __repr__(self) -> str:
        return f"<Program: {len(self.lines)} lines, {len(self.outputs)} outputs>"

    @cached_property
    def start(self) -> int:
        """Number of the first line that has to wait for a state."""
        return sum(line.stage <= Stage.PARAMETER for line in self.lines)

    def evaluate(self, symbols: Mapping[str, Any], arithmetic: Arithmetic = REAL) -> list[Any]:
        """Return the outputs for the given values of the symbols: floats, batches or anything with + - * /."""
        value: list[Any] = []
        for line in self.lines:
            value.append(_value(line, [value[i] for i in line.args], symbols, arithmetic))
        return [value[i] if sign > 0 else -value[i] for sign, i in self.outputs]

    def trace(self, graph: Graph) -> list[Node]:
        """Return the outputs as nodes of a graph: the way back, and to a proof that lowering kept the meaning."""
        symbols = {line.data: graph.symbol(line.data, line.stage) for line in self.lines if line.op == "input"}
        return [graph.lift(x) for x in self.evaluate(symbols, Arithmetic(graph.constant, pow, REAL.functions))]

    def faults(self) -> list[str]:
        """Return what is wrong with the order, the stages or the references; empty for a sound program."""
        found = []
        names: set[str] = set()
        for i, line in enumerate(self.lines):
            place = f"line {i} ({line.op})"
            if len(line.args) != (FUNCTIONS[line.op].arity if line.op in FUNCTIONS else ARITY.get(line.op, -1)):
                found.append(f"{place}: no such operation on {len(line.args)} operands")
            if not all(0 <= arg < i for arg in line.args):
                found.append(f"{place}: an operand is not defined before its use")
            elif line.args and line.stage != max(self.lines[arg].stage for arg in line.args):
                found.append(f"{place}: stage {line.stage.label} is not that of its latest operand")
            if line.op == "input":
                if line.data in names:
                    found.append(f"{place}: a second input named '{line.data}'")
                names.add(line.data)
            if (i < self.start) != (line.stage <= Stage.PARAMETER):
                found.append(f"{place}: {line.stage.label} among lines of the other part")
        for k, (sign, i) in enumerate(self.outputs):
            if sign not in (1, -1) or not 0 <= i < len(self.lines):
                found.append(f"output {k}: {sign} * line {i} does not exist")
        return found

    def to_text(self) -> str:
        """Return the program as text, a line each, e.g. ``t7 = t3 * t5    # velocity``."""
        rows = []
        for i, line in enumerate(self.lines):
            rows.append(f"t{i} = {_formula(line)}  # {line.stage.label}{', free' if line.free else ''}")
        rows += [f"output {k} = {'-' if sign < 0 else ''}t{i}" for k, (sign, i) in enumerate(self.outputs)]
        return "\n".join(rows) + "\n"


def _value(line: Line, args: list[Any], symbols: Mapping[str, Any], arithmetic: Arithmetic) -> Any:
    if line.op == "input":
        try:
            return symbols[line.data]
        except KeyError:
            raise InputError(f"symbol '{line.data}' has no value", advice="give it one") from None
    if line.op == "constant":
        return arithmetic.rational(line.data)
    if line.op in FUNCTIONS:
        return arithmetic.functions[line.op](*args)
    if line.op == "neg":
        return -args[0]
    a, b = args
    if line.op == "add":
        return a + b
    if line.op == "sub":
        return a - b
    return a * b if line.op == "mul" else a / b


def _formula(line: Line) -> str:
    names = [f"t{i}" for i in line.args]
    if line.op == "input":
        return f"input {json.dumps(line.data)}"
    if line.op == "constant":
        return number_text(Fraction(line.data))
    if line.op == "neg":
        return f"-{names[0]}"
    return f"{line.op}({', '.join(names)})" if line.op in FUNCTIONS else f"{names[0]} {BINARY[line.op]} {names[1]}"
