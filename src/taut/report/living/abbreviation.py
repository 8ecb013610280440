"""Abbreviation for the slider of the page: the share of every term, and what each threshold costs and saves."""

from __future__ import annotations

from typing import Any

from taut.errors import InputError
from taut.explicit.model import ExplicitModel
from taut.reduce.abbreviate import ModelInScenario
from taut.reduce.curve import point_of

THRESHOLDS = (0.0, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2)
"""Shares of Armstrong's rule, from everything to a fifth."""


def abbreviation_data(model: ExplicitModel) -> dict[str, Any]:
    """Return shares of terms and a step for every threshold; ``why`` where the robot's limits do not allow it."""
    try:
        ranged = ModelInScenario.of(model)
    except InputError as error:
        return {"steps": [], "shares": {}, "why": str(error)}
    shares: dict[str, list[float]] = {name: [0.0] * len(e.terms) for name, e in model.elements.items() if e.terms}
    for unit, share in zip(ranged.found, ranged.by_size(0.0).shares, strict=True):
        for name, term in unit.places:
            shares[name][model.elements[name].terms.index(term)] = float(f"{share:.4g}")
    steps = []
    for threshold in THRESHOLDS:
        found = ranged.abbreviated(threshold, "armstrong")
        point = point_of(found)
        steps.append(
            {
                "threshold": threshold,
                "terms": len(found.kept),
                "operations": point.operations,
                "bound": point.bound,
                "worst": point.worst,
                "rms": point.rms,
                "joints": [error.share for error in found.errors],
                "warnings": list(found.warnings),
            }
        )
    return {"steps": steps, "shares": shares, "why": ""}
