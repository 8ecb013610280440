"""An explicit model as a Python file that builds it in SymPy; to write it taut needs no SymPy."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from taut.explicit.model import Element, ExplicitModel
from taut.graph import Node, Stage
from taut.graph.elementary import FUNCTIONS, Rational
from taut.graph.infix import signed_sum
from taut.graph.mapper import Mapper
from taut.graph.walk import names_of

_RESERVED = {"Rational", "Symbol", *FUNCTIONS, "elements", "constants", "values", "names"}
"""Names the file uses itself."""


def sympy_source(model: ExplicitModel) -> str:
    """Return a Python file that builds the model in SymPy: ``constants``, ``elements`` and ``values``."""
    parameters = sorted(names_of(c.formula for c in model.constants.values()))
    joints = [f"q{k + 1}" for k in range(model.n)]
    own = [*joints, *model.generators, *model.constants]
    written = {name: _python_name(name, own) for name in parameters}
    rows = [f'"""Explicit equations of {_remark(model.robot.name)} for SymPy; written by taut."""', ""]
    rows += ["from sympy import Rational, Symbol, atan, cos, sign, sin, sqrt", "", "names = {}"]
    rows += [f"{name} = Symbol({name!r}, real=True)" for name in joints]
    for name, variable in written.items():
        rows.append(f"{variable} = Symbol({name!r}, real=True)")
    rows += ["", *(f"{name} = {_angle_source(model, name)}" for name in model.generators if name not in joints)]
    rows += ["", "constants = {"]
    for name, constant in model.constants.items():
        rows.append(f"    {name!r}: {_node_source(constant.formula, written)},")
    rows += ["}", *(f"{name} = Symbol({name!r}, real=True)" for name in model.constants), "", "elements = {"]
    rows += [f"    {element.name!r}: {_element_source(element)}," for element in model.elements.values()]
    rows += ["}", "", "values = {"]
    rows += [f"    {written[name]}: {value!r}," for name, value in model.values.items() if name in written]
    return "\n".join([*rows, "}"]) + "\n"


def _angle_source(model: ExplicitModel, name: str) -> str:
    angle = " + ".join(
        f"{times}*q{joint + 1}" if times != 1 else f"q{joint + 1}" for joint, times in model.angles[name]
    )
    return f"{'cos' if name[0] == 'C' else 'sin'}({angle})"


def _element_source(element: Element) -> str:
    pieces = []
    for term in element.terms:
        parts = [] if term.constant is None else [term.constant]
        parts += [name if power == 1 else f"{name}**{power}" for name, power in term.monomial]
        pieces.append((term.factor, parts))
    return _sum(pieces)


def _node_source(node: Node, names: Mapping[str, str]) -> str:
    """Return a formula with every number exact; shared parts are written out."""
    return _Source(names)([node])[0]


class _Source(Mapper[str]):
    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__()
        self._names = names

    def constant(self, value: Rational) -> str:
        return _rational_source(value)

    def symbol(self, name: str, stage: Stage) -> str:
        return self._names[name]

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, str]]) -> str:
        pieces = [(Fraction(c), [term]) for c, term in terms]
        return f"({_sum([*pieces, *([(Fraction(constant), [])] if constant else [])])})"

    def product(self, coefficient: Rational, factors: Iterable[tuple[str, int]]) -> str:
        text = _sum([(Fraction(coefficient), [arg if e == 1 else f"({arg})**{e}" for arg, e in factors])])
        return f"({text})" if text.startswith("-") else text

    def function(self, name: str, args: list[str]) -> str:
        return f"{name}({', '.join(args)})"


def _sum(pieces: Sequence[tuple[Fraction, list[str]]]) -> str:
    """Return a sum of numbers times factors; Python's own integers stay exact under + - and *."""
    terms = []
    for factor, parts in pieces:
        size = abs(factor)
        number = [] if size == 1 and parts else [_rational_source(size)]
        terms.append((factor, "*".join([*number, *parts])))
    return signed_sum(terms) or "Rational(0)"


def _rational_source(x: int | Fraction) -> str:
    fraction = Fraction(x)
    return f"Rational({fraction.numerator}, {fraction.denominator})" if fraction.denominator > 1 else str(fraction)


def _python_name(name: str, taken: list[str]) -> str:
    """Return a variable for a symbol: its own name where Python allows it, else a place in a table."""
    plain = name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    return name if plain and name not in _RESERVED and name not in taken else f"names[{name!r}]"


def _remark(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else "_" for c in text)
