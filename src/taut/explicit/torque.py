"""The torque that the elements give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.explicit.model import element_name
from taut.graph import Graph, Node


def torque_of(elements: Mapping[str, Node], graph: Graph, qd: Sequence[Node], qdd: Sequence[Node]) -> list[Node]:
    """Return tau_i = sum_j M_ij qdd_j + sum_{j<k} b_ijk qd_j qd_k + sum_j c_ij qd_j^2 + g_i.

    Args:
        elements: {name: expression}.
        graph: of the expressions.
        qd: symbols of the rates.
        qdd: symbols of the accelerations.
    """
    n = range(len(qd))
    products = {(j, k): qd[j] * qd[k] for j in n for k in n[j:]}
    torques = []
    for i in n:
        parts = [elements[element_name("M", (min(i, j), max(i, j)))] * qdd[j] for j in n]
        parts += [elements[element_name("b", (i, j, k))] * products[j, k] for j in n for k in n[j + 1 :]]
        parts += [elements[element_name("c", (i, j))] * products[j, j] for j in n]
        torques.append(graph.linear(0, [(1, part) for part in [*parts, elements[element_name("g", (i,))]]]))
    return torques
