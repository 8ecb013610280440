"""Numbers that are zero but for rounding, judged by their own effect on the joint torques.

Moving inertias between frames leaves numbers of 1e-17 where the exact result is zero, and CAD programs write such
numbers into files. The smallest numbers are set to zero together as long as no torque changes by more than ``EFFECT``
of its scale at random states; how large other numbers are plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from taut.derive.checks.truth import file_states, plain
from taut.graph import Node
from taut.robot import Tree
from taut.spatial import Scalar

STATES = 24
EFFECT = 1e-13
"""Change of a torque that is rounding, as a part of its largest size over the states."""

NOISE = 1e-18
"""The same as a part of the largest torque of all joints, for torques that are zero."""

SMALL = 1e-6
"""Part of the largest number of its kind up to which a number is tried."""

Numbers = Sequence[Sequence[Scalar]]


def without_negligible(numbers: Numbers, sizes: Numbers, rebuilt: Callable[[Numbers], Tree]) -> list[list[Scalar]]:
    """Return the numbers with zeros for those that have no effect.

    Args:
        numbers: one row per body.
        sizes: for each number, the largest of its kind: the order in which numbers are tried.
        rebuilt: the numeric robot with other numbers in the same places.
    """
    small = sorted(
        (abs(x) / size, i, k)
        for i, (row, row_sizes) in enumerate(zip(numbers, sizes, strict=True))
        for k, (x, size) in enumerate(zip(row, row_sizes, strict=True))
        if not isinstance(x, Node) and x != 0 and abs(x) <= SMALL * size
    )
    if not small:
        return [list(row) for row in numbers]

    def zeroed(count: int) -> list[list[Scalar]]:
        gone = {(i, k) for _, i, k in small[:count]}
        return [[0 if (i, k) in gone else x for k, x in enumerate(row)] for i, row in enumerate(numbers)]

    states = file_states(rebuilt(numbers), STATES)
    expected = plain(rebuilt(numbers), "inverse_dynamics", states)
    scale = np.abs(expected).max(axis=0, initial=0.0)
    allowed = EFFECT * scale + NOISE * scale.max(initial=0.0)

    def harmless(count: int) -> bool:
        found = plain(rebuilt(zeroed(count)), "inverse_dynamics", states)
        return bool((np.abs(found - expected) <= allowed).all())

    low, high = 0, len(small)
    if harmless(high):
        return zeroed(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if harmless(middle) else (low, middle)
    return zeroed(low)


def largest_of_each(numbers: Numbers, kinds: Sequence[str]) -> list[list[float]]:
    """Return for every number the largest of its kind in the robot; ``kinds`` names the columns."""
    largest: dict[str, float] = {}
    for row in numbers:
        for kind, x in zip(kinds, row, strict=True):
            if not isinstance(x, Node):
                largest[kind] = max(largest.get(kind, 0.0), abs(float(x)))
    return [[largest.get(kind, 0.0) for kind in kinds] for _ in numbers]
