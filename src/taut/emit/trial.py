"""The trial of emitted code before it is written: random states, those of its self-test, and what rounding allows."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from taut.emit.backend import Runner, States
from taut.emit.rounding import PRECISIONS, allowed_errors, evaluated
from taut.emit.routine import Routine
from taut.errors import TautError
from taut.questions.arguments import size_of

STATES = 200
"""Random states on which emitted code is compared with the reference evaluator."""

SEED = 5


class Reference(NamedTuple):
    """Results that code is compared with.

    Attributes:
        states: {argument: (n, width)}.
        values: of the parameters.
        expected: (n, outputs).
        allowed: errors of the outputs that rounding explains.
    """

    states: States
    values: Mapping[str, float]
    expected: np.ndarray
    allowed: np.ndarray

    def share(self, found: np.ndarray) -> float:
        """Return the largest error as a part of what rounding explains."""
        off = np.abs(found - self.expected)
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.where(off == 0, 0.0, off / self.allowed).max(initial=0.0))


class Trial:
    """What one emitted function is compared with.

    Args:
        routine: the function.
        names: of the run-time parameters, in the order of their array.
        precision: of the code.
        as_written: what the text of float code computes, which is compared in double, too; None for code in double.
    """

    def __init__(
        self, routine: Routine, names: Sequence[str], precision: str, as_written: Routine | None = None
    ) -> None:
        self.routine, self.names, self.precision, self.as_written = routine, names, precision, as_written
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
    def _drawn(self) -> Reference:
        """The answers at the random states by the program itself in extended precision."""
        expected = evaluated(self.routine, self.values, self.states).astype(float)
        allowed = allowed_errors(self.routine, self.values, self.states, self.precision)
        return Reference(self.states, self.values, expected, allowed)

    @cached_property
    def _known(self) -> Reference:
        """The answers of the self-test: by the textbook algorithm on the robot that the file's digits mean."""
        known = self.routine.samples
        assert known is not None
        values = dict.fromkeys(self.names, 0.5) | dict(self.routine.values) | dict(known.parameters)
        allowed = allowed_errors(self.routine, values, known.states, self.precision, known.largest_scale)
        return Reference(known.states, values, known.decided, allowed)

    def _answers(self, run: Runner, reference: Reference) -> np.ndarray:
        return run(self.routine, reference.states, [reference.values[name] for name in self.names])

    @cached_property
    def _drawn_in_double(self) -> Reference | None:
        return in_double(self.as_written, self.values, self.states) if self.as_written else None

    @cached_property
    def _known_in_double(self) -> Reference | None:
        return in_double(self.as_written, self._known.values, self._known.states) if self.as_written else None

    def _share_in_double(self, run: Runner | None, reference: Reference | None) -> float:
        return 0.0 if run is None or reference is None else reference.share(self._answers(run, reference))

    def errors(self, run: Runner, run_in_double: Runner | None = None) -> tuple[float, float]:
        """Return the largest error on random states: relative to a state's answer, and as a part of rounding's.

        Args:
            run: the code.
            run_in_double: float code computed in double.
        """
        found, expected = self._answers(run, self._drawn), self._drawn.expected
        scale = np.abs(expected).max(axis=1, keepdims=True, initial=0.0)
        relative = np.abs(found - expected) / np.where(scale > 0, scale, 1.0)
        share = np.maximum(self._drawn.share(found), self._share_in_double(run_in_double, self._drawn_in_double))
        return float(relative.max(initial=0.0)), float(share)

    def refuse_untrue(self, run: Runner, run_in_double: Runner | None = None) -> None:
        """Raise where emitted code differs from a reference of its self-test at any state."""
        name, known = self.routine.name, self.routine.samples
        if known is None:
            return
        found = self._answers(run, self._known)
        if not self._known.share(found) <= 1:
            raise TautError(f"{name}: the emitted code is not that of the robot; report this")
        if not self._share_in_double(run_in_double, self._known_in_double) <= 1:
            raise TautError(f"{name}: a number of the emitted code is not that of the robot; report this")
        if known.written is None:
            return
        allowed = self._known.allowed + known.stated * known.scale
        if not (np.abs(found - known.written) <= allowed).all():
            raise TautError(f"{name}: the emitted code differs from the file's digits by more than stated; report this")


def in_double(as_written: Routine, values: Mapping[str, float], states: States) -> Reference:
    """Return what float code gives that computes in double: the program in long double with the numbers of the text.

    Args:
        as_written: what the text computes.
        values: of the parameters.
        states: exact in float.
    """
    numbers = PRECISIONS["float"]
    expected = evaluated(as_written, values, states, numbers=numbers)
    return Reference(states, values, expected, allowed_errors(as_written, values, states, "double", numbers=numbers))
