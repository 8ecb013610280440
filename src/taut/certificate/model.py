"""The model of a robot as a table of formulas, as certificates state it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from taut.algorithms.drives import free_rotors, rotor_matrix
from taut.derive.naming.model import DerivedRobot
from taut.graph import Graph, Node, Stage
from taut.graph.mapper import Mapper
from taut.graph.node import Rational
from taut.robot import Frame, Placement, Tree
from taut.robot.placement import QuarterTurns
from taut.spatial import Scalar, is_exactly

FILE = "file"
"""Name of the model on the frames of the robot file; the others are named after the screw forms."""


class Formulas:
    """Formulas by the row in which they stand, after one round in which they were collected.

    Args:
        graph: of all of them.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.collected: dict[Node, int] = {}
        self.rows: list[list[Any]] = []

    def add(self, x: Scalar) -> int:
        """Return the row of a formula; 0 while they are collected."""
        return self.collected.setdefault(self.graph.lift(x) if isinstance(x, Node) else self.graph.constant(x), 0)

    def settle(self) -> None:
        """Give every formula its row."""
        rows = _Rows()
        places = rows(list(self.collected))
        self.rows = rows.written
        self.collected = dict(zip(self.collected, places, strict=True))


class _Rows(Mapper[int]):
    """The row of each node: operation, then the name of a symbol, a constant and (factor, row) pairs, or arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[list[Any]] = []

    def _row(self, *entries: Any) -> int:
        self.written.append(list(entries))
        return len(self.written) - 1

    def constant(self, value: Rational) -> int:
        return self._row("sum", str(Fraction(value)))

    def symbol(self, name: str, stage: Stage) -> int:
        return self._row("symbol", name)

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, int]]) -> int:
        return self._row("sum", str(Fraction(constant)), *(x for c, row in terms for x in (str(Fraction(c)), row)))

    def product(self, coefficient: Rational, factors: Iterable[tuple[int, int]]) -> int:
        return self._row("product", str(Fraction(coefficient)), *(x for row, e in factors for x in (e, row)))

    def function(self, name: str, args: list[int]) -> int:
        return self._row(name, *args)


def model_tables(model: DerivedRobot, places: Sequence[Frame], formulas: Formulas) -> dict[str, Any]:
    """Return the robot in each of its screw forms, for functions of joint space, and on the frames of its file."""
    forms = {form: model_table(one.screw_tree, [], formulas) for form, one in model.forms.items()}
    return {**forms, FILE: model_table(model.tree, places, formulas)}


def model_table(tree: Tree, places: Sequence[Frame], formulas: Formulas) -> dict[str, Any]:
    """Return joints, the given frames, rotors and gravity; numbers are rows of formulas.

    A joint stands in its parent at p, turned by ``turns``: (axis, quarter turns, None) or (axis, 0, angle). Its
    position turns it about ``axis`` and moves it along ``slide``: the sum of ratio * q over the independent coordinates
    named in ``positions``, plus offset; ``rates`` are the places of their rates in qd. Inertias are in the order of
    :attr:`taut.robot.Tree` about the joint's origin.
    """
    add = formulas.add
    position, rate = {}, {}
    nq = nv = 0
    for i in tree.own:
        motion = tree.joints[i].motion
        position[i], rate[i] = [f"q{nq + k + 1}" for k in range(motion.nq)], list(range(nv, nv + motion.nv))
        nq, nv = nq + motion.nq, nv + motion.nv
    joints = []
    for i, joint in enumerate(tree.joints):
        followed = [mimic for mimic in tree.mimics if mimic.joint == i]
        leaders = [mimic.leader for mimic in followed] or [i]
        place = tree.base.then(joint.placement) if joint.parent < 0 else joint.placement
        joints.append(
            {
                "name": joint.name,
                "parent": joint.parent,
                "kind": joint.motion.kind,
                "axis": [add(x) for x in joint.motion.columns[-1].w],
                "slide": [add(x) for x in joint.motion.columns[-1].v],
                **_placed(place, formulas),
                "positions": [name for leader in leaders for name in position[leader]],
                "rates": [k for leader in leaders for k in rate[leader]],
                "ratio": [add(mimic.multiplier) for mimic in followed] or [add(1)],
                "offset": add(sum(mimic.offset for mimic in followed)),
                "inertia": [add(x) for x in tree.inertia(i).parameters],
            }
        )
    frames = []
    for frame in places:
        place = tree.base.then(frame.placement) if frame.body < 0 else frame.placement
        frames.append({"name": frame.name, "parent": frame.body, **_placed(place, formulas)})
    reflected = [] if tree.at().bends else tree.at().reduced(rotor_matrix(tree))
    rotors = [[i, add(x), j] for i, row in enumerate(reflected) for j, x in enumerate(row) if not is_exactly(x, 0)]
    for i, spun in free_rotors(tree):  # of a free joint, m (w x v) besides
        at = rate[i]
        for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) if len(at) == 6 else ():
            rotors += [[at[a], add(spun.m), at[3 + b], at[c]], [at[a], add(-spun.m), at[3 + c], at[b]]]
    gravity = [add(x) for x in tree.gravity_acceleration]
    return {"joints": joints, "frames": frames, "rotors": rotors, "gravity": gravity}


def _placed(place: Placement, formulas: Formulas) -> dict[str, Any]:
    turns: list[list[int | None]] = []
    for axis, angle in place.turns:
        if isinstance(angle, QuarterTurns):
            turns.append([axis, angle.count, None])
        elif not is_exactly(angle, 0):
            turns.append([axis, 0, formulas.add(angle)])
    return {"p": [formulas.add(x) for x in place.p], "turns": turns}
