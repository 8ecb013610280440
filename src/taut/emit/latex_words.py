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


_INDEXED = re.compile(r"(I)(xx|xy|xz|yy|yz|zz|m)(\d*)|([mrc])([xyz])(\d*)|(f)([cvo])(\d*)")
"""taut's own names of tensor elements, moments, centres and friction: a letter, what of it, which joint."""

_GREEK = frozenset("alpha beta gamma delta epsilon theta phi psi rho sigma lambda mu omega".split())


def symbol(name: str) -> str:
    r"""Return a symbol with its indices: the number at its end, and axes of taut's own names.

    >>> print(symbol("a2"), symbol("Ixx3"), symbol("mx2"), symbol("alpha1"), symbol("reach2"))
    a_{2} I_{xx,3} m_{x,2} \alpha_{1} \mathrm{reach}_{2}
    """
    if match := _INDEXED.fullmatch(name):
        letter, *indices = (part for part in match.groups() if part)
        return rf"{letter}_{{{','.join(indices)}}}"
    letters, digits = re.fullmatch(r"(.*?)(\d*)", name, re.S).groups()  # type: ignore[union-attr]
    if letters in _GREEK:
        return rf"\{letters}_{{{digits}}}" if digits else rf"\{letters}"
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
