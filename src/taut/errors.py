"""What went wrong, in one sentence that names the place, what was expected and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

LONGEST = 2000
"""Characters of a sentence; of a longer one, with names from a file, the middle is left out."""


class TautError(Exception):
    """Base of every error taut raises on purpose; its text is fit for a person."""


def shown(text: str) -> str:
    """Return text for a terminal: what would break the line or control the terminal is shown by its code.

    >>> print(shown("a\\x1b[31m\\rb"))
    a\\x1b[31m\\rb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


SHORT = 580
"""Characters of an object as a terminal shows it."""


def shortened(text: str) -> str:
    """Return the lines of a text that a terminal shows at a glance, and how many more there are.

    >>> shortened("a")
    'a'
    """
    if len(text) <= SHORT:
        return text
    kept = text[: SHORT - 20].rpartition("\n")[0]
    return f"{kept}\n... {len(text.splitlines()) - len(kept.splitlines())} more"


class InputError(TautError, ValueError):
    """A file, an argument or a name that taut cannot use.

    Args:
        message: what was found and what was expected.
        place: where, e.g. ``arm.urdf: joint 'elbow'``.
        advice: what to do about it.

    >>> str(InputError("mass is -1 kg, expected 0 or more", "arm.urdf: link 'tip'", "correct <mass>"))
    "arm.urdf: link 'tip': mass is -1 kg, expected 0 or more; correct <mass>"
    """

    def __init__(self, message: str, place: str = "", advice: str = "") -> None:
        self.message, self.place, self.advice = message, place, advice
        super().__init__(message)

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        text = f"{text}; {self.advice}" if self.advice else text
        if len(text) > LONGEST:
            text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
        return shown(text)

    def at(self, place: str) -> Self:
        """Return the same error with ``place`` put in front of the place it already names, unless that begins with it.

        >>> str(InputError("no mass", "link 'tip'").at("arm.urdf").at("arm.urdf"))
        "arm.urdf: link 'tip': no mass"
        """
        if self.place == place or self.place.startswith(f"{place}: "):
            return self
        joined = f"{place}: {self.place}" if self.place else place
        return type(self)(self.message, joined, self.advice)


def refuse_unknown(what: str, given: object, known: Iterable[str], place: str = "") -> None:
    """Raise an error where a word is none of the known ones.

    >>> refuse_unknown("effort", "little", ("none", "quick"), "derive")
    Traceback (most recent call last):
    taut.errors.InputError: derive: unknown effort 'little'; choose one of none, quick
    """
    choices = list(known)
    if given not in choices:
        raise InputError(f"unknown {what} '{given}'", place, f"choose one of {', '.join(choices)}")


class UnsupportedError(InputError):
    """A legal description of something taut does not model."""


class InputWarning(UserWarning):
    """Something in a file that taut reads on without, and that its author should know."""
