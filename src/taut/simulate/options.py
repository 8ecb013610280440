"""How to simulate: integrator, steps, what acts on the robot, and what is looked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from taut.derive.function import Function
from taut.errors import InputError
from taut.simulate.adaptive import Watch
from taut.simulate.integrators import ADAPTIVE, METHODS

Progress = Callable[[str, int], None]
"""Called with what is being done and the steps that are left."""


@dataclass(frozen=True)
class Options:
    """How to simulate.

    Attributes:
        method: ``rk4``, ``semi_implicit`` or ``variational`` with fixed steps; ``DOP853``, ``RK45``, ``Radau``, ``BDF``
            or ``LSODA`` of SciPy with error control, one initial state after the other.
        step: largest fixed step, and spacing of the result where ``t`` is an end time [s].
        tolerance: relative and absolute, of the integrators with error control.
        drives: add friction, offsets and springs of the drives. Coulomb friction sticks, several joints at once;
            smoothed friction does not stick.
        stops: the limits of the joints are stops.
        restitution: of the stops: speed after an impact over the speed before.
        rest_speed: impacts slower than this end at rest on the stop [rad/s or m/s].
        saturate: cut torques off at the robot's limits.
        bits: of the torques' converter, whose steps are the limits over 2^(bits - 1).
        wrenches: {frame: wrench of the world} as numbers, a table or a function of time, see
            :func:`taut.simulate.plant.wrenches_of`.
        events: functions (t, q, qd) -> number whose zeros are found, of the integrators with error control; one with
            an attribute ``terminal`` ends the motion.
        active: {loop: when it holds} of loops that open and close, as a foot on the ground does; see
            :mod:`taut.simulate.switches`.
        hold: steps for which M, b, c and g of the explicit equations are held, of fixed-step integrators in C; 0 for
            forward dynamics at every stage. An approximation whose error grows with it.
        coefficients: with ``hold``, the question ``explicit`` of an abbreviated model; the robot's own by default.
        threads: that share a batch of initial states; all processors by default.
        compiled: whether the loop may run in C; False is for comparison.
        progress: called with the number of steps that are left.
    """

    method: str = "rk4"
    step: float = 1e-3
    tolerance: float = 1e-10
    drives: bool = False
    stops: bool = False
    restitution: float = 0.0
    rest_speed: float = 1e-3
    saturate: bool = False
    bits: int | None = None
    wrenches: Any = None
    events: Sequence[Watch] = ()
    active: Mapping[str, Any] = field(default_factory=dict)
    hold: int = 0
    coefficients: Function | None = None
    threads: int | None = None
    compiled: bool = True
    progress: Progress | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.method not in (*METHODS, *ADAPTIVE):
            known = ", ".join((*METHODS, *ADAPTIVE))
            raise InputError(f"method {self.method!r}", "simulate", f"use one of {known}")
        for name in ("step", "tolerance", "rest_speed"):
            value = getattr(self, name)
            if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
                raise InputError(f"the {name} is {value!r}", "simulate", "give a number above 0")
        if not (isinstance(self.restitution, int | float) and 0 <= self.restitution <= 1):
            raise InputError(f"the restitution is {self.restitution!r}", "simulate", "give a number from 0 to 1")
        if not (isinstance(self.hold, int) and self.hold >= 0):
            raise InputError(f"hold is {self.hold!r}", "simulate", "give a whole number of steps, 0 for none")
        if self.hold and self.method not in ("rk4", "semi_implicit"):
            raise InputError(f"hold with '{self.method}'", "simulate", "use rk4 or semi_implicit")
        if self.events and self.method not in ADAPTIVE:
            raise InputError(f"events with '{self.method}'", "simulate", f"use one of {', '.join(ADAPTIVE)}")
