"""Expressions of the graph in SymPy, and SymPy's in the graph; SymPy is imported only here, when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any

from taut.emit.routine import Routine
from taut.errors import InputError
from taut.graph import Graph, Node, Stage
from taut.graph.elementary import FUNCTIONS, Column
from taut.graph.evaluate import REAL, Arithmetic
from taut.graph.mapper import Mapper
from taut.graph.node import Rational, exact

Expression = Any
"""A SymPy expression."""


def sympy_module() -> Any:
    """Return SymPy; the error where it is missing names how to install it."""
    try:
        return import_module("sympy")
    except ImportError:
        raise InputError("SymPy is not installed", "SymPy form", "pip install sympy") from None


def sympy_matrix(routine: Routine) -> Any:
    """Return the answer of a routine as a SymPy matrix, a column for a vector; more axes are an array.

    Arguments and parameters read at run time are real symbols by their names; other parameters are numbers.
    """
    sympy = sympy_module()
    functions = Column(lambda function: getattr(sympy, function.name))
    arithmetic = Arithmetic(lambda x: sympy.Rational(*Fraction(x).as_integer_ratio()), REAL.power, functions)
    inputs = [line.data for line in routine.program.lines if line.op == "input"]
    symbols = {name: sympy.Symbol(name, real=True) for name in inputs}
    if routine.baked:
        symbols |= {name: sympy.Float(routine.values[name]) for name in routine.parameters}
    answers = routine.program.evaluate(symbols, arithmetic)
    if len(routine.shape) > 2:
        return sympy.Array(answers, routine.shape)
    return sympy.Matrix(*(*routine.shape, 1)[:2], answers)


def node_to_sympy(node: Node) -> Expression:
    """Return an expression of the graph in SymPy."""
    return _InSymPy(sympy_module())([node])[0]


class _InSymPy(Mapper[Expression]):
    def __init__(self, sympy: Any) -> None:
        super().__init__()
        self._sympy = sympy

    def constant(self, value: Rational) -> Expression:
        return self._sympy.Rational(*Fraction(value).as_integer_ratio())

    def symbol(self, name: str, stage: Stage) -> Expression:
        return self._sympy.Symbol(name, real=True)

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, Expression]]) -> Expression:
        return self._sympy.Add(self.constant(constant), *(self.constant(c) * term for c, term in terms))

    def product(self, coefficient: Rational, factors: Iterable[tuple[Expression, int]]) -> Expression:
        return self._sympy.Mul(self.constant(coefficient), *(factor**e for factor, e in factors))

    def function(self, name: str, args: list[Expression]) -> Expression:
        return getattr(self._sympy, name)(*args)


def node_from_sympy(expression: Expression, graph: Graph, stages: Mapping[str, Stage] | None = None) -> Node:
    """Return a SymPy expression as a node.

    Args:
        expression: of rationals, symbols, + - * /, whole powers, sin, cos, atan, atan2, sign and sqrt.
        graph: where the node is made.
        stages: {name of a symbol: its stage}; a parameter by default.
    """
    sympy, stages = sympy_module(), stages or {}
    names = {getattr(sympy, name): name for name in FUNCTIONS if name != "sqrt"}  # which is a power there
    done: dict[Expression, Node] = {}
    for part in sympy.postorder_traversal(expression):
        args = [done[arg] for arg in part.args]
        if part.is_Rational:
            done[part] = graph.constant(Fraction(int(part.p), int(part.q)))
        elif part.is_Float:
            done[part] = graph.constant(exact(float(part)))
        elif part.is_Symbol:
            done[part] = graph.symbol(part.name, stages.get(part.name, Stage.PARAMETER))
        elif part.is_Add:
            done[part] = graph.linear(0, [(1, arg) for arg in args])
        elif part.is_Mul:
            done[part] = graph.product(1, [(arg, 1) for arg in args])
        elif part.is_Pow and part.args[1].is_Integer:
            done[part] = args[0] ** int(part.args[1])
        elif part.is_Pow and part.args[1] == sympy.Rational(1, 2):
            done[part] = args[0].sqrt()
        elif part.func in names:
            done[part] = graph.function(names[part.func], *args)
        else:
            raise InputError(f"'{part.func}' has no counterpart", "from_sympy", "use + - * /, powers, sin and cos")
    return done[expression]
