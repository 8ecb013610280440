"""Programs of robots whose joints follow others, begun from their explicit equations.

Links that parallelograms keep parallel share their sines and cosines, and the constants of all of them add up to a few:
the explicit equations of such a robot are about as long as those of the arm that it replaces, while a recursion
visits every rod.
"""

from __future__ import annotations

from taut.algorithms.coefficients import Coefficients
from taut.derive.naming.model import DerivedRobot
from taut.derive.starts.traces import Start
from taut.errors import TautError
from taut.explicit import ExplicitModel, explicit
from taut.explicit.sums import SUMS
from taut.graph import Graph, Node
from taut.graph.operation import Op
from taut.graph.substitute import substitute
from taut.robot import Tree
from taut.spatial import Scalar

MOST_TERMS = 3000
"""Terms of explicit equations beyond which a recursion is taken to be shorter."""

STANDS_FOR = "inertial_"
"""Symbols of regrouped inertial parameters, which are formulas, begin with this; followed by a number."""


def lumped_starts(model: DerivedRobot, function: str) -> list[Start]:
    """Return starts of a function from the explicit equations; none where it is not made of their elements."""
    if function not in SUMS:
        return []
    tree, meaning = _with_symbols(model.light_tree)
    try:
        equations = explicit(tree, "pattern", MOST_TERMS, verify=False)
    except TautError:  # a ratio that is no whole number, a free joint, too many terms
        return []
    elements = Coefficients.listed(equations.outputs(), equations.n)
    last = "tau" if function == "forward_dynamics" else "qdd"
    sums = SUMS[function](elements, equations.symbols("qd"), equations.symbols(last))
    numbers = substitute([equations.graph.lift(x) for x in sums], _whole_lengths(equations, model))
    outputs = [model.graph.lift(x) for x in numbers]
    formulas = {model.graph.symbol(name): x for name, x in meaning.items()}
    return [Start("explicit equations", substitute(outputs, formulas))]


def _with_symbols(tree: Tree) -> tuple[Tree, dict[str, Node]]:
    """Return a tree with a symbol for every inertial parameter that is not zero, and what the symbols stand for."""
    graph, meaning = Graph(), dict[str, Node]()

    def symbol(x: Scalar) -> Scalar:
        if not isinstance(x, Node) or x.op is Op.CONSTANT:
            return x
        name = f"{STANDS_FOR}{len(meaning)}"
        meaning[name] = x
        return graph.symbol(name)

    return tree.map(lambda x: x, inertial=symbol, drive=lambda x: x), meaning


def _whole_lengths(equations: ExplicitModel, model: DerivedRobot) -> dict[Node, int]:
    """Return the symbols that a derivation has as whole numbers, such as a length of 1 m."""
    own = {name: value for name, value in equations.values.items() if name not in model.naming.values}
    return {equations.graph.symbol(name): int(value) for name, value in own.items() if value == int(value)}
