"""Cuts a large function into parts of bounded length, where few values have to be handed on.

The time that compilers take for one block of straight code grows faster than its length. A program of many thousand
lines becomes several functions that hand values on through an array; the numbers stay the same.

Measured on the forward dynamics of a humanoid of 38 degrees of freedom, 11 265 operations (gcc 12 -O3, one core): whole
22 s to compile, in parts of 2500, 1200 or 600 operations 6 s; 2.0 us a state whole, 2.4, 2.4 or 2.2 in parts; in
batches 0.79 us whole, 0.74, 0.71 or 0.71 in parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.graph.program import Program
from taut.graph.split import handed_on

WHOLE = 6000
"""Operations up to which a function stays whole."""

PART = 600
"""Operations of a part, about."""


def parts(program: Program, whole: int | None = None, size: int | None = None) -> list[range]:
    """Return the lines that wait for a state as one run, or as several.

    Args:
        program: in the order it is written.
        whole: operations up to which it is one.
        size: operations of a part, about.
    """
    whole, size = whole or WHOLE, size or PART
    lines = program.lines
    state = range(program.start, len(lines))
    if sum(lines[i].counted for i in state) <= whole:
        return [state]
    alive = _alive(program)
    found, begin, counted = [], program.start, 0
    best = program.start
    left = sum(lines[i].counted for i in state)
    for i in state:
        counted += lines[i].counted
        left -= lines[i].counted
        if counted >= 3 * size // 4 and (best == begin or alive[i] <= alive[best - 1]):
            best = i + 1
        if counted >= 5 * size // 4 and left >= size // 2:
            found.append(range(begin, best))
            counted = sum(lines[k].counted for k in range(best, i + 1))
            begin = best
    return [*found, range(begin, len(lines))]


def _alive(program: Program) -> list[int]:
    """Return for each line how many values after it are still needed."""
    lines = program.lines
    last = list(range(len(lines)))
    for i, line in enumerate(lines):
        for arg in line.args:
            last[arg] = i
    ending = [0] * len(lines)
    alive, count = [], 0
    for i in range(program.start, len(lines)):
        if lines[i].op != "input":
            ending[last[i]] += 1
    for i in range(len(lines)):
        count += i >= program.start and lines[i].op != "input"
        count -= ending[i]
        alive.append(count)
    return alive


def places_in_memory(
    program: Program, cut: Sequence[range], begun: set[int], stored: Mapping[int, list[int]]
) -> dict[int, int]:
    """Return {line: its place in the array} of the values that a later part reads.

    Args:
        program: in the order it is written.
        cut: its parts.
        begun: lines computed before the first part, such as sines.
        stored: {line: lines of outputs that are written after it}.
    """
    part = {i: k for k, run in enumerate(cut) for i in run} | dict.fromkeys(begun, -1)
    everywhere = {i for i, line in enumerate(program.lines) if i < program.start or line.op == "input"}
    reads = [
        (max(part.get(i, 0), 0), [*(line.args if i in part and i not in begun else ()), *stored.get(i, [])])
        for i, line in enumerate(program.lines)
    ]
    return {line: place for place, line in enumerate(handed_on(reads, part, everywhere))}
