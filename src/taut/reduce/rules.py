"""Three rules that choose the terms to drop: each a ranking of the terms and a place to cut it.

* ``armstrong``: a term goes when it is below the threshold times the greatest term of its own element, or below a
  tenth of the threshold times the greatest inertial term of the same joint (Armstrong, Khatib and Burdick 1986,
  section 3: 1 % and 0.1 %). An element that others reuse keeps what matters to any of them. M_ij is judged as part
  of joint i's equation, i <= j, as in their tables.
* ``torque``: terms go, least torque first, as long as all that went stays, by intervals, below the threshold beside
  the greatest torque of every joint over the scenario.
* ``budget``: terms go in the order of the torque rule, cheap torque for many operations first, until the model with
  its torque needs no more than the operations allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taut.derive.tightening.tighten import Progress
from taut.errors import InputError
from taut.explicit.model import ExplicitModel
from taut.reduce.interval import Interval
from taut.reduce.scenario import Scenario
from taut.reduce.significance import Unit, sizes
from taut.reduce.term_values import TermValues

RULES = ("armstrong", "torque", "budget")

JOINT_SHARE = 0.1
"""Part of the threshold that holds for the joint's greatest inertial term: 0.1 % where the other is 1 %."""


@dataclass(frozen=True)
class Choice:
    """What a rule decided.

    Attributes:
        shares: of each unit, what it is compared by: its size over what it is judged by.
        dropped: whether each unit goes.
    """

    shares: np.ndarray
    dropped: np.ndarray


def armstrong(
    model: ExplicitModel, found: Sequence[Unit], constants: Mapping[str, float], scenario: Scenario, threshold: float
) -> Choice:
    """Return Armstrong's choice; ``constants`` are greatest absolute values."""
    size = sizes(model, constants, scenario)
    greatest = {name: max(inside, default=0.0) for name, inside in size.items()}
    of_joint = [0.0] * model.n
    for name, element in model.elements.items():
        if element.kind != "g":
            of_joint[element.indices[0]] = max(of_joint[element.indices[0]], greatest[name])

    def share(unit: Unit) -> float:
        best = 0.0
        for name, term in unit.places:
            element = model.elements[name]
            own = size[name][element.terms.index(term)]
            beside = [own / greatest[name]] if greatest[name] else [0.0]
            if element.kind != "g":
                beside.append(own / (JOINT_SHARE * of_joint[element.indices[0]]) if own else 0.0)
            best = max(best, min(beside))
        return best

    shares = np.array([share(unit) for unit in found])
    return Choice(shares, shares < threshold)


def torque(
    model: ExplicitModel,
    found: Sequence[Unit],
    values: TermValues,
    largest: np.ndarray,
    threshold: float,
    progress: Progress | None = None,
) -> Choice:
    """Return as many units, least torque first, as stay together below the threshold by intervals.

    Args:
        model: the equations.
        found: its units.
        values: boxes of the scenario.
        largest: greatest torque of each joint.
        threshold: of the greatest torque.
        progress: called with the number of units left to judge.
    """
    shares = torque_shares(model, found, values, largest)
    spent = _Spent(model, values)
    dropped = np.zeros(len(found), dtype=bool)
    for done, k in enumerate(np.argsort(shares, kind="stable")):
        dropped[k] = spent.take(found[k], threshold * largest)
        if progress is not None:
            progress("to be judged", len(found) - done)
    return Choice(shares, dropped)


class _Spent:
    """What the dropped terms come to: an interval an element, a torque a joint, in every box."""

    def __init__(self, model: ExplicitModel, values: TermValues) -> None:
        self._model, self._values = model, values
        self._elements: dict[str, Interval] = {}
        self._torques = [np.zeros(values.count) for _ in range(model.n)]

    def take(self, unit: Unit, allowed: np.ndarray) -> bool:
        """Drop a unit if every torque stays below what is allowed, and tell whether it did."""
        sums: dict[str, Interval] = {}
        torques: dict[int, np.ndarray] = {}
        for name, term in unit.places:
            before = self._elements.get(name, Interval(0.0, 0.0))
            sums[name] = before + self._values.term(term)
            for joint, rate in self._values.rates(self._model, name):
                more = (sums[name] * rate).size - (before * rate).size
                torques[joint] = torques.get(joint, self._torques[joint]) + more
        if any(np.max(torque) > allowed[joint] for joint, torque in torques.items()):
            return False
        self._elements |= sums
        for joint, torque in torques.items():
            self._torques[joint] = torque
        return True


def torque_shares(model: ExplicitModel, found: Sequence[Unit], values: TermValues, largest: np.ndarray) -> np.ndarray:
    """Return the greatest torque of each unit over the greatest torque of the joint where that is most."""
    scale = np.where(largest > 0, largest, np.inf)  # a joint that is never loaded loses nothing
    return np.array(
        [
            max(float(np.max(part)) / scale[joint] for joint, part in _torque_sizes(model, unit, values).items())
            for unit in found
        ]
    )


def budget(
    shares: np.ndarray,
    savings: np.ndarray,
    operations: int,
    cost: Callable[[np.ndarray], int],
    error: Callable[[np.ndarray], float],
) -> Choice:
    """Return the units to drop so that the model costs no more than ``operations``.

    Two orders are tried, by torque and by torque for each operation saved; the one with the smaller error wins.

    Args:
        shares: of the units, from :func:`torque_shares`.
        savings: operations that each unit saves, roughly.
        operations: allowed.
        cost: operations of the model without the given units.
        error: of the model without the given units.
    """
    everything = np.ones(len(shares), dtype=bool)
    least = cost(everything)
    if least > operations:
        raise InputError(f"no model has {operations} operations", "abbreviate", f"allow {least} or more")
    candidates = []
    for order in (np.argsort(shares, kind="stable"), np.argsort(shares / savings, kind="stable")):
        low, high = -1, len(order)  # dropping the first `high` is enough, the first `low` is not
        while high - low > 1:
            middle = (low + high) // 2
            enough = cost(_first(order, middle)) <= operations
            low, high = (low, middle) if enough else (middle, high)
        candidates.append(_first(order, high))
    return Choice(shares, min(candidates, key=error))


def _first(order: np.ndarray, count: int) -> np.ndarray:
    chosen = np.zeros(len(order), dtype=bool)
    chosen[order[:count]] = True
    return chosen


def _torque_sizes(model: ExplicitModel, unit: Unit, values: TermValues) -> dict[int, np.ndarray]:
    """Return the greatest torque of a unit in every box, for each joint it acts on."""
    parts: dict[int, np.ndarray] = {}
    for name, term in unit.places:
        value = Interval.exactly(values.term(term))
        for joint, rate in values.rates(model, name):
            size = np.broadcast_to((value * rate).size, values.count)
            parts[joint] = parts.get(joint, 0.0) + size
    return parts
