"""Proves that the elements are the coefficients of the Newton-Euler torque.

The torque assembled from the elements is compared with the recursive algorithm's at random points of
GF(2^61 - 1), rates and accelerations among the random numbers: the torque is a polynomial in these, so that
equal torques mean equal coefficients of every acceleration, of every product of rates, and of 1. Every relation
is compared with the sum it replaces.
"""

from __future__ import annotations

from taut.derive.function import Proof
from taut.errors import TautError
from taut.explicit.model import ExplicitModel
from taut.explicit.torque import torque_of
from taut.graph.prove import disproof
from taut.questions.rigid_body import inverse_dynamics


def prove(model: ExplicitModel, points: int = 3) -> Proof:
    """Return the evidence; raise where an element or a relation is wrong.

    Args:
        model: the explicit model.
        points: random points of the finite field.
    """
    q, qd, qdd = (model.symbols(name) for name in ("q", "qd", "qdd"))
    own = {name: model.sum_node(element.terms) for name, element in model.elements.items()}
    found, expected, what = [], [], []
    related = [(name, e.relation) for name, e in model.elements.items() if e.relation is not None]
    for name, relation in related:
        parts = [(factor, own[part]) for factor, part in relation.parts]
        found.append(model.graph.linear(0, [*parts, (1, model.sum_node(relation.extra))]))
        expected.append(own[name])
        what.append(f"the relation {relation.text}")
    reference = [model.graph.lift(x) for x in inverse_dynamics(model.named, q, qd, qdd)]
    for i, tau in enumerate(torque_of(own, model.graph, qd, qdd)):
        found.append(tau)
        expected.append(reference[i])
        what.append(f"an element of row {i + 1}")
    difference = disproof(found, expected, points, seed=41)
    if difference is not None:
        raise TautError(f"explicit model of '{model.robot.name}': {what[difference.output]} is wrong; report this")
    return Proof("newton_euler, coefficients of qdd, qd qd and 1", points)
