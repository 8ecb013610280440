"""Tables A2 to A7 of Armstrong, Khatib and Burdick 1986 as expressions in taut's symbols, and in taut's constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

import taut
from papers.formulas import Values, load
from taut.explicit import ExplicitModel
from taut.graph import Graph, Node
from taut.polynomials.torque_ring import Ring, parameter_atoms

TABLE = load("puma560_armstrong.json")
CONSTANTS = {name: row["formula"] for name, row in TABLE["constants"].items() if "formula" in row}
ELEMENTS = {name: row["formula"] for name, row in TABLE["elements"].items()}
ALIAS = re.compile(r"-?(0\.5 ?\* ?)?-?[bc]\d+")


def own_name(printed: str) -> str:
    """Return our name of his element: his kinetic energy matrix is A."""
    return printed.replace("a", "M")


def tables(graph: Graph) -> Values:
    """Return his formulas as expressions in our symbols; link 1 has nothing but Izz1."""
    known: dict[str, Any] = {name: 0 for name in TABLE["parameters"] if not TABLE["parameters"][name]}
    names = [name for name in TABLE["parameters"] if TABLE["parameters"][name]] + [f"Im{i}" for i in range(1, 7)]
    known |= {name: graph.symbol(name) for name in names}
    known["Iyy6"] = known["Ixx6"]  # one symbol in our file: his link 6 is round
    q = [graph.symbol(f"q{i}", taut.graph.Stage.CONFIGURATION) for i in range(1, 7)]
    angles: dict[str, Node] = {str(i): angle for i, angle in enumerate(q, 1)}
    angles["23"] = q[1] + q[2]
    for name, angle in angles.items():
        s, c = angle.sin(), angle.cos()
        known |= {f"S{name}": s, f"C{name}": c, f"SS{name}": s * s, f"CC{name}": c * c, f"SC{name}": s * c}
    known |= {"S223": (2 * q[1] + q[2]).sin(), "C223": (2 * q[1] + q[2]).cos()}
    return Values(known, CONSTANTS | ELEMENTS)


def addends(formula: str) -> int:
    """Return the addends of a printed formula after its own brackets are multiplied out."""

    def count(node: ast.expr) -> int:
        if isinstance(node, ast.BinOp):
            left, right = count(node.left), count(node.right)
            return left + right if isinstance(node.op, ast.Add | ast.Sub) else left * right
        return count(node.operand) if isinstance(node, ast.UnaryOp) else 1

    return count(ast.parse(formula, mode="eval").body)


def in_our_constants(model: ExplicitModel, formulas: Mapping[str, Node]) -> dict[str, dict[str, Fraction]]:
    """Return his constants as combinations of ours and of drive inertias, by exact linear algebra."""
    ours = {name: constant.formula for name, constant in model.constants.items()}
    return combined(model.graph, ours | _drives(model.graph), formulas)


def in_his_constants(model: ExplicitModel) -> dict[str, dict[str, Fraction]]:
    """Return our constants as combinations of his and of drive inertias."""
    theirs = tables(model.graph)
    his = {name: model.graph.lift(theirs[name]) for name in CONSTANTS}
    return combined(model.graph, _drives(model.graph) | his, {n: c.formula for n, c in model.constants.items()})


def _drives(graph: Graph) -> dict[str, Node]:
    return {f"Im{i}": graph.symbol(f"Im{i}") for i in range(1, 7)}


def combined(graph: Graph, parts: Mapping[str, Node], wanted: Mapping[str, Node]) -> dict[str, dict[str, Fraction]]:
    """Return formulas as combinations of others."""
    nodes = [*parts.values(), *wanted.values()]
    ring = Ring(graph, [], [], parameter_atoms(nodes))
    rows = [
        {tuple(map(int, powers)): Fraction(int(x.p), int(x.q)) for powers, x in polynomial.to_dict().items()}
        for polynomial in ring.polynomials(nodes)
    ]
    columns, targets = dict(zip(parts, rows, strict=False)), dict(zip(wanted, rows[len(parts) :], strict=True))
    return {name: solved(columns, target) for name, target in targets.items()}


def solved(columns: dict[str, dict[Any, Fraction]], target: dict[Any, Fraction]) -> dict[str, Fraction]:
    """Return a combination of columns that gives the target; the single column that does where there is one."""
    for name, column in columns.items():
        if column.keys() == target.keys():
            ratios = {target[key] / column[key] for key in target}
            if len(ratios) == 1:
                return {name: ratios.pop()}
    names, keys = list(columns), sorted({key for row in [*columns.values(), target] for key in row})
    numbers = [[columns[n].get(key, 0) for n in names] + [target.get(key, 0)] for key in keys]
    exact = [[fmpq(Fraction(x).numerator, Fraction(x).denominator) for x in row] for row in numbers]
    reduced, rank = fmpq_mat(exact).rref()
    found = {}
    for i in range(rank):
        pivot = next(k for k in range(len(names) + 1) if reduced[i, k] != 0)
        assert pivot < len(names), "not a combination of ours"
        if reduced[i, len(names)] != 0:
            found[names[pivot]] = Fraction(int(reduced[i, len(names)].p), int(reduced[i, len(names)].q))
    return found
