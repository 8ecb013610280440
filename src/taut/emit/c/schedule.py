"""Orders the lines of a function: of several orders, the one that a simulated processor finishes first.

Compilers keep much of the order they are given (gcc does not reorder before it allocates registers), a value that finds
no register goes to memory and back, and what waits for others holds up what follows. The orders tried:

- as it is: an algorithm's own order keeps together what belongs together;
- near by: the same, but among the next few lines those first that free values;
- row by row: one output after the other, each with what it needs and is not there yet, then near by;
- over all: lines are picked among all whose operands are there, while there are registers the one with the longest
  chain behind it, when they run out the one that frees most, together with the best line that then becomes possible;
- the same, of equal lines those first that come first row by row.
"""

from __future__ import annotations

from functools import lru_cache, partial
from heapq import heappop, heappush

from taut.emit.c.angles import TRIGONOMETRIC
from taut.emit.c.pipeline import cycles, is_held
from taut.graph.program import Program
from taut.toolchain.remembered import remembered

REGISTERS = 12
"""Values meant to be alive at once, some fewer than x86-64 has; from 4 to 20 gcc and clang make little difference."""

NEAR, NEARER = 48, 12
"""Lines looked ahead for one that frees values; row by row."""

LONG = 150
"""Lines from which on an order is kept between runs: it takes longer to find than to read."""


@lru_cache(maxsize=32)
def scheduled(program: Program) -> Program:
    """Return the same program with the lines that wait for a state in the order that should take the least time."""
    if len(program.lines) < LONG:
        return _scheduled(program)
    return remembered(f"order of lines\n{program.lines!r}\n{program.outputs!r}", partial(_scheduled, program))


def _scheduled(program: Program) -> Program:
    rows = row_by_row(program)
    return min((over_all(rows), over_all(program), near_by(program), near_by(rows, NEARER), program), key=cycles)


def row_by_row(program: Program) -> Program:
    """Return the program with what each output needs, the longest chain first, right before it."""
    lines, order, done = program.lines, list(range(program.start)), set(range(program.start))
    depth = [0] * len(lines)
    for i, line in enumerate(lines):
        depth[i] = 1 + max((depth[arg] for arg in line.args), default=0)
    for _, output in program.outputs:
        stack = [output]
        while stack:
            i = stack[-1]
            missing = [arg for arg in lines[i].args if arg not in done]
            if missing:
                stack.append(max(missing, key=depth.__getitem__))
            else:
                stack.pop()
                if i not in done:
                    done.add(i)
                    order.append(i)
    return permuted(program, order + [i for i in range(len(lines)) if i not in done])


def over_all(program: Program, registers: int = REGISTERS) -> Program:
    """Return the program in an order found among all lines.

    Args:
        program: the lines in any valid order.
        registers: values that may be alive before freeing them comes first.
    """
    return permuted(program, _Scheduler(program).order(registers))


def near_by(program: Program, window: int = NEAR) -> Program:
    """Return the program with each next line among the first that are left: one that frees values, else the first."""
    ready = _Scheduler(program)
    order, first = list(range(program.start)), program.start
    while len(order) < len(program.lines):
        while ready.done[first]:
            first += 1
        near = range(first, min(first + window, len(program.lines)))
        best = min((i for i in near if not (ready.missing[i] or ready.done[i])), key=ready.growth.__getitem__)
        ready.take(best)
        order.append(best)
    return permuted(program, order)


def permuted(program: Program, order: list[int]) -> Program:
    """Return the program with its lines in the given order."""
    place = {i: k for k, i in enumerate(order)}
    lines = tuple(program.lines[i]._replace(args=tuple(place[arg] for arg in program.lines[i].args)) for i in order)
    return Program(lines, tuple(x._replace(line=place[x.line]) for x in program.outputs))


class _Scheduler:
    """Lines whose operands are there, in three queues: free ones, by chain, by values freed."""

    def __init__(self, program: Program) -> None:
        self.lines, self.start = program.lines, program.start
        self.operands = [sorted(set(line.args)) for line in self.lines]
        self.users: list[list[int]] = [[] for _ in self.lines]
        for i, operands in enumerate(self.operands):
            for arg in operands:
                self.users[arg].append(i)
        self.height = [0] * len(self.lines)
        for i in range(len(self.lines) - 1, -1, -1):
            self.height[i] = 1 + max((self.height[user] for user in self.users[i]), default=0)
        self.held = [is_held(line) for line in self.lines]
        # An output is stored where it is made, so that only reading it again needs a register.
        self.unread = [len(users) for users in self.users]
        # By how many the values alive grow with a line: itself, less the operands that it is the last to read.
        self.growth = [int(held and bool(users)) for held, users in zip(self.held, self.users, strict=True)]
        for arg, users in enumerate(self.users):
            if self.held[arg] and len(users) == 1:
                self.growth[users[0]] -= 1
        self.missing = [sum(arg >= self.start for arg in operands) for operands in self.operands]
        self.done = [i < self.start for i in range(len(self.lines))]
        self.at_once: list[int] = []
        self.by_chain: list[tuple[int, int]] = []
        self.by_growth: list[tuple[int, int, int]] = []

    def order(self, registers: int) -> list[int]:
        """Return all lines in their new order."""
        found = list(range(self.start))
        for i in range(self.start, len(self.lines)):
            if not self.missing[i]:
                self._offer(i)
        alive = 0
        while len(found) < len(self.lines):
            i = self._next(crowded=alive >= registers)
            found.append(i)
            alive += self.growth[i]
            freeing = self.take(i)
            for user in self.users[i] + freeing:
                self._review(user)
        return found

    def take(self, i: int) -> list[int]:
        """Note that line i comes next; return the lines that are now the last to read one of its operands."""
        self.done[i] = True
        for user in self.users[i]:
            self.missing[user] -= 1
        freeing = []
        for arg in self.operands[i]:
            self.unread[arg] -= 1
            if self.unread[arg] == 1 and self.held[arg]:
                last = next(user for user in self.users[arg] if not self.done[user])
                self.growth[last] -= 1
                freeing.append(last)
        return freeing

    def _review(self, i: int) -> None:
        """Offer a line that has become better: itself, or the one operand that it still waits for."""
        if self.missing[i] == 0:
            self._offer(i)
        elif self.missing[i] == 1:
            last = next(arg for arg in self.operands[i] if arg >= self.start and not self.done[arg])
            if not self.missing[last]:
                self._offer(last)

    def _offer(self, i: int) -> None:
        line = self.lines[i]
        if line.op == "input" or line.free or line.op in TRIGONOMETRIC:
            heappush(self.at_once, i)  # in memory or formed beforehand: costs nothing here
        else:
            heappush(self.by_chain, (-self.height[i], i))
            heappush(self.by_growth, (self._outlook(i), -self.height[i], i))

    def _next(self, crowded: bool) -> int:
        while self.at_once:
            if not self.done[i := heappop(self.at_once)]:
                return i
        if crowded:
            while True:  # an offer whose outlook has become better since was made again
                outlook, _, i = heappop(self.by_growth)
                if not self.done[i] and outlook == self._outlook(i):
                    return i
        while self.done[i := heappop(self.by_chain)[1]]:
            pass
        return i

    def _outlook(self, i: int) -> int:
        """Return how the number of live values changes by line i and the best line that it makes ready."""
        growth, least = self.growth, 0
        for user in self.users[i]:
            if self.missing[user] == 1 and growth[user] < least:
                least = growth[user]
        return growth[i] + least
