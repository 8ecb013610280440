"""What a search minimises: operations, multiplications, instructions, or the time on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from taut.analysis.fused import fused
from taut.analysis.opcount import count
from taut.graph.program import Program

DIVISION, ANGLE, CONSTANT, WAITING = 4.0, 8.0, 0.25, 0.1
"""What a division, the sine and cosine of one more angle, reading one more constant, and one more operation in the
longest chain take longer than an addition; typical of x86-64."""

TIE = 1e-5
"""Weight of the likely time among programs that are equal by the objective."""


def likely_time(program: Program) -> float:
    """Return a time in additions: fused operations, and what takes longer; where counts are equal it decides."""
    operations, lines = count(program), program.lines[program.start :]
    angles = {line.args[0] for line in lines if line.op in ("sin", "cos")}
    constants = {arg for line in lines for arg in line.args if arg < program.start}
    longer = DIVISION * operations.div + ANGLE * len(angles)
    return fused(program) + longer + CONSTANT * len(constants) + WAITING * operations.depth


def _operations(program: Program) -> float:
    return count(program).total + TIE * likely_time(program)


FEWEST, SIMULATED, TIMED = "m+a", "time", "cycles"
"""All operations; the same, and of programs with nearly the fewest the fastest by simulation; the time measured."""

OBJECTIVES: Mapping[str, Callable[[Program], float]] = {
    FEWEST: _operations,
    SIMULATED: _operations,
    "m": lambda program: count(program).mul + TIE * likely_time(program),
    "fma": lambda program: fused(program) + TIE * likely_time(program),
    TIMED: likely_time,
}
"""{name: cost of a program}. For ``cycles`` the likely time guides the search, and measured time chooses at its end."""

PRICES: Mapping[str, tuple[int, int, int]] = {
    FEWEST: (16, 16, 17),
    SIMULATED: (16, 16, 17),
    "m": (1, 16, 17),
    "fma": (15, 16, 24),
    TIMED: (16, 16, 64),
}
"""{name: prices of a sum, a product and a quotient in the search}; a quotient is never taken for nothing."""

TIMED_CANDIDATES = 6
"""Programs that are compiled and timed for the objective ``cycles``."""


def alone_for(objective: str) -> str:
    """Return the objective of a part: the time is that of the whole, and a part has the fewest operations."""
    return FEWEST if objective == SIMULATED else objective
