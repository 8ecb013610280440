"""The log of how the search found each value, evaluated at chosen states over the constants.

The search has constants by their values alone: in ``t = k a`` it has seen that t and a are multiples of each
other. Every value it met is in its log, as an operation on values it knew before, back to the lines of the
program it began with. At a fixed state these are formulas in the constants of that program, and so is
``k = t / a``, whatever the state. Where a state makes a denominator vanish another one serves; among several the
shortest formula is taken, so that simple states come first: quarter turns, rates of zero and one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from taut.graph.angles import angle_terms
from taut.graph.field import FieldPoint
from taut.graph.node import Graph, Node
from taut.graph.operation import Op
from taut.graph.program import Program, Signed
from taut.graph.prove import Spheres
from taut.graph.stage import Stage
from taut.search.expand import Expansion, NoPolynomial
from taut.search.flat import LEAF, OPAQUE, PRODUCT, SUM, Flat
from taut.search.known import Constant, KnownConstants, Residues

SLOPE, PENCIL = 9, 10
"""Origins of ``k a`` in ``r = k a + l`` and in ``r = k a + l b``."""

SIMPLE_STATES, MIXED_STATES, STATES = 6, 10, 14
"""Quarter turns only before the first, some of them before the second, none from there to the third."""

SEEDS = (23, 24)
"""Of the two points at which constants are compared; neither the search nor the proofs use them."""

QUARTERS = ((1, 0), (0, 1))
GENERAL = (
    *((Fraction(3, 5), Fraction(4, 5)), (Fraction(4, 5), Fraction(-3, 5))),
    *((Fraction(5, 13), Fraction(12, 13)), (Fraction(-12, 13), Fraction(5, 13)), (Fraction(15, 17), Fraction(8, 17))),
)

Origin = tuple[int, int, int, int]
"""(op, a, b, c): literals of earlier origins, -1 for none."""


class NoFormula(Exception):
    """A constant has no formula at any of the states tried."""


class Origins:
    """The log of one search, and the constants of its program.

    Args:
        flat: the program the search began with; its rows are the first origins.
        log: all origins.
        spheres: groups of symbols that form unit vectors.
    """

    def __init__(self, flat: Flat, log: Sequence[Origin], spheres: Spheres = ()) -> None:
        self._log = log
        self._program = flat.program
        self._lines = flat.lines
        self._spheres = [[x.name if isinstance(x, Node) else x for x in group] for group in spheres]
        self._graph = Graph()
        lines = self._program.lines
        self._node = dict(enumerate(_traced(self._program, range(len(lines)), self._graph)))
        self._points = [FieldPoint(seed, 0, self._spheres) for seed in SEEDS]
        self._met: list[dict[Node, int]] = [{} for _ in SEEDS]
        used = {i for i in flat.leaves if lines[i].stage <= Stage.PARAMETER}
        used |= {i for i in range(self._program.start) if lines[i].op == "input"}
        self._polynomial = bool(flat.line_weights)
        self.known = KnownConstants([(i, self._residues(self._node[i])) for i in sorted(used)], self._polynomial)
        for i in range(self._program.start):
            self.known.atom(i, self._residues(self._node[i]))
        self._states = [_State(k, self._spheres) for k in range(STATES)]
        self._values: list[dict[int, Constant | None]] = [{} for _ in self._states]
        self._factors: dict[int, Constant] = {}

    def multiple(self, t: int, a: int) -> Constant:
        """Return the constant t / a of two origins."""
        return self._shortest([t, a], lambda x: self.known.divide(x[0], x[1]))

    def shift(self, t: int, a: int, negated: bool) -> Constant:
        """Return the constant t - a, or t + a where ``negated``."""
        return self._shortest([t, a], lambda x: self.known.add(x[0], x[1] if negated else -x[1]))

    def product(self, t: int, a: int) -> Constant:
        """Return the constant t * a."""
        return self._shortest([t, a], lambda x: self.known.multiply(x[0], x[1]))

    def constant(self, t: int) -> Constant:
        """Return the value of a origin that does not depend on the state."""
        return self._shortest([t], lambda x: x[0])

    def expanded(self, x: Constant) -> Node | None:
        """Return a constant whose formula divides as an expression that does not; None where that cannot be.

        Divisors that the program began with stay: the constant diagonal elements of a mass matrix that is inverted.
        """
        if not self.known.divides(x):
            return None
        ring = self._ring
        make: dict[str, Callable[..., Any]] = {
            "number": ring.number,
            "add": ring.add,
            "mul": ring.multiply,
            "div": ring.divide,
        }
        try:
            ratio = self.known.folded(
                x,
                {**make, "atom": lambda atom: ring.value(self._node[atom] if isinstance(atom, int) else atom)},
                ring.negative,
            )
            return ring.node(ring.quotient(ratio))
        except NoPolynomial:
            return None

    @cached_property
    def _ring(self) -> Expansion:
        lines = self._program.lines
        angles = [angle for line, node in self._node.items() if lines[line].op in ("sin", "cos") for angle in node.args]
        turned = [atom for angle in angles for atom in angle_terms(angle)[1] if atom.stage <= Stage.PARAMETER]
        off_line = [self._node[i] for i in range(self._program.start)]
        return Expansion([*off_line, *(atom.cos() for atom in turned)])

    # -- values at a state --------------------------------------------------------------

    def _shortest(self, origins: Sequence[int], compute: Any) -> Constant:
        best: Constant | None = None
        for k in range(STATES):
            values = [self._value(origin, k) for origin in origins]
            found = None if None in values else compute(values)
            if found is not None and (best is None or self.known.size(found) < self.known.size(best)):
                best = found
            if best is not None and self.known.size(best) <= 1:
                break
        if best is None:
            raise NoFormula
        return best

    def _value(self, origin: int, k: int) -> Constant | None:
        """Return a value at state k, None where it is not defined."""
        values = self._values[k]
        if origin in values:
            return values[origin]
        needed, stack = {origin}, [origin]
        while stack:
            for x in self._log[stack.pop()][1:]:
                if x >= 0 and x >> 1 not in needed and x >> 1 not in values:
                    needed.add(x >> 1)
                    stack.append(x >> 1)
        for n in sorted(needed):
            if n not in values:
                values[n] = self._step(n, k)
        return values[origin]

    def _step(self, n: int, k: int) -> Constant | None:
        op, a, b, c = self._log[n]
        values = self._values[k]
        if op in (LEAF, OPAQUE):
            return self._leaf(self._lines[n], k)
        if op in (SLOPE, PENCIL):
            inner = values[a >> 1], values[b >> 1]
            if inner[1] is None:
                return None
            if n not in self._factors:
                factor = self._factor(a, b, c)
                if factor is None:
                    return None
                self._factors[n] = factor
            return self.known.multiply(self._factors[n], _signed(inner[1], b))
        x, y = values[a >> 1], values[b >> 1]
        if x is None or y is None:
            return None
        x, y = _signed(x, a), _signed(y, b)
        if op == SUM:
            return self.known.add(x, y)
        return self.known.multiply(x, y) if op == PRODUCT else self.known.divide(x, y)

    def _factor(self, r: int, a: int, b: int) -> Constant | None:
        """Return k of ``r = k a + l`` or ``r = k a + l b`` from two states."""
        known = self.known
        best: Constant | None = None
        for i in range(STATES):
            for j in range(i):
                if best is not None and i > SIMPLE_STATES:
                    break
                rr, aa = ([self._at(x, k) for k in (i, j)] for x in (r, a))
                bb = [known.one, known.one] if b < 0 else [self._at(b, k) for k in (i, j)]
                top, bottom = self._cross(rr, bb), self._cross(aa, bb)
                if top is None or bottom is None:
                    continue
                found = known.divide(top, bottom)
                if found is not None and (best is None or known.size(found) < known.size(best)):
                    best = found
        return best

    def _cross(self, x: Sequence[Constant | None], y: Sequence[Constant | None]) -> Constant | None:
        (p, q), (r, s) = x, y
        if p is None or q is None or r is None or s is None:
            return None
        return self.known.add(self.known.multiply(p, s), -self.known.multiply(q, r))

    def _at(self, literal: int, k: int) -> Constant | None:
        value = self._value(literal >> 1, k)
        return None if value is None else _signed(value, literal)

    # -- leaves ---------------------------------------------------------------------------

    def _leaf(self, line: int, k: int) -> Constant | None:
        node = self._node[line]
        if node.stage <= Stage.PARAMETER:
            return self.known.atom(line, self._residues(node))
        if node.op is Op.SYMBOL:
            return self.known.number(self._states[k].number(node.name))
        negated = node.is_multiple and node.powers.coefficient == -1
        if negated:
            node = node.args[0]
        if node.function in ("sqrt", "sign"):  # the search takes any value for these
            return self.known.number(self._states[k].number(f"{node.name} {line}"))
        if not node.is_turn:
            return None
        turned = self._turned(node.args[0], k)
        if turned is None:
            return None
        value = turned[node.name == "sin"]
        return -value if negated else value

    def _turned(self, angle: Node, k: int) -> tuple[Constant, Constant] | None:
        """Return (cos, sin) of an angle whose joint angles are those of state k."""
        known = self.known
        constant, terms = angle_terms(angle)
        rest: Node = self._graph.constant(constant)
        point: tuple[Fraction | int, Fraction | int] = (1, 0)
        for atom, coefficient in terms.items():
            if atom.stage <= Stage.PARAMETER:
                rest = rest + coefficient * atom
                continue
            if atom.op is not Op.SYMBOL or coefficient.denominator != 1:
                return None
            c, s = self._states[k].turn(atom.name)
            for _ in range(abs(int(coefficient))):
                s_ = s if coefficient > 0 else -s
                point = (point[0] * c - point[1] * s_, point[0] * s_ + point[1] * c)
        cosine, sine = (known.number(x) for x in point)
        if rest.is_zero:
            return cosine, sine
        c_rest, s_rest = (known.atom(x, self._residues(x)) for x in (rest.cos(), rest.sin()))
        return (
            known.add(known.multiply(cosine, c_rest), -known.multiply(sine, s_rest)),
            known.add(known.multiply(cosine, s_rest), known.multiply(sine, c_rest)),
        )

    def _residues(self, node: Node) -> Residues:
        first, second = (point.values([node], met)[node] for point, met in zip(self._points, self._met, strict=True))
        return first, second


class _State:
    """Numbers for the symbols that are not known off line, drawn from their names."""

    def __init__(self, index: int, spheres: Sequence[Sequence[str]]) -> None:
        self._index = index
        self._on_sphere = {name: x for group in spheres for name, x in zip(group, self._sphere(group), strict=True)}

    def number(self, name: str) -> int | Fraction:
        """Return the value of a rate or of a length."""
        if name in self._on_sphere:
            return self._on_sphere[name]
        return self._draw(name).choice((0, 1) if self._index < SIMPLE_STATES else (1, 2, 3, -1, -2, 5))

    def turn(self, name: str) -> tuple[int | Fraction, int | Fraction]:
        """Return cosine and sine of a joint angle."""
        mixed = (*QUARTERS, *GENERAL[:2]) if self._index < MIXED_STATES else GENERAL
        return self._draw(name).choice(QUARTERS if self._index < SIMPLE_STATES else mixed)

    def _sphere(self, names: Sequence[str]) -> list[Fraction]:
        plane = [Fraction(self._draw(name).randint(0, 1 + self._index)) for name in names[1:]]
        squared = sum(t * t for t in plane)
        return [(squared - 1) / Fraction(squared + 1), *(2 * t / (squared + 1) for t in plane)]

    def _draw(self, name: str) -> random.Random:
        return random.Random(f"{self._index} {name}")


def _signed(x: Constant, literal: int) -> Constant:
    return -x if literal & 1 else x


def _traced(program: Program, lines: Sequence[int], graph: Graph) -> list[Node]:
    return Program(program.lines, tuple(Signed(1, i) for i in lines)).trace(graph)
