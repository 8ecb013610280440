r"""Numbers, symbols and names of a robot file in LaTeX, with every control character escaped."""

from __future__ import annotations

import re

from taut.emit.names import remark
from taut.emit.spelling import spelled


def number(value: float) -> str:
    r"""Return a number; a negative one is in brackets.

    >>> print(number(-2.5e-7))
    \left(-2.5\cdot 10^{-7}\right)
    """
    digits, _, power = f"{value:.10g}".partition("e")
    text = rf"{digits}\cdot 10^{{{int(power)}}}" if power else digits
    return rf"\left({text}\right)" if value < 0 else text


def symbol(name: str) -> str:
    r"""Return a symbol with the number at its end as its index.

    >>> print(symbol("a2"), symbol("Ixx3"))
    a_{2} \mathrm{Ixx}_{3}
    """
    letters, digits = re.fullmatch(r"(.*?)(\d*)", name, re.S).groups()  # type: ignore[union-attr]
    text = (
        letters if len(letters) == 1 and letters.isascii() and letters.isalpha() else rf"\mathrm{{{escaped(letters)}}}"
    )
    return rf"{text}_{{{digits}}}" if digits else text


def escaped(text: str) -> str:
    """Return text in which no character has a meaning of its own."""
    return re.sub(r"([_&#~^])", lambda m: {"~": "-", "^": r"\^{}"}.get(m[0], rf"\{m[0]}"), remark(text))


def call(function: str, *arguments: str) -> str:
    r"""Return an elementary function of its arguments.

    >>> print(call("atan", "x"), call("sqrt", "x"))
    \arctan\left(x\right) \sqrt{x}
    """
    return _CALLS[function].format(", ".join(arguments))


_CALLS = spelled(
    r"\NAME\left({}\right)",
    atan=r"\arctan\left({}\right)",
    atan2=r"\operatorname{{atan2}}\left({}\right)",
    sign=r"\operatorname{{sign}}\left({}\right)",
    sqrt=r"\sqrt{{{}}}",
)
