"""Single faults in generated C: each changes one statement of the text, as a slip of a generator or of a hand would."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from taut.certificate import check_proof

STATEMENT = re.compile(
    r"^    (?:    )?(?!/\*|\(void\)|for |if |\{|\}|#)[^;{}]*;(?: /\* angle \*/)?$"  # C
    r"|^    [\w., \[\]]+ = (?!np\.(?:asarray|empty)).*$|^  (?:const )?[\w\[\]]+ = (?!new ).*;$"  # Python, JavaScript
)
OPENING = re.compile(r"\w.*?(\w+)\(.*[){:]$")
"""The first line of a function in any language."""

NUMBER = re.compile(r"(?<![\w.\[])(\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?=f?\b)")
NAME = re.compile(r"\bt\d+\b|\b(?:q|qd|qdd|tau|[sc](?:_\d)?)\[(?:\.\.\., )?\d+\]")


class Fault(NamedTuple):
    """A changed text: its kind, the changed line (from 1), the function around it and the text."""

    kind: str
    line: int
    function: str
    text: str


def statements(source: str, every: int = 1, start: int = 0) -> list[int]:
    """Return every so many statements of a source, as indices of its lines."""
    return [k for k, row in enumerate(source.split("\n")) if STATEMENT.match(row)][start::every]


def faults(source: str, lines: list[int], seed: int = 0) -> Iterator[Fault]:
    """Yield for each of these lines the faults that can be put into it."""
    draw, rows = random.Random(seed), source.split("\n")
    for k in lines:
        around = next(m[1] for row in rows[k::-1] if (m := OPENING.match(row)))
        for kind, changed in _changes(rows[k], draw):
            yield Fault(kind, k + 1, around, "\n".join([*rows[:k], changed, *rows[k + 1 :]]))
        name = re.match(r"\s+(?:const (?:\w+ )?)?([tc]\d+) =", rows[k])
        if name and re.search(rf"\b{name[1]}\b", rows[k + 1]):
            yield Fault("swapped lines", k + 1, around, "\n".join([*rows[:k], rows[k + 1], rows[k], *rows[k + 2 :]]))


def _changes(row: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    left, equals, right = row.partition(" = ")
    if not equals or "{" in right:
        return
    end = ";" if ";" in right else ""
    if " + " in right or " - " in right:
        place = draw.choice([m.start() for m in re.finditer(r" [+-] ", right)])
        other = " - " if right[place : place + 3] == " + " else " + "
        yield "sign", left + equals + right[:place] + other + right[place + 3 :]
        yield "dropped term", left + equals + right[:place] + end
    elif re.match(r"-?[a-zA-Z_][\w\[\]>., -]*;?$", right):
        yield "sign", left + equals + (right[1:] if right[0] == "-" else f"-{right}")
    if numbers := [m for m in NUMBER.finditer(right) if float(m[1]) != 0]:
        m = draw.choice(numbers)
        digits = f"{float(m[1]) * (1 + 1e-6)!r}"
        yield "literal", left + equals + right[: m.start()] + digits + right[m.end() :]
    operands = [m for m in NAME.finditer(right)]
    if operands and "sin" not in right:
        m = draw.choice(operands)
        other = _neighbour(m[0])
        yield "operand", left + equals + right[: m.start()] + other + right[m.end() :]


def _neighbour(name: str) -> str:
    """Return another operand of the same kind: the one before, or the one after the first."""
    return re.sub(r"\d+(?=\]?$)", lambda number: str(int(number[0]) - 1 if int(number[0]) else 1), name)


def rehashed(certificate: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a certificate with the hash of another text, as somebody who changes both would have it."""
    changed = {**json.loads(json.dumps(certificate)), "source": hashlib.sha256(text.encode()).hexdigest()}
    return {**changed, "seed": check_proof.seed(changed)}


def without_lines(certificate: dict[str, Any], text: str) -> dict[str, Any]:
    """Return the same with the hashes of all lines renewed, too: nothing but the proof can refuse the text."""
    return rehashed({**certificate, "rows": "".join(check_proof.rows(text))}, text)


def place(certificate: dict[str, Any], text: str) -> str:
    """Return function and line that a refusal of the text names."""
    return str(check_proof.changed(text, re.findall("....", certificate["rows"])))
