"""Which constant of a program each number of a text stands for.

While a function is written, every number carries a mark; :func:`unmarked` takes the marks off and returns what they
say, in the order of the text, so that a certificate can name the formula of each number.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)f?(?!\w)")
"""A number with a point or an exponent, as generated C has them."""

_MARKED = re.compile(rf"({NUMBER.pattern})(?:\x1f(-?1) (\d+) (\w*)\x1f)?")


class Literal(NamedTuple):
    """What the digits of a number stand for.

    Attributes:
        sign: of the constant.
        line: of the program, one that is known off line.
        function: ``sin`` or ``cos`` where the number is that of the constant; empty for the constant itself.
    """

    sign: int
    line: int
    function: str = ""


def marked(text: str, source: Literal) -> str:
    """Return the text of a number with a mark behind its digits; a minus sign in front is taken into account."""
    sign = -source.sign if "(-" in text else source.sign
    return NUMBER.sub(lambda digits: f"{digits[0]}\x1f{sign} {source.line} {source.function}\x1f", text)


def unmarked(text: str) -> tuple[str, tuple[Literal | None, ...]]:
    """Return a text without its marks, and what each of its numbers stands for; None for a number without a mark.

    >>> unmarked(f"a = {marked('(-0.5)', Literal(1, 3))} * b + 2.0")
    ('a = (-0.5) * b + 2.0', (Literal(sign=-1, line=3, function=''), None))
    """
    found = [Literal(int(m[2]), int(m[3]), m[4]) if m[2] else None for m in _MARKED.finditer(text)]
    return re.sub(r"\x1f[^\x1f]*\x1f", "", text), tuple(found)
