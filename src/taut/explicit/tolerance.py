"""Tolerances of the lumped constants: those of the measurements, carried through the formulas.

First order, with the exact derivative of each formula (Armstrong, Khatib and Burdick 1986, "Measurement
Tolerance": RMS combination of the direct measurements)::

    cov(K_a, K_b) = sum over p of  dK_a/dp  dK_b/dp  tolerance(p)^2

Parameters are independent of one another; constants are not, since they share parameters, hence the covariance.
Tolerances are read as standard deviations. A parameter without a tolerance counts as exact and is named.
:func:`monte_carlo` does the same without the linearisation, by normal draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from taut.errors import InputError
from taut.graph.derivative import gradient
from taut.graph.evaluate import evaluate
from taut.graph.node import Node
from taut.graph.walk import symbols_of
from taut.robot.parts import Value

DRAWS = 40_000
"""Draws of a Monte Carlo run: they tell a standard deviation within 0.4 %."""


@dataclass(frozen=True)
class Spread:
    """Values of constants and how far they may be off together.

    Attributes:
        names: of the constants, the order of the arrays.
        values: of the constants.
        covariance: one row and one column a constant.
        exact: {constant: parameters of its formula that have no tolerance}.
        contributions: {constant: {parameter: tolerance of the constant due to it alone}}, greatest first;
            empty where draws give no such split.
    """

    names: tuple[str, ...]
    values: np.ndarray
    covariance: np.ndarray
    exact: Mapping[str, tuple[str, ...]]
    contributions: Mapping[str, Mapping[str, float]]

    @cached_property
    def tolerances(self) -> dict[str, float | None]:
        """Tolerance of each constant, None where no parameter of its formula has one."""
        sizes = np.sqrt(np.diag(self.covariance))
        return {n: float(s) if self.contributions.get(n) else None for n, s in zip(self.names, sizes, strict=True)}

    @cached_property
    def correlation(self) -> np.ndarray:
        """Covariance in units of the tolerances; a constant without tolerance is correlated with none."""
        size = np.sqrt(np.diag(self.covariance))
        scale = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
        return self.covariance * scale[:, None] * scale[None, :]


def propagate(formulas: Mapping[str, Node], values: Mapping[str, Value]) -> Spread:
    """Return values and tolerances of constants to first order.

    Args:
        formulas: {constant: its formula at parameter stage}.
        values: what every symbol of the formulas measures.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> m, r = g.symbol("m"), g.symbol("r")
    >>> found = propagate({"K1": m * r, "K2": m}, {"m": Value(2.0, 0.1), "r": Value(3.0)})
    >>> round(found.tolerances["K1"], 12), found.exact["K1"]
    (0.3, ('r',))
    >>> round(float(found.correlation[0, 1]), 12)
    1.0
    """
    used = {name: _symbols(formula, values) for name, formula in formulas.items()}
    symbols = list(dict.fromkeys(s for inside in used.values() for s in inside))
    toleranced = [s for s in symbols if values[s.name].tolerance]
    numbers = {s.name: values[s.name].value for s in symbols}
    slopes = np.zeros((len(formulas), len(toleranced)))
    for row, formula in zip(slopes, formulas.values(), strict=True):
        row[:] = evaluate(gradient(formula, toleranced), numbers)
    parts = slopes * np.array([values[s.name].tolerance for s in toleranced])
    contributions = {
        name: _sorted({s.name: abs(float(x)) for s, x in zip(toleranced, row, strict=True) if s in used[name]})
        for name, row in zip(formulas, parts, strict=True)
    }
    return Spread(
        names=tuple(formulas),
        values=np.array(evaluate(list(formulas.values()), numbers), dtype=float),
        covariance=parts @ parts.T,
        exact=_exact(used, values),
        contributions=contributions,
    )


def monte_carlo(formulas: Mapping[str, Node], values: Mapping[str, Value], draws: int = DRAWS, seed: int = 1) -> Spread:
    """Return values and tolerances of constants from normal draws of the parameters.

    Args:
        formulas: {constant: its formula at parameter stage}.
        values: what every symbol of the formulas measures.
        draws: how many.
        seed: of the draws; the same seed gives the same numbers.
    """
    used = {name: _symbols(formula, values) for name, formula in formulas.items()}
    rng = np.random.default_rng(seed)
    drawn: dict[str, float | np.ndarray] = {}
    for symbol in dict.fromkeys(s for inside in used.values() for s in inside):
        measured = values[symbol.name]
        drawn[symbol.name] = measured.value
        if measured.tolerance:
            drawn[symbol.name] = measured.value + measured.tolerance * rng.standard_normal(draws)
    found = [np.broadcast_to(x, draws) for x in evaluate(list(formulas.values()), drawn)]
    table = np.array(found, dtype=float).reshape(len(formulas), draws)
    centred = table - table.mean(axis=1, keepdims=True)
    spread = {name: {s.name: np.nan for s in inside if values[s.name].tolerance} for name, inside in used.items()}
    return Spread(
        names=tuple(formulas),
        values=table.mean(axis=1),
        covariance=centred @ centred.T / (draws - 1),
        exact=_exact(used, values),
        contributions=spread,
    )


def _symbols(formula: Node, values: Mapping[str, Value]) -> list[Node]:
    found = symbols_of([formula])
    for symbol in found:
        if symbol.name not in values:
            raise InputError(f"parameter '{symbol.name}' has no value", "tolerance", "give it one in [values]")
    return found


def _exact(used: Mapping[str, list[Node]], values: Mapping[str, Value]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(s.name for s in inside if not values[s.name].tolerance) for name, inside in used.items()}


def _sorted(parts: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(parts.items(), key=lambda item: -item[1]))
