"""Design: derivatives of the explicit equations by parameters, and conditions under which M or gravity become simple.

Every element is a polynomial in sines, cosines and slides, in a unique form, with polynomials in the parameters as
coefficients. It vanishes at all positions exactly when all its coefficients do; FLINT takes these apart into factors.

The goals are those of H. Asada, K. Youcef-Toumi (decoupled and configuration-invariant inertia) and of static
balancing: M diagonal, M constant, no gravity torque.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq_mat

from taut.algorithms.coefficients import explicit_terms
from taut.derive.naming.parameters import SNAP
from taut.errors import InputError, refuse_unknown
from taut.explicit.build import LIMIT
from taut.explicit.elements import Expansion
from taut.explicit.parameters import named_robot
from taut.graph.text import to_text
from taut.polynomials.algebra import Polynomial
from taut.robot import Tree

GOALS = {
    "diagonal": "M is diagonal: no joint accelerates another",
    "constant": "M does not depend on the position: no Coriolis and centrifugal torques",
    "balanced": "gravity needs no torque at any position",
}
"""What conditions can be asked for."""


@dataclass(frozen=True)
class Condition:
    """One of several polynomials in the parameters has to be zero.

    Attributes:
        elements: names of the elements that have it as a coefficient.
        equations: one for each factor, any of which suffices; those with several terms first.
    """

    elements: tuple[str, ...]
    equations: tuple[str, ...]

    def __str__(self) -> str:
        return " or ".join(self.equations)


class Design:
    """The elements of a robot's equations as polynomials in its parameters.

    Attributes:
        robot: its name.
        parameters: names of the parameters that the elements depend on.
    """

    def __init__(self, tree: Tree) -> None:
        named = named_robot(tree, "pattern", SNAP)
        self._expansion = Expansion(named)
        self._ring = self._expansion.ring()
        self.robot = tree.name
        self._names = self._generator_names()
        self.parameters = tuple(
            name for name, node in zip(self._names, self._ring.parameter_nodes, strict=True) if node is not None
        )

    @cached_property
    def elements(self) -> dict[str, Polynomial]:
        """The polynomials of M, b, c and g, by the names of the explicit equations."""
        wanted = {term.name for term in explicit_terms(self._expansion.n)}
        return self._expansion.elements(self._ring, wanted, LIMIT)

    # -- derivatives --------------------------------------------------------------

    def derivative(self, element: str, parameter: str) -> str:
        """Return the derivative of an element by a parameter, as a formula.

        Args:
            element: ``M12``, ``b112``, ``c21``, ``g1``.
            parameter: one of :attr:`parameters`.
        """
        if element not in self.elements:
            raise InputError(
                f"no element '{element}'", "design", f"choose of M11 ... g{self._expansion.n}, see robot.explicit()"
            )
        if parameter not in self.parameters:
            raise InputError(f"no parameter '{parameter}'", "design", f"choose of {', '.join(self.parameters)}")
        return self._text(self.elements[element].derivative(self._names.index(parameter)))

    def derivatives(self, parameter: str) -> dict[str, str]:
        """Return {element: its derivative by a parameter} of the elements that change with it."""
        found = {element: self.derivative(element, parameter) for element in self.elements}
        return {element: text for element, text in found.items() if text != "0"}

    # -- conditions ---------------------------------------------------------------

    def conditions(self, goal: str) -> tuple[Condition, ...]:
        """Return what the parameters have to fulfil, all of it together; nothing where the goal is met as it is.

        Args:
            goal: a name of :data:`GOALS`.
        """
        refuse_unknown("goal", goal, GOALS, "design")
        found: dict[str, Polynomial] = {}
        of: dict[str, list[str]] = {}
        for name, coefficient in self._coefficients(goal):
            p = _primitive(coefficient)
            found.setdefault(str(p), p)
            of.setdefault(str(p), []).append(name)
        needed = _independent(list(found.values()))
        return tuple(Condition(tuple(dict.fromkeys(of[str(p)])), self._equations(p)) for p in needed)

    def _coefficients(self, goal: str) -> Iterable[tuple[str, Polynomial]]:
        """Yield the coefficients that have to vanish, with the names of their elements."""
        for term in explicit_terms(self._expansion.n):
            wanted = {
                "diagonal": term.kind == "M" and term.indices[0] != term.indices[1],
                "constant": term.kind == "M",
                "balanced": term.kind == "g",
            }[goal]
            if wanted:
                for powers, coefficient in self._ring.collected(self.elements[term.name]).items():
                    if goal != "constant" or any(powers):
                        yield term.name, coefficient

    def _equations(self, p: Polynomial) -> tuple[str, ...]:
        _, factors = p.factor()
        ordered = sorted((f for f, _ in factors), key=lambda f: (-len(f), self._text(f)))
        return tuple(self._equation(f) for f in ordered)

    def _equation(self, p: Polynomial) -> str:
        """Return p = 0 with positive terms on both sides."""
        left: list[str] = []
        right: list[str] = []
        for exponents, coefficient in p.to_dict().items():
            term = self._term(exponents, abs(Fraction(int(coefficient.p), int(coefficient.q))))
            (left if coefficient > 0 else right).append(term)
        if not left:
            left, right = right, left
        return f"{' + '.join(left)} = {' + '.join(right) or '0'}"

    # -- text ---------------------------------------------------------------------

    def _generator_names(self) -> list[str]:
        generators = zip(self._ring.context.gens(), self._ring.parameter_nodes, strict=True)
        return [to_text(node) if node is not None else str(moving).removeprefix("q#") for moving, node in generators]

    def _text(self, p: Polynomial) -> str:
        parts = ""
        for exponents, coefficient in p.to_dict().items():
            size = Fraction(int(coefficient.p), int(coefficient.q))
            sign = "-" if size < 0 else "+"
            parts += f" {sign} {self._term(exponents, abs(size))}"
        return "0" if not parts else ("-" if parts.startswith(" -") else "") + parts[3:]

    def _term(self, exponents: Sequence[int], size: Fraction) -> str:
        factors = [
            name if power == 1 else f"{name}^{power}"
            for name, power in sorted(zip(self._names, map(int, exponents), strict=True), key=self._reading_order)
            if power
        ]
        number = [] if size == 1 and factors else [str(size) if size.denominator == 1 else f"({size})"]
        return "*".join([*number, *factors])

    def _reading_order(self, part: tuple[str, int]) -> tuple[bool, str]:
        """Parameters first, then what moves."""
        return part[0] not in self.parameters, part[0]

    def __repr__(self) -> str:
        return f"<Design of {self.robot}: {len(self.parameters)} parameters; goals {', '.join(GOALS)}>"

    def text(self) -> str:
        """Return the conditions of every goal."""
        lines = [f"{self.robot}: conditions on the parameters"]
        for goal, meaning in GOALS.items():
            found = self.conditions(goal)
            lines += ["", f"{goal}: {meaning}", *(f"  {condition}" for condition in found)]
            if not found:
                lines.append("  as it is")
        return "\n".join(lines) + "\n"


def _primitive(p: Polynomial) -> Polynomial:
    """Return the polynomial over its leading coefficient, so that multiples are the same."""
    leading = next(iter(p.to_dict().values()))
    return p * (1 / leading)


def _independent(found: Sequence[Polynomial]) -> list[Polynomial]:
    """Return the polynomials, shortest first, without those that vanish where the others do.

    A sum of others with numbers, or a multiple of another one, adds no condition.
    """
    kept: list[Polynomial] = []
    for p in sorted(found, key=len):
        if not any(divmod(p, other)[1] == 0 for other in kept) and not _combines(p, kept):
            kept.append(p)
    return kept


def _combines(p: Polynomial, others: Sequence[Polynomial]) -> bool:
    """Whether a polynomial is a sum of others times numbers."""
    keys = sorted({key for q in [*others, p] for key in q.to_dict()})
    rows = [[q.to_dict().get(key, 0) for key in keys] for q in others]
    return bool(others) and fmpq_mat(rows).rank() == fmpq_mat([*rows, [p.to_dict().get(k, 0) for k in keys]]).rank()
