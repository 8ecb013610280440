"""The table of all questions, read from the family files of this folder, and how users spell one.

A spelling is the name of a question or one of its aliases, with a colon and a frame where it has one:
``mass_matrix``, ``torque``, ``jacobian:tool0``. Several joined by a plus are one question that answers them all:
``torque+jacobian:tool0+gravity``.
"""

from __future__ import annotations

import difflib
import pkgutil
from importlib import import_module

from taut import questions
from taut.errors import InputError
from taut.questions.fusion import fused
from taut.questions.question import Asked, Question


def _families(tuple_name: str) -> list[tuple[Question, ...]]:
    """Return the tuples of a name in the files in this folder, in alphabetical order of the files."""
    names = [f"{questions.__name__}.{found.name}" for found in pkgutil.iter_modules(questions.__path__)]
    modules = [import_module(name) for name in sorted(names) if name != __name__]
    return [getattr(module, tuple_name) for module in modules if hasattr(module, tuple_name)]


JOINT = "+"
"""Stands between questions that are answered together."""

QUESTIONS: dict[str, Question] = {question.name: question for family in _families("QUESTIONS") for question in family}
"""Every question by name."""

NAMED_ONLY: dict[str, Question] = {question.name: question for family in _families("NAMED_ONLY") for question in family}
"""Questions that are found by name and are no part of all: long ones, and those that some robots alone answer."""


def question(name: str, place: str = "") -> Question:
    """Return the record of a question by its name or an alias, or of several joined by a plus.

    >>> question("torque").name
    'inverse_dynamics'
    >>> question("g+J:tool0").name
    'gravity+jacobian:tool0'
    """
    if JOINT in name:
        return asked(name, place).question
    every = QUESTIONS | NAMED_ONLY
    if name in every:
        return every[name]
    for known in every.values():
        if name in known.aliases:
            return known
    near = difflib.get_close_matches(name, [*every, *(a for known in every.values() for a in known.aliases)], 1)
    advice = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(QUESTIONS)}"
    raise InputError(f"no function '{name}'", place, advice)


def asked(text: str, place: str = "") -> Asked:
    """Return the question and the frame that a spelling names.

    Args:
        text: such as ``torque``, ``jacobian:tool0`` or ``torque+jacobian:tool0``.
        place: for the error message, where it is wrong.

    >>> asked("jacobian:tool0").label
    'jacobian:tool0'
    """
    parts = [_one(word, place) for word in _words(text)]
    return parts[0] if len(parts) == 1 else Asked(fused(tuple(parts), place))


def _words(text: str) -> list[str]:
    """Return the spellings between the pluses; a plus before no known question belongs to the name of a frame."""
    words: list[str] = []
    for word in text.split(JOINT):
        if words and ":" in words[-1] and not _is_known(word.partition(":")[0].strip()):
            words[-1] += JOINT + word
        else:
            words.append(word.strip())
    return words


def _is_known(name: str) -> bool:
    return any(name == known.name or name in known.aliases for known in QUESTIONS.values())


def _one(text: str, place: str) -> Asked:
    name, colon, frame = text.partition(":")
    found = question(name, place)
    if colon and not found.on_frame:
        raise InputError(f"{found.name} has no frame", place, f"write {found.name} alone")
    if colon and not frame:
        raise InputError(f"no frame after '{text}'", place, f"write {found.name}, or {found.name}:FRAME")
    return Asked(found, frame or None)
