"""What the stages and steps of Kane's algorithm cost: the counts of Angeles, Ma and Rojas, section 6, and the trace.

The algorithm is run on the general arm, every number a symbol. An operation belongs to the first step that needs it;
what the torques do not need is not computed, and what depends on parameters alone is free.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from taut.algorithms.kane import centroidal_bodies, stage1, stage2, stage3
from taut.analysis.opcount import Operations
from taut.derive.naming.model import derived_robot
from taut.derive.naming.parameters import SNAP
from taut.graph import Node
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.report.general_chain import general_chain

Formula = Callable[[int, int], int]
"""(joints, prismatic ones among them) -> operations."""


@dataclass(frozen=True)
class Count:
    """Printed multiplications and additions of n joints, p of them prismatic: as text and as functions."""

    mul_text: str
    add_text: str
    mul: Formula
    add: Formula


PRINTED_STAGES: dict[str, Count] = {
    "1": Count("2p", "0", lambda n, p: 2 * p, lambda n, p: 0),
    "2": Count("50n + 2p - 47", "46n + 2p - 47", lambda n, p: 50 * n + 2 * p - 47, lambda n, p: 46 * n + 2 * p - 47),
    "3": Count("55n - 62", "44n - 58", lambda n, p: 55 * n - 62, lambda n, p: 44 * n - 58),
    "all": Count("105n - 109", "90n - 105", lambda n, p: 105 * n - 109, lambda n, p: 90 * n - 105),
}
"""Eqs. (52), (56), (57), (58) and (59). The last two leave out the 4p and 2p of their stages."""


@dataclass(frozen=True)
class PrintedStep:
    """One line of the list of steps in section 6.

    Attributes:
        name: as on the page.
        mul: printed multiplications.
        add: printed additions.
        when: on which links it is carried out.
    """

    name: str
    mul: int
    add: int
    when: str


STEPS = (
    PrintedStep("a", 2, 0, "prismatic"),
    PrintedStep("W1", 1, 0, "first"),
    PrintedStep("p1''", 12, 9, "first"),
    PrintedStep("omega", 8, 5, "next"),
    PrintedStep("omega'", 10, 7, "next"),
    PrintedStep("W", 6, 9, "next"),
    PrintedStep("p''", 26, 25, "next"),
    PrintedStep("p'', addition", 2, 4, "prismatic"),
    PrintedStep("h'", 24, 18, "every"),
    PrintedStep("u", 3, 0, "every"),
    PrintedStep("Q v", 8, 4, "every"),
    PrintedStep("k", 12, 12, "every"),
    PrintedStep("w", 8, 7, "every"),
    PrintedStep("v", 0, 3, "every"),
)

NOTHING_BEYOND_THE_LAST = Operations(8 + 8 + 6, 4 + 7 + 6 + 3)
"""What the list counts at the last link though nothing hangs on it: Q v, Q w + ..., a x v and their sums."""

FIRST_MOMENTUM = Operations(24 - 8, 18 - 2)
"""What h1' is cheaper than in the list: 8 m + 2 a are printed."""

LAST_CYCLE = Operations(15, 10)
"""What the last cycle of stage 3 costs by the text, where only third components are needed."""


def listed(n: int, p: int = 0) -> dict[str, Operations]:
    """Return the stages as the list of steps and the savings of the text add up; "3 at first" lacks the last saving."""
    times = {"prismatic": p, "first": 1, "next": n - 1, "every": n}

    def summed(steps: Iterable[PrintedStep]) -> Operations:
        chosen = list(steps)
        return Operations(sum(s.mul * times[s.when] for s in chosen), sum(s.add * times[s.when] for s in chosen))

    full, once = summed(STEPS[8:]), Operations(sum(s.mul for s in STEPS[8:]), sum(s.add for s in STEPS[8:]))
    first = _less(_less(full, NOTHING_BEYOND_THE_LAST), FIRST_MOMENTUM)
    saved = _less(_less(once, FIRST_MOMENTUM), LAST_CYCLE)
    return {"1": summed(STEPS[:1]), "2": summed(STEPS[1:8]), "3 at first": first, "3": _less(first, saved)}


