"""Divisors of a program that can vanish for some values of its parameters, and those that a function cannot do without.

A program that reads parameters at run time is right for all of their values if it divides by nothing but numbers and by
what its textbook algorithm divides by: forward dynamics by the pivots of the mass matrix, which vanish where the answer
does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taut.graph.field import PRIME, FieldPoint
from taut.graph.node import Graph, Node
from taut.graph.operation import Op
from taut.graph.program import Program, Signed

SEED = 43
"""Of the point at which divisors are compared; neither the search nor the proofs use it."""

FACTORS = tuple(pow(2, k, PRIME) for k in range(-2, 3))
"""Of a divisor that vanishes only where another one does: quarters to fourfold."""


@dataclass(frozen=True)
class Divisors:
    """The divisors that programs of one function may have.

    Attributes:
        values: of the divisors, up to sign, at one random point of GF(2^61 - 1).
        spheres: groups of symbols that form unit vectors.
    """

    values: frozenset[int]
    spheres: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, programs: Iterable[Program], spheres: Sequence[Sequence[Node | str]] = ()) -> Divisors:
        """Return the divisors of programs."""
        named = tuple(tuple(x.name if isinstance(x, Node) else x for x in group) for group in spheres)
        none = cls(frozenset(), named)
        return cls(frozenset(value for program in programs for value in none._of(program)), named)

    def allow(self, program: Program) -> bool:
        """Whether a program divides by nothing else, or by twice or half as much."""
        return all(self.values & {min(x * k % PRIME, -x * k % PRIME) for k in FACTORS} for x in self._of(program))

    def _of(self, program: Program) -> frozenset[int]:
        lines = program.lines
        below = {line.args[1] for line in lines if line.op == "div" and lines[line.args[1]].op != "constant"}
        nodes = Program(lines, tuple(Signed(1, i) for i in sorted(below))).trace(Graph())
        values = FieldPoint(SEED, 0, self.spheres).evaluate(nodes)
        return frozenset(min(x, PRIME - x) for x, node in zip(values, nodes, strict=True) if node.op is not Op.CONSTANT)
