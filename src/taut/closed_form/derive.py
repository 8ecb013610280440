"""The derivation of any function of a robot, by the closed form of the inverse Jacobian where that is asked for.

Cofactors of the traced Jacobian are exact, but long: the closed form takes the Jacobian where it falls into blocks. An
arm that has none, and options that a closed form does not have, go the general way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from taut.closed_form.kinematics import Kinematics
from taut.closed_form.lumped_starts import lumped_starts
from taut.derive import derive as derive_in_general
from taut.derive.function import Function
from taut.errors import UnsupportedError
from taut.questions.table import asked
from taut.robot import Tree

CLOSED: dict[str, Callable[..., Function]] = {
    "inverse_jacobian": lambda arm, **options: arm.inverse_function(axes="world", **options),
    "jacobian_determinant": lambda arm, **options: arm.determinant_function(**options),
}
"""Questions that have a closed form."""

USUAL = (None, (), "m+a", "time")
"""Values of other options that ask for nothing else."""

SHARED = ("effort", "progress", "frame", "seed", "seconds", "fresh", "generic", "verify", "engine")
"""Options that a closed form has, or to which it is the same."""


def derive(tree: Tree, function: str, method: str = "best", parameters: str | None = None, **options: Any) -> Function:
    """Return a function of a robot as an exact program with few operations; see :func:`taut.derive.derive`."""
    spelled = asked(function, "derive")
    own = {name: value for name, value in options.items() if name not in SHARED and value not in USUAL}
    if spelled.question.name in CLOSED and method == "best" and parameters in (None, "numeric", "pattern") and not own:
        place = tree.frame(spelled.frame_or(options.get("frame"), "derive")).name
        if tree.nv == len(tree.joints) == 6:
            try:
                return _closed(tree, spelled.question.name, place, options)
            except UnsupportedError:
                pass  # no axes and no point part this arm's Jacobian
    if tree.mimics and not tree.at().bends and not spelled.question.parts:
        options["more"] = lumped_starts
    return derive_in_general(tree, function, method, parameters, **options)


def _closed(tree: Tree, name: str, frame: str, options: dict[str, Any]) -> Function:
    arm = Kinematics(tree, frame)
    if arm.chain.n != 6 or len(arm.task.rows) != 6:
        raise UnsupportedError("not all six joints move the frame freely", frame, "take another frame")
    found = CLOSED[name](arm, effort=options.get("effort", "normal"), progress=options.get("progress"))
    said = (
        f"det J = {arm.determinant.replace('*', ' ')}: where it is zero the arm is singular.",
        "Near zero the entries grow without bound, at zero some are infinite or not numbers: compare "
        "jacobian_determinant with a limit of yours first.",
    )
    known = all(parameter in found.values for parameter in found.parameter_names)
    return replace(
        found,
        frame=frame,
        parameters="numeric" if known else "pattern",
        remarks=said if name == "inverse_jacobian" else said[:1],
    )
