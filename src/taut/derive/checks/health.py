"""Checks that a program keeps its digits: constants of reasonable size, floats that agree with the program before.

Solved constants and rescaling divide by constants of the robot. For some robots these vanish, or nearly do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from taut.graph import Stage
from taut.graph.program import Program, Signed

LARGEST_CONSTANT = 1e9
"""Constants beyond this would cost digits."""

STATES = 12
TOLERANCE = 2e-14
"""Largest difference between two programs, relative to the largest value of an output."""

NOISE = 1e-3
"""Outputs below this part of the largest are held to it: one that is zero but for rounding has no digits to keep."""


class Health:
    """The program that others are compared with, and its values.

    Args:
        program: whose values are right.
        values: of parameters; those that have none get some.
    """

    def __init__(self, program: Program, values: Mapping[str, float]) -> None:
        self._given = values
        draw = random.Random(1)
        self._states: list[dict[str, float]] = [{} for _ in range(STATES)]
        for line in sorted((x for x in program.lines if x.op == "input"), key=lambda x: str(x.data)):
            number = draw.uniform(0.5, 1.5)
            for state in self._states:
                known = number if line.stage <= Stage.PARAMETER else draw.uniform(-3.0, 3.0)
                state[line.data] = values.get(line.data, known)
        self._expected = _outputs(program, self._states)

    def keeps_digits(self, program: Program) -> bool:
        """Whether the constants of another program are sound and its floats the same."""
        if not sound(program, self._given):
            return False
        found = _outputs(program, self._states)
        if self._expected is None:
            return True
        if found is None:
            return False
        largest = max((abs(x) for row in self._expected for x in row), default=0.0)
        for expected, answer in zip(zip(*self._expected, strict=True), zip(*found, strict=True), strict=True):
            size = max(NOISE * largest, *(abs(x) for x in expected))
            if not all(abs(x - y) <= TOLERANCE * size for x, y in zip(expected, answer, strict=True)):
                return False
        return True


def _outputs(program: Program, states: list[dict[str, float]]) -> list[list[float]] | None:
    try:
        return [[float(x) for x in program.evaluate(state)] for state in states]
    except (ZeroDivisionError, ValueError, OverflowError):
        return None


def sound(program: Program, values: Mapping[str, float]) -> bool:
    """Whether the off-line constants are finite and of reasonable size for the given parameters.

    With a parameter left open there is nothing to judge.
    """
    offline = [line for line in program.lines if line.stage <= Stage.PARAMETER]
    if any(line.op == "input" and line.data not in values for line in offline):
        return True
    everything = Program(tuple(offline), tuple(Signed(1, i) for i in range(len(offline))))
    try:
        sizes = [abs(x) for x in everything.evaluate(values)]
    except (ZeroDivisionError, ValueError, OverflowError):
        return False
    used = {arg for line in program.lines[len(offline) :] for arg in line.args if arg < len(offline)}
    constants = [sizes[i] for i in used]
    return all(math.isfinite(x) for x in sizes) and all(x < LARGEST_CONSTANT for x in constants)
