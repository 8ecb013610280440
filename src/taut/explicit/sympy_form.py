"""An explicit model as SymPy expressions, and back: for display and interchange, exact both ways.

:func:`to_sympy` gives the elements over SymPy symbols of the constants and sines and cosines of the joint angles;
:func:`from_sympy` reads them, or what a user has made of them, into a model again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from taut.emit.sympy import Expression, node_to_sympy, sympy_module
from taut.errors import InputError
from taut.explicit.model import ExplicitModel, Monomial, Relation, Term
from taut.explicit.rate_matrices import RateMatrices, pairs


@dataclass(frozen=True, repr=False)
class SympyForm:
    """The model in SymPy.

    Attributes:
        constants: {name: formula in the elementary parameters}.
        elements: {name: sum over the constants' symbols, sines and cosines}.
        relations: {name: how an element follows from others, over the elements' symbols}.
        values: {symbol of an elementary parameter: value}.
        q: column of the joint positions; qd and qdd of their rates and accelerations.
        M: mass matrix over q and the constants' symbols.
        C: Coriolis matrix by the Christoffel symbols, ``C_ij = sum_k Gamma_ijk qd_k``.
        g: column of the torques that hold the robot still.
    """

    constants: dict[str, Expression]
    elements: dict[str, Expression]
    relations: dict[str, Expression]
    values: dict[Expression, float]
    q: Expression
    qd: Expression
    qdd: Expression
    M: Expression
    C: Expression
    g: Expression

    @property
    def tau(self) -> Expression:
        """The column M qdd + C qd + g."""
        return self.M * self.qdd + self.C * self.qd + self.g

    @property
    def rate_matrices(self) -> RateMatrices:
        """The torque as M qdd + B qq + C q2 + G."""
        sympy, n = sympy_module(), len(self.q)
        columns = pairs(n)
        return RateMatrices(
            M=self.M,
            B=sympy.Matrix(n, len(columns), [x for name, x in self.elements.items() if name.startswith("b")]),
            C=sympy.Matrix(n, n, [x for name, x in self.elements.items() if name.startswith("c")]),
            G=self.g,
            qq=sympy.Matrix(len(columns), 1, [self.qd[j] * self.qd[k] for j, k in columns]),
            q2=sympy.Matrix([rate**2 for rate in self.qd]),
        )

    def along(self, expression: Expression, motion: Sequence[Expression], t: Expression) -> Expression:
        """Return a matrix or an expression as a function of time, rates and accelerations differentiated.

        Args:
            expression: over q, qd and qdd, such as ``tau``.
            motion: the position of every joint as a formula of t.
            t: the symbol of time.
        """
        if len(motion) != len(self.q):
            raise InputError(f"{len(motion)} formulas", "along", f"give {len(self.q)}, one a joint")
        sympy = sympy_module()
        path = [sympy.sympify(formula) for formula in motion]
        places = {
            symbol: sympy.diff(formula, t, order) if order else formula
            for order, column in enumerate((self.q, self.qd, self.qdd))
            for symbol, formula in zip(column, path, strict=True)
        }
        return expression.subs(places, simultaneous=True)

    def __repr__(self) -> str:
        return f"<SympyForm: {len(self.q)} joints, {len(self.constants)} constants, {len(self.elements)} elements>"

    def written_out(self, expression: Expression) -> Expression:
        """Return a matrix or an expression with the constants replaced by their formulas in the parameters."""
        return expression.subs({_symbol(name): formula for name, formula in self.constants.items()})

    def numeric(self, expression: Expression) -> Expression:
        """Return a matrix or an expression with the constants replaced by their values; others stay symbols."""
        constants = {_symbol(name): formula.subs(self.values) for name, formula in self.constants.items()}
        return expression.subs(constants)


def _symbol(name: str) -> Expression:
    return sympy_module().Symbol(name, real=True)


def to_sympy(model: ExplicitModel) -> SympyForm:
    """Return the model as SymPy expressions; all symbols are real."""
    sympy = sympy_module()
    joints = [_symbol(f"q{k + 1}") for k in range(model.n)]

    def generator(name: str) -> Expression:
        angle = sum(times * joints[joint] for joint, times in model.angles[name])
        if name[0] not in "CS":
            return angle
        return sympy.cos(angle) if name[0] == "C" else sympy.sin(angle)

    generators = {name: generator(name) for name in model.generators}

    def term(t: Term) -> Expression:
        factors = [generators[name] ** power for name, power in t.monomial]
        if t.constant is not None:
            factors.insert(0, _symbol(t.constant))
        return sympy.Mul(sympy.Rational(t.factor.numerator, t.factor.denominator), *factors)

    def related(relation: Relation) -> Expression:
        parts = [
            sympy.Rational(factor.numerator, factor.denominator) * _symbol(name) for factor, name in relation.parts
        ]
        return sympy.Add(*parts, *(term(t) for t in relation.extra))

    n = range(model.n)
    q, qd, qdd = (sympy.Matrix([_symbol(f"{letter}{k + 1}") for k in n]) for letter in ("q", "qd", "qdd"))
    elements = {name: sympy.Add(*(term(t) for t in e.terms)) for name, e in model.elements.items()}

    def coriolis(i: int, j: int) -> Expression:
        parts = [(sympy.Rational(x.numerator, x.denominator), elements[e.name], k) for x, e, k in model.C[i, j]]
        return sympy.Add(*(factor * element * qd[k] for factor, element, k in parts))

    return SympyForm(
        constants={name: node_to_sympy(constant.formula) for name, constant in model.constants.items()},
        elements=elements,
        relations={name: related(e.relation) for name, e in model.elements.items() if e.relation and e.relation.parts},
        values={_symbol(name): value for name, value in model.values.items()},
        q=q,
        qd=qd,
        qdd=qdd,
        M=sympy.Matrix(model.n, model.n, lambda i, j: elements[model.M[i, j].name]),
        C=sympy.Matrix(model.n, model.n, coriolis),
        g=sympy.Matrix([elements[model.g[i].name] for i in n]),
    )


def from_sympy(model: ExplicitModel, elements: Mapping[str, Expression]) -> ExplicitModel:
    """Return the model with the elements that SymPy expressions give.

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
