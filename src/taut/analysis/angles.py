"""The angles whose sines and cosines a program takes; by the counting rule they are free, whatever they are made of."""

from __future__ import annotations

from typing import NamedTuple

from taut.graph.program import Program
from taut.graph.stage import Stage


class Angles(NamedTuple):
    """What a program takes sines and cosines of at run time.

    Attributes:
        all: distinct angles.
        sums: those that are no input alone: sums of joint angles, or an angle and a constant.
        beyond: how many there are beyond one for each joint that occurs in them.
    """

    all: int
    sums: int
    beyond: int

    def as_data(self) -> dict[str, int]:
        """Return them for a program to read; sines and cosines of all of them are free by the counting rule."""
        return {"angles": self.all, "free_angle_sums": self.sums, "angles_beyond_joints": self.beyond}


def angles(program: Program) -> Angles:
    """Return the angles of a program.

    >>> from taut.graph import Graph
    >>> from taut.graph.lower import lower
    >>> g = Graph()
    >>> a, b = (g.symbol(name, Stage.CONFIGURATION) for name in "ab")
    >>> angles(lower([a.sin() * a.cos() + b.sin() + (a + b).cos()]))
    Angles(all=3, sums=1, beyond=1)
    """
    lines = program.lines
    taken = {
        line.args[0]
        for line in lines
        if line.op in ("sin", "cos") and line.stage > Stage.PARAMETER and lines[line.args[0]].op != "constant"
    }
    joints: set[int] = set()
    waiting = list(taken)
    seen = set(taken)
    while waiting:
        line = lines[at := waiting.pop()]
        if line.op == "input" and line.stage > Stage.PARAMETER:
            joints.add(at)
        waiting += [arg for arg in line.args if arg not in seen]
        seen.update(line.args)
    sums = sum(lines[at].op != "input" for at in taken)
    return Angles(len(taken), sums, max(0, len(taken) - len(joints)))
