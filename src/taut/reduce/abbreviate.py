"""Leaves small terms out of the explicit equations; reports operations saved and the torque error.

A shorter model never comes without its error: what was kept and dropped and by what share, the operations before and
after, the torque error over the scenario, bounded and measured, and whether M is still positive definite.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from taut.analysis.opcount import Operations, count
from taut.derive.tightening.tighten import Progress
from taut.errors import InputError, refuse_unknown
from taut.explicit.model import ExplicitModel, Term
from taut.explicit.torque_program import explicit_program
from taut.graph.program import Program
from taut.reduce import rules
from taut.reduce.error import Definiteness, JointError, definiteness, joint_errors, largest_torques
from taut.reduce.load import carrying, constant_ranges
from taut.reduce.operations import by_function, tightened
from taut.reduce.rules import RULES, Choice
from taut.reduce.scenario import Scenario, scenario_of
from taut.reduce.significance import Unit, kept_terms, units
from taut.reduce.term_values import TermValues, boxed, sampled

SAMPLES, FEWEST_SAMPLES = 20_000, 500
BOXES, FEWEST_BOXES = 4096, 64
ALARMING = 0.05
"""Share of a joint's greatest torque beyond which an error is warned of."""

NUMBERS = 20_000_000
"""Numbers held at once: samples and boxes are fewer where a model has very many terms."""


@dataclass(frozen=True)
class Judged:
    """A term and the verdict on it.

    Attributes:
        elements: whose term it is; the first one is where it is computed.
        term: as in the first element.
        share: its size over what the rule compares it with.
        kept: whether it stays.
    """

    elements: tuple[str, ...]
    term: Term
    share: float
    kept: bool


