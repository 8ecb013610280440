"""The exact factors of a trigonometric polynomial: where it vanishes.

Sines and cosines have no unique factors of their own (s*s = (1 - c)(1 + c)), but half angles do: with t the sine
and w the cosine of half an angle, c = w^2 - t^2, s = 2 t w, 1 = w^2 + t^2, and what was a polynomial is homogeneous
in every pair (t, w). FLINT factors it there; factors that only belong together to a whole angle are put together
again so that the fewest terms are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx

from taut.polynomials.algebra import Polynomial, fraction, rational
from taut.polynomials.chain_ring import Ring, length

MOST_HALVES = 6
"""Factors of half angles that are put together at most to one of whole angles."""


@dataclass(frozen=True)
class Factored:
    """A number and the factors of a polynomial, as it reads shortest."""

    number: Fraction
    factors: tuple[tuple[Polynomial, int], ...]


class HalfAngles:
    """The polynomials of a ring in half angles."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self._n = len(ring.single)
        names = [f"t{k}" for k in range(self._n)] + [f"w{k}" for k in range(self._n)]
        names += [f"p{k}" for k in range(len(ring.plain))]
        self.context = fmpq_mpoly_ctx.get(names, Ordering.lex)
        gens = self.context.gens()
        self._t, self._w, self._plain = gens[: self._n], gens[self._n : 2 * self._n], gens[2 * self._n :]
        self._units = [t * t + w * w for t, w in zip(self._t, self._w, strict=True)]

    def halved(self, p: Polynomial) -> Polynomial:
        """Return a canonical polynomial in half angles, of the least degree in each; 0 for 0."""
        all_angles = len(self.ring.angles)
        terms = [(powers, c) for powers, c in self.ring.reduced(p).terms()]
        degree = [max((e[k] + e[k + all_angles] for e, _ in terms), default=0) for k in range(self._n)]
        total: Polynomial = self.context.constant(0)
        for powers, coefficient in terms:
            term = self.context.constant(coefficient)
            for k in range(self._n):
                c, s = int(powers[k]), int(powers[k + all_angles])
                t, w = self._t[k], self._w[k]
                term *= (w * w - t * t) ** c * (2 * t * w) ** s * self._units[k] ** (int(degree[k]) - c - s)
            for x, power in zip(self._plain, powers[2 * all_angles :], strict=True):
                term *= x ** int(power)
            total += term
        for unit in self._units:
            while total != 0 and (quotient := _quotient(total, unit)) is not None:
                total = quotient
        return total

    def whole(self, f: Polynomial) -> Polynomial | None:
        """Return a polynomial of even degree in every half angle in whole angles again, None for an odd one."""
        if any(self._parity(f)):
            return None
        ring = self.ring
        total = ring.zero
        for powers, coefficient in f.terms():
            term = ring.one * coefficient
            for k in range(self._n):
                t, w = int(powers[k]), int(powers[k + self._n])
                c, s = ring.cos_sin(k)
                both = t % 2
                half = rational(Fraction(1, 2))
                term *= (s * half) ** both * ((1 - c) * half) ** (t // 2) * ((1 + c) * half) ** (w // 2)
            for x, power in zip(ring.plain, powers[2 * self._n :], strict=True):
                term *= x ** int(power)
            total += term
        return ring.reduced(total)

    def divided(self, p: Polynomial, factor: Polynomial) -> Polynomial | None:
        """Return p / factor where that is a polynomial in whole angles, else None."""
        if p == 0:
            return p
        quotient = _quotient(self.halved(p), self.halved(factor))
        found = None if quotient is None else self.whole(quotient)
        if found is None:
            return None
        # Halving drops units, so the quotient is right up to a number.
        product = self.ring.reduced(found * factor)
        scale = p.leading_coefficient() / product.leading_coefficient()
        return found * scale if product * scale == self.ring.reduced(p) else None

    def factored(self, p: Polynomial) -> Factored:
        """Return the factors of a canonical polynomial that is not zero, single letters first."""
        p = self.ring.reduced(p)
        _, parts = self.halved(p).factor()
        whole: list[Polynomial] = []
        odd: list[Polynomial] = []
        for part, power in parts:
            (odd if any(self._parity(part)) else whole).extend([part] * int(power))
        found = [self.primitive(f)[1] for f in [*(self._known(w) for w in whole), *self._paired(odd)]]
        found = [f for f in found if not f.is_constant()]
        found.sort(key=self.reading_order)
        counted = [(f, found.count(f)) for k, f in enumerate(found) if f not in found[:k]]
        product = self.ring.one
        for f, power in counted:
            product *= f**power
        product = self.ring.reduced(self.in_single(product))
        number = fraction(p.leading_coefficient() / product.leading_coefficient())
        assert product * rational(number) == p, "factors have to multiply to the polynomial"
        return Factored(number, tuple(counted))

    def reading_order(self, f: Polynomial) -> tuple[Any, ...]:
        """Return where a factor stands in a product: lengths first, then short ones."""
        angles = len(self.ring.angles)
        letters = [(k >= 2 * angles, k % angles, k) for k, e in enumerate(f.degrees()) if e > 0]
        plain = all(is_plain for is_plain, _, _ in letters)
        return len(f) > 1, not plain, length(f), letters, str(f)

    def _known(self, f: Polynomial) -> Polynomial:
        found = self.whole(f)
        assert found is not None
        return found

    def primitive(self, p: Polynomial) -> tuple[Fraction, Polynomial]:
        """Return a number and the shortest form of the rest: no common number, first letter positive."""
        shortest = self.ring.shortest(p)
        content = _common([fraction(c) for c in shortest.coeffs()])
        first = min(shortest.terms(), key=lambda term: tuple(-int(e) for e in term[0][2 * len(self.ring.angles) :]))
        content = content if first[1] > 0 else -content
        return content, shortest * rational(1 / content)

    def in_single(self, p: Polynomial) -> Polynomial:
        """Return a polynomial with its sums of angles opened."""
        ring = self.ring
        image = list(ring.context.gens())
        for k, angle in enumerate(ring.angles):
            image[k], image[k + len(ring.angles)] = ring.turn(angle.terms)
        return ring.reduced(p.compose(*image))

    def _parity(self, f: Polynomial) -> list[int]:
        [powers, *_] = f.monoms()
        return [(int(powers[k]) + int(powers[k + self._n])) % 2 for k in range(self._n)]

    def _paired(self, odd: Sequence[Polynomial]) -> list[Polynomial]:
        """Put factors of half angles together so that whole angles and the fewest terms are left."""
        if not odd:
            return []
        best: list[Polynomial] | None = None
        for chosen in self._even_sets(odd):
            product = odd[0]
            for k in chosen:
                product = product * odd[k]
            rest = [f for k, f in enumerate(odd) if k and k not in chosen]
            found = [self._known(product), *self._paired(rest)]
            if best is None or _reading(self.ring, found) < _reading(self.ring, best):
                best = found
        assert best is not None, "a polynomial in whole angles has an even number of halves"
        return best

    def _even_sets(self, odd: Sequence[Polynomial]) -> Iterator[tuple[int, ...]]:
        """Yield the smallest sets of others that make the first factor one of whole angles."""
        parities = [self._parity(f) for f in odd]
        for size in range(1, min(MOST_HALVES, len(odd))):
            sets = [
                chosen
                for chosen in combinations(range(1, len(odd)), size)
                if not any(sum(column) % 2 for column in zip(parities[0], *(parities[k] for k in chosen), strict=True))
            ]
            if sets:
                yield from sets
                return


def _reading(ring: Ring, found: Sequence[Polynomial]) -> tuple[int, int]:
    lengths = [length(ring.shortest(f)) for f in found]
    return sum(x for x, _ in lengths), sum(y for _, y in lengths)


def _quotient(p: Polynomial, by: Polynomial) -> Polynomial | None:
    quotient, rest = divmod(p, by)
    return quotient if rest == 0 else None


def _common(numbers: Sequence[Fraction]) -> Fraction:
    common = Fraction(0)
    for x in numbers:
        a, b = common, abs(x)
        while b:
            a, b = b, a % b
        common = a
    return common
