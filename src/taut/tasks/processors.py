"""A program divided over several processors: how long one state takes, how many states pass, what is communicated.

List scheduling [Graham 1969]: lines in the order of the longest chain behind them, each on the processor where it can
begin first; a value computed elsewhere arrives ``hop`` operations later. With hop = 0 communication is free and the
makespan is at least the longest chain and the p-th part of the work. For the pipeline the program is cut in its own
order into p runs of nearly the same work; a state passes every p-th of the time.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

from taut.graph.elementary import FUNCTIONS
from taut.graph.program import LEAVES, Program
from taut.graph.stage import Stage


@dataclass(frozen=True)
class Divided:
    """A program on p processors.

    Attributes:
        processors: p.
        work: operations in all, sines included.
        makespan: operations that pass until one state is done.
        messages: values that cross from one processor to another.
        barriers: moments at which some processor waits for another.
        place: {line: (processor, begin)}.
    """

    processors: int
    work: float
    makespan: float
    messages: int
    barriers: int
    place: dict[int, tuple[int, float]]

    @property
    def speedup(self) -> float:
        """How many times faster one state is than on one processor."""
        return self.work / self.makespan if self.makespan else 1.0

    @property
    def ratio(self) -> float:
        """Operations for each value that crosses."""
        return self.work / self.messages if self.messages else float("inf")


@dataclass(frozen=True)
class Pipelined:
    """A program cut into p runs, one behind the other.

    Attributes:
        processors: p.
        interval: operations between two states.
        latency: operations until one state has passed.
        messages: values that cross, for each state.
    """

    processors: int
    interval: float
    latency: float
    messages: int


def line_cost(program: Program, i: int, sine: float) -> float:
    """Return the operations of a line."""
    line = program.lines[i]
    if line.op in FUNCTIONS:
        return sine if line.stage > Stage.PARAMETER else 0.0
    return float(line.counted)


def divided(program: Program, processors: int, hop: float = 0.0, sine: float = 0.0) -> Divided:
    """Return a program on processors that work at the same time.

    Args:
        program: any.
        processors: p.
        hop: operations that pass until a value is on another processor.
        sine: operations for a sine or cosine.
    """
    lines = program.lines
    cost = [line_cost(program, i, sine) for i in range(len(lines))]
    active = [i for i, line in enumerate(lines) if line.op not in LEAVES and line.stage > Stage.PARAMETER]
    readers: dict[int, list[int]] = {i: [] for i in active}
    waits: dict[int, int] = {}
    for i in active:
        args = {arg for arg in lines[i].args if arg in readers}
        waits[i] = len(args)
        for arg in args:
            readers[arg].append(i)
    behind: dict[int, float] = {}
    for i in reversed(active):
        behind[i] = cost[i] + max((behind[k] for k in readers[i]), default=0.0)
    ready = [(-behind[i], i) for i in active if waits[i] == 0]
    heapq.heapify(ready)
    free = [0.0] * processors
    place: dict[int, tuple[int, float]] = {}
    waited = 0
    while ready:
        _, i = heapq.heappop(ready)

        def begin(p: int, i: int = i) -> float:
            arrived = (
                place[arg][1] + cost[arg] + (hop if place[arg][0] != p else 0.0)
                for arg in lines[i].args
                if arg in place
            )
            return max(free[p], max(arrived, default=0.0))

        def elsewhere(p: int, i: int = i) -> int:
            return sum(place[arg][0] != p for arg in lines[i].args if arg in place)

        p = min(range(processors), key=lambda p: (begin(p), elsewhere(p), p))
        start = begin(p)
        crossing = any(place[arg][0] != p for arg in lines[i].args if arg in place)
        waited += crossing and start > free[p]
        place[i] = (p, start)
        free[p] = start + cost[i]
        for k in readers[i]:
            waits[k] -= 1
            if waits[k] == 0:
                heapq.heappush(ready, (-behind[k], k))
    crossings = {
        (arg, place[i][0]) for i in active for arg in lines[i].args if arg in place and place[arg][0] != place[i][0]
    }
    return Divided(processors, sum(cost[i] for i in active), max(free), len(crossings), waited, place)


def pipelined(program: Program, processors: int, hop: float = 0.0, sine: float = 0.0) -> Pipelined:
    """Return a program cut into runs that work on one state after the other.

    Args:
        program: in an order in which it can be computed.
        processors: p.
        hop: operations that pass until values are on the next processor.
        sine: operations for a sine or cosine.
    """
    lines = program.lines
    active = [i for i, line in enumerate(lines) if line.op not in LEAVES and line.stage > Stage.PARAMETER]
    cost = {i: line_cost(program, i, sine) for i in active}
    work = sum(cost.values())
    run: dict[int, int] = {}
    done = 0.0
    for i in active:
        run[i] = min(int(processors * (done + cost[i] / 2) / work), processors - 1) if work else 0
        done += cost[i]
    loads = [sum(cost[i] for i in active if run[i] == p) for p in range(processors)]
    last: dict[int, int] = {}
    for i in active:
        for arg in lines[i].args:
            if arg in run:
                last[arg] = max(last.get(arg, 0), run[i])
    messages = sum(last[i] - run[i] for i in last)  # a value is handed from run to run until its last reader
    interval = max(loads) + (hop if processors > 1 else 0.0)
    return Pipelined(processors, interval, processors * interval, messages)


def as_json(program: Program, found: Divided) -> dict[str, Any]:
    """Return a schedule for a program to read: every line with its processor and when it begins, in operations."""
    return {
        "processors": found.processors,
        "work": found.work,
        "makespan": found.makespan,
        "speedup": found.speedup,
        "messages": found.messages,
        "barriers": found.barriers,
        "lines": [
            {"line": i, "op": program.lines[i].op, "operands": list(program.lines[i].args), "processor": p, "begin": at}
            for i, (p, at) in sorted(found.place.items(), key=lambda one: (one[1][1], one[0]))
        ],
        "outputs": [{"line": i, "sign": sign} for sign, i in program.outputs],
    }
