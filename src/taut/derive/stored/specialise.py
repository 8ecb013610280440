"""Replaces the constants of a program by formulas, some of them zero, and removes what becomes unused.

Formulas of parameters stay off line; what a zero makes superfluous is left out line by line, so that everything
else keeps the sharing a search has found.
"""

from __future__ import annotations

from collections.abc import Mapping

from taut.graph.assembly import Assembly, negative
from taut.graph.elementary import FUNCTIONS
from taut.graph.lower import lower
from taut.graph.node import Node
from taut.graph.program import Program, Signed


def specialised(program: Program, meaning: Mapping[str, Node]) -> Program:
    """Return the program with expressions in place of inputs.

    Args:
        program: any.
        meaning: {name of an input: an expression of its stage or an earlier one}; other inputs stay.

    Raises:
        ZeroDivisionError: where a divisor becomes zero.
    """
    wanted = {line.data: meaning[line.data] for line in program.lines if line.op == "input" and line.data in meaning}
    assembly = _Folding()
    formulas = lower(list(wanted.values()))
    given = dict(zip(wanted, assembly.copied(formulas), strict=True))
    return assembly.program(assembly.copied(program, given))


class _Folding(Assembly):
    """Leaves out operations on zero."""

    def __init__(self) -> None:
        super().__init__()
        self.zero = self.constant(0)

    def add(self, a: Signed, b: Signed, free: bool = False) -> Signed:
        if self._vanishes(a) or self._vanishes(b):
            return b if self._vanishes(a) else a
        return self.zero if a == negative(b) else super().add(a, b, free)

    def multiply(self, a: Signed, b: Signed) -> Signed:
        return self.zero if self._vanishes(a) or self._vanishes(b) else super().multiply(a, b)

    def divide(self, a: Signed, b: Signed) -> Signed:
        if self._vanishes(b):
            raise ZeroDivisionError("a divisor is zero")
        return self.zero if self._vanishes(a) else super().divide(a, b)

    def function(self, name: str, x: Signed, *others: Signed) -> Signed:
        at_zero = FUNCTIONS[name].exact(0) if self._vanishes(x) and not others else None
        return super().function(name, x, *others) if at_zero is None else self.constant(at_zero)

    def _vanishes(self, x: Signed) -> bool:
        return x.line == self.zero.line
