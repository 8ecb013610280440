"""An explicit model as SymPy expressions, and back: for display and interchange, exact both ways.

:func:`to_sympy` gives the elements over SymPy symbols of the constants and sines and cosines of the joint angles;
:func:`from_sympy` reads them, or what a user has made of them, into a model again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.errors import InputError
from taut.explicit.model import ExplicitModel, Monomial, Relation, Term
from taut.explicit.sympy_nodes import Expression, node_to_sympy, sympy_module


@dataclass(frozen=True)
class SympyForm:
    """The model in SymPy.

    Attributes:
        constants: {name: formula in the elementary parameters}.
        elements: {name: sum over the constants' symbols, sines and cosines}.
        relations: {name: how an element follows from others, over the elements' symbols}.
        values: {symbol of an elementary parameter: value}.
    """

    constants: dict[str, Expression]
    elements: dict[str, Expression]
    relations: dict[str, Expression]
    values: dict[Expression, float]


def to_sympy(model: ExplicitModel) -> SympyForm:
    """Return the model as SymPy expressions; all symbols are real."""
    sympy = sympy_module()
    joints = [sympy.Symbol(f"q{k + 1}", real=True) for k in range(model.n)]

    def generator(name: str) -> Expression:
        angle = sum(times * joints[joint] for joint, times in model.angles[name])
        if name[0] not in "CS":
            return angle
        return sympy.cos(angle) if name[0] == "C" else sympy.sin(angle)

    generators = {name: generator(name) for name in model.generators}

    def term(t: Term) -> Expression:
        factors = [generators[name] ** power for name, power in t.monomial]
        if t.constant is not None:
            factors.insert(0, sympy.Symbol(t.constant, real=True))
        return sympy.Mul(sympy.Rational(t.factor.numerator, t.factor.denominator), *factors)

    def related(relation: Relation) -> Expression:
        parts = [
            sympy.Rational(factor.numerator, factor.denominator) * sympy.Symbol(name, real=True)
            for factor, name in relation.parts
        ]
        return sympy.Add(*parts, *(term(t) for t in relation.extra))

    return SympyForm(
        constants={name: node_to_sympy(constant.formula) for name, constant in model.constants.items()},
        elements={name: sympy.Add(*(term(t) for t in e.terms)) for name, e in model.elements.items()},
        relations={name: related(e.relation) for name, e in model.elements.items() if e.relation and e.relation.parts},
        values={sympy.Symbol(name, real=True): value for name, value in model.values.items()},
    )


def from_sympy(model: ExplicitModel, elements: Mapping[str, Expression]) -> ExplicitModel:
    """Return the model with the elements that SymPy expressions say.

    Args:
        model: where names of constants and joints are known.
        elements: {name: expression}: sums of products of numbers, at most one constant and sines, cosines and
            slides of the model. Elements that are left out stay.
    """
    sympy = sympy_module()
    reader = _Reader(model, sympy)
    for name in elements:
        if name not in model.elements:
            raise InputError(
                f"no element '{name}'", "from_sympy", f"known are {', '.join(list(model.elements)[:6])}, ..."
            )
    given = {name: reader.terms(name, sympy.expand(expression, trig=False)) for name, expression in elements.items()}
    kept: dict[str, tuple[Term, ...]] = {}
    for name, terms in given.items():
        own = model.elements[name].terms
        kept[name] = own if _collected(own) == _collected(terms) else terms
    return model.with_terms(kept)


class _Reader:
    """Reads sums of products back into terms."""

    def __init__(self, model: ExplicitModel, sympy: Any) -> None:
        self._sympy, self._model = sympy, model
        self._order = {name: k for k, name in enumerate(model.generators)}
        self._of_angle = {
            (name[0], tuple(sorted(parts))): name for name, parts in model.angles.items() if name[0] in "CS"
        }

    def terms(self, element: str, expression: Expression) -> tuple[Term, ...]:
        """Return an expanded sum as terms, constants in the model's order."""
        if expression == 0:
            return ()
        found = [self._term(element, part) for part in self._sympy.Add.make_args(expression)]
        order = {name: k for k, name in enumerate(self._model.constants)}
        return tuple(sorted(found, key=lambda t: (order.get(t.constant or "", -1), t.monomial)))

    def _term(self, element: str, product: Expression) -> Term:
        factor, constant = Fraction(1), None
        powers: dict[str, int] = {}
        for base, exponent in (part.as_base_exp() for part in self._sympy.Mul.make_args(product)):
            if base.is_Rational:
                factor *= Fraction(int(base.p), int(base.q)) ** int(exponent)
            elif base.is_Symbol and base.name in self._model.constants and exponent == 1 and constant is None:
                constant = base.name
            elif exponent.is_Integer and exponent > 0:
                sign, name = self._generator(element, base)
                factor *= sign ** int(exponent)
                powers[name] = powers.get(name, 0) + int(exponent)
            else:
                raise InputError(
                    f"{product} is no term of a model", element, "give sums of constant * sines and cosines"
                )
        monomial: Monomial = tuple(sorted(powers.items(), key=lambda item: self._order[item[0]]))
        return Term(factor, constant, monomial)

    def _generator(self, element: str, base: Expression) -> tuple[int, str]:
        sympy = self._sympy
        if base.is_Symbol and base.name in self._order:
            return 1, base.name
        if isinstance(base, (sympy.sin, sympy.cos)):
            letter = "S" if isinstance(base, sympy.sin) else "C"
            parts = self._joints(base.args[0])
            if parts is not None:
                for sign in (1, -1):
                    name = self._of_angle.get((letter, tuple(sorted((j, sign * c) for j, c in parts))))
                    if name is not None:
                        return (sign if letter == "S" else 1), name
        raise InputError(f"'{base}' is unknown to the model", element, "use its constants, joints and angle sums")

    def _joints(self, angle: Expression) -> list[tuple[int, int]] | None:
        parts = []
        for symbol, times in angle.as_coefficients_dict().items():
            number = getattr(symbol, "name", "")[1:]
            if not (getattr(symbol, "name", "").startswith("q") and number.isdigit() and times == int(times)):
                return None
            parts.append((int(number) - 1, int(times)))
        return parts


def _collected(terms: tuple[Term, ...]) -> dict[tuple[str | None, frozenset[tuple[str, int]]], Fraction]:
    total: dict[tuple[str | None, frozenset[tuple[str, int]]], Fraction] = {}
    for term in terms:
        key = (term.constant, frozenset(term.monomial))
        total[key] = total.get(key, Fraction(0)) + term.factor
    return {key: factor for key, factor in total.items() if factor}
