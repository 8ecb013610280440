"""Expands an expression to a polynomial over the rationals, by FLINT.

Generators are a cosine and a sine for every revolute joint, slides, and the robot's parameters. Along
consecutive parallel joints the angles are cumulative, q2, q2 + q3, ...: rotations of a run depend on these
alone, so that products of rotations stay of second degree. Squares of cosines are replaced by ``1 - s^2``,
which makes the form unique: two expressions are equal exactly when their polynomials are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx, nmod_mpoly_ctx

from taut.errors import InputError, UnsupportedError
from taut.graph import Graph, Node, Stage, topological
from taut.graph.field import FieldPoint
from taut.graph.operation import Op
from taut.polynomials.algebra import Circles, Polynomial, combined, is_quotient, rational
from taut.polynomials.working_angles import Angle

WORD_PRIME = 2**61 - 1
"""Parameters are numbers modulo this prime where only the size of an expression is asked for."""

TooLong = Callable[[int], None]
"""Called with the number of terms of every new polynomial; raises where it is too large."""


class Ring:
    """Polynomials in sines, cosines, slides and parameters.

    Args:
        graph: of the expressions.
        angles: of the working sines and cosines, one a revolute joint; together they span all joint angles.
        slides: symbols of prismatic coordinates.
        parameters: parameter-stage nodes that are generators: symbols, and sines and cosines of constant angles.
        numbers: put a random number modulo a prime for every parameter: the size of things without their formulas.

    Attributes:
        pairs: cosine and sine of every angle.
        reduced: gives a polynomial with squares of cosines replaced.
    """

    def __init__(
        self,
        graph: Graph,
        angles: Sequence[Angle],
        slides: Sequence[Node],
        parameters: Sequence[Node],
        numbers: bool = False,
    ) -> None:
        self.graph, self.angles, self.slides = graph, tuple(angles), tuple(slides)
        self.parameters = () if numbers else _with_partners(parameters)
        constant_angles = list(dict.fromkeys(x.args[0] for x in self.parameters if x.is_turn))
        cosines = [*(f"C{a.name}" for a in angles), *(f"cos#{x.serial}" for x in constant_angles)]
        sines = [*(f"S{a.name}" for a in angles), *(f"sin#{x.serial}" for x in constant_angles)]
        plain = [x for x in self.parameters if not x.is_turn]
        names = [*cosines, *sines, *(f"q#{x.name}" for x in slides), *(f"p#{x.serial}" for x in plain)]
        self.context: Any = _context(names, numbers)
        generators = list(self.context.gens())
        n = len(cosines)
        circles = Circles(generators, n)
        self.pairs, self.reduced = circles.pairs, circles.reduced
        self.moving = len(angles)
        self._slide = dict(zip(slides, generators[2 * n :], strict=False))
        self._known: dict[Node, Polynomial] = dict(self._slide)
        self._known |= dict(zip(plain, generators[2 * n + len(slides) :], strict=True))
        for x, (c, s) in zip(constant_angles, self.pairs[self.moving :], strict=True):
            self._known[graph.function("cos", x)], self._known[graph.function("sin", x)] = c, s
        self._point = FieldPoint(seed=5, index=0) if numbers else None

    # -- from expressions ---------------------------------------------------------

    def polynomials(self, outputs: Iterable[Node], checked: TooLong | None = None) -> list[Polynomial]:
        """Return expressions multiplied out."""
        outputs = list(outputs)
        known = dict(self._known)  # what lies between is forgotten afterwards: it is most of the memory
        for node in topological(outputs, known):
            if node.stage <= Stage.PARAMETER and self._point is not None:
                known[node] = self.context.constant(self._point.values([node])[node])
            elif (value := self._value(node, known)) is not None:
                known[node] = value
                if checked is not None:
                    checked(len(value))
        return [known[node] for node in outputs]

    def _value(self, node: Node, known: Mapping[Node, Polynomial]) -> Polynomial | None:
        if node.is_turn:
            c, s = self._cosine_and_sine(node.args[0])
            return c if node.name == "cos" else s
        if is_quotient(node) and all(arg in known for arg in node.args):
            raise UnsupportedError("a quotient is no polynomial", "explicit", "derive the tight form instead")
        if node.op is Op.FUNCTION:
            raise UnsupportedError(f"'{node.name}' is no polynomial", "explicit", "derive the tight form instead")
        return combined(
            node, known, self.context.constant, self.rational, self.reduced
        )  # None for angles: only sine and cosine enter

    def rational(self, x: int | Fraction) -> Any:
        """Return a number as the ring has it."""
        if self._point is None:
            return rational(x)
        x = Fraction(x)
        return x.numerator * pow(x.denominator, -1, WORD_PRIME) % WORD_PRIME

    def _cosine_and_sine(self, angle: Node) -> tuple[Polynomial, Polynomial]:
        """Return cosine and sine of a whole-number combination of joint angles, with a constant angle."""
        moving, rest = _combination(angle)
        c, s = self.context.constant(1), self.context.constant(0)
        if rest is not None:
            [c, s] = self.polynomials([rest.cos(), rest.sin()])
        for pair, times in zip(self.pairs, self._in_working_angles(moving), strict=False):
            for _ in range(abs(times)):
                a, b = pair[0], pair[1] * (1 if times > 0 else -1)
                c, s = self.reduced(c * a - s * b), self.reduced(s * a + c * b)
        return c, s

    def _in_working_angles(self, combination: Mapping[Node, Fraction]) -> list[int]:
        """Return how often each working angle enters; outermost joints first, whose angles alone contain them."""
        left = dict(combination)
        times = [0] * len(self.angles)
        for k in reversed(range(len(self.angles))):
            angle = self.angles[k]
            top = left.get(angle.symbol, Fraction(0)) / angle.parts[angle.symbol]
            if top.denominator != 1:
                raise UnsupportedError(f"the sine of {top} times a joint's angle", "explicit", "use whole multiples")
            times[k] = int(top)
            for symbol, coefficient in angle.parts.items():
                left[symbol] = left.get(symbol, Fraction(0)) - times[k] * coefficient
        return times

    # -- algebra ------------------------------------------------------------------

    def derivative(self, p: Polynomial, coordinate: Node) -> Polynomial:
        """Return dp/dq of a joint's coordinate."""
        if coordinate in self._slide:
            return p.derivative(self._index(self._slide[coordinate]))
        total = self.context.constant(0)
        for k, angle in enumerate(self.angles):
            if coordinate in angle.parts:
                c, s = self.pairs[k]
                slope = c * p.derivative(len(self.pairs) + k) - s * p.derivative(k)
                total += slope * angle.parts[coordinate]
        return self.reduced(total)

    def half(self, p: Polynomial) -> Polynomial:
        """Return p / 2."""
        return p * self.rational(Fraction(1, 2))

    def _index(self, generator: Polynomial) -> int:
        return list(self.context.gens()).index(generator)

    # -- to terms -------------------------------------------------------------------

    @property
    def variables(self) -> list[str]:
        """Names of the generators that move: cosines, sines, slides."""
        return [*(f"C{a.name}" for a in self.angles), *(f"S{a.name}" for a in self.angles), *map(str, self.slides)]

    def collected(self, p: Polynomial) -> dict[tuple[int, ...], Polynomial]:
        """Return {powers of the moving generators: coefficient, a polynomial in the parameters}."""
        n, m, last = len(self.pairs), self.moving, 2 * len(self.pairs) + len(self.slides)
        still, resting = (0,) * m, (0,) * len(self.slides)
        found: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for e, coefficient in p.to_dict().items():
            powers = tuple(map(int, e[:m] + e[n : n + m] + e[2 * n : last]))
            rest = still + e[m:n] + still + e[n + m : 2 * n] + resting + e[last:]
            found.setdefault(powers, {})[rest] = coefficient
        return {powers: self.context.from_dict(parts) for powers, parts in found.items()}

    def marks(self, p: Polynomial) -> dict[tuple[int, ...], int]:
        """Return {powers of the moving generators: coefficient} of a polynomial with numbers for its parameters."""
        return {tuple(map(int, powers)): int(number) for powers, number in p.to_dict().items()}

    @property
    def parameter_nodes(self) -> list[Node | None]:
        """The expression of every generator, None for those that move."""
        back = {str(g): x for x, g in self._known.items() if x.stage <= Stage.PARAMETER and len(g) == 1}
        return [back.get(str(g)) for g in self.context.gens()]


