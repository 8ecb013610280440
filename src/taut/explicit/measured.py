"""Constants with their tolerances, where every parameter of their formula has a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from taut.explicit.model import LumpedConstant
from taut.explicit.tolerance import propagate
from taut.graph.walk import names_of
from taut.robot.parts import Value


def measured(
    constants: Mapping[str, LumpedConstant], values: Mapping[str, float], tolerances: Mapping[str, float]
) -> dict[str, LumpedConstant]:
    """Return the constants with first-order tolerances.

    Args:
        constants: by name.
        values: of elementary parameters.
        tolerances: of those that were measured.
    """
    known = {name: Value(value, tolerances.get(name)) for name, value in values.items()}
    formulas = {
        name: constant.formula for name, constant in constants.items() if names_of([constant.formula]) <= set(known)
    }
    found = propagate(formulas, known).tolerances if formulas else {}
    return {name: replace(constant, tolerance=found.get(name)) for name, constant in constants.items()}