def _less(a: Operations, b: Operations) -> Operations:
    return Operations(a.mul - b.mul, a.add - b.add)


def kane_stages(n: int, slides: Collection[int] = (), first_aligned: bool = False) -> dict[str, Operations]:
    """Return what each stage costs on the general arm, and all of it; arguments as in :func:`general_chain`."""
    trace = Trace(n, slides, first_aligned)
    steps = [_scalars(trace.steps), _scalars(trace.states), _scalars(trace.loads)]
    found = dict(zip("123", trace.shares(steps), strict=True))
    return found | {"all": Operations(sum(o.mul for o in found.values()), sum(o.add for o in found.values()))}


def kane_steps(n: int, link: int, slides: Collection[int] = ()) -> dict[str, Operations]:
    """Return what each step of the list costs at a link, from 1, of the general arm."""
    trace = Trace(n, slides)
    groups: list[tuple[int, str, Any]] = [(i, "a", step) for i, step in enumerate(trace.steps)]
    for i, state in enumerate(trace.states):
        groups += [(i, "omega", state.w), (i, "omega'", state.wd), (i, "W", state.W), (i, "p''", state.pdd)]
    for i, load in reversed(list(enumerate(trace.loads))):
        groups += [(i, "h'", load.hd), (i, "u", load.u), (i, "Q v", load.outer), (i, "k", load.k)]
        groups += [(i, "w", load.w), (i, "v", load.v)]
    shares = trace.shares([_scalars(part) for _, _, part in groups])
    return {name: cost for (i, name, _), cost in zip(groups, shares, strict=True) if i == link - 1}


class Trace:
    """Kane's algorithm on the general arm: the intermediate results of its three stages, as expressions."""

    def __init__(self, n: int, slides: Collection[int] = (), first_aligned: bool = False) -> None:
        model = derived_robot(general_chain(n, slides, first_aligned), "symbolic", SNAP)
        robot = model.screw_tree
        q, qd, qdd = ([[symbol] for symbol in model.symbols(name)] for name in ("q", "qd", "qdd"))
        bodies = centroidal_bodies(robot)
        self.graph = model.graph
        self.steps = stage1(robot, q)
        self.states = stage2(robot, bodies, self.steps, qd, qdd)
        self.loads = stage3(robot, bodies, self.steps, self.states)

    def shares(self, parts: Sequence[Sequence[Node]]) -> list[Operations]:
        """Return what each part costs beyond those before it, as far as the torques need it."""
        torques = [self.graph.lift(load.tau) for load in self.loads]
        program = lower([*torques, *(self.graph.lift(x) for part in parts for x in part)])
        needed, known, start = _below(program, range(len(torques))), set[int](), len(torques)
        found = []
        for part in parts:
            lines = _below(program, range(start, start + len(part)))
            found.append(_cost(program, (lines & needed) - known))
            known |= lines
            start += len(part)
        return found


def _scalars(value: Any) -> list[Node]:
    if isinstance(value, Node):
        return [value]
    if is_dataclass(value):
        return [node for field in fields(value) for node in _scalars(getattr(value, field.name))]
    return [node for item in value for node in _scalars(item)] if isinstance(value, (list, tuple)) else []


def _below(program: Program, outputs: Iterable[int]) -> set[int]:
    """Return the lines that some outputs need."""
    reached: set[int] = set()
    stack = [program.outputs[k].line for k in outputs]
    while stack:
        i = stack.pop()
        if i not in reached:
            reached.add(i)
            stack.extend(program.lines[i].args)
    return reached


def _cost(program: Program, lines: Iterable[int]) -> Operations:
    paid = [program.lines[i].op for i in lines if program.lines[i].counted]
    products = sum(op in ("mul", "div") for op in paid)
    return Operations(products, len(paid) - products)
