"""From a robot and a question to a proved, tightened program."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from taut.analysis.opcount import count
from taut.cluster import LOCAL, refuse_engine
from taut.derive.branches import derive_branches
from taut.derive.checks.closed_loops import positions_remarks, refuse_open
from taut.derive.checks.divisors import Divisors
from taut.derive.checks.health import sound
from taut.derive.checks.truth import accepted, refuse_untrue
from taut.derive.derivation import Reference, derivation
from taut.derive.fastest import Simulated, by_time
from taut.derive.function import Function, Step
from taut.derive.fusion import fuse
from taut.derive.naming.model import FORMS, ONE_NAMING
from taut.derive.naming.parameters import MODES, SNAP, default_mode
from taut.derive.starts.setting import added_to, cheapest
from taut.derive.starts.traces import MoreStarts
from taut.derive.stored.specialise import specialised
from taut.derive.tightening.candidate import Candidate
from taut.derive.tightening.clock import Ended
from taut.derive.tightening.crew import crew
from taut.derive.tightening.efforts import EFFORTS, PARTS, PROCESSES, efforts_up_to
from taut.derive.tightening.objective import OBJECTIVES, SIMULATED, TIMED, TIMED_CANDIDATES, alone_for
from taut.derive.tightening.tighten import Progress
from taut.derive.tightening.timed_searches import TimedSearches, Trace
from taut.errors import InputError, refuse_unknown
from taut.graph.program import Program
from taut.graph.text import to_text
from taut.questions.fusion import with_frame
from taut.questions.inverse import INVERSE_KINEMATICS
from taut.questions.question import Question
from taut.questions.table import asked
from taut.robot import Tree
from taut.robot.meaning import Meaning
from taut.runtime.timing import timed
from taut.toolchain.compiler import CompilerError

PARTS_SHARE = 0.4
"""Share of the seconds that goes to the parts."""

TIME_FOR_MANY = 10.0
"""Seconds of a budget above which many starts are traced: each takes time that a short search does better with."""

WHOLE_SHARE = 0.4
"""Share of the seconds that goes to a fused program as a whole; the rest goes to its parts."""

FIRST_SEED = 1
"""The seed by default; with another one all searches are made, whatever was found before."""

MINUTE = 1e-9
"""A tolerance for angles that adds nothing to what their digits decide."""


def derive(
    tree: Tree,
    function: str,
    method: str = "best",
    parameters: str | None = None,
    effort: str = "normal",
    *,
    frame: str | None = None,
    keep: Collection[str] = (),
    load: str | None = None,
    seconds: float | None = None,
    seed: int = FIRST_SEED,
    snap: float | None = SNAP,
    accept: float | None = None,
    verify: bool = True,
    fresh: bool = False,
    generic: bool = False,
    objective: str = "m+a",
    progress: Progress | None = None,
    more: MoreStarts | None = None,
    forms: Collection[str] = FORMS,
    engine: str = LOCAL,
) -> Function:
    """Return the function, or several as one, as an exact program with few operations.

    Args:
        tree: the robot.
        function: a question as :func:`taut.questions.table.asked` reads it, such as ``torque`` or ``jacobian:tool0``;
            ``torque+jacobian:tool0`` is one program for both, see :mod:`taut.derive.fusion`.
        method: ``best``, or one algorithm of the question's :attr:`~taut.questions.question.Question.choices`,
            traced as printed and tightened by the passes alone.
        parameters: ``symbolic``, ``pattern``, ``numeric`` or ``base``; by default ``numeric`` where the
            robot has all numbers, else ``pattern``.
        effort: ``none``, ``quick``, ``normal`` or ``max``; see :mod:`taut.derive.tightening.efforts`.
        frame: for functions of a frame; the last one by default.
        keep: names of parameters that stay inputs at run time while all other numbers are written into the code;
            symbols of the file or names of :mod:`taut.robot.places`.
        load: a frame that holds a load whose ten parameters are inputs at run time, zero by default:
            ``load_m load_mx ... load_Izz`` about the frame's origin, in its axes.
        seconds: cap on the search; the result is then marked as not reproducible.
        seed: of the search.
        snap: radians within which an angle is taken for a multiple of 15 degrees; by default its digits decide, see
            :mod:`taut.robot.meaning`; 0 keeps every digit.
        accept: largest difference from the file's digits, on each output's scale; by default 1e-9, 1e-4 where
            angles were taken for multiples of 15 degrees, and any where ``snap`` is given.
        verify: prove the program equal to the textbook algorithm.
        fresh: whether to leave programs that come with taut for robots of this structure unread.
        generic: whether the program may divide by what vanishes for some values of the parameters, such as a mass or a
            first moment of zero. It is shorter then, and not right for these values. Where all numbers
            are written into the code, the divisors are known not to vanish, and the shortest program is taken.
        objective: what is to become small: ``m+a`` (all operations), ``m`` (multiplications), ``fma`` (a fused
            multiply-add counts one), ``cycles`` (time on this machine) or ``time`` (all operations; of the programs
            found with at most 2 % more than the fewest the fastest, see :mod:`taut.derive.fastest`).
        progress: called while the count falls.
        more: further programs to begin with, besides those of the question; each is proved like them.
        forms: screw forms that may be searched where all numbers are written into the code, see
            :attr:`taut.derive.naming.model.DerivedRobot.forms`; the one whose programs begin cheapest is.
        engine: where searches run: ``local``, or ``dask`` for the workers of a Dask cluster (:mod:`taut.cluster`). The
            result is the same.
    """
    started = time.perf_counter()
    spelled = with_frame(asked(function, "derive"), frame, "derive")
    alone = partial(derive, tree, parameters=parameters, effort=effort, keep=keep, load=load, seed=seed, snap=snap)
    alone = partial(alone, accept=accept, verify=verify, fresh=fresh, generic=generic, progress=progress)
    alone = partial(alone, objective=alone_for(objective), engine=engine)
    if spelled.question.parts:
        return _fused(tree, spelled.question, partial(alone, method=method, forms=ONE_NAMING), seconds, started)
    wanted, function = spelled.question, spelled.question.name
    _check(wanted, method, parameters, effort, seconds, objective)
    refuse_engine(engine)
    if wanted is INVERSE_KINEMATICS:
        if keep or load is not None or parameters not in (None, "numeric"):
            raise InputError("takes no parameters at run time", function, "derive it with its numbers")
        return derive_branches(tree, spelled.frame_or(frame, "derive"), effort, snap, progress)
    wanted.refuse_loops(tree)
    parameters = parameters or ("numeric" if keep else default_mode(tree))
    _check_run_time(parameters, keep, load)
    shared = derivation(tree, parameters, snap, keep, load)
    addition = wanted.addition_for(tree) if method == "best" else None
    part = None
    if addition is not None:
        share = None if seconds is None else (1 - WHOLE_SHARE) * seconds
        part = alone(addition.part, seconds=share, more=more, forms=forms)
    with shared.robot() as model:
        if verify:
            refuse_open(model.tree, model.graph, model.symbols("q"), model.spheres)
        place = model.tree.frame(spelled.frame_or(frame, "derive")).name if wanted.on_frame else None
        trace = Trace(started, progress)
        hard = bool(PARTS[effort]) and (seconds is None or seconds > TIME_FOR_MANY)
        generic = generic or (parameters == "numeric" and not keep and load is None)
        if part is not None:
            chosen = added_to(model, part.form, function, part.program, part.method, fresh=fresh, generic=generic)
        else:
            chosen = cheapest(
                model,
                forms,
                function,
                method,
                lambda candidates: candidates.pool(function, method, place, many=hard),
                fresh=fresh,
                generic=generic,
            )
        model, inner, candidates, pool = chosen.model, chosen.inner, chosen.candidates, chosen.pool
        reference = Reference(model, function, place)
        divisors = candidates.divisors(function, method, place)
        if more is not None and method == "best" and part is None:
            pool = candidates.with_more(pool, more(candidates.robot, function))
        search = TimedSearches(candidates.robot, objective, seed, seconds, trace, crew(engine, PROCESSES[effort]))
        traced = {one.program for one in pool if not one.stored}
        refused = list(candidates.refused)

        def here(one: Candidate) -> Program:
            return one.program if inner is None else specialised(one.program, inner.meaning)

        def finish(one: Candidate) -> Function | None:
            def refuse(reason: str) -> None:
                refused.append(f"{one.passes[-1][0]}: {count(one.program).total} operations, {reason}")

            program = here(one)
            given = one.program in traced
            if not given and not sound(program, model.naming.values):
                refuse("its constants are too large for these numbers")
                return None
            proof = reference.proved(program, refuse=not one.stored) if verify or one.stored else None
            if one.stored and proof is None:
                refuse("it is another function for this robot")
                return None
            made = Function(
                name=function,
                robot=tree.name,
                program=program,
                arguments={name: tuple(s.name for s in model.symbols(name)) for name in wanted.arguments},
                shape=wanted.shape(model.tree),
                values=model.naming.values,
                method=one.method,
                parameters=parameters or "",
                effort=effort,
                steps=tuple(Step(name, operations) for name, operations in one.passes),
                proof=proof,
                notes=tuple(model.naming.notes),
                formulas={name: to_text(node) for name, node in model.naming.formulas.items()},
                seconds=time.perf_counter() - started,
                reproducible=search.ended is Ended.STEPS,
                interrupted=search.ended is Ended.CTRL_C,
                stored=one.stored or (part is not None and part.stored),
                structural=None if inner is None else one.program,
                structure="" if inner is None else inner.name,
                seed=seed,
                objective=objective,
                trace=trace.ended(count(program).total),
                frame=place,
                result=wanted.result,
                records=model.naming.records,
                remarks=positions_remarks(tree),
                generic=generic,
                snap=snap,
                keep=tuple(keep),
                load=load,
                form=chosen.form,
            )
            made = replace(made, difference=shared.difference(made))
            limit = accepted(snap, model.meaning, accept)
            if not given and made.difference is not None and made.difference.largest > limit:
                refuse(f"it differs from the file's digits by {made.difference.stated:.0e}")
                return None
            return replace(made, refused=tuple(dict.fromkeys((*refused, *one.refused))))

        pool, search.reserve = _right_first(pool, finish, measure=seconds is not None)
        late = not search.has_time
        found = list(pool)
        for level in efforts_up_to(effort, pool[0].spent if seed == FIRST_SEED else "none"):
            starts = list(pool)
            if method == "best" and part is None and PARTS[level] and search.has_time:

                def best_part(
                    name: str, given: Sequence[Candidate], allowed: Divisors | None, to: str = level
                ) -> Candidate:
                    share = PARTS_SHARE / (len(wanted.composition.parts) if wanted.composition else 1)
                    whole = count(pool[0].program).total  # the count to report while parts are searched
                    return search(given, PARTS[to], allowed, share, progress=lambda *_: trace(name, whole))[0]

                starts += candidates.put_together(function, best_part)
            found += search(starts, EFFORTS[level], divisors)
        pool = search(found, (), divisors)  # in order
        if objective == TIMED:
            best = _fastest([f for f in map(finish, pool[:TIMED_CANDIDATES]) if f is not None])
        else:
            best = next(f for f in map(finish, pool) if f is not None)
            if objective == SIMULATED and EFFORTS[effort]:
                near = [one for one in pool if count(one.program).total >= best.operations.total]
                places = by_time([best.program, *map(here, near)])
                best = next(_instead(best, f, said) for f, said in _finished(best, near, places, finish))
    refuse_untrue(best.difference, function, shared.meaning, snap, accept)
    if late and EFFORTS[effort]:
        best = replace(best, notes=(*best.notes, f"no search: tracing and proof alone take longer than {seconds:g} s"))
    if shared.meaning.taken:
        said = shared.meaning.note if best.difference is None else best.difference.text
        best = replace(best, notes=(*best.notes, said))
    if snap is None and shared.meaning.coarse:
        coarser = partial(derive, tree, function, method, parameters, "none", frame=frame, keep=keep, load=load)
        coarser = partial(coarser, fresh=fresh, verify=False)
        said = _hint(shared.meaning, coarser if seconds is None and not best.interrupted else None)
        best = replace(best, notes=(*best.notes, said))
    return best


def _finished(
    fewest: Function,
    near: Sequence[Candidate],
    places: Sequence[tuple[int, Simulated]],
    finish: Callable[[Candidate], Function | None],
) -> Iterator[tuple[Function, Simulated]]:
    """Yield the functions that pass all checks with their simulated times; place 0 is the fewest operations.

    Args:
        fewest: the function with the fewest operations.
        near: candidates with nearly as few, from place 1 on.
        places: the fastest first.
        finish: returns a candidate as a function, None where it is refused.
    """
    for k, said in places:
        made = finish(near[k - 1]) if k else fewest
        if made is not None:
            yield made, said


def _instead(fewest: Function, fastest: Function, said: Simulated) -> Function:
    """Return the fastest function; for other robots of the structure the program with the fewest operations is kept."""
    return replace(fastest, simulated=said, structural=fewest.structural)


def _right_first(
    pool: Sequence[Candidate], finish: Callable[[Candidate], Function | None], measure: bool
) -> tuple[list[Candidate], float]:
    """Return candidates without stored ones that are refused, so that none takes the search, and the time of a check.

    Args:
        pool: at least one was traced.
        finish: returns a candidate as a function, None where it is refused.
        measure: whether the time is wanted where nothing has to be checked.
    """
    waiting, seconds = sorted(pool, key=lambda one: count(one.program).total), 0.0
    while waiting[0].stored or (measure and not seconds):
        began = time.perf_counter()
        right = finish(waiting[0]) is not None
        seconds = time.perf_counter() - began
        if right:
            break
        del waiting[0]
    return waiting, seconds


def _fused(tree: Tree, wanted: Question, alone: partial[Function], seconds: float | None, started: float) -> Function:
    """Return several functions as one.

    Args:
        tree: the robot.
        wanted: the fused question.
        alone: derives a part.
        seconds: cap on all searches.
        started: when the derivation began.
    """
    share = None if seconds is None else (1 - WHOLE_SHARE) * seconds / len(wanted.parts)
    functions = [alone(part.label, seconds=share) for part in wanted.parts]
    first, given = functions[0], alone.keywords
    shared = derivation(tree, first.parameters, given["snap"], given["keep"], given["load"])
    with shared.robot() as model:

        def search(pool: Sequence[Candidate], divisors: Divisors | None) -> tuple[Sequence[Candidate], Ended]:
            watched, hire = Trace(started, given["progress"]), crew(given["engine"], PROCESSES[first.effort])
            searches = TimedSearches(model, first.objective, first.seed, seconds, watched, hire)
            return searches(pool, EFFORTS[first.effort], divisors), searches.ended

        def check(part: Function) -> Function:
            proof = Reference(model, part.name, part.frame).proved(part.program) if given["verify"] else None
            checked = replace(part, proof=proof, difference=shared.difference(part))
            refuse_untrue(checked.difference, part.name, shared.meaning, given["snap"], given["accept"])
            return checked

        return fuse(model, wanted, functions, search, check, started)


def _hint(meaning: Meaning, derive_with: Callable[..., Function] | None) -> str:
    """Return what taking coarse angles for the multiples close to them would save and change, if it may be tried."""
    said = f"{meaning.hint} keep their digits; --snap {meaning.needed:g} would take them for these"
    if derive_with is None:
        return said
    try:
        kept, taken = (derive_with(snap=snap, accept=math.inf) for snap in (MINUTE, meaning.needed))
    except InputError:
        return said
    changed = "" if taken.difference is None else f", outputs change by up to {taken.difference.stated:.0e}"
    return f"{said}: {taken.operations.total} operations instead of {kept.operations.total} without a search{changed}"


def _check(
    wanted: Question, method: str, parameters: str | None, effort: str, seconds: float | None, objective: str
) -> None:
    known = ["best", *(choice.name for choice in wanted.choices)]
    if method not in known:
        raise InputError(f"no method '{method}' for {wanted.name}", "derive", f"choose {', '.join(known)}")
    if parameters is not None:
        refuse_unknown("treatment of parameters", parameters, MODES, "derive")
    refuse_unknown("effort", effort, EFFORTS, "derive")
    if seconds is not None and not seconds > 0:
        raise InputError(f"the budget is {seconds} seconds", "derive", "give more than zero, or no budget")
    refuse_unknown("objective", objective, OBJECTIVES, "derive")


def _check_run_time(parameters: str, keep: Collection[str], load: str | None) -> None:
    if keep and parameters != "numeric":
        advice = "with other parameters every number is an input at run time; leave one of the two out"
        raise InputError(f"keep with parameters '{parameters}' is of no use", "derive", advice)
    if load is not None and parameters == "base":
        raise InputError("a load is part of the base parameters", "derive", "choose symbolic")


def _fastest(functions: Sequence[Function]) -> Function:
    """Return the function that takes the least time for one state; the first without a compiler."""
    try:
        times = timed(functions)
    except CompilerError:
        return functions[0]
    return min(zip(functions, times, strict=True), key=lambda pair: pair[1].one)[0]
