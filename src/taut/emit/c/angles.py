"""The sines a program needs, and those that follow from others by the addition theorem.

The sine of a sum of angles whose own sines are there takes four multiplications and two additions, where a sine of its
own takes five times as many:

.. math:: \\sin(a + b) = \\sin a \\cos b + \\cos a \\sin b, \\quad \\cos(a + b) = \\cos a \\cos b - \\sin a \\sin b
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from taut.graph.program import Program

TRIGONOMETRIC = ("sin", "cos")


class Angles(NamedTuple):
    """Angles of one level, lines of the program.

    Attributes:
        own: whose sines are computed.
        sums: whose sines follow from those of their two operands, angles of this level or constants.
    """

    own: tuple[int, ...]
    sums: tuple[int, ...]

    def grouped(self, size: int) -> Angles:
        """Return the same with sums only where they make the groups of sines fewer: those of a group are free."""
        room = -len(self.own) % size
        return Angles(tuple(sorted(self.own + self.sums[:room])), self.sums[room:])


def angle_levels(program: Program, constant: bool) -> list[Angles]:
    """Return the lines whose sine or cosine is needed, by how many sines come before; state lines only.

    Args:
        program: the lines.
        constant: whether sines of constants are known where code is written.
    """
    level = [0] * len(program.lines)
    found: list[list[int]] = []
    for i in range(program.start, len(program.lines)):
        line = program.lines[i]
        level[i] = max((level[arg] for arg in line.args), default=0)
        if line.op in TRIGONOMETRIC:
            if level[i] == len(found):
                found.append([])
            if line.args[0] not in found[level[i]]:
                found[level[i]].append(line.args[0])
            level[i] += 1
    return [_divided(program, sorted(angles), constant) for angles in found]


def _divided(program: Program, angles: Sequence[int], constant: bool) -> Angles:
    own, sums = list[int](), list[int]()
    for i in angles:
        line = program.lines[i]
        follows = line.op in ("add", "sub") and all(
            arg in angles or (constant and arg < program.start) for arg in line.args
        )
        (sums if follows else own).append(i)
    return Angles(tuple(own), tuple(sums))


def cone(program: Program, lines: Sequence[int]) -> list[int]:
    """Return the state lines that given lines need, themselves included, in order."""
    needed: set[int] = set()
    stack = list(lines)
    while stack:
        i = stack.pop()
        if i >= program.start and i not in needed:
            needed.add(i)
            stack.extend(program.lines[i].args)
    return sorted(needed)
