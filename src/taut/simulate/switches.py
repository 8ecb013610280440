"""Loops that open and close while a robot moves, as a foot on the ground does.

A switch is a function (t, q, qd, force) whose number is positive while its loop holds; ``force`` is what the loop
exerts on the first of its links, a number a row, zeros while it is open. Or it is a list of times: the loop changes
between open and closed at each. A loop that closes stops its rates by an impulse without rebound and keeps the place
along its sliding rows where it closes: a foot stays where it lands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.simulate.closed_plant import ClosedPlant
from taut.simulate.contacts import Contacts, Event
from taut.simulate.integrators import State
from taut.simulate.rows import DryRow

Switch = Callable[[float, np.ndarray, np.ndarray, np.ndarray], float]
"""(t, q, qd, force) -> a number that is positive while the loop holds."""


class Switches(Contacts):
    """Stops and dry friction, and loops that open and close.

    Args:
        plant: the robot's smooth part.
        rows: where dry friction or stops act.
        restitution: of the stops.
        rest_speed: of impacts that end at rest.
        active: {loop: switch}.
    """

    plant: ClosedPlant

    def __init__(
        self,
        plant: ClosedPlant,
        rows: Sequence[DryRow],
        restitution: float,
        rest_speed: float,
        active: Mapping[str, Any],
    ) -> None:
        super().__init__(plant, rows, restitution, rest_speed)
        loops = plant.opened.robot.loops
        known = {part.name: part.rows for part in loops.closures} | {row.name: 1 for row in loops.rate_rows}
        for name in active:
            if name not in known:
                advice = f"loops: {', '.join(known) or 'none'}"
                raise InputError(f"robot '{plant.opened.robot.name}' has no loop '{name}'", "active", advice)
        self.switches = {name: _switch(name, given, plant.shut(name)) for name, given in active.items()}
        self.widths = known

    @property
    def names(self) -> list[str]:
        """What the guards belong to."""
        return [*super().names, *self.switches]

    def guards(self, t: float, y: State) -> np.ndarray:
        """Return numbers that are negative after an event, three a row and three a switch."""
        values = [x for name in self.switches for x in (self._signed(name, t, y), np.inf, np.inf)]
        return np.concatenate([super().guards(t, y), values])

    def _signed(self, name: str, t: float, y: State) -> float:
        """Return a switch's number, negative where its loop is to change."""
        value = self._value(name, t, y)
        return value if self.plant.shut(name) else -value

    def _value(self, name: str, t: float, y: State) -> float:
        force = np.zeros(self.widths[name])
        if self.plant.shut(name) and getattr(self.switches[name], "forces", True):
            rates = self(t, y)
            force = self.plant.forces(y, rates.qdd, rates.net)[name]
        try:
            found = float(self.switches[name](t, *self.plant.seen(y), force))
        except Exception as error:  # whatever a user's function raises
            what = f"fails at t = {t:.9g} s: {error or type(error).__name__}"
            raise InputError(what, f"switch of loop '{name}'", "return one number") from error
        if not math.isfinite(found):
            raise InputError(f"returns {found} at t = {t:.9g} s", f"switch of loop '{name}'", "see its code")
        return found

    def start(self, t: float, y: State) -> State:
        """Return the state at the beginning, loops open and closed according to their switches."""
        wrong = [name for name in self.switches if self._signed(name, t, y) < 0]
        return super().start(t, self.plant.switched(t, y, wrong) if wrong else y)

    def handle(self, t: float, y: State, late: np.ndarray) -> State:
        """Return the state after the events whose guards are negative."""
        count = 3 * len(self.rows)
        changed = [name for name, value in zip(self.switches, late[count::3], strict=True) if value < 0]
        if changed:
            y = self.plant.switched(t, y, changed)
            self.events += [Event(t, "close" if self.plant.shut(name) else "open", name) for name in changed]
        return super().handle(t, y, late[:count])


def _switch(name: str, given: Any, shut: bool) -> Switch:
    if callable(given):
        return given
    try:
        times = [float(x) for x in given]
    except (TypeError, ValueError):
        times = [math.nan]
    if not all(math.isfinite(x) for x in times) or any(a >= b for a, b in pairwise(times)):
        advice = "give a function (t, q, qd, force), or increasing times at which it changes"
        raise InputError(f"loop '{name}': {given!r}", "active", advice)
    return _Timed(times, shut)


class _Timed:
    """A loop that changes at times."""

    forces = False

    def __init__(self, times: Sequence[float], shut: bool) -> None:
        self.times, self.sign = times, 1.0 if shut else -1.0

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray, force: np.ndarray) -> float:
        """Return a number that changes its sign at each of the times."""
        done = sum(t > at for at in self.times)
        nearest = min((abs(t - at) for at in self.times), default=1.0)
        return self.sign * (-1.0) ** done * max(nearest, 1e-300)
