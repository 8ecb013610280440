"""A plan of fixed steps run in Python: for torque functions, joint stops, sticking, and machines without a compiler."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from taut.robot import states
from taut.simulate.contacts import Contacts
from taut.simulate.integrators import METHODS, Rates, State
from taut.simulate.plan import APPLY, OUTPUT, SAMPLE, Plan
from taut.simulate.plant import Plant
from taut.simulate.sampled import Sensors

Points = Iterator[tuple[State, Rates]]
"""The state and its derivatives at each of the wanted times."""


def fixed_steps(
    plant: Plant, plan: Plan, y: State, method: str, sensors: Sensors | None = None, contacts: Contacts | None = None
) -> Points:
    """Yield the state and its derivatives at the stored times.

    Args:
        plant: the robot and what acts on it.
        plan: the steps.
        y: where the motion starts.
        method: of the steps.
        sensors: of a sampled controller.
        contacts: stops and sticking, for one initial state.
    """
    move = partial(states.step, plant.tree) if plant.tree.quaternions else np.add
    field = plant if contacts is None else contacts
    advance = partial(METHODS[method], move=move, plant=field)
    waiting: list[np.ndarray] = []
    if sensors is not None:
        plant.held = np.zeros_like(plant.seen(y)[1])
    if contacts is not None:
        y = contacts.start(float(plan.start[0]), y)
    for start, h, steps, flags in zip(plan.start, plan.h, plan.steps, plan.flags, strict=True):
        t = float(start)
        if flags & SAMPLE and sensors is not None:
            waiting.append(plant.convert(plant.torque(t, *sensors.measured(*plant.seen(y)))))
        if flags & APPLY:
            plant.held = waiting.pop(0)
            if contacts is not None:
                y = contacts.renewed(t, y)
        rates = field(t, y)
        if flags & OUTPUT:
            yield y, rates
        for k in range(steps):
            now = t + k * float(h)
            if contacts is not None:
                y = contacts.advance(advance, now, y, float(h))
            else:
                y = plant.projected(advance(field, now, y, rates if k == 0 else field(now, y), float(h)))
