"""What is to become small?  The count, its multiplications, its instructions, or the time it takes on this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from taut.analysis.fused import fused
from taut.analysis.opcount import count
from taut.graph.program import Program

TIED = 1e-4
"""Weight of the whole count where the objective is equal."""

OBJECTIVES: Mapping[str, Callable[[Program], float]] = {
    "m+a": lambda program: count(program).total,
    "m": lambda program: count(program).mul + TIED * count(program).add,
    "fma": lambda program: fused(program) + TIED * count(program).total,
    "cycles": lambda program: count(program).total,
}
"""{name: cost of a program}. ``cycles`` searches by the count and lets measured time choose among what was found."""

TIMED = "cycles"
TIMED_CANDIDATES = 6
"""Programs that are compiled and timed for the objective ``cycles``."""