def _context(names: Sequence[str], numbers: bool) -> Any:
    """Return FLINT's context: the first names lead, so that division replaces the squares of cosines."""
    if numbers:
        return nmod_mpoly_ctx.get(names, modulus=WORD_PRIME, ordering=Ordering.lex)
    return fmpq_mpoly_ctx.get(names, Ordering.lex)


def _with_partners(parameters: Iterable[Node]) -> tuple[Node, ...]:
    """Return the parameters with the sine of every cosine and the cosine of every sine added."""
    found: dict[Node, None] = {}
    for x in parameters:
        found[x] = None
        if x.is_turn:
            found[x.args[0].cos()], found[x.args[0].sin()] = None, None
    return tuple(found)


def parameter_atoms(outputs: Iterable[Node]) -> list[Node]:
    """Return the symbols and the sines and cosines of constant angles that expressions are made of."""
    outputs = list(outputs)
    order = topological(outputs)
    turns = [x for x in order if x.is_turn]
    rests = [rest for x in turns if (rest := _combination(x.args[0])[1]) is not None]
    inside = set(topological(x.args[0] for x in turns))
    used = {arg for x in order if x not in inside and x not in turns for arg in x.args} | set(outputs)
    symbols = [x for x in order if x.op is Op.SYMBOL and x.stage == Stage.PARAMETER and (x not in inside or x in used)]
    return [*symbols, *dict.fromkeys(rest.cos() for rest in rests)]


def _combination(angle: Node) -> tuple[dict[Node, Fraction], Node | None]:
    """Return joint symbols with their coefficients, and what is left of an angle at parameter stage."""
    graph = angle.graph
    moving: dict[Node, Fraction] = {}
    rest: list[tuple[Any, Node]] = []

    def add(x: Node, factor: Fraction) -> None:
        if x.stage <= Stage.PARAMETER:
            rest.append((factor, x))
        elif x.op is Op.SYMBOL:
            moving[x] = moving.get(x, Fraction(0)) + factor
        elif x.op is Op.SUM:
            rest.append((factor * x.weights.constant, graph.constant(1)))
            for coefficient, arg in x.terms:
                add(arg, factor * coefficient)
        elif x.is_multiple:
            add(x.args[0], factor * x.powers.coefficient)
        else:
            raise InputError("an angle that is no sum of joint angles", "explicit")

    add(angle, Fraction(1))
    constant = graph.linear(0, [(factor, x) for factor, x in rest])
    return moving, None if constant.is_zero else constant
