"""An explicit model as a Python file that builds it in SymPy; to write it taut needs no SymPy."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from fractions import Fraction

from taut.explicit.model import Element, ExplicitModel
from taut.graph import Node, topological
from taut.graph.elementary import FUNCTIONS

_RESERVED = {"Rational", "Symbol", *FUNCTIONS, "elements", "constants", "values", "names"}
"""Names the file uses itself."""


def sympy_source(model: ExplicitModel) -> str:
    """Return a Python file that builds the model in SymPy: ``constants``, ``elements`` and ``values``."""
    parameters = sorted(
        {x.data for c in model.constants.values() for x in topological([c.formula]) if x.op == "symbol"}
    )
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
    done: dict[Node, str] = {}
    for part in topological([node]):
        args = [done[arg] for arg in part.args]
        if part.op == "constant":
            done[part] = _rational_source(part.data)
        elif part.op == "symbol":
            done[part] = names[part.data]
        elif part.op == "sum":
            constant, coefficients = part.data
            terms = [(Fraction(c), [arg]) for c, arg in zip(coefficients, args, strict=True)]
            done[part] = f"({_sum([*terms, *([(Fraction(constant), [])] if constant else [])])})"
        elif part.op == "product":
            coefficient, exponents = part.data
            factors = [arg if e == 1 else f"({arg})**{e}" for arg, e in zip(args, exponents, strict=True)]
            done[part] = _sum([(Fraction(coefficient), factors)])
            done[part] = f"({done[part]})" if done[part].startswith("-") else done[part]
        else:
            done[part] = f"{part.op}({', '.join(args)})"
    return done[node]


def _sum(pieces: Sequence[tuple[Fraction, list[str]]]) -> str:
    """Return a sum of numbers times factors; Python's own integers stay exact under + - and *."""
    text = ""
    for factor, parts in pieces:
        size = abs(factor)
        number = [] if size == 1 and parts else [_rational_source(size)]
        text += (" - " if factor < 0 else " + ") + "*".join([*number, *parts])
    return ("-" + text[3:] if text.startswith(" - ") else text[3:]) or "Rational(0)"


def _rational_source(x: int | Fraction) -> str:
    fraction = Fraction(x)
    return f"Rational({fraction.numerator}, {fraction.denominator})" if fraction.denominator > 1 else str(fraction)


def _python_name(name: str, taken: list[str]) -> str:
    """Return a variable for a symbol: its own name where Python allows it, else a place in a table."""
    plain = name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")
    return name if plain and name not in _RESERVED and name not in taken else f"names[{name!r}]"


def _remark(text: str) -> str:
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else "_" for c in text)
