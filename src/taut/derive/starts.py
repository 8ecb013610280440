"""The programs a tightening can start from: which algorithm, in which frames, answers the question.

A start is traced on symbols and counted; the cheapest goes on to the passes. The textbook methods are
here by name, for comparison and as the fallback for robots without a screw form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from taut.algorithms.compound_links import compound_mass_matrix, compound_torque
from taut.algorithms.extended_bodies import extended_body_mass_matrix, extended_body_torque
from taut.algorithms.kane import kane
from taut.algorithms.lagrange_euler import lagrange_euler
from taut.algorithms.linear_solve import solve_symmetric
from taut.algorithms.newton_euler import newton_euler
from taut.algorithms.second_moment_matrix import second_moment_matrix
from taut.algorithms.second_moments import second_moment_torque
from taut.analysis.opcount import count
from taut.derive.model import DerivedRobot
from taut.derive.tighten import sound
from taut.errors import InputError
from taut.functions import FUNCTIONS, bias, mass_matrix
from taut.graph import Node
from taut.graph.lower import lower
from taut.robot import Tree
from taut.robot.screws import Screw

TORQUE_METHODS = {
    "newton_euler": newton_euler,
    "kane": kane,
    "lagrange_euler": lagrange_euler,
    "extended_bodies": extended_body_torque,
    "compound_links": compound_torque,
}
"""Textbook algorithms for joint torques, by the name ``method=`` takes."""

MATRIX_METHODS = {"extended_bodies": extended_body_mass_matrix, "compound_links": compound_mass_matrix}
"""Textbook algorithms for the mass matrix besides composite bodies."""

JOINT_SPACE = (
    *("inverse_dynamics", "gravity", "bias", "mass_matrix", "coriolis_matrix", "christoffel"),
    *("forward_dynamics", "joint_torque", "friction"),
)
"""Functions that do not ask where links and frames are: frames and masses may be rearranged for them."""

TIGHT = {
    **dict.fromkeys(("inverse_dynamics", "gravity", "bias", "joint_torque"), ("torque",)),
    "mass_matrix": ("matrix",),
    "forward_dynamics": ("torque", "matrix"),
}
"""Functions that the second-moment recursions serve, and which of the two they take."""

Lags = frozenset[int]


@dataclass(frozen=True)
class Start:
    """One way to compute a function: its name and its traced outputs."""

    method: str
    outputs: list[Node]

    @cached_property
    def cost(self) -> int:
        """Operations as traced."""
        return count(self.outputs).total


def methods(function: str) -> tuple[str, ...]:
    """Return the names ``method=`` takes for a function, besides ``best``."""
    if function in ("inverse_dynamics", "gravity", "bias"):
        return ("second_moments", *TORQUE_METHODS)
    if function == "mass_matrix":
        return ("second_moments", "composite_bodies", *MATRIX_METHODS)
    if function == "forward_dynamics":
        return ("second_moments", "articulated_bodies")
    return ("textbook",)


def textbook(model: DerivedRobot, function: str, method: str | None = None, frame: str | None = None) -> Start:
    """Trace a function by a textbook algorithm, masses and frames as the robot has them."""
    question = FUNCTIONS[function]
    options: dict[str, Any] = {"frame": frame} if question.on_frame else {}
    method = method or next(name for name in methods(function) if name != "second_moments")
    if function == "mass_matrix" and method in MATRIX_METHODS:
        options["matrix"] = MATRIX_METHODS[method]
    elif method in TORQUE_METHODS:
        options["torque"] = TORQUE_METHODS[method]
    tree = model.screw_tree if function in JOINT_SPACE else model.tree
    return Start(method, _traced(model, tree, function, options))


def starts(model: DerivedRobot, function: str, frame: str | None = None) -> Iterable[Start]:
    """Yield the starts worth tightening, any of which may be the cheapest."""
    if function not in JOINT_SPACE or model.regrouped is None:
        yield textbook(model, function, None, frame)
        return
    if function in TIGHT:
        yield _cheapest(model, function, TIGHT[function])
    if function not in TIGHT or function == "forward_dynamics":  # articulated bodies may be cheaper than solving
        yield Start("textbook, regrouped", _traced(model, model.light_tree, function, {}))


def _cheapest(model: DerivedRobot, function: str, kinds: Sequence[str]) -> Start:
    """Return the cheapest second-moment start: outermost frames turned if they can be, lags found greedily."""
    for bodies, note in ((model.turned, ", leaves turned"), (model.regrouped, "")):
        assert bodies is not None
        lags = frozenset[int]()
        start = _second_moments(model, bodies, function, kinds, lags, note)
        if bodies is model.turned and not sound(lower(start.outputs), model.naming.values):
            continue  # a first moment is zero for these numbers and gives no direction
        for i in _may_lag(bodies):
            trial = _second_moments(model, bodies, function, kinds, lags | {i}, note)
            if trial.cost < start.cost:
                start, lags = trial, lags | {i}
        break
    return start


def _may_lag(bodies: Sequence[Screw]) -> list[int]:
    """Return the bodies for which lagging can pay: outermost ones, and those that carry a parallel joint."""
    children: dict[int, list[Screw]] = {}
    for body in bodies:
        children.setdefault(body.parent, []).append(body)
    turning = [i for i, body in enumerate(bodies) if body.kind == "revolute"]
    return [i for i in reversed(turning) if all(child.parallel for child in children.get(i, []))]


def _second_moments(
    model: DerivedRobot, bodies: Sequence[Screw], function: str, kinds: Sequence[str], lags: Lags, note: str
) -> Start:
    def torque(_: Tree, Q: Any, QD: Any, QDD: Any) -> Any:
        return second_moment_torque(bodies, model.gravity, Q, QD, QDD, lags)

    def matrix(_: Tree, Q: Any) -> Any:
        return second_moment_matrix(bodies, Q, lags)

    available: dict[str, Callable[..., Any]] = {"torque": torque, "matrix": matrix}
    options = {kind: available[kind] for kind in kinds}
    compute = partial(_solved, torque=torque, matrix=matrix) if function == "forward_dynamics" else None
    lagging = f", lagging {', '.join(str(i + 1) for i in sorted(lags))}" if lags else ""
    return Start(f"second_moments{note}{lagging}", _traced(model, model.light_tree, function, options, compute))


def _solved(robot: Tree, q: Any, qd: Any, tau: Any, torque: Any, matrix: Any) -> Any:
    """Forward dynamics as M^-1 (tau - bias), the last joint eliminated first."""
    rest = [t - b for t, b in zip(tau, bias(robot, q, qd, torque=torque), strict=True)]
    return solve_symmetric(mass_matrix(robot, q, matrix=matrix), rest)


def _traced(
    model: DerivedRobot,
    tree: Tree,
    function: str,
    options: dict[str, Any],
    compute: Callable[..., Any] | None = None,
) -> list[Node]:
    question = FUNCTIONS[function]
    compute = compute or partial(question.compute, **options)
    try:
        answer = compute(tree, *(model.symbols(argument) for argument in question.arguments))
    except ZeroDivisionError:
        raise InputError(
            f"{function} of '{tree.name}' divides by zero at every state",
            "derive",
            "see that every joint moves some mass, and that six joints or more reach the frame",
        ) from None
    return [model.graph.lift(x) for x in _flat(answer)]


def _flat(answer: Any) -> list[Any]:
    if isinstance(answer, (list, tuple)):
        return [x for entry in answer for x in _flat(entry)]
    return [answer]
