"""The programs that a search starts from: traced, stored for the structure, or composed of parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from taut.analysis.opcount import count
from taut.derive.checks.divisors import Divisors
from taut.derive.checks.health import sound
from taut.derive.naming.model import DerivedRobot
from taut.derive.starts.compose import composed
from taut.derive.starts.traces import Start, starts, textbook
from taut.derive.stored.programs import stored
from taut.derive.stored.structure import Structure
from taut.derive.tightening.candidate import Candidate, shortened
from taut.errors import InputError
from taut.graph.assembly import added
from taut.graph.lower import lower
from taut.graph.program import Program
from taut.graph.stage import Stage
from taut.questions.table import question
from taut.search import differences

PROOF_POINTS, PROOF_SEED = 2, 89
"""Points at which a stored program is compared with a traced one before it is searched."""

Tighten = Callable[[str, Sequence[Candidate], Divisors | None], Candidate]
"""(part of a function, its candidates, the divisors they may have) -> the best that is found from them."""


@dataclass(frozen=True)
class Candidates:
    """Where the programs of one derivation come from.

    Attributes:
        robot: whose functions.
        inner: its structure, None where it has none.
        fresh: whether programs that come with taut are left unread.
        generic: whether programs may divide by what vanishes for some values of the parameters.
        refused: stored programs that were not taken, and why.
    """

    robot: DerivedRobot
    inner: Structure | None
    fresh: bool
    generic: bool
    refused: list[str] = field(default_factory=list)

    def divisors(self, function: str, method: str = "best", frame: str | None = None) -> Divisors | None:
        """Return the divisors of a function's textbook algorithm, the only ones its programs may have; None for any."""
        if self.generic:
            return None
        return Divisors.of([self._textbook(function, method, frame).program], self.robot.spheres)

    def _textbook(self, function: str, method: str, frame: str | None) -> Start:
        return textbook(self.robot, function, None if method in ("best", "second_moments") else method, frame)

    def pool(
        self, function: str, method: str = "best", frame: str | None = None, many: bool = False
    ) -> list[Candidate]:
        """Return the programs that a search can begin with, traced ones first."""
        found = traced(self.robot, function, method, frame, many, self.generic)
        reference = found[0].program
        if self.inner is not None and not self.fresh:
            found += known(function, self.inner, reference, self.refused)
        divisors = self.divisors(function, method, frame)
        if divisors is None:
            return found
        allowed = [one for one in found if divisors.allow(one.program)]
        return allowed or traced(self.robot, function, self._textbook(function, method, frame).method, frame)

    def with_more(self, pool: Sequence[Candidate], starts: Sequence[Start]) -> list[Candidate]:
        """Return candidates and further starts of the function, cheapest first; a start that differs is left out."""
        found = [_candidate(s.program, s.method, f"traced: {s.method}") for s in starts]
        reference, spheres = pool[0].program, self.robot.spheres
        right = [
            one
            for one in found
            if not differences(reference, one.program, PROOF_POINTS, seed=PROOF_SEED, spheres=spheres)
        ]
        return sorted([*pool, *right], key=lambda one: count(one.program).total)

    def added_to(self, function: str, part: Program, method: str) -> Candidate:
        """Return a function that adds terms to another one, by the program of the other.

        Args:
            function: what is wanted.
            part: the program of the other.
            method: by which it was traced.
        """
        asked = question(function)
        assert asked.addition is not None
        answers = [f"{asked.addition.part}.{k}" for k in range(len(part.outputs))]
        states = [self.robot.symbols(name) for name in asked.arguments]
        known = [self.robot.graph.symbol(name, Stage.ACCELERATION) for name in answers]
        terms = asked.addition.terms(self.robot.light_tree, known, *states)
        program = added(part, lower([self.robot.graph.lift(x) for x in terms]), answers)
        return _candidate(program, method, f"{asked.addition.part} and terms added to it")

    def put_together(self, function: str, tighten: Tighten) -> list[Candidate]:
        """Return programs put together from parts that are tightened first.

        Args:
            function: what is wanted.
            tighten: finds the best program of a part.
        """
        from_stored = False

        def part_program(part: str) -> Program:
            nonlocal from_stored
            best = tighten(part, self.pool(part, many=True), self.divisors(part))
            from_stored |= best.stored
            return best.program

        starts = composed(self.robot, function, part_program)
        found = [replace(_candidate(s.program, s.method, s.method), stored=from_stored) for s in starts]
        divisors = self.divisors(function)
        return [one for one in found if divisors is None or divisors.allow(one.program)]


def traced(
    robot: DerivedRobot, function: str, method: str, frame: str | None, many: bool = False, generic: bool = True
) -> list[Candidate]:
    """Return the programs traced by one algorithm, or those of all that a search should start from, many or a few."""
    if method not in ("best", "second_moments"):
        found = [textbook(robot, function, method, frame)]
    elif method == "second_moments" and robot.regrouped is None:
        raise InputError(f"robot '{robot.tree.name}' has no screw form", "derive", "leave the method at 'best'")
    else:
        found = list(starts(robot, function, frame, many, generic))
    return [_candidate(start.program, start.method, f"traced: {start.method}") for start in found]


def known(function: str, inner: Structure, reference: Program, refused: list[str]) -> list[Candidate]:
    """Return the programs that come with taut and are right for a structure, each proved first.

    Args:
        function: what is wanted.
        inner: the robot's structure.
        reference: a traced program of the same function; one that differs from it is left out, and so is one whose
            off-line constants divide by zero, or nearly, for the robot's numbers.
        refused: records those that are left out, and why.
    """
    found: list[Candidate] = []
    for one in stored(function, inner):
        name = "stored program" if one.same else "stored program of a similar robot"
        why = f"{name}: {count(one.program).total} operations, "
        if not sound(one.program, inner.model.naming.values):
            refused.append(why + "it divides by zero, or nearly, for these numbers")
            continue
        if differences(reference, one.program, PROOF_POINTS, seed=PROOF_SEED, spheres=inner.model.spheres):
            refused.append(why + "it is another function for this robot")
            continue
        method = str(one.about.get("method", "a search"))
        spent = str(one.about.get("effort", "none")) if one.same else "none"
        found.append(replace(_candidate(one.program, method, name), stored=True, spent=spent))
    return found


def _candidate(program: Program, method: str, name: str) -> Candidate:
    return shortened(Candidate(program, method, ((name, count(program)),)))
