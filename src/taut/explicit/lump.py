"""The lumped constants of an explicit model: one per coefficient, shared up to a rational factor.

Parameters that multiply the same product of sines and cosines become one constant; coefficients that differ by
a rational factor alone are the same constant. Each is scaled so that the factors left in the elements are whole
and as small as can be, and signed so that its first term is positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from taut.explicit.formula import Writer
from taut.explicit.model import LumpedConstant, Monomial, Term
from taut.explicit.notation import Notation, Sum
from taut.explicit.parameters import NamedRobot, Progress
from taut.polynomials.algebra import Polynomial
from taut.polynomials.torque_ring import Ring

Lumped = list[tuple[Fraction, int | None, Monomial]]
"""[(factor, number of the constant's family, monomial), ...]"""


class Families:
    """Coefficients by what they are up to a number."""

    def __init__(self) -> None:
        self._number: dict[Any, int] = {}
        self.polynomials: list[Polynomial] = []

    def split(self, coefficient: Polynomial) -> tuple[Fraction, int | None]:
        """Return (factor, family) with ``coefficient = factor * polynomials[family]``; no family for a number."""
        factor, primitive = _primitive(coefficient)
        if primitive is None:
            return factor, None
        if primitive not in self._number:
            self._number[primitive] = len(self.polynomials)
            self.polynomials.append(coefficient.context().from_dict(dict(primitive)))
        return factor, self._number[primitive]


def _primitive(coefficient: Polynomial) -> tuple[Fraction, frozenset[Any] | None]:
    """Return a factor and the whole coprime coefficients left, the leading one positive; None for a number."""
    terms = coefficient.to_dict()
    numbers = [Fraction(int(x.p), int(x.q)) for x in terms.values()]
    if len(terms) == 1 and not any(next(iter(terms))):
        return numbers[0], None
    size = Fraction(gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers)))
    factor = size if coefficient.leading_coefficient() > 0 else -size
    return factor, frozenset(zip(terms, (int(x / factor) for x in numbers), strict=True))


def lumped(terms: Sum, notation: Notation, families: Families) -> Lumped:
    """Return a sum with families for its coefficients; terms of one family stand together, shortest products first."""
    found = []
    for powers, coefficient in terms.items():
        factor, family = families.split(coefficient)
        found.append((notation.length(powers), notation.monomial(powers), factor, family))
    found.sort(key=lambda row: (row[0], notation.position(row[1])))
    first: dict[int | None, int] = {}
    for row in found:
        first.setdefault(row[3], len(first))
    found.sort(key=lambda row: first[row[3]])
    return [(factor, family, monomial) for _, monomial, factor, family in found]


class Constants:
    """Names, scales and signs of the families, in the order in which sums use them."""

    def __init__(
        self,
        sums: Iterable[Lumped],
        families: Families,
        ring: Ring,
        robot: NamedRobot,
        progress: Progress | None = None,
    ) -> None:
        factors: dict[int, list[Fraction]] = {}
        for terms in sums:
            for factor, family, _ in terms:
                if family is not None:
                    factors.setdefault(family, []).append(factor)
        self._scale = {family: _common(found) for family, found in factors.items()}
        self._name = {family: f"K{k + 1}" for k, family in enumerate(factors)}
        self.table: dict[str, LumpedConstant] = {}
        writer = Writer(ring.graph, ring.parameter_nodes)
        for family, name in self._name.items():
            if progress is not None:
                progress(f"formula of {name}", len(self._name))
            formula = writer.written(families.polynomials[family] * ring.rational(self._scale[family]))
            self.table[name] = LumpedConstant(name, formula, robot.naming.known(formula))

    def terms(self, found: Sequence[tuple[Fraction, int | None, Monomial]]) -> tuple[Term, ...]:
        """Return terms with the names of their constants."""
        return tuple(
            Term(factor, None, monomial)
            if family is None
            else Term(factor / self._scale[family], self._name[family], monomial)
            for factor, family, monomial in found
        )


def _common(factors: Sequence[Fraction]) -> Fraction:
    """Return the greatest number that leaves whole factors, with the sign of the first."""
    size = Fraction(gcd(*(x.numerator for x in factors)), lcm(*(x.denominator for x in factors)))
    return size if factors[0] > 0 else -size
