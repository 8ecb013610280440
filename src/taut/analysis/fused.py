"""How many instructions are left when a multiplication and the addition that follows it are one?"""

from __future__ import annotations

from collections import Counter

from taut.graph.program import Program


def fused(program: Program) -> int:
    """Return the operations with fused multiply-add: a sum takes in one product that nothing else needs."""
    uses = Counter(arg for line in program.lines for arg in line.args)
    uses.update(i for _, i in program.outputs)
    total = 0
    for line in program.lines:
        if line.counted:
            total += 1
            if line.op in ("add", "sub"):
                total -= any(_taken_in(program, arg, uses) for arg in line.args)
    return total


def _taken_in(program: Program, i: int, uses: Counter[int]) -> bool:
    return program.lines[i].op == "mul" and program.lines[i].counted and uses[i] == 1