@dataclass(frozen=True)
class Abbreviated:
    """A shorter model and what it costs.

    Attributes:
        model: the shorter equations.
        full: the equations it came from.
        rule: ``armstrong``, ``torque`` or ``budget``.
        threshold: below which terms went; None for a budget.
        scenario: the motions that the error is measured over.
        terms: every term with its share, in the order of the elements.
        errors: of the torque, one a joint.
        definiteness: of M.
    """

    model: ExplicitModel
    full: ExplicitModel
    rule: str
    threshold: float | None
    scenario: Scenario
    terms: tuple[Judged, ...]
    errors: tuple[JointError, ...]
    definiteness: Definiteness

    @property
    def kept(self) -> tuple[Judged, ...]:
        """The terms that stayed."""
        return tuple(term for term in self.terms if term.kept)

    @property
    def dropped(self) -> tuple[Judged, ...]:
        """The terms that went."""
        return tuple(term for term in self.terms if not term.kept)

    @cached_property
    def before(self) -> dict[str, Operations]:
        """Operations of the full model by function; see :func:`taut.reduce.operations.by_function`."""
        return by_function(self.full)

    @cached_property
    def after(self) -> dict[str, Operations]:
        """Operations of the shorter model by function."""
        return by_function(self.model)

    @property
    def operations(self) -> int:
        """Operations of the shorter model, all elements and the torque, as it is printed."""
        return self.after["torque"].total

    def tightened(self, torque: bool = True, effort: str = "normal", progress: Progress | None = None) -> Program:
        """Return the shorter model's program searched for fewer operations."""
        return tightened(self.model, torque, effort, progress)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a user must know before the model drives anything."""
        found = []
        if not self.definiteness.holds:
            found.append(
                f"M is not positive definite: an eigenvalue of {self.definiteness.least:.3g} is met in the scenario"
            )
        elif not self.definiteness.proved:
            found.append("M is positive definite at all samples, which intervals could not confirm between them")
        found += [
            f"{error.joint}: the torque is off by up to {100 * error.share:.2g} % of its greatest"
            for error in self.errors
            if error.share > ALARMING
        ]
        return tuple(found)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        worst = max(error.share for error in self.errors)
        return (
            f"{self.full.robot.name} by rule {self.rule}: {len(self.kept)} of {len(self.terms)} terms, "
            f"{self.after['torque'].total} of {self.before['torque'].total} operations with torque, "
            f"worst torque error {100 * worst:.2g} %"
        )


def abbreviate(
    model: ExplicitModel,
    threshold: float = 0.01,
    scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
    rule: str = "armstrong",
    operations: int | None = None,
    made: type[Abbreviated] = Abbreviated,
) -> Abbreviated:
    """Return a shorter model together with its error.

    Args:
        model: the explicit equations; their constants need values.
        threshold: share below which a term goes (rules ``armstrong`` and ``torque``).
        scenario: ranges of motion and a load, see :mod:`taut.reduce.scenario`; by default the robot's limits.
        rule: ``armstrong``, ``torque`` or ``budget``, see :mod:`taut.reduce.rules`.
        operations: most operations of the model with its torque, for the budget rule.
        made: the class of the result.
    """
    check(threshold, rule, operations)
    return ModelInScenario.of(model, scenario, made).abbreviated(threshold, rule, operations)


def check(threshold: float, rule: str, operations: int | None) -> None:
    """Refuse what makes no sense."""
    refuse_unknown("rule", rule, RULES, "abbreviate")
    if not (math.isfinite(threshold) and 0 <= threshold < 1):
        raise InputError(f"threshold {threshold:g}", "abbreviate", "give a share from 0 to below 1, e.g. 0.01 for 1 %")
    if (rule == "budget") != (operations is not None):
        said = f"rule '{rule}' with operations {operations}"
        raise InputError(said, "abbreviate", "give operations with the rule 'budget', and only there")


@dataclass(frozen=True)
class ModelInScenario:
    """A model, its scenario, and the numbers that every rule needs.

    Attributes:
        model: the full model; with the scenario's load where there is one.
        scenario: ranges of motion.
        constants: {constant: (empty, loaded)}.
        samples: states to measure at.
        boxes: the scenario as intervals.
        found: terms of proportional elements together.
        largest: greatest torque of every joint.
        made: the class of the results.
    """

    model: ExplicitModel
    scenario: Scenario
    constants: Mapping[str, tuple[float, float]]
    samples: TermValues
    boxes: TermValues
    found: Sequence[Unit]
    largest: np.ndarray
    made: type[Abbreviated] = Abbreviated
    _costs: dict[bytes, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        model: ExplicitModel,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        made: type[Abbreviated] = Abbreviated,
    ) -> Self:
        """Return a model with the numbers of a scenario; see :func:`abbreviate` for the arguments."""
        chosen = scenario_of(model.robot, scenario)
        if chosen.load is not None:
            model = carrying(model, chosen.load)
        constants = constant_ranges(model, chosen.load)
        monomials = 1 + len({t.monomial for e in model.elements.values() for t in e.terms})
        room = NUMBERS // monomials
        samples = sampled(model, chosen, constants, max(FEWEST_SAMPLES, min(SAMPLES, room)))
        boxes = boxed(model, chosen, constants, max(FEWEST_BOXES, min(BOXES, room // 4)))
        return cls(model, chosen, constants, samples, boxes, units(model), largest_torques(model, samples), made)

    # -- rules --------------------------------------------------------------------

    def abbreviated(
        self, threshold: float, rule: str, operations: int | None = None, progress: Progress | None = None
    ) -> Abbreviated:
        """Return the model that a rule leaves; see :func:`abbreviate`."""
        if operations is not None:
            return self.within(operations, progress)
        choice = self.by_torque(threshold, progress) if rule == "torque" else self.by_size(threshold)
        return self.result(choice, rule, threshold)

    def by_size(self, threshold: float) -> Choice:
        """Return Armstrong's choice."""
        sizes = {name: max(abs(a), abs(b)) for name, (a, b) in self.constants.items()}
        return rules.armstrong(self.model, self.found, sizes, self.scenario, threshold)

    def by_torque(self, threshold: float, progress: Progress | None = None) -> Choice:
        """Return the choice that keeps the torque within the threshold."""
        return rules.torque(self.model, self.found, self.boxes, self.largest, threshold, progress)

    def within(self, operations: int, progress: Progress | None = None) -> Abbreviated:
        """Return the most accurate model found that needs no more operations than allowed."""

        def cost(dropped: np.ndarray) -> int:
            if progress is not None:
                progress("models tried", int(np.sum(~dropped)))
            return self.cost(dropped)

        choice = rules.budget(self.shares, self._savings(), operations, cost, self.error)
        return self.result(choice, "budget", None)

    @cached_property
    def shares(self) -> np.ndarray:
        """Greatest torque of every unit over the greatest torque of the joint."""
        return rules.torque_shares(self.model, self.found, self.boxes, self.largest)

    # -- models -------------------------------------------------------------------

    def shorter(self, dropped: np.ndarray) -> ExplicitModel:
        """Return the model without the given units."""
        return self.model.with_terms(kept_terms(self.model, self._chosen(dropped)))

    def cost(self, dropped: np.ndarray) -> int:
        """Return the operations of the model without the given units, with its torque; counted once."""
        key = np.packbits(dropped).tobytes()
        if key not in self._costs:
            self._costs[key] = count(explicit_program(self.shorter(dropped), torque=True)).total
        return self._costs[key]

    def error(self, dropped: np.ndarray) -> float:
        """Return the worst torque error of the samples over the joint's greatest torque."""
        torques = self.samples.torques(self.model, self._terms(dropped))
        worst = [float(np.max(np.abs(x))) for x in torques]
        return max(x / largest if largest else 0.0 for x, largest in zip(worst, self.largest, strict=True))

    def result(self, choice: Choice, rule: str, threshold: float | None) -> Abbreviated:
        """Return the shorter model with everything that has to be said about it."""
        short = self.shorter(choice.dropped)
        judged = tuple(
            Judged(tuple(name for name, _ in unit.places), unit.places[0][1], float(share), not gone)
            for unit, share, gone in zip(self.found, choice.shares, choice.dropped, strict=True)
        )
        return self.made(
            model=short,
            full=self.model,
            rule=rule,
            threshold=threshold,
            scenario=self.scenario,
            terms=judged,
            errors=joint_errors(self.model, self._terms(choice.dropped), self.samples, self.boxes),
            definiteness=definiteness(self.model, short, self.samples, self.boxes),
        )

    def _chosen(self, dropped: np.ndarray) -> Iterable[Unit]:
        return (unit for unit, gone in zip(self.found, dropped, strict=True) if gone)

    def _terms(self, dropped: np.ndarray) -> dict[str, list[Term]]:
        terms: dict[str, list[Term]] = {}
        for unit in self._chosen(dropped):
            for name, term in unit.places:
                terms.setdefault(name, []).append(term)
        return terms

    def _savings(self) -> np.ndarray:
        """Return roughly what each unit costs: products and addition, and those of the torque where it stands alone."""

        def saving(unit: Unit) -> int:
            name, term = unit.places[0]
            alone = len(self.model.elements[name].terms) == 1
            return 1 + len(term.monomial) + (2 * len(unit.places) if alone else 0)

        return np.array([saving(unit) for unit in self.found], dtype=float)
