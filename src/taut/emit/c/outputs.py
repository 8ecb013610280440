"""Groups outputs that are written together: zeros in runs, neighbours in pairs where stores limit the speed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from taut.graph.program import Program

MANY, NEAR = 0.1, 100
"""Where outputs are this part of all lines, neighbours made at most so many lines apart are stored in pairs: a
processor stores once or twice a cycle, and each half as wide as it could costs as much."""


def output_runs(program: Program) -> tuple[list[range], list[range]]:
    """Return the runs of neighbouring outputs that are the constant zero, four or more, and the runs of all others."""
    zeros: list[range] = []
    others: list[range] = []
    empty = [program.lines[i].op == "constant" and program.lines[i].data == 0 for _, i in program.outputs]
    for vanishing, group in groupby(range(len(empty)), key=empty.__getitem__):
        members = list(group)
        run = range(members[0], members[-1] + 1)
        if vanishing and len(run) >= 4:
            zeros.append(run)
        elif others and others[-1].stop == run.start:
            others[-1] = range(others[-1].start, run.stop)
        else:
            others.append(run)
    return zeros, others


def stored_together(program: Program, runs: Sequence[range]) -> list[range]:
    """Return the outputs of some runs as pairs and single ones, for one state."""
    found: list[range] = []
    many = sum(map(len, runs)) >= MANY * (len(program.lines) - program.start)
    for run in runs:
        k = run.start
        while k < run.stop:
            made = [program.outputs[j].line for j in range(k, min(k + 2, run.stop))]
            pair = many and len(made) == 2 and min(made) >= program.start and abs(made[0] - made[1]) <= NEAR
            found.append(range(k, k + 1 + pair))
            k += len(found[-1])
    return found
