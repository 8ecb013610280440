"""Which values of an earlier part a later one computes again instead of being handed them.

Of every line i of an earlier part the later one either has the value or not (x_i), and computes it or not (y_i <= x_i);
a line that it computes needs its operands, y_i <= x_j. The least of

.. math:: \\sum_i w\\,(x_i - y_i) + c_i\\,y_i

with w operations for a handed value and c_i for computing line i is a minimum closure: a cut through a network.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from taut.graph.elementary import FUNCTIONS
from taut.graph.program import Program

FUNCTION_COST = 10
"""Operations that a sine or another elementary function stands for."""

UNBOUNDED = 1 << 40


def recomputed(program: Program, part: Sequence[int], here: int, known: Collection[int], worth: int) -> set[int]:
    """Return the lines of earlier parts that a part computes again, so that operations and handed values cost least.

    Args:
        program: the whole program.
        part: that computes each line.
        here: the later part.
        known: lines that every part has or computes.
        worth: operations w that a handed value stands for.
    """
    lines = program.lines
    early = [i for i, line in enumerate(lines) if part[i] < here and i not in known]
    place = {i: k for k, i in enumerate(early)}
    source, sink = 2 * len(early), 2 * len(early) + 1
    network = _Network(2 * len(early) + 2)
    for i, k in place.items():  # x_i is node 2k, y_i node 2k + 1; on the source's side is chosen
        cost = FUNCTION_COST if lines[i].op in FUNCTIONS else int(lines[i].counted)
        network.connect(2 * k, sink, worth)
        if cost < worth:
            network.connect(source, 2 * k + 1, worth - cost)
        else:
            network.connect(2 * k + 1, sink, cost - worth)
        network.connect(2 * k + 1, 2 * k, UNBOUNDED)
        for arg in lines[i].args:
            if arg in place:
                network.connect(2 * k + 1, 2 * place[arg], UNBOUNDED)
    read = {arg for i, line in enumerate(lines) if part[i] == here for arg in line.args}
    for i in read & place.keys():
        network.connect(source, 2 * place[i], UNBOUNDED)
    chosen = network.reached_after_flow(source, sink)
    return {i for i, k in place.items() if 2 * k + 1 in chosen}


class _Network:
    """Nodes and edges with capacities; the maximum flow by shortest augmenting paths."""

    def __init__(self, size: int) -> None:
        self.capacity: list[dict[int, int]] = [{} for _ in range(size)]

    def connect(self, a: int, b: int, capacity: int) -> None:
        if capacity:
            self.capacity[a][b] = self.capacity[a].get(b, 0) + capacity
            self.capacity[b].setdefault(a, 0)

    def reached_after_flow(self, source: int, sink: int) -> set[int]:
        """Return the nodes on the source's side of a least cut."""
        while True:
            came: dict[int, int] = {source: source}
            waiting = deque([source])
            while waiting and sink not in came:
                a = waiting.popleft()
                for b, left in self.capacity[a].items():
                    if left and b not in came:
                        came[b] = a
                        waiting.append(b)
            if sink not in came:
                return set(came)
            path, b = [], sink
            while b != source:
                path.append((came[b], b))
                b = came[b]
            pushed = min(self.capacity[a][b] for a, b in path)
            for a, b in path:
                self.capacity[a][b] -= pushed
                self.capacity[b][a] += pushed
