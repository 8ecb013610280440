"""Functions of a robot put together from the elements of its explicit equations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from taut.algorithms.coefficients import Coefficients
from taut.algorithms.linear_solve import solve_symmetric
from taut.graph import Node
from taut.spatial import Scalar

Sums = Callable[[Coefficients, Sequence[Node], Sequence[Node]], Sequence[Scalar]]
"""(coefficients, qd, qdd or tau) -> the answer, flat."""


def at_rest(found: Coefficients) -> list[int]:
    """Return accelerations of zero."""
    return [0 for _ in found.g]


def _accelerations(found: Coefficients, qd: Sequence[Node], tau: Sequence[Node]) -> Sequence[Scalar]:
    """Return qdd with M qdd = tau - b - c - g."""
    bias = found.torque(qd, at_rest(found))
    return solve_symmetric([list(row) for row in found.M], [t - b for t, b in zip(tau, bias, strict=True)])


SUMS: dict[str, Sums] = {
    "inverse_dynamics": lambda found, qd, qdd: found.torque(qd, qdd),
    "mass_matrix": lambda found, *_: [x for row in found.M for x in row],
    "gravity": lambda found, *_: found.g,
    "bias": lambda found, qd, _: found.torque(qd, at_rest(found)),
    "forward_dynamics": _accelerations,
}
"""What is put together from the elements, besides the elements themselves."""
