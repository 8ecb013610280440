"""Proof that tasks, run one after the other, compute what the textbook algorithms compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from taut.derive.function import Proof
from taut.derive.naming.model import derived_robot
from taut.derive.naming.run_time import LOAD
from taut.derive.starts.traces import textbook
from taut.errors import TautError
from taut.graph import Graph, Node
from taut.graph.evaluate import REAL, Arithmetic
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.graph.stage import Stage
from taut.robot import Tree
from taut.tasks.plan import Plan

POINTS, SEED = 3, 83


class Proved(NamedTuple):
    """What tasks compute together.

    Attributes:
        proof: with what they were compared.
        references: {function: a program that computes the same}, not cut into tasks.
        remarks: what a user of the tasks must know besides.
    """

    proof: Proof
    references: Mapping[str, Program]
    remarks: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The proof in one sentence."""
        reference, points = self.proof.reference, self.proof.points
        return f"Proof: all tasks in each cycle equal {reference} at {points} random points of GF(2^61 - 1)."


def prove(plan: Plan, robot: Tree, load: str | None = None) -> Proved:
    """Compare tasks with the textbook algorithm of each function over GF(2^61 - 1); raise where they differ.

    Args:
        plan: the tasks.
        robot: whose functions they are.
        load: the frame of a load that is read at run time.
    """
    some = next(iter(plan.together.pieces.values()))
    kept = [name for name, record in some.records.items() if record.run_time and not name.startswith(LOAD)]
    model = derived_robot(robot, some.parameters, keep=kept if some.parameters == "numeric" else (), load=load)
    traced = {}
    for answer in plan.together.answers:
        name, _, frame = answer.label.partition(":")
        traced[answer.label] = textbook(model, name, None, frame or None)
    compare(plan, model.graph, {label: reference.outputs for label, reference in traced.items()}, model.spheres)
    methods = dict.fromkeys(reference.method for reference in traced.values())
    references = {label: lower(reference.outputs) for label, reference in traced.items()}
    return Proved(Proof(", ".join(methods), POINTS), references)


def compare(
    plan: Plan, graph: Graph, right: Mapping[str, Sequence[Node]], spheres: Sequence[Sequence[str]] = ()
) -> None:
    """Raise where the tasks, run one after the other, differ from what they must compute.

    Args:
        plan: the tasks.
        graph: in which the right outputs stand.
        right: {function: its outputs}.
        spheres: symbols of unit quaternions.
    """
    found = _traced(plan, graph)
    for answer in plan.together.answers:
        part, found = found[: answer.size], found[answer.size :]
        different = disproof(part, right[answer.label], POINTS, SEED, spheres)
        if different is not None:
            robot = plan.together.robot
            raise TautError(f"{answer.label} of '{robot}' cut into tasks is wrong, {different}; report this")


def _traced(plan: Plan, graph: Graph) -> list[Node]:
    """Return the answers as nodes; what is read at run time is a parameter again."""
    read = {*plan.together.arguments.get("load", ()), *plan.together.arguments.get("parameters", ())}
    symbols = {
        line.data: graph.symbol(line.data, Stage.PARAMETER if line.data in read else line.stage)
        for line in plan.together.program.lines
        if line.op == "input"
    }
    found = plan.evaluate(symbols, Arithmetic(graph.constant, pow, REAL.functions))
    return [graph.lift(x) for x in found]
