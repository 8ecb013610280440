"""The forms of a robot's equations, and their notations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from taut.api import Robot
from taut.errors import InputError
from taut.explicit import explicit_size
from taut.explicit.design import GOALS
from taut.explicit.model import ExplicitModel
from taut.explicit.rate_matrices import matrices_of, matrices_text
from taut.explicit.sympy_file import sympy_source
from taut.explicit.text import hierarchy_text, terms_text
from taut.explicit.variants import only
from taut.graph.text import to_text
from taut.questions.table import asked
from taut.report.explicit_page import explicit_page
from taut.report.kinematics import Counts, kinematics_counts, kinematics_page
from taut.report.progress import ProgressLine

NOTATIONS = ("text", "latex", "markdown", "sympy")

MANY_TERMS = 2000
"""Terms of a readable form from which its length is stated first."""


@dataclass(frozen=True)
class Made:
    """A form, written: the page, a few lines about it, and the same for a program to read."""

    page: str
    summary: str
    data: dict[str, Any]


KINDS = {
    "inverse_dynamics": "Mbcg",
    "explicit": "Mbcg",
    "mass_matrix": "M",
    "gravity": "g",
    "bias": "bcg",
    "coriolis_matrix": "bc",
    "christoffel": "bc",
}
"""Kinds of elements that a function consists of."""

KINEMATICS = ("inverse_dynamics", "forward_kinematics", "jacobian")
"""Functions whose equations the kinematic form shows; it has them all on one page. The first is the default."""


@dataclass(frozen=True)
class Wanted:
    """What a form is asked for.

    Attributes:
        function: name of a function; all of the form for inverse dynamics, the default.
        notation: one of :data:`NOTATIONS`.
        effort: of the search for the counts.
        frame: for kinematics.
        only_data: whether the page is left out.
    """

    function: str
    notation: str
    effort: str
    frame: str | None
    only_data: bool

    @classmethod
    def of(cls, spelling: str, notation: str, effort: str, frame: str | None, only_data: bool) -> Wanted:
        """Return what is wanted, the function spelled as a user does: ``gravity``, ``jacobian:tool0``."""
        found = asked(spelling, "--function")
        return cls(found.question.name, notation, effort, found.frame_or(frame, "--function"), only_data)


def kinematics_form(robot: Robot, wanted: Wanted) -> Made:
    """Return pose, Jacobian, determinant and inverse."""
    notation = wanted.notation
    if wanted.function not in KINEMATICS:
        raise _no_form("kinematics", wanted.function, KINEMATICS[1:])
    if notation == "sympy":
        raise InputError("kinematics has no SymPy form", "--sympy", "leave it out, or choose --latex or --markdown")
    with ProgressLine(f"{robot.name} kinematics") as progress:
        arm = robot.kinematics(wanted.frame)
        counts = kinematics_counts(arm, wanted.effort, progress)
    page = kinematics_page(arm, counts)
    written = {"text": page.to_text, "latex": page.to_latex, "markdown": page.to_markdown}[notation]
    data = _kinematics_data(arm, counts)
    rows = [f"kinematics of {robot.name}: {arm.task.jacobian.where()}"]
    if "determinant" in data:
        rows.append(f"det J = {data['determinant']}")
    rows += [f"{name}: {f['total']} operations" for name, f in data["functions"].items()]
    return Made("" if wanted.only_data else written(), "\n".join(rows) + "\n", data)


def _no_form(form: str, function: str, known: Sequence[str]) -> InputError:
    return InputError(
        f"no {form} form of '{function}'", "--function", f"choose {', '.join(known)}, or leave out --form"
    )


def _kinematics_data(arm: Any, counts: Counts) -> dict[str, Any]:
    functions = [counts.forward, counts.jacobian, *([counts.inverse] if counts.inverse else [])]
    data: dict[str, Any] = {
        "robot": arm.robot,
        "velocity": arm.task.jacobian.where(),
        "redundant": arm.redundant,
        "functions": {f.name: f.as_json() for f in functions},
    }
    if counts.inverse is not None and not arm.redundant:
        data["determinant"] = arm.determinant
        data["singular"] = [{"where": s.formula, "what": s.words} for s in arm.singularities]
    return data


def size_note(robot: Robot, form: str) -> str:
    """Return how long a form will be, where that is long; known before it is written."""
    if form == "kinematics":
        return ""
    size = explicit_size(robot.tree)
    return f"{robot.name}: {size}" if size.terms > MANY_TERMS else ""


def explicit_form(robot: Robot, wanted: Wanted) -> Made:
    """Return the elements M, b, c and g that a function consists of; effort and frame do not matter to it."""
    model = _elements(robot, wanted, "explicit")
    page = explicit_page(model)
    written = {
        "text": model.text,
        "latex": page.to_latex,
        "markdown": page.to_markdown,
        "sympy": lambda: sympy_source(model),
    }[wanted.notation]
    return Made("" if wanted.only_data else written(), _explicit_summary(model), _explicit_data(model))


def _elements(robot: Robot, wanted: Wanted, form: str) -> ExplicitModel:
    if wanted.function not in KINDS:
        raise _no_form(form, wanted.function, list(KINDS))
    with ProgressLine(f"{robot.name} explicit", noun="terms") as progress:
        model: ExplicitModel = robot.explicit(progress=progress)
    return model if KINDS[wanted.function] == "Mbcg" else only(model, KINDS[wanted.function])


def hierarchy_form(robot: Robot, wanted: Wanted) -> Made:
    """Return the same elements by constants K, shared terms T and V, and elements written in these."""
    _text_only("hierarchy", wanted)
    model = _elements(robot, wanted, "hierarchy")
    count = model.function("readable").operations
    summary = _explicit_summary(model) + f"as it is written here: {count} operations\n"
    data = _explicit_data(model) | {"operations": {"mul": count.mul, "add": count.add, "total": count.total}}
    return Made("" if wanted.only_data else hierarchy_text(model), summary, data)


def matrices_form(robot: Robot, wanted: Wanted) -> Made:
    """Return the matrices M, B, C and G of tau = M qdd + B qq + C q2 + G."""
    _text_only("matrices", wanted)
    if wanted.function not in ("inverse_dynamics", "explicit"):
        raise _no_form("matrices", wanted.function, ["inverse_dynamics"])
    model = _elements(robot, wanted, "matrices")
    data = _explicit_data(model) | {"matrices": matrices_of(model)._asdict()}
    return Made("" if wanted.only_data else matrices_text(model), _explicit_summary(model), data)


def design_form(robot: Robot, wanted: Wanted) -> Made:
    """Return the conditions on the parameters that make M diagonal, M constant, or gravity vanish."""
    _text_only("design", wanted)
    found = robot.design()
    conditions = {goal: [str(condition) for condition in found.conditions(goal)] for goal in GOALS}
    return Made(found.text(), found.text(), {"robot": robot.name, "conditions": conditions})


def _text_only(form: str, wanted: Wanted) -> None:
    if wanted.notation != "text":
        raise InputError(f"{form} comes as text", f"--{wanted.notation}", "leave it out, or choose --form explicit")


def _explicit_summary(model: ExplicitModel) -> str:
    of_kind = {kind: [e for e in model.elements.values() if e.kind == kind] for kind in "Mbcg"}
    left = ", ".join(
        f"{sum(not e.is_zero for e in found)} of {len(found)} {kind}" for kind, found in of_kind.items() if found
    )
    rows = [f"explicit equations of {model.robot.name}: {len(model.constants)} constants, {model.term_count} terms"]
    rows.append(f"not zero: {left}; unique Christoffel symbols: {model.unique_christoffel}")
    if model.proof is not None:
        rows.append(f"exact: equals {model.proof.reference} at {model.proof.points} points of GF(2^61 - 1)")
    return "\n".join(rows) + "\n"


def _explicit_data(model: ExplicitModel) -> dict[str, Any]:
    return {
        "robot": model.robot.name,
        "constants": {
            c.name: {"formula": to_text(c.formula), "value": c.value, "tolerance": c.tolerance}
            for c in model.constants.values()
        },
        "elements": {name: terms_text(e.terms) for name, e in model.elements.items()},
        "relations": {name: e.relation.text for name, e in model.elements.items() if e.relation is not None},
        "terms": model.term_count,
        "unique_christoffel": model.unique_christoffel,
        "verified": model.proof is not None,
        "seconds": round(model.seconds, 3),
    }


FORMS: dict[str, Callable[[Robot, Wanted], Made]] = {
    "explicit": explicit_form,
    "hierarchy": hierarchy_form,
    "matrices": matrices_form,
    "design": design_form,
    "kinematics": kinematics_form,
}
