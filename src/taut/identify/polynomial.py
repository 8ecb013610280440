"""A coefficient expanded to a polynomial in lengths, sines and cosines, by FLINT."""

from __future__ import annotations

from fractions import Fraction

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from taut.graph import Node, topological
from taut.graph.text import to_text

LARGEST = 200
"""Terms beyond which multiplying out helps nobody."""


def polynomial_texts(x: Node) -> list[str]:
    """Return an expression multiplied out, with cos^2 = 1 - sin^2 used and with sin^2 = 1 - cos^2 used.

    The list is empty for what is no polynomial, or one of too many terms.
    """
    nodes = topological([x])
    atoms = {node: to_text(node) for node in nodes if node.op not in ("sum", "product", "constant")}
    angles = [node.args[0] for node in atoms if node.op in ("sin", "cos")]
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
        for k in range(len(pairs) // 2):
            c, s = context.gens()[k], context.gens()[k + len(pairs) // 2]
            polynomial = divmod(polynomial, c * c + s * s - 1)[1]
        texts.append(str(polynomial))
    return texts


def _polynomial(nodes: list[Node], generators: dict[Node, fmpq_mpoly], context: fmpq_mpoly_ctx) -> fmpq_mpoly | None:
    value: dict[Node, fmpq_mpoly] = {}
    for node in nodes:
        if node in generators:
            result = generators[node]
        elif node.op == "sum":
            constant, coefficients = node.data
            result = context.constant(_rational(constant))
            for arg, coefficient in zip(node.args, coefficients, strict=True):
                if arg not in value:
                    return None
                result += value[arg] * _rational(coefficient)
        elif node.op == "product":
            coefficient, exponents = node.data
            result = context.constant(_rational(coefficient))
            for arg, exponent in zip(node.args, exponents, strict=True):
                if exponent < 0 or arg not in value:
                    return None
                result *= value[arg] ** exponent
        elif node.op == "constant":
            result = context.constant(_rational(node.data))
        else:
            continue  # an angle: only its sine and cosine enter
        if len(result) > LARGEST:
            return None
        value[node] = result
    return value.get(nodes[-1])


def _rational(x: int | Fraction) -> fmpq:
    x = Fraction(x)
    return fmpq(x.numerator, x.denominator)
