"""A screw form of a robot with the programs that the search of one function can begin with."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from taut.analysis.opcount import count
from taut.derive.naming.model import DerivedRobot
from taut.derive.starts.candidates import Candidates
from taut.derive.stored.structure import Structure, structure
from taut.derive.tightening.candidate import Candidate
from taut.graph.program import Program
from taut.questions.table import question


@dataclass(frozen=True)
class Setting:
    """What a search is made on.

    Attributes:
        form: name of the screw form, see :attr:`taut.derive.naming.model.DerivedRobot.forms`.
        model: the robot in this form.
        inner: its structure, None where names and places of the file matter.
        candidates: where programs come from.
        pool: those that the search can begin with.
    """

    form: str
    model: DerivedRobot
    inner: Structure | None
    candidates: Candidates
    pool: list[Candidate]

    @property
    def cost(self) -> int:
        """Operations of the cheapest program."""
        return min(count(one.program).total for one in self.pool)


def cheapest(
    model: DerivedRobot,
    forms: Collection[str],
    function: str,
    method: str,
    begin: Callable[[Candidates], list[Candidate]],
    *,
    fresh: bool,
    generic: bool,
) -> Setting:
    """Return the form of a robot whose programs begin cheapest; one with the structure of another begins as that does.

    Args:
        model: the robot.
        forms: that may be taken; the form in numbers always is.
        function: the question.
        method: as in :func:`taut.derive.derive`.
        begin: returns the programs of a form.
        fresh: whether programs that come with taut are left unread.
        generic: whether programs may divide by what vanishes for some values of the parameters.
    """
    found: dict[str | None, Setting] = {}
    for form, one in model.forms.items():
        inner = structure_for(one, function) if method == "best" else None
        key = None if inner is None else inner.key
        if found and (form not in forms or key is None or key in found):
            continue
        candidates = Candidates(one if inner is None else inner.model, inner, fresh, generic)
        found[key] = Setting(form, one, inner, candidates, begin(candidates))
    return min(found.values(), key=lambda setting: setting.cost)


def added_to(
    model: DerivedRobot, form: str, function: str, part: Program, method: str, *, fresh: bool, generic: bool
) -> Setting:
    """Return a function that adds terms to another one, in the form in which the other was derived.

    Args:
        model: the robot.
        form: of the other function.
        function: the question.
        part: the program of the other function.
        method: by which it was traced.
        fresh: whether programs that come with taut are left unread.
        generic: whether programs may divide by what vanishes for some values of the parameters.
    """
    one = model.forms[form]
    candidates = Candidates(one, None, fresh, generic)
    return Setting(form, one, None, candidates, [candidates.added_to(function, part, method)])


def structure_for(model: DerivedRobot, function: str) -> Structure | None:
    """Return the structure on which a function is searched; None where names and places of the file matter."""
    known = question(function)
    return structure(model) if known.in_joint_space and not known.drive_numbers else None
