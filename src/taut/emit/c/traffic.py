"""How often would an order of lines go to memory?  Registers simulated, the value needed last put away first.

Belady's rule is the best any compiler could do; of orders that begin several chains at a time, those with little
traffic under it are the fast ones with gcc and clang, too.
"""

from __future__ import annotations

from taut.graph.program import Line, Program
from taut.graph.stage import Stage

REGISTERS = 14
"""Of the sixteen of x86-64, some are always taken by what is being computed."""

NEVER = 1 << 60
SOON = 40
"""A value read from memory stays in a register when it is needed again within so many lines."""


def is_held(line: Line) -> bool:
    """Whether a value has to be in a register: inputs, constants and sines are read from memory where they are used."""
    return line.stage > Stage.PARAMETER and line.op not in ("input", "sin", "cos")


def memory_traffic(program: Program, registers: int = REGISTERS) -> int:
    """Return the reads and writes of values that find no register, a write counted twice: there is one port for it."""
    lines = program.lines
    uses: list[list[int]] = [[] for _ in lines]
    for i, line in enumerate(lines):
        for arg in set(line.args):
            uses[arg].append(i)
    for later in uses:
        later.reverse()  # the next use is the last entry
    needed_at: dict[int, int] = {}
    put_away: set[int] = set()
    reads = writes = 0
    for i, line in enumerate(lines):
        if not is_held(line):
            continue
        operands = {arg for arg in line.args if is_held(lines[arg])}
        reads += len(operands - needed_at.keys())
        for value in [*sorted(operands), i]:
            while uses[value] and uses[value][-1] <= i:
                uses[value].pop()
            following = uses[value][-1] if uses[value] else NEVER
            if following == NEVER:
                needed_at.pop(value, None)
            elif value in needed_at or value == i or following - i < SOON:
                if value not in needed_at and len(needed_at) >= registers:
                    last = max((x for x in needed_at if x not in operands), key=needed_at.__getitem__)
                    del needed_at[last]
                    writes += last not in put_away
                    put_away.add(last)
                needed_at[value] = following
    return reads + 2 * writes
