"""Chooses the lines that are computed with the opposite sign, so that few outputs have to be negated.

``-(a - b)`` is ``b - a``, and a constant takes a minus sign for nothing: a sign moves from an output through sums and
products until it disappears. What is left costs an instruction each. Numbers do not change, but for the sign of zeros.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.emit.infix import signed
from taut.graph.program import BINARY, Line, Program

PASSES, REACH = 6, 6
"""How often all lines are looked at, and how many lines one sign may move through."""


def signs(program: Program, baked: bool) -> list[int]:
    """Return the sign with which each line is computed.

    Args:
        program: the lines.
        baked: whether constants are literals, whose sign is free.
    """
    return _Signs(program, baked).found()


def signed_sum(line: Line, sign: int, given: Sequence[int], operands: Sequence[str]) -> str:
    """Return a sum or difference computed with a sign, from operands that have theirs.

    >>> from taut.graph.stage import Stage
    >>> signed_sum(Line("sub", (0, 1), Stage.VELOCITY), -1, (1, 1), ("a", "b"))
    'b - a'
    """
    first, second = sign * given[0], sign * given[1] * (1 if line.op == "add" else -1)
    if first < 0 < second:
        return f"{operands[1]} - {operands[0]}"
    return f"{signed(first, operands[0])} {'+' if second > 0 else '-'} {operands[1]}"


class _Signs:
    def __init__(self, program: Program, baked: bool) -> None:
        self.program, self.lines, self.start, self.baked = program, program.lines, program.start, baked
        self.sign = [1] * len(self.lines)
        self.users: list[list[int]] = [[] for _ in self.lines]
        self.outputs: list[list[int]] = [[] for _ in self.lines]
        self.movable = [line.op in ("add", "sub", "mul", "div") and not line.free for line in self.lines]
        for i in range(self.start, len(self.lines)):
            for arg in sorted(set(self.lines[i].args)):
                self.users[arg].append(i)
                if self.lines[i].op not in BINARY or self.lines[i].free:  # these take what they are given
                    self.movable[arg] = False
        for sign, i in program.outputs:
            self.outputs[i].append(sign)

    def found(self) -> list[int]:
        """Move signs until nothing gets better."""
        for _ in range(PASSES):
            moved = False
            for i in range(len(self.lines) - 1, self.start - 1, -1):
                if self._costs(i) or any(sign * self.sign[i] < 0 for sign in self.outputs[i]):
                    moved |= self._moved(i, 0, REACH)
            if not moved:
                break
        return self.sign

    def _costs(self, i: int) -> bool:
        """Whether a line needs a negation of its own."""
        line = self.lines[i]
        if i < self.start or len(line.args) < 2:
            return False
        first, second = (self.sign[i] * self.sign[arg] for arg in line.args)
        if line.op in ("add", "sub"):
            return first < 0 and (second if line.op == "add" else -second) < 0
        literal = self.baked and any(arg < self.start for arg in line.args)
        return not literal and self.sign[i] * first * second < 0

    def _near(self, i: int) -> int:
        wrong = sum(sign * self.sign[i] < 0 for sign in self.outputs[i])
        return self._costs(i) + sum(map(self._costs, self.users[i])) + wrong

    def _moved(self, i: int, before: int, reach: int) -> bool:
        """Turn a line's sign, then those of its neighbours that now need a negation; undo it all if nothing is won."""
        if i < self.start or not self.movable[i]:
            return False
        change = before - self._near(i)
        self.sign[i] = -self.sign[i]
        change += self._near(i)
        if change < 0:
            return True
        if reach and change <= 1:
            for wrong in [i, *self.users[i]]:
                if self._costs(wrong):
                    around = [*self.lines[wrong].args, *([wrong] if wrong != i else [])]
                    if any(self._moved(other, change, reach - 1) for other in around if other != i):
                        return True
        self.sign[i] = -self.sign[i]
        return False
