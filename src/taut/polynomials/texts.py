"""A coefficient expanded to a polynomial in lengths, sines and cosines, by FLINT."""

from __future__ import annotations

from flint import Ordering, fmpq_mpoly_ctx

from taut.graph import Node, topological
from taut.graph.operation import Op
from taut.graph.text import to_text
from taut.polynomials.algebra import Circles, Polynomial, combined

LARGEST = 200
"""Terms beyond which a multiplied-out form is too long to read."""


def polynomial_texts(x: Node) -> list[str]:
    """Return an expression multiplied out, with cos^2 = 1 - sin^2 used and with sin^2 = 1 - cos^2 used.

    The list is empty for what is no polynomial, or one of too many terms.
    """
    nodes = topological([x])
    atoms = {node: to_text(node) for node in nodes if node.op in (Op.SYMBOL, Op.FUNCTION)}
    angles = [node.args[0] for node in atoms if node.is_turn]
    texts = []
    for first, second in (("cos", "sin"), ("sin", "cos")):
        # The squares that are replaced have to lead in the lexical order of the generators.
        pairs = [x.graph.function(name, angle) for name in (first, second) for angle in dict.fromkeys(angles)]
        rest = [node for node in atoms if node not in pairs and node not in angles]
        generators = [*dict.fromkeys(pairs), *rest]
        context = fmpq_mpoly_ctx.get([to_text(node) for node in generators], Ordering.lex)
        polynomial = _polynomial(nodes, dict(zip(generators, context.gens(), strict=True)), context)
        if polynomial is None:
            return []
        texts.append(str(Circles(context.gens(), len(pairs) // 2).reduced(polynomial)))
    return texts


def _polynomial(nodes: list[Node], generators: dict[Node, Polynomial], context: fmpq_mpoly_ctx) -> Polynomial | None:
    value: dict[Node, Polynomial] = {}
    for node in nodes:
        made = generators[node] if node in generators else combined(node, value, context.constant)
        if (made is None and node.op in (Op.SUM, Op.PRODUCT)) or (made is not None and len(made) > LARGEST):
            return None
        if made is not None:
            value[node] = made
    return value.get(nodes[-1])
