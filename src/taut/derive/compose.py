"""Which functions can be put together from others that were tightened on their own?

A search does more for a small program than for a large one. Forward dynamics is M and the bias, then a solution of six
linear equations; the explicit equations with torque are the explicit equations, then sums. The parts are
tightened first, traced into one graph, where equal lines become one, and the whole is searched again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from taut.algorithms.absolute_rates import AbsoluteRates
from taut.algorithms.coefficients import Coefficients
from taut.algorithms.linear_solve import solve_symmetric
from taut.derive.model import DerivedRobot
from taut.derive.recursions import parallel_runs
from taut.derive.starts import Start
from taut.graph import Node
from taut.graph.program import Program

Parts = Mapping[str, Sequence[Node]]
"""{function: its outputs}."""

Join = Callable[[DerivedRobot, Parts, AbsoluteRates], Sequence[Node]]

PARTS: dict[str, tuple[str, ...]] = {"forward_dynamics": ("mass_matrix", "bias"), "explicit_torque": ("explicit",)}
"""What functions are put together from."""


def composed(model: DerivedRobot, function: str, tightened: Callable[[str], Program]) -> list[Start]:
    """Return the starts that are put together from parts, cheapest first; none where there is no such way.

    Args:
        model: the robot.
        function: what is wanted.
        tightened: the best program of a part.
    """
    if function not in PARTS or model.regrouped is None:
        return []
    parts = {part: tightened(part).trace(model.graph) for part in PARTS[function]}
    own = AbsoluteRates({}, model.tree.nv)
    found = [_start(model, "", JOINS[function], parts, own)]
    if not model.tree.mimics and (runs := parallel_runs(model.regrouped)):
        absolute = AbsoluteRates(runs, model.tree.nv)
        found.append(_start(model, ", absolute rates", JOINS[function], parts, absolute))
    return sorted(found, key=lambda start: start.cost)


def _start(model: DerivedRobot, note: str, join: Join, parts: Parts, rates: AbsoluteRates) -> Start:
    outputs = [model.graph.lift(x) for x in join(model, parts, rates)]
    return Start(f"composed of {' and '.join(parts)}{note}", outputs)


def _forward_dynamics(model: DerivedRobot, parts: Parts, rates: AbsoluteRates) -> Sequence[Node]:
    n = model.tree.nv
    M = [parts["mass_matrix"][i * n : (i + 1) * n] for i in range(n)]
    rest = [t - b for t, b in zip(model.symbols("tau"), parts["bias"], strict=True)]
    return rates.to_joints(solve_symmetric(rates.quadratic(M), rates.forces(rest)))


def _explicit_torque(model: DerivedRobot, parts: Parts, rates: AbsoluteRates) -> Sequence[Node]:
    found = Coefficients.listed(parts["explicit"], model.tree.nv)
    return [*parts["explicit"], *rates.torque(found, model.symbols("qd"), model.symbols("qdd"))]


JOINS: dict[str, Join] = {"forward_dynamics": _forward_dynamics, "explicit_torque": _explicit_torque}
