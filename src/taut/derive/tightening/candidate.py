"""A program in the pool of a search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from taut.analysis.opcount import Operations, count
from taut.graph.program import Program
from taut.passes.balance import balanced


@dataclass(frozen=True)
class Candidate:
    """A program of the pool, how it began and what made it cheaper.

    Attributes:
        program: the program.
        method: what it was traced by.
        passes: the name of each pass that made it cheaper, and the count after it.
        stored: whether it came from a stored program.
        spent: the effort of the search that found it for this very structure; ``none`` where there was none.
        refused: programs on the way to it that were not taken, and why.
    """

    program: Program
    method: str
    passes: tuple[tuple[str, Operations], ...] = ()
    stored: bool = False
    spent: str = "none"
    refused: tuple[str, ...] = ()


def shortened(one: Candidate) -> Candidate:
    """Return a candidate with its chains of sums and products balanced."""
    program = balanced(one.program)
    before, after = count(one.program), count(program)
    if after.total > before.total or (after.total, after.depth) == (before.total, before.depth):
        return one
    return replace(one, program=program, passes=(*one.passes, ("balance", after)))
