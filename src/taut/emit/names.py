"""Which name may a thing have in generated code?  Any name of a robot file becomes a harmless one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LONGEST = 40


def identifier(name: str, fallback: str = "robot") -> str:
    """Return a name of ASCII letters, digits and single inner underscores that begins with a letter.

    It is meant to be followed by an underscore and more, so that keywords need no care.

    >>> identifier("ur5e"), identifier("1a"), identifier('"; system("rm'), identifier("\\N{ROBOT FACE}")
    ('ur5e', 'robot_1a', 'system_rm', 'robot')
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name)[:LONGEST].strip("_")
    if not plain:
        return fallback
    return plain if plain[0].isalpha() else f"{fallback}_{plain}"


def distinct(names: Iterable[str]) -> list[str]:
    """Return the names in order, a number put behind those that were there before (letter case does not tell).

    >>> distinct(["a", "b", "A", "a"])
    ['a', 'b', 'A_2', 'a_3']
    """
    taken: set[str] = set()
    result = []
    for name in names:
        own, k = name, 2
        while own.lower() in taken:
            own, k = f"{name}_{k}", k + 1
        taken.add(own.lower())
        result.append(own)
    return result


def remark(text: str) -> str:
    """Return text that is safe in a comment of any language: printable ASCII that ends no comment and no line.

    >>> remark('a */ system("x") \\\\ ??/ \\N{ROBOT FACE}')
    'a _/ system(_x_) _ __/ _'
    """
    return "".join(c if c.isascii() and c.isprintable() and c not in '*\\?"`$%{}' else "_" for c in text)


def wrapped(words: Sequence[str], width: int = 100) -> list[str]:
    """Return words joined by commas in lines of at most ``width`` characters (longer words alone)."""
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + len(word) + 2 <= width:
            rows[-1] += f", {word}"
        else:
            if rows:
                rows[-1] += ","
            rows.append(word)
    return rows
