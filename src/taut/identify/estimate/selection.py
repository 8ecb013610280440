"""Which terms a joint gets, at which speeds, and how much the prior counts: chosen by blocked cross-validation.

Folds are stretches of time: a term stays if it predicts the torque of stretches that it was not fitted to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from taut.errors import InputError
from taut.identify.estimate.columns import (
    ALWAYS,
    FORMULA,
    LOAD_FRICTION,
    POSITION,
    SMOOTHING,
    SPRING,
    STRIBECK,
    USUAL_SMOOTHING,
    Column,
    Model,
)
from taut.identify.estimate.correlation import correlation_time
from taut.identify.estimate.factors import Products
from taut.identify.estimate.lag import lag_steps
from taut.identify.estimate.prior import Prior
from taut.recordings.conditioning import Rows

STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0)
"""Weights of the prior that are tried."""

SAFE_STRENGTH = 10.0
"""The one for motion so uniform that cross-validation cannot judge."""

RATE_TERMS = (("root",), ("square",), *((f"stribeck@{s}",) for s in range(len(STRIBECK))))
POSITION_TERMS = (("cos1", "sin1"), ("cos1", "sin1", "cos2", "sin2"), ("stiffness",), ("asymmetry",))

LAG_ROUNDS = 6

ONE_STANDARD_ERROR = 0.16
"""Chance of a fall by one standard error or more: for what every drive has to some degree, its friction over speed
and its lag."""

FAMILY = 0.05
"""Chance that any of the terms of position tried on all joints is taken by accident, shared among them [Bonferroni]:
they predict positions that were not fitted badly where they are no real effect."""

LEAST_GAIN = 0.01
"""Least part by which a further term must lower the error."""

ROUNDS = 3
REWEIGHTINGS = 4


@dataclass
class Choice:
    """The model so far.

    Attributes:
        smoothing: index into SMOOTHING of each drive.
        terms: {drive: optional terms}; Stribeck's with its speed, ``stribeck@1``.
        strength: weight of the prior.
        reasons: {joint name: sentences}.
    """

    smoothing: list[int]
    terms: dict[int, set[str]]
    strength: float = 1.0
    reasons: dict[str, list[str]] = field(default_factory=dict)


class Selection:
    """Cross-validation over the factors of the folds.

    Args:
        model: the columns.
        products: normal equations of the folds.
        prior: of the links' parameters.
        sample: rows kept for the correlation of residuals.
        force: {joint: terms} that are taken in any case; the joint ``*`` stands for all.
        forbid: likewise for terms that are not.
        still: joints that do not move: no friction of theirs is fitted.
    """

    def __init__(
        self,
        model: Model,
        products: Products,
        prior: Prior,
        sample: Sequence[Rows],
        force: dict[str, set[str]] | None = None,
        forbid: dict[str, set[str]] | None = None,
        still: frozenset[int] = frozenset(),
    ) -> None:
        self.model, self.products, self.prior, self.sample, self.still = model, products, prior, sample, still
        self.force, self.forbid = force or {}, forbid or {}
        n = len(model.joints)
        self._refuse_unknown()
        self.choice = Choice([USUAL_SMOOTHING] * n, {d: set() for d in range(n)})
        for d, joint in enumerate(model.joints):
            self.choice.terms[d] |= {_with_speed(t) for t in self._asked(self.force, joint)}
        self.advance = np.zeros(n)
        self._sampled: tuple[np.ndarray, list[list[np.ndarray]]] = (np.zeros(0), [])
        self.weights = np.ones(n)
        self.times = np.ones(n)
        self.reweigh()

    # -- the current model ----------------------------------------------------

    @property
    def lags(self) -> np.ndarray:
        """By how many seconds each joint's torque was recorded late: what its rows were moved by, and what is left."""
        return self.advance + self.products.lags

    def chosen(self, choice: Choice | None = None) -> np.ndarray:
        """Return the columns of a model, those of the links first."""
        choice = choice or self.choice
        return np.array([k for k, c in enumerate(self.model.columns) if _taken(c, choice) and not self._at_rest(c)])

    def _at_rest(self, column: Column) -> bool:
        """Return whether a column is friction of a joint that does not move: nothing of it is seen."""
        return column.drive in self.still and column.name != "offset" and column.name not in POSITION

    def precision(self, strength: float | None = None) -> np.ndarray:
        """Return the prior's precision at a strength."""
        return self.prior.precision * (self.choice.strength if strength is None else strength)

    @cached_property
    def mean(self) -> np.ndarray:
        """The prior's mean of the base parameters."""
        base: np.ndarray = self.model.base.matrix @ self.prior.mean
        return base

    def estimate(self) -> np.ndarray:
        """Return the parameters of the current model."""
        return self.products.solve(self.chosen(), self.weights, self.precision(), self.mean)

    def reweigh(self) -> None:
        """Set the joints' weights to 1 / variance of their residuals, thinned by the mean correlation time."""
        power = self.products.power
        self.weights = self.products.count / np.where(power > 0, power, 1.0) / 50
        chosen = self.chosen()
        for _ in range(REWEIGHTINGS):
            x = self.estimate()
            residuals = self.residuals(chosen, x)
            self.times = correlation_time(residuals)
            together = float(np.exp(np.log(self.times).mean()))
            squares = np.array([self.products.squares(f, chosen, x) for f in self.products.factors.folds]).sum(0)
            variance = np.maximum(squares / self.products.count, 1e-12 * power / self.products.count + 1e-300)
            self.weights = 1 / variance / together

    def residuals(self, chosen: np.ndarray, x: np.ndarray) -> list[np.ndarray]:
        """Return measured minus predicted torque on the rows kept."""
        if not np.array_equal(self._sampled[0], chosen):
            at = [at for _, at in self.products.places(chosen)]
            self._sampled = chosen, [[rows.columns[:, j][:, a] for j, a in enumerate(at)] for rows in self.sample]
        to, lags = [to for to, _ in self.products.places(chosen)], self.products.lags
        return [
            rows.tau + lags * rows.slope - np.stack([W @ x[t] for W, t in zip(columns, to, strict=True)], 1)
            for rows, columns in zip(self.sample, self._sampled[1], strict=True)
        ]

    def residual(self, rows: Rows, chosen: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return measured minus predicted torque on some rows."""
        places, lags = self.products.places(chosen), self.products.lags
        columns = [
            rows.tau[:, j] + lags[j] * rows.slope[:, j] - rows.columns[:, j][:, at] @ x[to]
            for j, (to, at) in enumerate(places)
        ]
        return np.stack(columns, 1)

    def validated(self, choice: Choice | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the cross-validated error in % by joint, and squared errors by fold and joint."""
        choice = choice or self.choice
        chosen, precision = self.chosen(choice), self.precision(choice.strength)
        squares = self.products.validated(chosen, self.weights, precision, self.mean)
        power = np.where(self.products.power > 0, self.products.power, np.inf)
        return 100 * np.sqrt(squares.sum(0) / power), squares

    # -- choices --------------------------------------------------------------

    def choose(self, trusted: bool = True) -> None:
        """Choose smoothing speeds, terms and the prior's strength; a safe strength where folds are alike."""
        if not trusted:
            self.choice.strength = SAFE_STRENGTH
            for joint in self.model.joints:
                self._because(
                    joint, "the motion repeats itself: no terms chosen, the prior decides what it leaves open"
                )
            self.reweigh()
            self.correct_lags()
            return
        self.choose_strength()
        self.correct_lags()
        self.choose_dry_friction()
        self.correct_lags()
        self.choose_strength()
        stated = sorted({c.name for c in self.model.columns if c.name.startswith(FORMULA)})
        by_load = [(LOAD_FRICTION,)] if self.model.load else []
        self.choose_terms([*RATE_TERMS, *by_load, *((name,) for name in stated)], ONE_STANDARD_ERROR)
        self.choose_strength()
        self.choose_terms(POSITION_TERMS, FAMILY / (len(POSITION_TERMS) * len(self.model.joints)))
        self.choose_strength()
        for joint in self.model.joints:
            if joint not in self.choice.reasons:
                self._because(joint, "no optional term lowered the cross-validated error enough")

    def choose_strength(self) -> None:
        """Set the prior's strength: the strongest within one standard error of the best [Breiman et al. 1984]."""
        tried = []
        for strength in STRENGTHS:
            self.choice.strength = strength
            self.reweigh()
            tried.append(np.log(self.validated()[1] + 1e-300).mean(1))
        best = min(tried, key=lambda by_fold: float(by_fold.mean()))
        for strength, by_fold in zip(STRENGTHS, tried, strict=True):
            worse = by_fold - best
            if worse.mean() <= worse.std(ddof=1) / np.sqrt(len(worse)):
                self.choice.strength = strength
        self.reweigh()

    def choose_dry_friction(self) -> None:
        """Set how dry friction reverses in each joint: its smoothing speed, and Stribeck's friction with its speed.

        Both shape friction at low speed, and slow reversal can stand in for Stribeck's friction, so they are chosen
        together: first the best smoothing alone, then the best pair of both, each taken if it is clearly better.
        """
        reasons: dict[str, str] = {}
        for _ in range(2):
            for d, joint in enumerate(self.model.joints):
                reasons.pop(joint, None)
                forced = "stribeck" in self._asked(self.force, joint)
                self.choice = self._reversing(d, USUAL_SMOOTHING, 0 if forced else None)
                if not forced:
                    self._choose_reversal(d, [None])
                if not self.forbids(joint, {"stribeck"}):
                    gain = self._choose_reversal(d, range(len(STRIBECK)))
                    if gain and not forced:
                        reasons[joint] = f"stribeck: {gain}"
            self.reweigh()
        for joint, reason in reasons.items():
            self._because(joint, reason)

    def _reversing(self, d: int, smoothing: int, stribeck: int | None) -> Choice:
        """Return the choice with another smoothing speed of a joint, and with Stribeck's friction or without."""
        speeds, terms = [*self.choice.smoothing], {t for t in self.choice.terms[d] if not t.startswith("stribeck@")}
        speeds[d] = smoothing
        if stribeck is not None:
            terms.add(f"stribeck@{stribeck}")
        return replace(self.choice, smoothing=speeds, terms=self.choice.terms | {d: terms})

    def _choose_reversal(self, d: int, stribeck: Iterable[int | None]) -> str:
        """Take the pair of speeds with the least cross-validated error of a joint, if clearly less; return the gain."""
        before, squares = self.validated()
        best, found = np.inf, self.choice
        for e, s in product(range(len(SMOOTHING)), stribeck):
            trial = self._reversing(d, e, s)
            error, by_fold = self.validated(trial)
            if error[d] < best and falls(squares[:, d], by_fold[:, d], ONE_STANDARD_ERROR):
                best, found = float(error[d]), trial
        if found is self.choice:
            return ""
        self.choice = found
        return _gain(before[d], squares[:, d], best, self.validated()[1][:, d])

    def correct_lags(self) -> None:
        """Take off each joint the lag of its torque where that lowers the joint's cross-validated error."""
        for _ in range(LAG_ROUNDS):
            before, products = self.validated()[1], self.products
            self.products = Products(products.factors, products.lags + lag_steps(self))
            after = self.validated()[1]
            better = np.array([falls(before[:, j], after[:, j], ONE_STANDARD_ERROR) for j in range(len(products.lags))])
            lags = np.where(better, self.products.lags, products.lags)
            self.products = Products(products.factors, lags)
            self.reweigh()
            if not better.any():
                break

    def choose_terms(self, groups: Iterable[tuple[str, ...]], chance: float) -> None:
        """Add to each joint the terms that lower its cross-validated error by more than chance, best first."""
        groups = list(groups)
        for _ in range(ROUNDS):
            changed = False
            before, squares = self.validated()
            for d, joint in enumerate(self.model.joints):
                best: tuple[float, set[str], str] | None = None
                for group in groups:
                    added = set(group) - self.choice.terms[d]
                    if not self._may_take(d, added):
                        continue
                    terms = {**self.choice.terms, d: self.choice.terms[d] | added}
                    tried = Choice(self.choice.smoothing, terms, self.choice.strength)
                    error, trial = self.validated(tried)
                    better = falls(squares[:, d], trial[:, d], chance) and error.mean() < before.mean()
                    better = better and not (LOAD_FRICTION in added and d in self.against_load(tried))
                    if better and (best is None or error[d] < best[0]):
                        best = float(error[d]), added, _gain(before[d], squares[:, d], error[d], trial[:, d])
                if best is not None:
                    _, added, gain = best
                    self.choice.terms[d] |= added
                    listed = ", ".join(sorted(t.partition("@")[0] for t in added))
                    self._because(joint, f"{listed}: {gain}")
                    changed = True
                    before, squares = self.validated()
            self.reweigh()
            if not changed:
                break

    def against_load(self, choice: Choice | None = None) -> list[int]:
        """Return the joints whose friction by load comes out below zero or as large as the load."""
        choice = choice or self.choice
        chosen = self.chosen(choice)
        x = self.products.solve(chosen, self.weights, self.precision(choice.strength), self.mean)
        named = [(self.model.columns[k], value) for k, value in zip(chosen, x, strict=True)]
        return [column.drive for column, value in named if column.name == LOAD_FRICTION and not 0 < value < 1]

    def _may_take(self, d: int, terms: set[str]) -> bool:
        """Return whether a joint has these terms, is not forbidden them, and gets no second Stribeck's friction."""
        known = {c.name for c in self.model.columns if c.drive == d}
        possible = bool(terms) and {t.partition("@")[0] for t in terms} <= known
        forbidden = self.forbids(self.model.joints[d], terms)
        return possible and not forbidden and not _second_stribeck(terms, self.choice.terms[d])

    def _because(self, joint: str, reason: str) -> None:
        self.choice.reasons.setdefault(joint, []).append(reason)

    def _refuse_unknown(self) -> None:
        """Refuse joints and terms that are forced or forbidden and do not exist."""
        terms = {c.name for c in self.model.columns if c.drive >= 0} | {LOAD_FRICTION}
        for option, table in (("--force", self.force), ("--forbid", self.forbid)):
            for joint, named in table.items():
                if joint not in (*self.model.joints, "*"):
                    raise InputError(f"no joint '{joint}'", option, f"joints: {', '.join(self.model.joints)}, or '*'")
                if named - terms:
                    raise InputError(f"no term '{min(named - terms)}'", option, f"terms: {', '.join(sorted(terms))}")

    def _asked(self, table: dict[str, set[str]], joint: str) -> set[str]:
        return table.get(joint, set()) | table.get("*", set())

    def asks(self, term: str) -> bool:
        """Return whether a term is forced on some joint."""
        return any(term in self._asked(self.force, joint) for joint in self.model.joints)

    def forbids(self, joint: str, terms: set[str]) -> bool:
        """Return whether one of these terms is forbidden for a joint."""
        return bool({t.partition("@")[0] for t in terms} & self._asked(self.forbid, joint))


def falls(before: np.ndarray, after: np.ndarray, chance: float) -> bool:
    """Return whether squared errors by fold fall by more than chance, and by enough to matter.

    Student's paired test on the logarithms, so that folds of large and small torque count alike.

    Args:
        before: squared errors of a joint, one a fold.
        after: the same with the change.
        chance: of a fall this clear where there is none.
    """
    from scipy.stats import t

    fall = np.log((before + 1e-300) / (after + 1e-300))
    error = fall.std(ddof=1) / np.sqrt(len(fall))
    certain = fall.mean() > t.isf(chance, len(fall) - 1) * error
    return bool(certain and after.sum() < (1 - LEAST_GAIN) ** 2 * before.sum())


def _gain(before: float, squares: np.ndarray, after: float, trial: np.ndarray) -> str:
    """Return in words how a choice changes a joint's cross-validated error, in % and by fold."""
    wins = 100 * float((trial < squares).mean())
    return f"cross-validated error {before:.2f} % -> {after:.2f} %, lower on {wins:.0f} % of the folds"


def _second_stribeck(added: set[str], present: set[str]) -> bool:
    return all(any(t.startswith("stribeck@") for t in terms) for terms in (added, present))


def _with_speed(term: str) -> str:
    return "stribeck@0" if term == "stribeck" else term


def _taken(column: Column, choice: Choice) -> bool:
    if column.drive < 0:
        return True
    if column.smoothing is not None and column.smoothing != choice.smoothing[column.drive]:
        return False
    if column.name in ALWAYS or column.name in SPRING or column.name.startswith("joint_"):
        return True
    name = column.name if column.stribeck is None else f"{column.name}@{column.stribeck}"
    return name in choice.terms[column.drive]
