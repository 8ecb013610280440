"""A screw form of a robot with the programs that the search of one function can begin with."""

from __future__ import annotations

from dataclasses import dataclass

from taut.analysis.opcount import count
from taut.derive.naming.model import DerivedRobot
from taut.derive.starts.candidates import Candidates
from taut.derive.stored.structure import Structure, structure
from taut.derive.tightening.candidate import Candidate
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


def setting(
    form: str,
    model: DerivedRobot,
    function: str,
    method: str,
    frame: str | None,
    *,
    fresh: bool,
    generic: bool,
    many: bool,
) -> Setting:
    """Return a form of a robot with its programs; arguments as in :func:`taut.derive.derive`."""
    inner = structure_for(model, function) if method == "best" else None
    candidates = Candidates(model if inner is None else inner.model, inner, fresh, generic)
    return Setting(form, model, inner, candidates, candidates.pool(function, method, frame, many))


def structure_for(model: DerivedRobot, function: str) -> Structure | None:
    """Return the structure on which a function is searched; None where names and places of the file matter."""
    known = question(function)
    return structure(model) if known.in_joint_space and not known.drive_numbers else None
