"""The generators of a term, and the identities that hold between their products.

Generators in the reader's notation: a cosine and a sine for every revolute joint's cumulative angle, slides, and
for two angles of one run of parallel joints those of their difference and sum: with C2 and C23 also C3 and C223.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from taut.explicit.model import Monomial
from taut.graph import Graph, Node
from taut.polynomials.algebra import Polynomial
from taut.polynomials.torque_ring import Ring
from taut.polynomials.working_angles import Angle, angle_name, combined

Powers = int
"""Powers of the generators of a :class:`Notation`, five bits each: products add them."""

T = TypeVar("T")

BITS = 5
MASK = 2**BITS - 1

Sum = dict[Powers, Polynomial]
"""{powers: coefficient in the parameters}."""


@dataclass(frozen=True)
class Side:
    """One product of an identity.

    Attributes:
        powers: of its generators.
        needs: ((bits to shift by, power), ...) that a product must have to contain it.
        weight: 1 or -1.
    """

    powers: Powers
    needs: tuple[tuple[int, int], ...]
    weight: int

    def divides(self, powers: Powers) -> bool:
        """Whether a product contains this one."""
        for shift, power in self.needs:  # a loop: this is asked a million times
            if powers >> shift & MASK < power:
                return False
        return True


Identity = tuple[Side, Side, Side]
"""Three products whose weighted sum vanishes; the last is the shortest."""


class Notation:
    """The generators a reader may meet, and the identities between them.

    Attributes:
        names: of the generators: those of the ring first, then sines and cosines of differences and sums of
            angles of one run.
        angles: {name: coefficients of the joint angles}.
        squares: the identities of squares.
        identities: all of them.
    """

    def __init__(self, ring: Ring, q: Sequence[Node]) -> None:
        self.names = list(ring.variables)
        self.angles: dict[str, dict[Node, int]] = {}
        self._q = list(q)
        self._lengths: dict[Powers, int] = {}
        self._halves: dict[str, tuple[str, str]] = {}
        for letter in "CS":
            for angle in ring.angles:
                self.angles[letter + angle.name] = dict(angle.parts)
        names = [a.name for a in ring.angles]
        self.squares = [self._identity(((f"S{a}",) * 2, 1), ((f"C{a}",) * 2, 1), ((), -1)) for a in names]
        self.identities = list(self.squares)
        for j, inner in enumerate(ring.angles):
            for outer in ring.angles[j + 1 :]:
                if inner.run is outer.run and set(inner.parts) < set(outer.parts):
                    self.identities += self._of_two(inner, outer)

    def _of_two(self, inner: Angle, outer: Angle) -> list[Identity]:
        """Return the four identities of the products of two angles; makes generators of their sum and difference."""
        a, b = inner.name, outer.name
        difference, turn = self._added(combined(outer.parts, inner.parts, -1, self._q))
        total, _ = self._added(combined(outer.parts, inner.parts, 1, self._q))
        self._halves |= {f"C{total}": (a, b), f"S{total}": (a, b)}
        cc, ss, cs, sc = ((f"{x}{a}", f"{y}{b}") for x, y in ("CC", "SS", "CS", "SC"))
        return [
            self._identity((cc, 1), (ss, 1), ((f"C{difference}",), -1)),
            self._identity((cc, 1), (ss, -1), ((f"C{total}",), -1)),
            self._identity((cs, 1), (sc, -1), ((f"S{difference}",), -turn)),
            self._identity((cs, 1), (sc, 1), ((f"S{total}",), -1)),
        ]

    def _added(self, parts: dict[Node, int]) -> tuple[str, int]:
        """Return the name of an angle with its first coefficient positive, and the sign that took."""
        sign = 1 if next(iter(parts.values())) > 0 else -1
        parts = {x: sign * e for x, e in parts.items()}
        name = angle_name(parts, self._q)
        for letter in "CS":
            if letter + name not in self.angles:
                self.angles[letter + name] = parts
                self.names.append(letter + name)
        return name, sign

    def _identity(self, *sides: tuple[tuple[str, ...], int]) -> Identity:
        first, second, third = (self._side(factors, weight) for factors, weight in sides)
        return first, second, third

    def _side(self, factors: tuple[str, ...], weight: int) -> Side:
        shifts = Counter(BITS * self.names.index(name) for name in factors)
        return Side(sum(power << shift for shift, power in shifts.items()), tuple(shifts.items()), weight)

    def packed(self, terms: Mapping[tuple[int, ...], T]) -> dict[Powers, T]:
        """Return a sum over the ring's generators with its powers packed."""
        return {
            sum(power << BITS * k for k, power in enumerate(powers)): coefficient
            for powers, coefficient in terms.items()
        }

    def factors(self, powers: Powers) -> tuple[tuple[int, int], ...]:
        """Return ((index of a generator, power), ...) of a product."""
        found = []
        k = 0
        while powers:
            if power := powers & MASK:
                found.append((k, power))
            powers >>= BITS
            k += 1
        return tuple(found)

    def length(self, powers: Powers) -> int:
        """Return how long a product is to read: symbols in the reader's notation, ``SC4`` one, ``C2*S23`` two."""
        if powers not in self._lengths:
            factors = self.factors(powers)
            symbols = {self.names[k][1:] if self.names[k] in self.angles else self.names[k] for k, _ in factors}
            self._lengths[powers] = 4 * len(symbols) + sum(power for _, power in factors)
        return self._lengths[powers]

    # -- for the reader -----------------------------------------------------------

    def monomial(self, powers: Powers) -> Monomial:
        """Return a product as generators and powers, in the order of the joints."""
        found = [(self.names[k], power) for k, power in self.factors(powers)]
        return tuple(sorted(found, key=lambda factor: self._rank(factor[0])))

    @property
    def reading_order(self) -> list[str]:
        """Names of all generators in the order of the joints."""
        return sorted(self.names, key=self._rank)

    def position(self, monomial: Monomial) -> tuple[object, ...]:
        """Return a key that sorts products of one length."""
        return tuple((self._rank(name), power) for name, power in monomial)

    def _rank(self, name: str) -> tuple[object, ...]:
        parts = self.joints(name)
        return (
            tuple(joint for joint, times in parts for _ in range(abs(times))),
            tuple(t for _, t in parts),
            name[0] == "C",
        )

    def joints(self, name: str) -> tuple[tuple[int, int], ...]:
        """Return ((joint from 0, coefficient), ...) of a generator's angle, or a slide's joint."""
        if name not in self.angles:
            return ((int(name[1:]) - 1, 1),)
        return tuple((int(x.name[1:]) - 1, times) for x, times in self.angles[name].items())

    def node(self, name: str, graph: Graph) -> Node:
        """Return a generator as an expression; sums with a coefficient of 2 by their two angles."""
        if name not in self.angles:
            return next(x for x in self._q if x.name == name)
        if name in self._halves:
            (ca, sa), (cb, sb) = (
                (self.node(f"C{half}", graph), self.node(f"S{half}", graph)) for half in self._halves[name]
            )
            return ca * cb - sa * sb if name[0] == "C" else sa * cb + ca * sb
        angle = graph.linear(0, [(times, x) for x, times in self.angles[name].items()])
        return angle.cos() if name[0] == "C" else angle.sin()
