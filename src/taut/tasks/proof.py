"""Proof that tasks, run one after the other, compute what the textbook algorithms compute."""

from __future__ import annotations

from taut.derive.function import Proof
from taut.derive.model import derived_robot
from taut.derive.run_time import LOAD
from taut.derive.starts import textbook
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


def prove(plan: Plan, robot: Tree, load: str | None = None) -> tuple[Proof, dict[str, Program]]:
    """Compare tasks with the textbook algorithm of each function over GF(2^61 - 1); raise where they differ.

    Args:
        plan: the tasks.
        robot: whose functions they are.
        load: the frame of a load that is read at run time.

    Returns:
        The proof, and {function: its textbook algorithm as a program}.
    """
    some = next(iter(plan.together.pieces.values()))
    kept = [name for name, record in some.records.items() if record.run_time and not name.startswith(LOAD)]
    model = derived_robot(robot, some.parameters, keep=kept if some.parameters == "numeric" else (), load=load)
    found = _traced(plan, model.graph)
    references: dict[str, Program] = {}
    methods: list[str] = []
    for answer in plan.together.answers:
        name, _, frame = answer.label.partition(":")
        reference = textbook(model, name, None, frame or None)
        part, found = found[: answer.size], found[answer.size :]
        different = disproof(part, reference.outputs, POINTS, SEED, model.spheres)
        if different is not None:
            raise TautError(f"{answer.label} of '{robot.name}' cut into tasks is wrong, {different}; report this")
        methods.append(reference.method)
        references[answer.label] = lower(reference.outputs)
    return Proof(", ".join(dict.fromkeys(methods)), POINTS), references


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
