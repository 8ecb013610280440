"""A robot's functions as a JavaScript module: plain arrays of numbers, results row by row in one Float64Array."""

from __future__ import annotations

from collections.abc import Sequence

from taut.emit.names import remark, wrapped
from taut.emit.routine import Routine
from taut.emit.spelling import spelled
from taut.emit.statements import Language, description, parameter_names, parameter_rows, statements

JAVASCRIPT = Language(
    functions=spelled("Math.NAME({})"),
    element=lambda vector, k: f"{vector}[{k}]",
    statement=lambda name, right: f"  const {name} = {right};",
)


def javascript_source(robot: str, routines: Sequence[Routine], joints: Sequence[str] = ()) -> str:
    """Return an ECMAScript module with one exported function a routine."""
    names = parameter_names(routines)
    rows = [f"// Dynamics of '{remark(robot)}', written by taut. Joints, in the order of every vector:"]
    rows += [f"//   {row}" for row in wrapped([remark(joint) for joint in joints])]
    if names:
        rows += ["// Parameters, in the order of p:", *(f"//   {row}" for row in parameter_rows(routines))]
    for routine in routines:
        written = statements(routine, JAVASCRIPT, names)
        given = [*([] if routine.baked else ["p"]), *routine.arguments]
        rows += ["", *(f"// {row}" for row in description(routine))]
        rows += [f"export function {routine.name}({', '.join(given)}) {{", *written.statements]
        letter = routine.result.letter
        rows.append(f"  const {letter} = new Float64Array({routine.size});")
        rows += [f"  {letter}[{k}] = {text};" for k, text in enumerate(written.outputs)]
        rows += [f"  return {letter};", "}"]
    return "\n".join(rows) + "\n"
