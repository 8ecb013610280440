"""Starts that are put together from the programs of other functions, each tightened on its own.

A search does more for a small program than for a large one. Forward dynamics is M and the bias, then a solution of six
linear equations; the explicit equations with torque are the explicit equations, then sums. The parts are
tightened first, traced into one graph, where equal lines become one, and the whole is searched again.
"""

from __future__ import annotations

from collections.abc import Callable

from taut.derive.naming.model import DerivedRobot
from taut.derive.starts.traces import Start
from taut.graph.program import Program
from taut.questions.table import question
from taut.recursions.absolute_rates import AbsoluteRates
from taut.robot.parallel import parallel_before


def composed(model: DerivedRobot, function: str, tightened: Callable[[str], Program]) -> list[Start]:
    """Return the starts that are put together from parts, cheapest first; none where there is no such way.

    Args:
        model: the robot.
        function: what is wanted.
        tightened: the best program of a part.
    """
    asked = question(function)
    composition = asked.composition
    if composition is None or model.regrouped is None:
        return []
    parts = {part: tightened(part).trace(model.graph) for part in composition.parts}
    given = [model.symbols(argument) for argument in asked.arguments]

    def start(note: str, rates: AbsoluteRates) -> Start:
        answer = composition.join(model.tree, parts, rates, *given)
        return Start(f"composed of {' and '.join(parts)}{note}", [model.graph.lift(x) for x in answer])

    found = [start("", AbsoluteRates({}, model.tree.nv))]
    if not model.tree.tied and (runs := parallel_before(model.regrouped)):
        found.append(start(", absolute rates", AbsoluteRates(runs, model.tree.nv)))
    return sorted(found, key=lambda one: one.cost)
