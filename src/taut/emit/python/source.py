"""A robot's functions as Python text that needs NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence

from taut.emit.names import remark, wrapped
from taut.emit.routine import Routine
from taut.emit.statements import Language, description, parameter_names, parameter_rows, statements
from taut.graph.elementary import Column

NUMPY = Language(
    functions=Column(lambda function: f"np.{function.numpy}({{}})"),
    element=lambda vector, k: f"p[{k}]" if vector == "p" else f"{vector}[..., {k}]",
    statement=lambda name, right: f"    {name} = {right}",
)


def python_source(robot: str, routines: Sequence[Routine], joints: Sequence[str] = ()) -> str:
    """Return a module with one function a routine; arrays may have any leading axes."""
    names = parameter_names(routines)
    rows = [f'"""Dynamics of {remark(robot)!r}, written by taut: arrays in, arrays out, any leading axes.', ""]
    rows += ["Joints, in the order of every vector:", *(f"    {row}" for row in wrapped([remark(j) for j in joints]))]
    if names:
        rows += ["", "Parameters, in the order of p:", *(f"    {row}" for row in parameter_rows(routines))]
    rows += ['"""', "", "import numpy as np", ""]
    for routine in routines:
        rows += _function(routine, names)
    return "\n".join(rows) + "\n"


def _function(routine: Routine, names: Sequence[str]) -> list[str]:
    given = [*([] if routine.baked else ["p"]), *routine.arguments]
    written = statements(routine, NUMPY, names)
    letter = routine.result.letter
    first, *rest = description(routine)
    rows = ["", f"def {routine.name}({', '.join(given)}):", f'    r"""{first}', ""]
    rows += [*(f"    {row}" for row in rest), '    """']
    rows += [f"    {name} = np.asarray({name}, float)" for name in routine.arguments]
    leading = ", ".join(f"{name}.shape[:-1]" for name in routine.arguments)
    rows += written.statements
    rows.append(f"    {letter} = np.empty((*np.broadcast_shapes({leading}), {routine.size}))")
    rows += [f"    {letter}[..., {k}] = {text}" for k, text in enumerate(written.outputs)]
    shape = ", ".join(map(str, routine.shape))
    turned = f".reshape(*{letter}.shape[:-1], {shape})" if len(routine.shape) > 1 else ""
    return [*rows, f"    return {letter}{turned}", ""]
