"""Tasks of an abbreviated model: the same cut, on equations with terms left out.

M, g and the velocity torques are put together from the elements that are left and searched each on its own; run in each
cycle, the tasks compute the torque of the abbreviated equations, whose error is bounded for its scenario.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taut.derive.function import Function, Proof
from taut.errors import InputError
from taut.graph import Graph
from taut.reduce.abbreviate import Abbreviated
from taut.reduce.functions import FUNCTIONS, abbreviated_function, printed_program, remarks
from taut.robot import Tree
from taut.tasks.generate import planned
from taut.tasks.plan import Plan
from taut.tasks.proof import POINTS, Proved, compare

HELD = "The bound is that of all tasks in each cycle; values that are held add an error, see taut rates."


def abbreviated_tasks(
    found: Abbreviated, chosen: Sequence[tuple[str, str | None]], tasks: str, worth: int = 0, **search: Any
) -> tuple[Plan, Proved]:
    """Return functions of a shorter model cut into tasks, and the proof that they are its functions.

    Args:
        found: the model with its scenario and errors.
        chosen: functions, without frames.
        tasks: ``two-rate``, or a list of stages; see :func:`taut.tasks.grouping.grouping`.
        worth: operations that a value handed between background tasks must save.
        search: ``effort`` and ``seed`` of :func:`taut.reduce.functions.abbreviated_function`.
    """
    for name, _ in chosen:
        if name == "joint_torque":
            advice = f"choose from {', '.join(FUNCTIONS)}, and add friction to the torque"
            raise InputError("no abbreviated joint_torque", "abbreviate", advice)

    def derive(tree: Tree, name: str, _: str | None) -> Function:
        return abbreviated_function(found, name, **search, gravity=any(tree.gravity_acceleration))

    plan = planned(found.full.robot, chosen, tasks, derive, worth)
    references = {answer.label: printed_program(found, answer.label) for answer in plan.together.answers}
    graph = Graph()
    compare(plan, graph, {label: program.trace(graph) for label, program in references.items()})
    said = (*remarks(found, "inverse_dynamics"), HELD)
    return plan, Proved(Proof("the abbreviated equations", POINTS), references, said)
