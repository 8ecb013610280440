"""From a robot and a question to a proved, tightened program."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence

from taut.analysis.opcount import count
from taut.derive.candidates import known, put_together, traced
from taut.derive.compose import PARTS
from taut.derive.function import Function, Proof, Step
from taut.derive.model import DerivedRobot, derived_robot
from taut.derive.objective import OBJECTIVES, TIMED, TIMED_CANDIDATES
from taut.derive.parameters import MODES, SNAP, default_mode
from taut.derive.pursuit import Pursuit, Trace
from taut.derive.schedule import Candidate, Phase
from taut.derive.specialise import specialised
from taut.derive.starts import JOINT_SPACE, methods, textbook
from taut.derive.structure import Structure, structure
from taut.derive.tighten import Budget, Progress, sound
from taut.errors import InputError, TautError
from taut.functions import FUNCTIONS
from taut.graph import Node
from taut.graph.program import Program
from taut.graph.prove import disproof
from taut.graph.text import to_text
from taut.robot import Tree
from taut.runtime.compiler import CompilerError
from taut.runtime.timing import timed

EFFORTS: dict[str, tuple[Phase, ...]] = {
    "quick": (),
    "normal": (Phase(1, 1, Budget(rounds=3, steps=5_000, starts=2)),),
    "max": (
        Phase(8, 1, Budget(rounds=2, steps=3_000, deep=50, trial=25)),
        Phase(2, 16, Budget(rounds=6, steps=3_000, deep=50, trial=25, patience=3), anew=True),
        Phase(3, 2, Budget(rounds=12, steps=3_000, deep=50, trial=25, patience=4)),
        Phase(2, 4, Budget(rounds=20, steps=3_000, deep=50, trial=25, patience=6)),
        Phase(1, 6, Budget(rounds=20, steps=3_000, deep=50, trial=25, patience=6)),
    ),
}
"""How much search each effort allows, in steps: the same result for the same seed on any machine."""

PART_PHASES = (
    Phase(4, 1, Budget(rounds=2, steps=8_000)),
    Phase(2, 2, Budget(rounds=8, steps=3_000, deep=50, trial=25, patience=3)),
)
"""Search of each part that a function is put together from, where an effort has several phases."""

PARTS_SHARE = 0.4
"""Share of the seconds that goes to the parts."""

PROOF_POINTS = 3

OUTSIDE_STRUCTURE = ("joint_torque", "friction")
"""Functions of joint space that need numbers of the drives which a structure leaves out."""


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
    fresh: bool = False,
    objective: str = "m+a",
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
        fresh: whether to leave programs that come with taut for robots of this structure unread.
        objective: what is to become small: ``m+a`` (all operations), ``m`` (multiplications), ``fma`` (a fused
            multiply-add counts one) or ``cycles`` (time on this machine).
        progress: called while the count falls.
    """
    started = time.perf_counter()
    _check(function, method, parameters, effort, seconds, objective)
    parameters = parameters or default_mode(tree)
    model = derived_robot(tree, parameters, snap)
    place = model.tree.frame(frame).name if FUNCTIONS[function].on_frame else None
    trace = Trace(started, progress)
    inner = structure_for(model, function) if method == "best" else None
    robot = model if inner is None else inner.model
    hard = len(EFFORTS[effort]) > 1
    pool = traced(robot, function, method, place, many=hard)
    if inner is not None and not fresh:
        pool += known(function, inner)
    search = Pursuit(robot, objective, seed, seconds, trace)
    if method == "best" and hard:
        whole = count(pool[0].program).total  # the count to be told while parts are searched

        def best_part(part: str, found: Sequence[Candidate]) -> Candidate:
            share = PARTS_SHARE / len(PARTS[function])
            return search(found, PART_PHASES, share, progress=lambda *_: trace(part, whole))[0]

        pool += put_together(robot, function, inner, fresh, best_part)
    pool = search(pool, EFFORTS[effort])

    def finish(one: Candidate) -> Function | None:
        program = one.program if inner is None else specialised(one.program, inner.meaning)
        if one.stored and not sound(program, model.naming.values):
            return None
        proof = _proved(model, function, place, program, refuse=not one.stored) if verify or one.stored else None
        if one.stored and proof is None:
            return None
        return Function(
            name=function,
            robot=tree.name,
            program=program,
            arguments={name: tuple(s.data for s in model.symbols(name)) for name in FUNCTIONS[function].arguments},
            shape=FUNCTIONS[function].shape(model.tree),
            values=model.naming.values,
            method=one.method,
            parameters=parameters or "",
            effort=effort,
            steps=tuple(Step(name, operations) for name, operations in one.passes),
            proof=proof,
            notes=tuple(model.naming.notes),
            formulas={name: to_text(node) for name, node in model.naming.formulas.items()},
            seconds=time.perf_counter() - started,
            reproducible=search.finished,
            stored=one.stored,
            structural=None if inner is None else one.program,
            seed=seed,
            objective=objective,
            trace=trace.ended(count(program).total),
            frame=place,
        )

    if objective == TIMED:
        return _fastest([f for f in map(finish, pool[:TIMED_CANDIDATES]) if f is not None])
    return next(f for f in map(finish, pool) if f is not None)


def _check(
    function: str, method: str, parameters: str | None, effort: str, seconds: float | None, objective: str
) -> None:
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
    if objective not in OBJECTIVES:
        raise InputError(f"objective '{objective}'", "derive", f"choose one of {', '.join(OBJECTIVES)}")


def structure_for(model: DerivedRobot, function: str) -> Structure | None:
    """Return the structure on which a function is searched; None where names and places of the file matter."""
    return structure(model) if function in JOINT_SPACE and function not in OUTSIDE_STRUCTURE else None


def _fastest(functions: Sequence[Function]) -> Function:
    """Return the function that takes the least time for one state; the first without a compiler."""
    try:
        times = timed(functions)
    except CompilerError:
        return functions[0]
    return min(zip(functions, times, strict=True), key=lambda pair: pair[1].one)[0]


def _proved(
    model: DerivedRobot, function: str, frame: str | None, program: Program, refuse: bool = True
) -> Proof | None:
    """Compare the program with the plain textbook algorithm; a difference is a bug, not a result.

    Returns None, instead of raising, where ``refuse`` is false: a stored program need not fit.
    """
    reference = textbook(model, function, None, frame)
    found: list[Node] = program.trace(model.graph)
    difference = disproof(found, reference.outputs, PROOF_POINTS, seed=97, spheres=model.spheres)
    if difference is None:
        form = " on its screw form" if model.screws is not None and function in JOINT_SPACE else ""
        return Proof(f"{reference.method}{form}", PROOF_POINTS)
    if refuse:
        raise TautError(f"{function} of '{model.tree.name}': the tightened program is wrong, {difference}; report this")
    return None
