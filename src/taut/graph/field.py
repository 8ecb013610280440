"""Evaluates a graph at a random point of the finite field GF(2^61 - 1).

Arithmetic there is exact, so two expressions that are equal as functions agree at every
point, and two that differ agree at a random point with a chance below degree / 2^61. What is
no polynomial gets a value that keeps the rules we want to prove with, and is free otherwise:

* (cos, sin) of a symbol is a random point of the circle; sums, differences and rational multiples of
  angles follow from the addition rule; each distinct constant angle is a circle point of its own.
* A symbol's plain value is independent of its circle point, as q is of sin q.
* atan(t) is the angle of the circle point (1, t) / sqrt(1 + t^2), and a free odd value outside sines and cosines;
  atan2(y, x) that of (x, y) / sqrt(x^2 + y^2).
* sqrt(x) is a root of x of random sign; sign(x) is a free value with sign(-x) = -sign(x).
* Groups of symbols given as ``spheres`` (the quaternion of a free joint) have squares that add up to one.

Fewer rules than the reals obey can only fail to prove something true, never prove something false.
Python's integers are the fast choice, about 1.5 microseconds a node and point: NumPy has no product of
61-bit residues, and the dozen calls that imitate one save time only beyond a hundred points at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from taut.errors import InputError
from taut.graph.angles import angle_terms
from taut.graph.elementary import FUNCTIONS, Elementary, Field, Parity
from taut.graph.node import Node, Rational, topological
from taut.graph.number import magnitude
from taut.graph.operation import CONSTANT, PRODUCT, SUM, SYMBOL
from taut.graph.stage import Stage

PRIME = 2**61 - 1
CIRCLE_ORDER = PRIME + 1
"""Points of x^2 + y^2 = 1: PRIME is 3 mod 4, so they form a cyclic group of PRIME + 1 elements."""

HALVINGS = 4
"""Angles may be halved this often and still follow the addition rule."""

Point = tuple[int, int]
"""(cosine, sine)."""


class FieldPoint:
    """A random value for every symbol, drawn from its name, stage and the seed; the same in every process.

    Args:
        seed: which family of points.
        index: which point of the family.
        spheres: groups of symbols (or their names) that form unit vectors.
        moved: names of symbols that take other values here than at the same point without this.
        state: which of several points with the same parameters.
        again: {symbol: how often another value was drawn for it}, where one is looked for that serves better.

    Attributes:
        exact: whether every square root met so far exists in the field; where one does not, a free
            value stands for it and ``sqrt(x)**2 = x`` is not known at this point.
        radicands: what square roots were taken of so far; equal ones have the same root.
    """

    def __init__(
        self,
        seed: int = 0,
        index: int = 0,
        spheres: Iterable[Sequence[Node | str]] = (),
        moved: Collection[str] = (),
        state: int = 0,
        again: Mapping[str, int] | None = None,
    ) -> None:
        self._again = again or {}
        self.exact = True
        self.radicands: set[int] = set()
        self._state = state
        self._moved = moved
        self._seed = (seed, index)
        self._units: dict[Any, Point] = {}
        self._on_sphere: dict[str, int] = {}
        for group in spheres:
            names = [member.name if isinstance(member, Node) else member for member in group]
            self._on_sphere.update(zip(names, self._sphere(names), strict=True))

    def evaluate(self, outputs: Sequence[Node]) -> list[int]:
        """Return the value of each output, 0 <= value < PRIME."""
        value = self.values(outputs)
        return [value[node] for node in outputs]

    def values(
        self, nodes: Iterable[Node], known: dict[Node, int] | None = None, order: Sequence[Node] | None = None
    ) -> dict[Node, int]:
        """Return the value of the nodes and of everything below them.

        Args:
            nodes: of one graph or of several.
            known: values from an earlier call; extended and returned, so that a growing graph
                costs only what is new.
            order: the nodes with everything below them, arguments first, where that is known.
        """
        value = {} if known is None else known
        turned: dict[Node, Point] = {}
        for node in topological(nodes, value) if order is None else order:
            if node in value:
                continue
            if node.op is PRODUCT:
                coefficient, exponents = node.powers
                result = residue(coefficient)
                for arg, exponent in zip(node.args, exponents, strict=True):
                    x = value[arg]
                    result = result * (x if exponent == 1 else power(x, exponent)) % PRIME
            elif node.op is SUM:
                constant, coefficients = node.weights
                result = residue(constant)
                for arg, coefficient in zip(node.args, coefficients, strict=True):
                    x = value[arg]
                    result += x if coefficient == 1 else -x if coefficient == -1 else residue(coefficient) * x
                result %= PRIME
            elif node.op is CONSTANT:
                result = residue(node.value) % PRIME
            elif node.op is SYMBOL:
                result = self._symbol(node)
            elif (known_function := FUNCTIONS[node.name]).field is Field.CIRCLE:
                [angle] = node.args
                if angle not in turned:
                    turned[angle] = self._circle(angle, value)
                result = turned[angle][node.name == "sin"]
            else:
                result = self._function(known_function, node.args, value)
            value[node] = result
        return value

    # -- random elements --------------------------------------------------------

    def _draw(self, *key: Any) -> int:
        digest = blake2b(repr((self._seed, key)).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        return int.from_bytes(digest) % PRIME

    def _symbol(self, node: Node) -> int:
        if node.name in self._on_sphere:
            return self._on_sphere[node.name]
        return self._draw(*self._key(node))

    def _key(self, symbol: Node) -> tuple[Any, ...]:
        moved: bool | int = symbol.name in self._moved
        if self._state and symbol.stage > Stage.PARAMETER:
            moved = 2 * self._state + moved
        drawn = (self._again[symbol.name],) if symbol.name in self._again else ()
        return "symbol", symbol.name, int(symbol.stage), moved, *drawn

    def _sphere(self, names: Sequence[str]) -> list[int]:
        """Return a point of the unit sphere by stereographic projection of a random plane point."""
        state = (self._state,) if self._state else ()
        plane = [self._draw("sphere", tuple(names), name, *state) for name in names[1:]]
        squared = sum(t * t for t in plane)
        if squared % PRIME == PRIME - 1:  # the projection has no image: move the plane point
            plane[0] += 1
            squared = sum(t * t for t in plane)
        scale = power(squared + 1, -1)
        return [(squared - 1) * scale % PRIME, *(2 * t * scale % PRIME for t in plane)]

    def _unit(self, key: Any) -> Point:
        """Return the circle point of a key: ((1 - t^2) / (1 + t^2), 2 t / (1 + t^2))."""
        if key not in self._units:
            t = self._draw("circle", key)
            scale = pow(1 + t * t, -1, PRIME)  # -1 is no square, so this is never zero
            self._units[key] = ((1 - t * t) * scale % PRIME, 2 * t * scale % PRIME)
        return self._units[key]

    # -- functions ----------------------------------------------------------------

    def _function(self, function: Elementary, arguments: Sequence[Node], value: dict[Node, int]) -> int:
        """Return the value of a function that is no coordinate of the circle."""
        argument, x = arguments[0], value[arguments[0]]
        others = [value[other] for other in arguments[1:]]
        if function.field is Field.ROOT:
            return self._root(x)
        if function.field is Field.SIZELESS and argument.op is PRODUCT:
            x = x * power(residue(magnitude(argument.powers.coefficient)), -1) % PRIME
        if x == 0 and not others and (at_zero := function.exact(0)) is not None:
            return residue(at_zero) % PRIME
        if function.parity is Parity.NONE or x <= PRIME // 2:
            return self._draw(function.name, x, *others)
        mirrored = self._draw(function.name, PRIME - x, *others)
        return mirrored if function.parity is Parity.EVEN else PRIME - mirrored

    def _root(self, x: int) -> int:
        self.radicands.add(x)
        root = pow(x, (PRIME + 1) // 4, PRIME)
        if root * root % PRIME != x:
            self.exact = False
            return self._draw("no root", x)
        return root if self._draw("branch", x) % 2 else -root % PRIME

    def _circle(self, angle: Node, value: dict[Node, int]) -> Point:
        constant, terms = angle_terms(angle)
        point = (1, 0)
        if constant:
            point = _conjugate(self._unit(("constant", str(abs(constant)))), constant < 0)
        for atom, coefficient in terms.items():
            if atom.function == "atan" and coefficient in (1, -1):
                point = circle_product(point, _conjugate(self._direction(value[atom.args[0]]), coefficient < 0))
                continue
            if atom.function == "atan2" and coefficient in (1, -1):
                y, x = (value[arg] for arg in atom.args)
                point = circle_product(point, _conjugate(self._direction(y, x), coefficient < 0))
                continue
            if atom.op is SYMBOL:
                key: Any = self._key(atom)
            else:  # any other angle is known by its value
                z = value[atom]
                key, coefficient = ("value", min(z, PRIME - z)), coefficient if z <= PRIME // 2 else -coefficient
            point = circle_product(point, self._multiple(key, coefficient))
        return point

    def _direction(self, y: int, x: int = 1) -> Point:
        """Return the point of the circle in the direction (x, y); (1, 0) where there is none."""
        if x == y == 0:
            return 1, 0
        scale = power(self._root((x * x + y * y) % PRIME), -1)
        return x * scale % PRIME, y * scale % PRIME

    def _multiple(self, key: Any, coefficient: Rational) -> Point:
        """Return (cos, sin) of ``coefficient`` times the angle of a key."""
        numerator, denominator = coefficient.numerator, coefficient.denominator
        halvings = (denominator & -denominator).bit_length() - 1
        if halvings > HALVINGS:  # e.g. 0.1 as a binary number: its fraction is an angle of its own
            whole = round(coefficient)
            rest = coefficient - whole
            part = _conjugate(self._unit(("part", key, str(abs(rest)))), rest < 0)
            return circle_product(self._multiple(key, whole), part)
        exponent = numerator << (HALVINGS - halvings)
        odd = denominator >> halvings
        if odd > 1:  # odd roots are unique in a group whose order is a power of two
            exponent = exponent * pow(odd, -1, CIRCLE_ORDER) % CIRCLE_ORDER
        return circle_power(self._unit(key), exponent)


def power(x: int, exponent: int) -> int:
    """Return ``x ** exponent`` in the field."""
    try:
        return pow(x, exponent, PRIME)
    except ValueError:
        raise InputError("an expression divides by something that is zero everywhere") from None


def residue(value: Rational) -> int:
    """Return a rational number as an element of the field; whole numbers as they are."""
    return value if isinstance(value, int) else _quotient(value.numerator, value.denominator)


@lru_cache(maxsize=1 << 16)
def _quotient(numerator: int, denominator: int) -> int:
    return numerator * power(denominator, -1) % PRIME


def circle_product(a: Point, b: Point) -> Point:
    """Return (cos, sin) of the sum of two angles."""
    return (a[0] * b[0] - a[1] * b[1]) % PRIME, (a[0] * b[1] + a[1] * b[0]) % PRIME


def _conjugate(a: Point, when: bool) -> Point:
    return (a[0], -a[1] % PRIME) if when else a


def circle_power(a: Point, exponent: int) -> Point:
    """Return (cos, sin) of a multiple of an angle."""
    result, square = (1, 0), _conjugate(a, exponent < 0)
    exponent = abs(exponent)
    while exponent:
        if exponent & 1:
            result = circle_product(result, square)
        square = circle_product(square, square)
        exponent >>= 1
    return result
