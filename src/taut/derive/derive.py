"""From a robot and a question to a proved, tightened program."""

from __future__ import annotations

import difflib
import time
from dataclasses import replace

from taut.analysis.opcount import count
from taut.derive.function import Function, Proof, Step
from taut.derive.model import DerivedRobot, derived_robot
from taut.derive.parameters import MODES, SNAP, default_mode
from taut.derive.starts import JOINT_SPACE, Start, methods, starts, textbook
from taut.derive.tighten import Budget, Progress, tighten
from taut.errors import InputError, TautError
from taut.functions import FUNCTIONS
from taut.graph import Node
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.graph.text import to_text
from taut.robot import Tree

EFFORTS: dict[str, Budget | None] = {
    "quick": None,
    "normal": Budget(rounds=6, steps=30_000),
    "max": Budget(rounds=12, steps=60_000, starts=12),
}
"""How much search each effort allows, in steps: the same result for the same seed on any machine."""

PROOF_POINTS = 3


def derive(
    tree: Tree,
    function: str,
    method: str = "best",
    parameters: str | None = None,
    effort: str = "normal",
    *,
    frame: str | None = None,
    seconds: float | None = None,
    seed: int = 1,
    snap: float = SNAP,
    verify: bool = True,
    progress: Progress | None = None,
) -> Function:
    """Return the function as an exact program with few operations.

    Args:
        tree: the robot.
        function: a name of :data:`taut.functions.FUNCTIONS`.
        method: ``best``, or one algorithm of :func:`taut.derive.starts.methods`, traced as printed and
            tightened by the passes alone.
        parameters: ``symbolic``, ``pattern``, ``numeric`` or ``base``; by default ``numeric`` where the
            robot has all numbers, else ``pattern``.
        effort: ``quick``, ``normal`` or ``max``.
        frame: for functions of a frame; the last one by default.
        seconds: cap on the search; the result then says it is not reproducible.
        seed: of the search.
        snap: tolerance for right angles and zero lengths; 0 keeps every number as it is.
        verify: prove the program equal to the textbook algorithm.
        progress: called while the count falls.
    """
    started = time.perf_counter()
    _check(function, method, parameters, effort, seconds)
    parameters = parameters or default_mode(tree)
    model = derived_robot(tree, parameters, snap)
    place = model.tree.frame(frame).name if FUNCTIONS[function].on_frame else None
    start = _best(model, function, method, place)
    program = lower(start.outputs)
    steps = [Step(f"traced: {start.method}", count(program))]
    finished = True
    budget = EFFORTS[effort]
    if budget is not None:
        result = tighten(
            program,
            replace(budget, seconds=seconds),
            seed,
            values=model.naming.values,
            spheres=model.spheres,
            extra=model.angle_sums,
            progress=progress,
        )
        program, finished = result.program, result.reproducible
        steps += [Step(name, operations) for name, operations in result.steps]
    proof = _proved(model, function, place, program) if verify else None
    return Function(
        name=function,
        robot=tree.name,
        program=program,
        arguments={name: tuple(s.data for s in model.symbols(name)) for name in FUNCTIONS[function].arguments},
        shape=FUNCTIONS[function].shape(model.tree),
        values=model.naming.values,
        method=start.method,
        parameters=parameters,
        effort=effort,
        steps=tuple(steps),
        proof=proof,
        notes=tuple(model.naming.notes),
        formulas={name: to_text(node) for name, node in model.naming.formulas.items()},
        seconds=time.perf_counter() - started,
        reproducible=finished,
    )


def _check(function: str, method: str, parameters: str | None, effort: str, seconds: float | None) -> None:
    if function not in FUNCTIONS:
        near = difflib.get_close_matches(function, FUNCTIONS, 1)
        advice = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(FUNCTIONS)}"
        raise InputError(f"no function '{function}'", "derive", advice)
    if method != "best" and method not in methods(function):
        raise InputError(
            f"no method '{method}' for {function}", "derive", f"choose best, {', '.join(methods(function))}"
        )
    if parameters is not None and parameters not in MODES:
        raise InputError(f"parameters '{parameters}'", "derive", f"choose one of {', '.join(MODES)}")
    if effort not in EFFORTS:
        raise InputError(f"effort '{effort}'", "derive", f"choose one of {', '.join(EFFORTS)}")
    if seconds is not None and not seconds > 0:
        raise InputError(f"a budget of {seconds} seconds", "derive", "give more than zero, or no budget")


def _best(model: DerivedRobot, function: str, method: str, frame: str | None) -> Start:
    if method not in ("best", "second_moments"):
        return textbook(model, function, method, frame)
    if method == "second_moments" and model.regrouped is None:
        raise InputError(f"robot '{model.tree.name}' has no screw form", "derive", "leave the method at 'best'")
    return min(starts(model, function, frame), key=lambda start: start.cost)


def _proved(model: DerivedRobot, function: str, frame: str | None, program: Program) -> Proof:
    """Compare the program with the plain textbook algorithm; a difference is a bug, not a result."""
    reference = textbook(model, function, None, frame)
    found: list[Node] = program.trace(model.graph)
    difference = disproof(found, reference.outputs, PROOF_POINTS, seed=97, spheres=model.spheres)
    if difference is not None:
        raise TautError(f"{function} of '{model.tree.name}': the tightened program is wrong, {difference}; report this")
    form = " on its screw form" if model.screws is not None and function in JOINT_SPACE else ""
    return Proof(f"{reference.method}{form}", PROOF_POINTS)
