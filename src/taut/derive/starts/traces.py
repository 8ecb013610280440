"""The programs a tightening can start from: which algorithm, in which frames, answers the question.

A start is traced on symbols and counted; the cheapest goes on to the passes. The textbook methods are
here by name, for comparison and as the fallback for robots without a screw form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from taut.analysis.opcount import count
from taut.derive.checks.health import sound
from taut.derive.naming.constants import Constants
from taut.derive.naming.model import DerivedRobot
from taut.derive.starts.lags import LONG, Lags, Windows, may_lag
from taut.errors import InputError
from taut.graph import Node, topological
from taut.graph.lower import lower
from taut.graph.operation import Op
from taut.graph.program import Program
from taut.graph.stage import Stage
from taut.graph.substitute import substitute
from taut.questions.fusion import entries
from taut.questions.question import Question, Way, free_or_single_axis
from taut.questions.recursions import Compute, Recursions
from taut.questions.table import question
from taut.robot import Tree
from taut.robot.placement import QuarterTurns
from taut.robot.screws import Screw

MARKEDLY = 0.95
"""Outward starts are kept below this fraction of the cost of the best other start."""

NEARLY = 1.04
"""Cost, relative to the cheapest lags, up to which others are a start of their own where many are wanted."""

FEW_BODIES = 12
"""Bodies up to which the lag of each is tried where many starts are wanted; tracing takes time, too."""

MoreStarts = Callable[[DerivedRobot, str], Sequence["Start"]]
"""(robot, question) -> starts that are found elsewhere."""


@dataclass(frozen=True)
class Start:
    """One way to compute a function: its name and its traced outputs."""

    method: str
    outputs: list[Node]

    @cached_property
    def program(self) -> Program:
        """The lines that compute the outputs."""
        return lower(self.outputs)

    @cached_property
    def cost(self) -> int:
        """Operations as traced."""
        return count(self.program).total


def textbook(model: DerivedRobot, function: str, method: str | None = None, frame: str | None = None) -> Start:
    """Trace a function by a textbook algorithm, masses and frames as the robot has them."""
    asked = question(function)
    chosen = next((known for known in asked.methods if known.name == method), asked.methods[0])
    options: dict[str, Any] = {**chosen.options, **({"frame": frame} if asked.on_frame else {})}
    tree = model.screw_tree if asked.rearranges(model.tree) else model.tree
    return Start(chosen.name, _traced(model, tree, asked, partial(asked.compute, **options)))


def starts(
    model: DerivedRobot, function: str, frame: str | None = None, many: bool = False, generic: bool = True
) -> list[Start]:
    """Return the starts to tighten, cheapest as traced first; after the search any may be the best.

    One a way to answer the question (:class:`taut.questions.question.Way`) and an arrangement of the bodies.

    Args:
        model: the robot.
        function: the question.
        frame: for functions of a frame.
        many: whether to add those that cost a little more.
        generic: whether programs may divide by parameters.
    """
    asked = question(function)
    if not asked.rearranges(model.tree):
        found = [textbook(model, function, method.name, frame) for method in reversed(asked.methods)]
        return sorted(found, key=lambda start: start.cost)
    if model.regrouped is None:
        return [textbook(model, function, None, frame)]
    found = []
    windows = {way: Windows(model, partial(_cost_of_part, asked, way)) for way in asked.ways_for(model.tree)}
    for bodies, note in _arrangements(model, asked, generic):
        traced = {
            way: _by_lags(
                model, bodies, asked, way, ", ".join(filter(None, ("second_moments", note, way.name))), many, seen
            )
            for way, seen in windows.items()
            if way.pays(bodies)
        }
        found += _promising(traced)
    if not found or asked.as_printed:
        found.append(Start("textbook, regrouped", _traced(model, model.light_tree, asked)))
    if not found[0].method.startswith("second_moments") and not free_or_single_axis(model.tree):
        found.append(Start("textbook", _traced(model, model.tree, asked)))
    distinct = {tuple(start.outputs): start for start in reversed(found)}
    return sorted(reversed(distinct.values()), key=lambda start: start.cost)


def _promising(traced: Mapping[Way, Sequence[Start]]) -> list[Start]:
    """Return the starts, those on carried axes only where they are markedly cheaper: the search gains less there."""
    others = [start for way, found in traced.items() if not way.outward for start in found]
    limit = MARKEDLY * min((start.cost for start in others), default=0)
    axes = [start for way, found in traced.items() if way.outward for start in found]
    return others + [start for start in axes if start.cost < limit]


def _arrangements(model: DerivedRobot, asked: Question, generic: bool) -> list[tuple[Sequence[Screw], str]]:
    """Return the bodies to work on: outermost frames turned if they can be, and as they are.

    Of long robots only one of the two is traced: turned frames divide by first moments, which is for generic programs.
    """
    assert model.regrouped is not None and model.turned is not None
    plain: list[tuple[Sequence[Screw], str]] = [(model.regrouped, "")]
    if model.turned == model.regrouped or not asked.ways_for(model.tree):
        return plain
    turned = [model.graph.lift(x) for body in model.turned for x in (body.theta, *body.moments.moments) if _number(x)]
    if not sound(lower(turned), model.naming.values):
        return plain  # a first moment is zero for these numbers and gives no direction
    turned_ones: list[tuple[Sequence[Screw], str]] = [(model.turned, "leaves turned")]
    if len(model.turned) > LONG:
        return turned_ones if generic else plain
    return turned_ones + plain


def _number(x: Any) -> bool:
    return not isinstance(x, QuarterTurns)


def _by_lags(
    model: DerivedRobot,
    bodies: Sequence[Screw],
    asked: Question,
    way: Way,
    name: str,
    many: bool,
    windows: Windows,
) -> list[Start]:
    """Return the start with the lags that cost least, found greedily; if many are wanted, its neighbours, too."""

    def trial(lags: Lags) -> Start:
        lagging = f", lagging {', '.join(str(i + 1) for i in sorted(lags))}" if lags else ""
        return Start(name + lagging, _lagging(model, model.light_tree, bodies, asked, way, lags))

    if len(bodies) > LONG and not (model.tree.tied or model.tree.coupling):
        return [trial(windows.lags(bodies))]
    many = many and len(bodies) <= FEW_BODIES
    alone = [frozenset([i]) for i, body in enumerate(bodies) if body.pure_turn] if many else []
    lags = frozenset[int]()
    best = trial(lags)
    for some in may_lag(bodies) + alone:
        other = trial(lags ^ some)
        if other.cost < best.cost:
            best, lags = other, lags ^ some
    return [best, *(start for start in (trial(lags ^ one) for one in alone) if start.cost <= NEARLY * best.cost)]


def _cost_of_part(asked: Question, way: Way, part: DerivedRobot, bodies: Sequence[Screw], lags: Lags) -> int:
    return Start("", _lagging(part, part.tree, bodies, asked, way, lags)).cost


def _lagging(
    model: DerivedRobot, tree: Tree, bodies: Sequence[Screw], asked: Question, way: Way, lags: Lags
) -> list[Node]:
    return _traced(model, tree, asked, way.compute(Recursions(bodies, model.gravity, lags)))


def _traced(model: DerivedRobot, tree: Tree, asked: Question, compute: Compute | None = None) -> list[Node]:
    compute = compute or asked.compute
    try:
        answer = compute(tree, *(model.symbols(argument) for argument in asked.arguments))
    except ZeroDivisionError:
        raise InputError(
            f"{asked.name} of '{tree.name}' divides by zero at every state",
            "derive",
            "see that every joint moves some mass, and that six joints or more reach the frame",
        ) from None
    return _without_zeros(model, [model.graph.lift(x) for x in entries(answer)])


def _without_zeros(model: DerivedRobot, outputs: list[Node]) -> list[Node]:
    """Return outputs with 0 for the sums of parameters that vanish identically.

    Articulated bodies make such: nothing is left of the moments of inertia of a link behind a ball joint.
    """
    constants = Constants(model.graph)
    sums = [node for node in topological(outputs) if node.op is Op.SUM and node.stage <= Stage.PARAMETER]
    zeros = {node: 0 for node in sums if constants.is_zero(node)}
    return substitute(outputs, zeros) if zeros else outputs
