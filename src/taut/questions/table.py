"""The table of all questions, read from the family files of this folder, and how users spell one.

A spelling is the name of a question or one of its aliases, with a colon and a frame where it has one:
``mass_matrix``, ``torque``, ``jacobian:tool0``.
"""

from __future__ import annotations

import difflib
import pkgutil
from dataclasses import dataclass
from importlib import import_module

from taut import questions
from taut.errors import InputError
from taut.questions.question import Question


def _families() -> list[tuple[Question, ...]]:
    """Return the tuples ``QUESTIONS`` of the files in this folder, in alphabetical order of the files."""
    names = [f"{questions.__name__}.{found.name}" for found in pkgutil.iter_modules(questions.__path__)]
    modules = [import_module(name) for name in sorted(names) if name != __name__]
    return [module.QUESTIONS for module in modules if hasattr(module, "QUESTIONS")]


QUESTIONS: dict[str, Question] = {question.name: question for family in _families() for question in family}
"""Every question by name."""


@dataclass(frozen=True)
class Asked:
    """A question as a user spells it.

    Attributes:
        question: the record.
        frame: the frame, where one was named.
    """

    question: Question
    frame: str | None = None

    def frame_or(self, other: str | None, place: str) -> str | None:
        """Return the frame of the spelling or another that was given apart; two different ones are refused."""
        if self.frame and other and self.frame != other:
            raise InputError(f"two frames, {self.frame} and {other}", place, "name one")
        return self.frame or other

    @property
    def label(self) -> str:
        """The spelling with the question's own name."""
        return f"{self.question.name}:{self.frame}" if self.frame else self.question.name


def question(name: str, place: str = "") -> Question:
    """Return the record of a question by its name or an alias.

    >>> question("torque").name
    'inverse_dynamics'
    """
    if name in QUESTIONS:
        return QUESTIONS[name]
    for known in QUESTIONS.values():
        if name in known.aliases:
            return known
    near = difflib.get_close_matches(name, [*QUESTIONS, *(a for known in QUESTIONS.values() for a in known.aliases)], 1)
    advice = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(QUESTIONS)}"
    raise InputError(f"no function '{name}'", place, advice)


def asked(text: str, place: str = "") -> Asked:
    """Return the question and the frame that a spelling names.

    Args:
        text: such as ``torque`` or ``jacobian:tool0``.
        place: for the error message, where it is wrong.

    >>> asked("jacobian:tool0").label
    'jacobian:tool0'
    """
    name, colon, frame = text.partition(":")
    found = question(name, place)
    if colon and not found.on_frame:
        raise InputError(f"{found.name} has no frame", place, f"write {found.name} alone")
    if colon and not frame:
        raise InputError(f"no frame after '{text}'", place, f"write {found.name}, or {found.name}:FRAME")
    return Asked(found, frame or None)
