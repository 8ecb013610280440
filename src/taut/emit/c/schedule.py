"""In which order are the lines written?  Few values alive at once, long chains begun early.

Compilers keep much of the order they are given (gcc does not reorder before it allocates registers), and a value that
finds no register goes to memory and back. Lines are picked one by one among those whose operands are there: while
there are registers, the one with the longest chain behind it; when they run out, the one that frees most.
"""

from __future__ import annotations

from taut.graph.program import Program
from taut.graph.stage import Stage

REGISTERS = 8
"""Values meant to be alive at once; half of x86-64 has been best with gcc and clang, and 4 to 20 are close."""

TRIGONOMETRIC = ("sin", "cos")


def scheduled(program: Program, registers: int = REGISTERS) -> Program:
    """Return the same program with the lines that wait for a state in another order.

    Args:
        program: the lines in any valid order.
        registers: values that may be alive before freeing them comes first.
    """
    return permuted(program, _order(program, registers))


def permuted(program: Program, order: list[int]) -> Program:
    """Return the program with its lines in the given order."""
    place = {i: k for k, i in enumerate(order)}
    lines = tuple(program.lines[i]._replace(args=tuple(place[arg] for arg in program.lines[i].args)) for i in order)
    return Program(lines, tuple(x._replace(line=place[x.line]) for x in program.outputs))


def _order(program: Program, registers: int) -> list[int]:
    lines, start = program.lines, program.start
    users: list[list[int]] = [[] for _ in lines]
    for i, line in enumerate(lines):
        for arg in set(line.args):
            users[arg].append(i)
    height = _heights(program, users)
    read_again = [len(those) for those in users]  # outputs are stored where they are made and need no register then
    missing = [len({arg for arg in line.args if arg >= start}) for line in lines]
    order = list(range(start))
    ready = [i for i in range(start, len(lines)) if not missing[i]]
    alive = 0
    while ready:
        best = min(ready, key=lambda i: _preference(i, program, height, read_again, alive, registers))
        ready.remove(best)
        order.append(best)
        alive += _growth(best, program, read_again)
        for arg in set(lines[best].args):
            read_again[arg] -= 1
        for user in users[best]:
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    return order


def _preference(
    i: int, program: Program, height: list[int], read_again: list[int], alive: int, registers: int
) -> tuple[int, ...]:
    line = program.lines[i]
    if line.op == "input" or line.free or line.op in TRIGONOMETRIC:
        return (0, i)  # in memory or formed beforehand: costs nothing here
    growth = _growth(i, program, read_again)
    if alive < registers:
        return (1, -height[i], growth, i)
    return (1, growth, -height[i], i)


def _growth(i: int, program: Program, read_again: list[int]) -> int:
    """Return by how many the values alive grow with line i."""
    return (_held(i, program) and read_again[i] > 0) - sum(
        1 for arg in set(program.lines[i].args) if _held(arg, program) and read_again[arg] == 1
    )


def _held(i: int, program: Program) -> bool:
    """Whether a value has to be in a register: inputs and constants are read from memory where they are used."""
    line = program.lines[i]
    return line.stage > Stage.PARAMETER and line.op != "input" and line.op not in TRIGONOMETRIC


def _heights(program: Program, users: list[list[int]]) -> list[int]:
    """Return for each line the longest chain of lines behind it."""
    height = [0] * len(program.lines)
    for i in range(len(program.lines) - 1, -1, -1):
        height[i] = 1 + max((height[user] for user in users[i]), default=0)
    return height
