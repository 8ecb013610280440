"""The functions of an abbreviated model as programs, with the scenario and the error bound in their remarks.

Everything is put together from the elements that are left: M from its own, the torque as their sum, the accelerations
by elimination. The lumped constants are numbers in the program; nothing else is dropped, so its only error is that of
the terms left out.
"""

from __future__ import annotations

import time
from dataclasses import replace

from taut.algorithms.coefficients import Coefficients
from taut.analysis.opcount import count
from taut.derive.function import Function, Proof, Step
from taut.derive.tightening.efforts import ALONE
from taut.derive.tightening.tighten import Progress, tighten
from taut.errors import InputError, TautError, refuse_unknown
from taut.explicit import ExplicitModel
from taut.explicit.sums import SUMS, at_rest
from taut.explicit.torque_program import explicit_program
from taut.graph import Graph
from taut.graph.assembly import together
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.questions.fusion import shapes
from taut.questions.question import Question
from taut.questions.table import question
from taut.reduce.abbreviate import Abbreviated
from taut.reduce.operations import with_named_constants

FUNCTIONS = (*SUMS, "explicit", "explicit_torque")
"""The questions that an abbreviated model answers."""

POINTS = 3
"""Random points of the finite field at which the searched program is compared."""

DEFAULT = "inverse_dynamics,mass_matrix,forward_dynamics"
"""Functions of an abbreviated model that are generated when none are named."""


def abbreviated_function(
    found: Abbreviated,
    name: str,
    effort: str = "normal",
    seed: int = 1,
    progress: Progress | None = None,
    gravity: bool = True,
) -> Function:
    """Return a function of the shorter model.

    Args:
        found: the model with its scenario and errors.
        name: one of :data:`FUNCTIONS`, an alias of it, or several joined by a plus.
        effort: how hard to search for fewer operations, a name of :data:`taut.derive.tightening.efforts.ALONE`.
        seed: of the search.
        progress: called while the count falls.
        gravity: whether gravity acts; without it, ``bias`` is the vector of velocity torques.
    """
    started = time.perf_counter()
    asked = question(name, "abbreviate")
    _check(found, asked, effort)
    model = with_named_constants(found.model)
    printed = program = printed_program(found, name, gravity)
    steps = [Step("elements as printed", count(program))]
    if budget := ALONE[effort]:
        tight = tighten(program, budget, seed, values=model.values, progress=progress)
        program = tight.program
        steps += [Step(*step) for step in tight.steps]
    return Function(
        name=asked.name,
        robot=model.robot.name,
        program=program,
        arguments={key: tuple(symbol.name for symbol in model.symbols(key)) for key in asked.arguments},
        shape=asked.shape(model.robot),
        values=model.values,
        method=f"explicit equations abbreviated by rule {found.rule}",
        parameters="numeric",
        effort=effort,
        steps=tuple(steps),
        proof=_proof(printed, program),
        seconds=time.perf_counter() - started,
        seed=seed,
        result=asked.result,
        remarks=remarks(found, asked.name),
        parts=shapes(model.robot, asked.parts),
    )


def printed_program(found: Abbreviated, name: str, gravity: bool = True) -> Program:
    """Return a function of the shorter model as its equations are printed, before any search.

    Args:
        found: the model.
        name: as in :func:`abbreviated_function`.
        gravity: whether gravity acts.
    """
    model = with_named_constants(found.model)
    return together(_printed(model, one.name, gravity) for one in _parts(question(name, "abbreviate")))


def _parts(asked: Question) -> list[Question]:
    """Return the questions that are joined by a plus, or the one there is."""
    return [part.question for part in asked.parts] or [asked]


def _printed(model: ExplicitModel, name: str, gravity: bool) -> Program:
    if name not in SUMS:
        return explicit_program(model, torque=name == "explicit_torque")
    elements = Coefficients.listed(model.outputs(), model.n)
    if not gravity:
        elements = replace(elements, g=at_rest(elements))
    last = "tau" if name == "forward_dynamics" else "qdd"
    sums = SUMS[name](elements, model.symbols("qd"), model.symbols(last))
    return lower([model.graph.lift(x) for x in sums])


def _proof(printed: Program, searched: Program) -> Proof:
    """Compare what the search made with the elements as they are printed."""
    graph = Graph()
    if disproof(printed.trace(graph), searched.trace(graph), POINTS):
        raise TautError("the search changed the abbreviated model; report this")
    return Proof("the abbreviated equations", POINTS)


def _check(found: Abbreviated, asked: Question, effort: str) -> None:
    names = [one.name for one in _parts(asked)]
    for name in names:
        if name not in FUNCTIONS:
            raise InputError(f"no abbreviated {name}", "abbreviate", f"choose from {', '.join(FUNCTIONS)}")
    refuse_unknown("effort", effort, ALONE, "abbreviate")
    if found.scenario.load is not None:
        advice = "leave the load out, or load the robot with it (with_load)"
        raise InputError("code for a scenario with a load that comes and goes", "abbreviate", advice)
    if "forward_dynamics" in names and not found.definiteness.holds:
        advice = "take a smaller threshold or the rule 'torque'"
        raise InputError("M of the shorter model is not positive definite", "abbreviate", advice)


def remarks(found: Abbreviated, name: str) -> tuple[str, ...]:
    """Return what a user of the code must know: what was left out, for which motions, and how wrong it gets."""
    by = f" at {100 * found.threshold:g} percent" if found.threshold is not None else ""
    lines = [
        f"NOT EXACT: abbreviated by rule {found.rule}{by}; {len(found.kept)} of {len(found.terms)} terms are left.",
        "Scenario, joint: q [rad or m], qd [per s], qdd [per s^2], bound of the torque error [N m or N]:",
    ]
    scenario = found.scenario
    for joint, q, qd, qdd, error in zip(
        scenario.joints, scenario.q, scenario.qd, scenario.qdd, found.errors, strict=True
    ):
        ranges = ", ".join(f"{low:.4g} to {high:.4g}" for low, high in (q, qd, qdd))
        lines.append(f"  {joint}: {ranges}; {error.bound:.4g} where torques reach {error.largest:.4g}")
    lines.append("No state of the scenario exceeds the bound.")
    if name == "forward_dynamics":
        lines.append("Where qdd is in the scenario, the full model needs torques within these bounds of tau for it.")
    elif name not in ("inverse_dynamics", "explicit_torque"):
        lines.append("The bounds are those of the torque that the elements make up together.")
    return (*lines, *(f"Warning: {warning}." for warning in found.warnings))
