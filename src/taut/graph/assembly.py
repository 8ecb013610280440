"""Builds a program: lines are added in any order, equal ones once, and signs are moved for free.

A value under construction is :class:`~taut.graph.program.Signed`: a line and a sign, which sums and products
hand on to their results, so that no line negates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from taut.graph.elementary import FUNCTIONS, Parity
from taut.graph.node import Rational
from taut.graph.program import Line, Program, Signed
from taut.graph.stage import Stage

COMMUTATIVE = ("add", "mul")


class Assembly:
    """Lines so far, and the way to add to them."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._table: dict[Any, int] = {}
        self.one = self.constant(1)

    def stage(self, x: Signed) -> Stage:
        """Return the stage of a value."""
        return self.lines[x.line].stage

    def constant(self, value: Rational) -> Signed:
        """Return a rational number."""
        return Signed(-1 if value < 0 else 1, self.line("constant", (), Stage.CONSTANT, abs(value)))

    def add(self, a: Signed, b: Signed, free: bool = False) -> Signed:
        """Return ``a + b``, a subtraction where the signs differ."""
        if a.sign == b.sign:
            return Signed(a.sign, self.line("add", (a.line, b.line), free=free))
        plus, minus = (a.line, b.line) if a.sign > 0 else (b.line, a.line)
        if ("sub", None, minus, plus) in self._table:
            return Signed(-1, self.line("sub", (minus, plus), free=free))
        return Signed(1, self.line("sub", (plus, minus), free=free))

    def multiply(self, a: Signed, b: Signed) -> Signed:
        """Return ``a * b``; a factor of one is no operation."""
        sign = a.sign * b.sign
        if a.line == self.one.line:
            return Signed(sign, b.line)
        if b.line == self.one.line:
            return Signed(sign, a.line)
        return Signed(sign, self.line("mul", (a.line, b.line)))

    def divide(self, a: Signed, b: Signed) -> Signed:
        """Return ``a / b``; a divisor of one is no operation."""
        sign = a.sign * b.sign
        return Signed(sign, a.line if b.line == self.one.line else self.line("div", (a.line, b.line)))

    def function(self, name: str, x: Signed, *others: Signed) -> Signed:
        """Return an elementary function of x, or of x and others."""
        parity = FUNCTIONS[name].parity
        first = self._plus(x) if parity is Parity.NONE else x.line
        return Signed(x.sign if parity is Parity.ODD else 1, self.line(name, (first, *map(self._plus, others))))

    def _plus(self, x: Signed) -> int:
        """Return the line of a value with its sign."""
        return self.line("neg", (x.line,)) if x.sign < 0 else x.line

    def copy(self, line: Line, args: Sequence[Signed]) -> Signed:
        """Return the value of a program's line on other operands."""
        if not args:
            return Signed(1, self.line(line.op, (), line.stage, line.data))
        x, y = args[0], args[-1]
        if line.op in ("add", "sub"):
            return self.add(x, y if line.op == "add" else negative(y), line.free)
        if line.op == "neg":
            return negative(x)
        if line.op in ("mul", "div"):
            return self.multiply(x, y) if line.op == "mul" else self.divide(x, y)
        return self.function(line.op, *args)

    def copied(self, program: Program, given: Mapping[str, Signed] | None = None) -> list[Signed]:
        """Copy a program's lines, other values in place of the given inputs, and return its outputs."""
        given = given or {}
        value: list[Signed] = []
        for line in program.lines:
            replaced = given.get(line.data) if line.op == "input" else None
            value.append(replaced or self.copy(line, [value[arg] for arg in line.args]))
        return [value[i] if sign > 0 else negative(value[i]) for sign, i in program.outputs]

    def is_zero(self, x: Signed) -> bool:
        """Whether a value is the number zero."""
        line = self.lines[x.line]
        return line.op == "constant" and line.data == 0

    def sum(self, terms: Sequence[Signed]) -> Signed:
        """Return the sum, added from the left; terms that are known to be zero cost nothing."""
        left = [x for x in terms if not self.is_zero(x)]
        return reduce(self.add, left) if left else terms[0]

    def product(self, factors: Iterable[Signed]) -> Signed:
        """Return the product, multiplied from the left; one where there are no factors."""
        result = self.one
        for factor in factors:
            result = self.multiply(result, factor)
        return result

    def power(self, x: Signed, exponent: int) -> Signed:
        """Return ``x ** exponent``, exponent > 0, by repeated squaring."""
        result = self.one
        while True:
            if exponent & 1:
                result = self.multiply(result, x)
            exponent >>= 1
            if not exponent:
                return result
            x = self.multiply(x, x)

    def line(
        self, op: str, args: tuple[int, ...], stage: Stage | None = None, data: Any = None, free: bool = False
    ) -> int:
        """Return the number of a line, a new one unless there is one like it."""
        if op in COMMUTATIVE:
            args = tuple(sorted(args))
        key = (op, data, *args)
        if key in self._table:
            i = self._table[key]
            if self.lines[i].free and not free:  # formed for an angle, but now needed as a value
                self.lines[i] = self.lines[i]._replace(free=False)
            return i
        if stage is None:
            stage = max(self.lines[arg].stage for arg in args)
        self._table[key] = len(self.lines)
        self.lines.append(Line(op, args, stage, data, free))
        return self._table[key]

    def program(self, outputs: Sequence[Signed]) -> Program:
        """Return the lines that the outputs need, off-line ones first."""
        needed = set()
        stack = [line for _, line in outputs]
        while stack:
            i = stack.pop()
            if i not in needed:
                needed.add(i)
                stack.extend(self.lines[i].args)
        order = sorted(needed, key=lambda i: (self.lines[i].stage > Stage.PARAMETER, i))
        place = {i: k for k, i in enumerate(order)}
        lines = [_placed(self.lines[i], place) for i in order]
        return Program(tuple(lines), tuple(Signed(sign, place[line]) for sign, line in outputs))


def negative(x: Signed) -> Signed:
    """Return ``-x``."""
    return Signed(-x.sign, x.line)


def together(programs: Iterable[Program]) -> Program:
    """Return one program with the outputs of several, one after the other; equal lines are there once."""
    assembly = Assembly()
    return assembly.program([x for program in programs for x in assembly.copied(program)])


def added(first: Program, terms: Program, answers: Sequence[str] = ()) -> Program:
    """Return one program whose outputs are the sums of those of two; equal lines are there once.

    Args:
        first: one of them.
        terms: the other.
        answers: inputs of the other that stand for the outputs of the first, in their order.
    """
    assembly = Assembly()
    known = assembly.copied(first)
    more = assembly.copied(terms, dict(zip(answers, known, strict=False)))
    return assembly.program([assembly.sum(pair) for pair in zip(known, more, strict=True)])


def _placed(line: Line, place: dict[int, int]) -> Line:
    args = [place[arg] for arg in line.args]
    return line._replace(args=tuple(sorted(args) if line.op in COMMUTATIVE else args))
