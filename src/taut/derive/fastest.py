"""The fastest of the programs that a search has found with nearly the fewest operations.

A count does not decide between programs that differ by a few operations: a shorter chain or fewer values alive at once
may save more time. The simulated processor that orders the lines of generated code decides
(:mod:`taut.emit.c.pipeline`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taut.analysis.opcount import count
from taut.emit.c.pipeline import cycles
from taut.emit.c.schedule import scheduled
from taut.graph.program import Program

NEARLY = 1.02
"""Operations of a program, relative to the fewest, up to which it may be the fastest."""

MOST = 12
"""Programs that are simulated."""


@dataclass(frozen=True)
class Simulated:
    """A program compared with the one with the fewest operations that the search has found.

    Attributes:
        cycles: of the program, lines in their best order, for one state.
        fewest: operations of the other.
        fewest_cycles: cycles of the other.
    """

    cycles: float
    fewest: int
    fewest_cycles: float

    @property
    def text(self) -> str:
        """In words."""
        return f"fewest found {self.fewest}; {self.cycles:.0f} cycles, {self.fewest_cycles:.0f} with the fewest"


def by_time(programs: Sequence[Program]) -> list[tuple[int, Simulated]]:
    """Return (place, what the simulation gives) of the programs near the fewest operations, the fastest first.

    Args:
        programs: the first has the fewest operations; where times are equal, the order is kept.
    """
    fewest = count(programs[0]).total
    near = [k for k, program in enumerate(programs) if count(program).total <= NEARLY * fewest][:MOST]
    times = {k: cycles(scheduled(programs[k])) for k in near}
    return [(k, Simulated(times[k], fewest, times[0])) for k in sorted(near, key=times.__getitem__)]
