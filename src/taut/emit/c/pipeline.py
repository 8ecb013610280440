"""Simulates an out-of-order processor to estimate how long an order of lines takes.

Instructions come in the order they have, a few a cycle, and wait in a queue until their operands are there and a unit
is free; while the queue is full, nothing comes in. Registers are few: the value needed last is put away first, which is
the best any compiler could do [Belady 1966]. What a compiler really makes of an order is not known here; of orders that
differ much, the one that ends first is mostly among the fastest with gcc and clang, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import heappop, heappush

from taut.analysis.fused import taken_in
from taut.emit.c.angles import TRIGONOMETRIC
from taut.emit.c.outputs import output_runs, stored_together
from taut.graph.program import Line, Program
from taut.graph.stage import Stage

REGISTERS = 14
"""Of the sixteen of x86-64, some are always taken by what is being computed."""

A_CYCLE, QUEUE = 5, 40
"""Instructions that come in a cycle, and that may wait."""

UNITS = {"product": 2, "sum": 2, "load": 2, "store": 1}
"""How many can begin in one cycle."""

SUM, PRODUCT, FUSED, QUOTIENT, LOAD, SINES = 3, 3, 4, 13, 5, 60
"""Cycles until there is a result; for sines since the beginning."""

DIVIDING = 5
"""Cycles in which a quotient, a root or a function keeps a unit."""

SOON = 40
"""A value read from memory stays in a register when it is needed again within so many instructions."""

READ, WRITE = 0.05, 0.1
"""Cycles for which a way from memory or to it delays everything else, whatever waits for it."""


def is_held(line: Line) -> bool:
    """Whether a value has to be in a register: inputs, constants and sines are read from memory where they are used."""
    return line.stage > Stage.PARAMETER and line.op not in ("input", *TRIGONOMETRIC)


def cycles(program: Program, registers: int = REGISTERS) -> float:
    """Return the cycles of a program in its order, for one state."""
    return _Run(program, registers).cycles()


class _Units:
    """What computes: instructions begin as soon as operands, a unit and a place in the queue are there."""

    def __init__(self) -> None:
        self.now = self.end = self._came = 0
        self._waiting: list[int] = []
        self._busy: dict[str, defaultdict[int, int]] = {unit: defaultdict(int) for unit in UNITS}

    def run(self, unit: str, ready: int, latency: int, keeps: int = 1) -> int:
        """Let one instruction in; return when its result is there."""
        self._came += 1
        if self._came > A_CYCLE:
            self.now, self._came = self.now + 1, 1
        if len(self._waiting) >= QUEUE and (first := heappop(self._waiting)) > self.now:
            self.now, self._came = first, 1
        begun = self.begin(unit, max(ready, self.now + 1))
        for later in range(begun + 1, begun + keeps):
            self._busy[unit][later] += 1
        heappush(self._waiting, begun)
        self.end = max(self.end, begun + latency)
        return begun + latency

    def begin(self, unit: str, earliest: int) -> int:
        """Return the first cycle in which a unit is free, and take it."""
        busy, count = self._busy[unit], UNITS[unit]
        while busy[earliest] >= count:
            earliest += 1
        busy[earliest] += 1
        return earliest


class _Run:
    """One program, its values in registers and in memory."""

    def __init__(self, program: Program, registers: int) -> None:
        self.program, self.registers, self.units = program, registers, _Units()
        lines, taken = program.lines, taken_in(program)
        hidden = set(taken.values())
        self.held = [is_held(line) and not line.free for line in lines]
        self.order = [i for i in range(program.start, len(lines)) if self.held[i] and i not in hidden]
        self.operands = {i: set(lines[i].args) for i in self.order}
        self.fused = set(taken)
        for i, product in taken.items():
            if i in self.operands:
                self.operands[i] = self.operands[i] - {product} | set(lines[product].args)
        self.uses: list[list[int]] = [[] for _ in lines]  # the next one is the last entry
        for place in range(len(self.order) - 1, -1, -1):
            for arg in self.operands[self.order[place]]:
                self.uses[arg].append(place)
        together = stored_together(program, output_runs(program)[1])
        self.stores = Counter(max(program.outputs[k].line for k in group) for group in together)
        self.made: dict[int, int] = {}  # when a value is there
        self.needed_at: dict[int, int] = {}  # of those in registers
        self.put_away: dict[int, int] = {}  # when it is in memory
        self.delay = 0.0

    def cycles(self) -> float:
        """Go through all lines; return when the last result is there."""
        for place, i in enumerate(self.order):
            operands = self.operands[i]
            self.made[i] = self._computed(i, max((self._read(arg) for arg in operands), default=0))
            for _ in range(self.stores[i]):
                self.units.run("store", self.made[i], 1)
            self._keep([*(arg for arg in sorted(operands) if self.held[arg]), i], place, operands)
        return self.units.end + self.delay

    def _computed(self, i: int, ready: int) -> int:
        op = self.program.lines[i].op
        if i in self.fused:
            return self.units.run("product", ready, FUSED)
        if op in ("add", "sub"):
            return self.units.run("sum", ready, SUM)
        if op == "mul":
            return self.units.run("product", ready, PRODUCT)
        return self.units.run("product", ready, QUOTIENT, DIVIDING)

    def _read(self, i: int) -> int:
        """Return when a value can be used: at once from a register, later from memory."""
        if i in self.needed_at:
            return self.made[i]
        self.delay += READ * self.held[i]
        earliest = max(self.units.now + 1, self.put_away.get(i, 0))
        from_memory = self.units.begin("load", earliest) + LOAD
        return max(from_memory, SINES) if self.program.lines[i].op in TRIGONOMETRIC else from_memory

    def _keep(self, values: Iterable[int], place: int, operands: set[int]) -> None:
        """Hold values that are needed again, if need be by putting others away."""
        for value in values:
            uses = self.uses[value]
            while uses and uses[-1] <= place:
                uses.pop()
            if not uses:
                self.needed_at.pop(value, None)
            elif value in self.needed_at or value not in self.put_away or uses[-1] - place < SOON:
                if value not in self.needed_at and len(self.needed_at) >= self.registers:
                    self._put_away(
                        max((x for x in self.needed_at if x not in operands), key=self.needed_at.__getitem__)
                    )
                self.needed_at[value] = uses[-1]

    def _put_away(self, value: int) -> None:
        del self.needed_at[value]
        if value not in self.put_away:
            self.delay += WRITE
            self.put_away[value] = self.units.run("store", self.made[value], LOAD)
