"""What can a search begin with?  Traced starts, programs stored for the structure, programs put together from parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from taut.analysis.opcount import count
from taut.derive.compose import composed
from taut.derive.model import DerivedRobot
from taut.derive.schedule import Candidate, shortened
from taut.derive.starts import starts, textbook
from taut.derive.stored import stored
from taut.derive.structure import Structure
from taut.errors import InputError
from taut.graph.lower import lower
from taut.graph.program import Program

Tighten = Callable[[str, Sequence[Candidate]], Candidate]
"""(part of a function, its candidates) -> the best that is found from them."""


def traced(robot: DerivedRobot, function: str, method: str, frame: str | None, many: bool = False) -> list[Candidate]:
    """Return the programs traced by an algorithm, or by all that are worth it, many or a few."""
    if method not in ("best", "second_moments"):
        found = [textbook(robot, function, method, frame)]
    elif method == "second_moments" and robot.regrouped is None:
        raise InputError(f"robot '{robot.tree.name}' has no screw form", "derive", "leave the method at 'best'")
    else:
        found = list(starts(robot, function, frame, many))
    return [_candidate(lower(start.outputs), start.method, f"traced: {start.method}") for start in found]


def known(function: str, inner: Structure) -> list[Candidate]:
    """Return the programs that come with taut and fit a structure."""
    found = []
    for one in stored(function, inner):
        method = str(one.about.get("method", "a search"))
        name = "stored program" if one.same else "stored program of a similar robot"
        found.append(replace(_candidate(one.program, method, name), stored=True))
    return found


def put_together(
    robot: DerivedRobot, function: str, inner: Structure | None, fresh: bool, tighten: Tighten
) -> list[Candidate]:
    """Return programs put together from parts that are tightened first.

    Args:
        robot: whose function.
        function: what is wanted.
        inner: the robot's structure, None where it has none.
        fresh: whether parts that come with taut are left unread.
        tighten: finds the best program of a part.
    """
    from_stored = False

    def part_program(part: str) -> Program:
        nonlocal from_stored
        pool = traced(robot, part, "best", None, many=True)
        if inner is not None and not fresh:
            pool += known(part, inner)
        best = tighten(part, pool)
        from_stored |= best.stored
        return best.program

    found = [_candidate(lower(s.outputs), s.method, s.method) for s in composed(robot, function, part_program)]
    return [replace(one, stored=from_stored) for one in found]


def _candidate(program: Program, method: str, name: str) -> Candidate:
    return shortened(Candidate(program, method, ((name, count(program)),)))
