"""A derived function as readable assignments: a line for what is used again, the rest written in place."""

from __future__ import annotations

from collections.abc import Iterator

from taut.emit.assignments import Assignments, Tree, tree_text
from taut.emit.derived import Derived
from taut.graph.stage import Stage
from taut.questions.quantity import UNKNOWN


def equations(function: Derived) -> str:
    """Return a derived function as assignments, stage by stage, answers last."""
    written = Assignments(function.program)
    rows = _parameters(function)
    for stage in Stage:
        lines = [f"{name} = {tree_text(tree)}" for at, name, tree in written.lines if at is stage]
        if lines:
            title = "once" if stage <= Stage.PARAMETER else f"with the {stage.label}"
            rows += [f"# {title}", *lines, ""]
    rows.append("# answers")
    rows += [f"{name} = {tree_text(tree)}" for name, tree in answers(function, written)]
    return "\n".join(rows) + "\n"


def answers(function: Derived, written: Assignments) -> Iterator[tuple[str, Tree]]:
    """Yield the names of the answers, indices from 1, with their formulas."""
    letter = function.name if function.result is UNKNOWN else function.result.letter
    for place, (sign, line) in zip(_places(function.shape), function.program.outputs, strict=True):
        name = f"{letter}[{','.join(map(str, place))}]"
        yield name, written.answer(name, sign, line)


def _parameters(function: Derived) -> list[str]:
    """Return what the parameters are and their values, as comments."""
    names = function.parameter_names
    if not names:
        return []
    width = max(map(len, names))
    rows = ["# parameters"]
    for name in names:
        value = f"{function.values[name]:.12g}" if name in function.values else "no value"
        about = f"  {function.records[name]}" if name in function.records else ""
        changes = "at run time" if name in function.run_time_names else "in the code"
        rows.append(f"#   {name:<{width}} = {value:<18} {changes}{about}")
    return [*rows, ""]


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the indices of an answer in order, from 1."""
    if not shape:
        yield ()
        return
    for first in range(1, shape[0] + 1):
        for rest in _places(shape[1:]):
            yield (first, *rest)
