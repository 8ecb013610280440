"""A robot's functions for MATLAB and Octave: one file a function, vectors in, vectors and matrices out."""

from __future__ import annotations

from collections.abc import Sequence

from taut.emit.names import remark
from taut.emit.routine import Routine
from taut.emit.spelling import spelled
from taut.emit.statements import Language, description, parameter_names, parameter_rows, statements

_MATLAB = Language(
    functions=spelled("NAME({})"),
    element=lambda vector, k: f"{vector}({k + 1})",
    statement=lambda name, right: f"  {name} = {right};",
)


def matlab_sources(prefix: str, robot: str, routines: Sequence[Routine]) -> dict[str, str]:
    """Return {file name: text}, a function file each."""
    names = parameter_names(routines)
    about = ["p, the parameters:", *parameter_rows(routines)] if names else []
    return {f"{prefix}_{r.name}.m": _function(prefix, robot, r, names, about) for r in routines}


def _function(prefix: str, robot: str, routine: Routine, names: Sequence[str], about: Sequence[str]) -> str:
    written = statements(routine, _MATLAB, names)
    given = [*([] if routine.baked else ["p"]), *routine.arguments]
    name, letter = f"{prefix}_{routine.name}", routine.result.letter
    rows = [f"function {letter} = {name}({', '.join(given)})", f"% {name} of '{remark(robot)}', written by taut."]
    rows += [f"% {row}" for row in description(routine)]
    rows += [f"% {row}" for row in about if not routine.baked]
    rows += [*written.statements, f"  {letter} = [ ...", *(f"    {text}; ..." for text in written.outputs), "  ];"]
    if len(routine.shape) > 1:  # MATLAB counts columns first, so that the last axis varies fastest
        shape = ", ".join(map(str, reversed(routine.shape)))
        turned = ", ".join(str(k) for k in range(len(routine.shape), 0, -1))
        rows.append(f"  {letter} = permute(reshape({letter}, [{shape}]), [{turned}]);")
    return "\n".join([*rows, "end"]) + "\n"
