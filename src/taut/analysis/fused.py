"""The number of instructions when a multiplication and the addition that follows it are fused into one."""

from __future__ import annotations

from collections import Counter

from taut.graph.program import Program


def fused(program: Program) -> int:
    """Return the operations with fused multiply-add."""
    return sum(line.counted for line in program.lines) - len(taken_in(program))


def taken_in(program: Program) -> dict[int, int]:
    """Return {sum: the product it takes in}, one that nothing else needs."""
    uses = Counter(arg for line in program.lines for arg in line.args)
    uses.update(i for _, i in program.outputs)
    found = {}
    for i, line in enumerate(program.lines):
        if line.op in ("add", "sub") and line.counted:
            for arg in line.args:
                if program.lines[arg].op == "mul" and program.lines[arg].counted and uses[arg] == 1:
                    found[i] = arg
                    break
    return found
