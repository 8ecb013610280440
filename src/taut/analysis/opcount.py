"""The operation count of a graph, by the rules that the literature compares by.

``*``, ``+``, ``-`` count one each, a square one multiplication, a division one multiplication (and is
reported separately); negation, everything at parameter stage and the forming of angle sums are free.
Sines and cosines are reported separately from the total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from taut.analysis.depth import depth
from taut.graph.elementary import FUNCTIONS
from taut.graph.lower import lower
from taut.graph.node import Node
from taut.graph.program import Program
from taut.graph.stage import Stage

COUNTED = "operations"
"""Where a program keeps its count, which searches and reports need many times."""


@dataclass(frozen=True)
class Operations:
    """The cost of a program or of one stage of it.

    Attributes:
        mul: multiplications, divisions included.
        add: additions and subtractions.
        div: how many of ``mul`` are divisions.
        trig: distinct sines and cosines, not in the total.
        other: elementary functions besides sines and cosines, not in the total.
        depth: longest chain of counted operations; 0 for a single stage.
        by_stage: the same for each stage that costs anything, keyed by its label, earliest first.
    """

    mul: int
    add: int
    div: int = 0
    trig: int = 0
    other: int = 0
    depth: int = 0
    by_stage: Mapping[str, Operations] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Multiplications and additions."""
        return self.mul + self.add

    def __str__(self) -> str:
        return f"{self.mul}+{self.add} = {self.total}"


def count(what: Program | Sequence[Node]) -> Operations:
    """Return the operations of a program, or of the program that expressions are lowered to.

    >>> from taut.graph import Graph
    >>> g = Graph()
    >>> m, q = g.symbol("m"), g.symbol("q", Stage.CONFIGURATION)
    >>> str(count([2 * m * q.sin() - q**3]))
    '3+1 = 4'
    """
    program = what if isinstance(what, Program) else lower(what)
    known: Operations | None = vars(program).get(COUNTED)
    if known is None:
        known = vars(program)[COUNTED] = _counted(program)
    return known


def _counted(program: Program) -> Operations:
    tally: dict[Stage, Counter[str]] = {stage: Counter() for stage in Stage if stage > Stage.PARAMETER}
    for line in program.lines:
        if line.stage > Stage.PARAMETER and not line.free:
            tally[line.stage][line.op] += 1
    by_stage = {stage.label: ops for stage, ops in ((s, _operations(t)) for s, t in tally.items()) if ops != _NOTHING}
    whole = _operations(sum(tally.values(), Counter()))
    return Operations(whole.mul, whole.add, whole.div, whole.trig, whole.other, depth(program), by_stage)


def _operations(tally: Counter[str]) -> Operations:
    return Operations(
        mul=tally["mul"] + tally["div"],
        add=tally["add"] + tally["sub"],
        div=tally["div"],
        trig=sum(tally[name] for name, function in FUNCTIONS.items() if function.trigonometric),
        other=sum(tally[name] for name, function in FUNCTIONS.items() if not function.trigonometric),
    )


_NOTHING = Operations(0, 0)
