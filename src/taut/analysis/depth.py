"""The depth of a program: the longest chain of counted operations that wait for one another."""

from __future__ import annotations

from taut.graph.program import Program


def depth(program: Program) -> int:
    """Return the longest chain of counted operations, the least time with unlimited hardware."""
    reached: list[int] = []
    for line in program.lines:
        before = 0
        for i in line.args:
            if reached[i] > before:
                before = reached[i]
        reached.append(before + line.counted)
    return max((reached[i] for _, i in program.outputs), default=0)
