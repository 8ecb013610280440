"""The effect of a load on the constants: a model that carries it, and its constants empty and loaded.

A load that is held at times is anything between nothing and the given body: its mass and its inertia shrink together.
Constants are linear in them, so each stays between its values without and with the load.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from taut.explicit.build import explicit
from taut.explicit.model import ExplicitModel
from taut.graph.evaluate import evaluate
from taut.reduce.scenario import Load
from taut.reduce.term_values import constant_values
from taut.robot.edit import with_load
from taut.robot.parts import Value
from taut.spatial import Scalar

PREFIX = "load_"
COM = ("x", "y", "z")
TENSOR = ("Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")


def carrying(model: ExplicitModel, load: Load) -> ExplicitModel:
    """Return the equations of the robot with a load whose numbers are symbols of their own."""
    values = {name: Value(value, model.tolerances.get(name)) for name, value in model.values.items()}

    def symbol(name: str, number: float) -> Scalar:
        if number == 0:
            return 0.0
        values[PREFIX + name] = Value(number)
        return model.graph.symbol(PREFIX + name)

    mass = symbol("mass", load.mass)
    com = [symbol(name, x) for name, x in zip(COM, load.com, strict=True)]
    tensor = [symbol(name, x) for name, x in zip(TENSOR, load.inertia or (0.0,) * 6, strict=True)]
    robot = with_load(model.named, mass, com, tensor, load.frame)
    return explicit(replace(robot, values=MappingProxyType(values)), model.parameters)


def constant_ranges(model: ExplicitModel, load: Load | None) -> dict[str, tuple[float, float]]:
    """Return {constant: (value without the load, value with it)}."""
    loaded = constant_values(model)
    if load is None:
        return {name: (value, value) for name, value in loaded.items()}
    formulas = [constant.formula for constant in model.constants.values()]
    empty = evaluate(formulas, _without(model.values))
    return {name: (float(a), b) for a, (name, b) in zip(empty, loaded.items(), strict=True)}


def _without(values: Mapping[str, float]) -> dict[str, float]:
    """Return values with no load: its mass and its inertia are gone, where it would hang is not."""
    weightless = {PREFIX + name for name in ("mass", *TENSOR)}
    return {name: 0.0 if name in weightless else value for name, value in values.items()}
