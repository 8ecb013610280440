"""Functions put together from a robot's derived functions: traced on symbols, lowered, not searched.

A control law, or the gradient of the Lagrangian, is a short text over the questions of a robot. Here it becomes a
:class:`Function` like any other: its questions are derived and tightened, equal expressions of several are one, and the
result is proved equal to the same text over the textbook algorithms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from taut.analysis.opcount import count
from taut.derive.derivation import PROOF_POINTS
from taut.derive.derive import derive
from taut.derive.function import Function, Proof, Step
from taut.derive.kept import kept_function
from taut.derive.naming.model import ONE_NAMING, DerivedRobot, derived_robot
from taut.derive.starts.traces import textbook
from taut.errors import TautError
from taut.graph import Node
from taut.graph.lower import lower
from taut.graph.prove import disproof
from taut.graph.stage import Stage
from taut.graph.substitute import substitute
from taut.graph.walk import symbols_of
from taut.questions.quantity import UNKNOWN, Quantity
from taut.robot import Tree


@cache
def exact_function(tree: Tree, name: str, frame: str | None = None) -> Function:
    """Return a function of a robot without symbols that keeps every digit of its description."""
    options: dict[str, Any] = {"effort": "none", "snap": 0.0, "frame": frame, "forms": ONE_NAMING}
    return kept_function(tree, {"function": name, **options}, lambda: derive(tree, name, **options))


class TracedRobot:
    """A robot whose functions answer with expressions: arrays of nodes in, arrays of nodes out.

    Attributes:
        graph: where the expressions live.
        tree: the robot, its numbers as symbols of the graph.
        values: of the parameters met so far.
        plain: whether the textbook algorithms answer instead of the derived programs.
    """

    def __init__(self, tree: Tree, model: DerivedRobot, plain: bool = False) -> None:
        self.graph, self.tree, self.plain = model.graph, model.tree, plain
        self._numeric, self._model = tree, model
        self.values: dict[str, float] = dict(model.naming.values)

    def parameter(self, name: str, values: np.ndarray) -> Any:
        """Return symbols ``name1, name2, ...`` that have the given values, or the symbol ``name`` of a single one."""
        names = [f"{name}{k + 1}" for k in range(len(values))] if values.ndim else [name]
        self.values |= dict(zip(names, map(float, np.atleast_1d(values)), strict=True))
        symbols = self.array([self.graph.symbol(x, Stage.PARAMETER) for x in names])
        return symbols if values.ndim else symbols[0]

    def array(self, nodes: Any) -> np.ndarray:
        """Return nodes and numbers as an array of nodes."""
        flat = np.array(nodes, dtype=object)
        return np.frompyfunc(self.graph.lift, 1, 1)(flat)

    def evaluate(self, name: str, *given: np.ndarray, frame: str | None = None) -> np.ndarray:
        """Return the answer to a question for expressions as its arguments."""
        function = exact_function(self._numeric, name, frame)
        self.values |= function.values
        if self.plain:
            outputs = textbook(self._model, name, None, function.frame).outputs
        else:
            outputs = function.program.trace(self.graph)
        symbols = {s.name: s for s in _symbols(outputs)}
        put: dict[Node, Any] = {}
        for names, values in zip(function.arguments.values(), given, strict=True):
            put |= {symbols[s]: x for s, x in zip(names, values, strict=True) if s in symbols}
        return self.array(substitute(outputs, put)).reshape(function.shape)

    def gravity(self, q: np.ndarray) -> np.ndarray:
        """Return g(q)."""
        return self.evaluate("gravity", q)

    def bias(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return C qd + g."""
        return self.evaluate("bias", q, qd)

    def inverse_dynamics(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return M qdd + C qd + g."""
        return self.evaluate("inverse_dynamics", q, qd, qdd)

    def forward_dynamics(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return M^-1 (tau - C qd - g)."""
        return self.evaluate("forward_dynamics", q, qd, tau)


def _symbols(outputs: Sequence[Node]) -> list[Node]:
    return symbols_of(outputs)


def traced(
    tree: Tree,
    name: str,
    compute: Callable[..., Any],
    arguments: Mapping[str, tuple[int, Stage]],
    result: Quantity = UNKNOWN,
    method: str = "traced",
) -> Function:
    """Return a function that is put together from a robot's questions.

    Args:
        tree: the robot, without symbols.
        name: of the function.
        compute: (traced robot, one array of nodes an argument) -> a vector or a matrix of nodes.
        arguments: {name: (width, stage)}, in order.
        result: letter, meaning and unit of the answer.
        method: what the function reports as its origin.
    """
    model = derived_robot(tree, "numeric", 0.0)
    robot, plain = TracedRobot(tree, model), TracedRobot(tree, model, plain=True)
    names = {key: tuple(f"{key}{k + 1}" for k in range(width)) for key, (width, _) in arguments.items()}
    given = [robot.array([robot.graph.symbol(x, arguments[key][1]) for x in names[key]]) for key in arguments]
    answer = robot.array(compute(robot, *given))
    program = lower(list(answer.ravel()))
    expected = list(plain.array(compute(plain, *given)).ravel())
    if difference := disproof(program.trace(model.graph), expected, PROOF_POINTS, seed=97, spheres=model.spheres):
        raise TautError(f"{name} of '{tree.name}' differs from the textbook algorithms, {difference}; report this")
    used = {line.data for line in program.lines if line.op == "input"}
    return Function(
        name=name,
        robot=tree.name,
        program=program,
        arguments=names,
        shape=answer.shape,
        values={key: value for key, value in robot.values.items() if key in used},
        method=method,
        parameters="numeric",
        effort="none",
        steps=(Step("traced", count(program)),),
        proof=Proof("the same text over the textbook algorithms", PROOF_POINTS),
        result=result,
    )
