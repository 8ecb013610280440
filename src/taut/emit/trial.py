"""The trial of emitted code before it is written: random states, those of its self-test, and what rounding allows."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from taut.emit.backend import Runner, States
from taut.emit.constants import EXTENDED
from taut.emit.rounding import PRECISIONS, allowed_errors, evaluated
from taut.emit.routine import Routine
from taut.errors import TautError
from taut.questions.arguments import size_of

STATES = 200
"""Random states on which emitted code is compared with the reference evaluator."""

SEED = 5


class Trial:
    """What one emitted function is compared with.

    Args:
        routine: the function.
        names: of the run-time parameters, in the order of their array.
        precision: of the code.
    """

    def __init__(self, routine: Routine, names: Sequence[str], precision: str) -> None:
        self.routine, self.names, self.precision = routine, names, precision
        draw = random.Random(SEED)
        self.values = dict(routine.values)
        missing = [name for name in [*names, *routine.parameters] if name not in self.values]
        self.values.update({name: draw.uniform(0.2, 0.8) for name in missing})

    @cached_property
    def states(self) -> States:
        """Random states, exact in the precision."""
        generator, dtype = np.random.default_rng(SEED), PRECISIONS[self.precision]
        return {
            name: (size_of(name) * generator.uniform(-2, 2, (STATES, len(symbols)))).astype(dtype).astype(float)
            for name, symbols in self.routine.arguments.items()
        }

    @cached_property
    def expected(self) -> np.ndarray:
        """The answers at the random states by the program itself in extended precision."""
        exact = evaluated(self.routine, self.values, self.states, np.dtype(np.longdouble), EXTENDED)
        return exact.astype(float)

    @cached_property
    def _allowed(self) -> np.ndarray:
        return allowed_errors(self.routine, self.values, self.states, self.precision)

    @cached_property
    def _known_values(self) -> Mapping[str, float]:
        known = self.routine.samples
        given = dict(known.parameters) if known else {}
        return dict.fromkeys(self.names, 0.5) | dict(self.routine.values) | given

    @cached_property
    def _allowed_of_samples(self) -> np.ndarray:
        known = self.routine.samples
        assert known is not None
        return allowed_errors(self.routine, self._known_values, known.states, self.precision, known.largest_scale)

    def errors(self, run: Runner) -> tuple[float, float]:
        """Return the largest error on random states: relative to a state's answer, and as a part of rounding's."""
        found = run(self.routine, self.states, [self.values[name] for name in self.names])
        off = np.abs(found - self.expected)
        scale = np.abs(self.expected).max(axis=1, keepdims=True, initial=0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(off == 0, 0.0, off / self._allowed)
        return float((off / np.where(scale > 0, scale, 1.0)).max(initial=0.0)), float(share.max(initial=0.0))

    def refuse_untrue(self, run: Runner) -> None:
        """Raise where emitted code differs from a reference of its self-test at any state."""
        name, known = self.routine.name, self.routine.samples
        if known is None:
            return
        found = run(self.routine, known.states, [self._known_values[parameter] for parameter in self.names])
        allowed = self._allowed_of_samples
        if not (np.abs(found - known.decided) <= allowed).all():
            raise TautError(f"{name}: the emitted code is not that of the robot; report this")
        if known.written is None:
            return
        if not (np.abs(found - known.written) <= allowed + known.stated * known.scale).all():
            raise TautError(f"{name}: the emitted code differs from the file's digits by more than stated; report this")
