"""An explicit model as a program that has the operation count of its printed text."""

from __future__ import annotations

import time
from typing import Any

from taut.analysis.opcount import count
from taut.derive.derive import derive
from taut.derive.function import Function, Step
from taut.explicit.hierarchy import Hierarchy
from taut.explicit.model import ExplicitModel
from taut.explicit.torque import torque_of
from taut.explicit.torque_program import explicit_program
from taut.graph import Node
from taut.questions.table import QUESTIONS


def readable_outputs(model: ExplicitModel, torque: bool) -> list[Node]:
    """Return the elements in the model's order, then the torque where asked for."""
    nodes = Hierarchy(model).element_nodes()
    tau = torque_of(nodes, model.graph, model.symbols("qd"), model.symbols("qdd")) if torque else []
    return [*nodes.values(), *tau]


def readable_function(model: ExplicitModel, torque: bool) -> Function:
    """Return the model as it is printed, as a program with its count."""
    started = time.perf_counter()
    program = explicit_program(model, torque)
    asked = QUESTIONS["explicit_torque" if torque else "explicit"]
    return Function(
        name=asked.name,
        robot=model.robot.name,
        program=program,
        arguments={name: tuple(symbol.name for symbol in model.symbols(name)) for name in asked.arguments},
        shape=(len(program.outputs),),
        values=dict(model.values),
        method="explicit, readable",
        parameters=model.parameters,
        effort="none",
        steps=(Step("explicit, readable", count(program)),),
        proof=model.proof,
        notes=model.notes,
        difference=model.difference,
        seconds=model.seconds + time.perf_counter() - started,
        result=asked.result,
    )


def tight_function(model: ExplicitModel, torque: bool, **options: Any) -> Function:
    """Return the same elements with as few operations as the search finds."""
    options = {"parameters": model.parameters, **options}
    return derive(model.robot, "explicit_torque" if torque else "explicit", **options)
