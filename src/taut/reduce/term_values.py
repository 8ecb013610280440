"""Values of the elements of an explicit model on given states: the same sums on samples and on intervals.

A :class:`TermValues` holds the numbers of the generators and of the constants: arrays of samples, or intervals of
boxes. Sums over terms and torques are written once for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.explicit.model import ExplicitModel, Monomial, Term
from taut.reduce.interval import Interval, boxes
from taut.reduce.scenario import Scenario
from taut.spatial.array import cos, sin

Range = tuple[float, float]
Terms = Mapping[str, Sequence[Term]]
"""{element: terms}."""


@dataclass
class TermValues:
    """Numbers for the names in terms.

    Attributes:
        generators: {name: number}.
        constants: {name: number}.
        qd: rates, one a joint.
        qdd: accelerations, one a joint.
        count: how many samples or boxes.
    """

    generators: Mapping[str, Any]
    constants: Mapping[str, Any]
    qd: Sequence[Any]
    qdd: Sequence[Any]
    count: int
    _monomials: dict[Monomial, Any] = field(default_factory=dict)

    def monomial(self, monomial: Monomial) -> Any:
        """Return a product of powers of generators; computed once."""
        if monomial not in self._monomials:
            value: Any = 1.0
            for name, power in monomial:
                value = self.generators[name] ** power * value
            self._monomials[monomial] = value
        return self._monomials[monomial]

    def term(self, term: Term) -> Any:
        """Return factor * constant * monomial."""
        constant = 1.0 if term.constant is None else self.constants[term.constant]
        return self.monomial(term.monomial) * (constant * float(term.factor))

    def sum(self, terms: Iterable[Term]) -> Any:
        """Return a sum of terms."""
        total: Any = 0.0
        for term in terms:
            total = self.term(term) + total
        return total

    def torques(self, model: ExplicitModel, terms: Terms) -> list[Any]:
        """Return the torque of each joint that the given terms of the elements make up."""
        tau: list[Any] = [0.0] * model.n
        for name, inside in terms.items():
            if inside:
                value = self.sum(inside)
                for joint, rate in self.rates(model, name):
                    tau[joint] = value * rate + tau[joint]
        return tau

    def rates(self, model: ExplicitModel, name: str) -> list[tuple[int, Any]]:
        """Return the joints an element acts on, each with what it is multiplied by there."""
        element = model.elements[name]
        i, rest = element.indices[0], element.indices[1:]
        if element.kind == "g":
            return [(i, 1.0)]
        if element.kind == "c":
            return [(i, self.qd[rest[0]] ** 2)]
        if element.kind == "b":
            return [(i, self.qd[rest[0]] * self.qd[rest[1]])]
        [j] = rest
        return [(i, self.qdd[j])] + ([(j, self.qdd[i])] if i != j else [])


def sampled(model: ExplicitModel, scenario: Scenario, constants: Mapping[str, Range], count: int) -> TermValues:
    """Return the values at random states; a load that ranges is drawn anew for every state.

    Args:
        model: the equations.
        scenario: where the states come from.
        constants: {name: (empty, loaded)} values of the constants.
        count: states.
    """
    q, qd, qdd = (list(x.T) for x in scenario.sample(count))
    share = np.random.default_rng(2).random(count)
    values = {name: a if a == b else a + (b - a) * share for name, (a, b) in constants.items()}
    return TermValues(_generators(model, q), values, qd, qdd, count)


def boxed(model: ExplicitModel, scenario: Scenario, constants: Mapping[str, Range], most: int) -> TermValues:
    """Return the values over the whole scenario, cut into boxes; its numbers are intervals.

    Args:
        model: the equations.
        scenario: the ranges.
        constants: {name: (empty, loaded)} values of the constants.
        most: boxes allowed.
    """
    moving = {joint for angle in model.angles.values() for joint, _ in angle}
    q = boxes(scenario.q, [i in moving for i in range(model.n)], most)
    values = {name: Interval(min(ends), max(ends)) for name, ends in constants.items()}
    qd, qdd = ([Interval(low, high) for low, high in ranges] for ranges in (scenario.qd, scenario.qdd))
    count = len(q[0].low) if q else 1
    return TermValues(_generators(model, q), values, qd, qdd, count)


def constant_values(model: ExplicitModel) -> dict[str, float]:
    """Return the values of the lumped constants; one without a value is refused."""
    values = {}
    for name, constant in model.constants.items():
        if constant.value is None:
            raise InputError(
                f"constant {name} of '{model.robot.name}' has no value",
                "abbreviate",
                "a model is abbreviated by its numbers; give them with robot.with_values({...})",
            )
        values[name] = float(constant.value)
    return values


def _generators(model: ExplicitModel, q: Sequence[Any]) -> dict[str, Any]:
    """Return the sines, cosines and slides at given positions; a sum of angles is formed once."""
    found = {}
    for name, parts in model.angles.items():
        total: Any = 0.0
        for joint, times in parts:
            total = q[joint] * float(times) + total
        found[name] = {"C": cos, "S": sin}.get(name[0], lambda slide: slide)(total)
    return found
