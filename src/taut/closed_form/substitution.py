"""The inverse as a computation: blocks solved one after the other, for whatever stands on the right side.

.. math:: \\dot q_k = \\frac{\\operatorname{adj} A_{kk}}{\\det A_{kk}} \\Big(V_k - \\sum_{l<k} A_{kl}\\, \\dot q_l\\Big)

The entries of :mod:`taut.closed_form.inverse` are shorter to read; this is shorter to compute.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.closed_form.inverse import Inverse, adjugated
from taut.closed_form.structure import Block
from taut.graph import Node

Nodes = list[list[Node]]


def substituted(inverse: Inverse, right: Sequence[Sequence[Node]]) -> Nodes:
    """Return J^-1 R for the rows R of a right side, a row for each joint."""
    ring, matrix = inverse.ring, inverse.matrix
    J = [[ring.node(ring.shortest(x)) for x in row] for row in matrix]
    graph, width = right[0][0].graph, len(right[0])
    found: dict[int, list[Node]] = {}
    for k, block in enumerate(inverse.task.blocks):
        rest = [
            [
                graph.linear(0, [(1, right[r][at]), *((-1, graph.lift(J[r][c] * x[at])) for c, x in found.items())])
                for at in range(width)
            ]
            for r in block.rows
        ]
        for c, factors in zip(block.columns, _block_inverse(inverse, k, block), strict=True):
            found[c] = [
                graph.linear(0, [(1, graph.lift(factor * row[at])) for factor, row in zip(factors, rest, strict=True)])
                for at in range(width)
            ]
    return [found[c] for c in range(len(J))]


def _block_inverse(inverse: Inverse, k: int, block: Block) -> Nodes:
    """Return adj / det of one diagonal block."""
    ring, determinant = inverse.ring, inverse.determinant
    graph = ring.generators[0].node.graph
    adjugate = adjugated([[inverse.matrix[r][c] for c in block.columns] for r in block.rows], ring)
    powers = zip(determinant.factors, determinant.of_block[k], strict=True)
    pivot = graph.product(determinant.numbers[k], [(ring.node(f), power) for f, power in powers if power])
    return [[graph.lift(ring.node(ring.shortest(x)) / pivot) for x in row] for row in adjugate]
