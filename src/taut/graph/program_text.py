"""Reads a program back from the text of :meth:`Program.to_text` and refuses anything else.

Nothing is executed: every row must have one of the forms that ``to_text`` writes. Rows that begin with
``#`` and empty rows are comments.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction

from taut.errors import InputError
from taut.graph.elementary import FUNCTIONS
from taut.graph.node import Rational, exact
from taut.graph.program import BINARY, Line, Program, Signed
from taut.graph.stage import Stage

_DIGITS = r"\d{1,4000}"  # the longest whole numbers Python reads
_NUMBER = re.compile(rf"{_DIGITS}/{_DIGITS}|{_DIGITS}(?:\.\d*)?(?:[eE][-+]?\d+)?")
_ROW = re.compile(r"t(\d{1,9}) = (.*)  # (\w+)(, free)?")
_OUTPUT = re.compile(r"output (\d{1,9}) = (-?)t(\d{1,9})")
_BINARY = re.compile(r"t(\d{1,9}) ([-+*/]) t(\d{1,9})")
_UNARY = re.compile(r"(-|[a-z]+)\(?t(\d{1,9})\)?")
_PAIR = re.compile(r"([a-z]+2)\(t(\d{1,9}), t(\d{1,9})\)")

_OPERATION = {sign: op for op, sign in BINARY.items()}
_STAGES = {stage.label: stage for stage in Stage}


def parse_program(text: str) -> Program:
    """Return the program that a text describes; its text is the same again.

    >>> text = 't0 = input "q"  # configuration\\nt1 = sin(t0)  # configuration\\noutput 0 = -t1\\n'
    >>> parse_program(text).to_text() == text
    True
    """
    lines: list[Line] = []
    outputs: list[Signed] = []
    for number, row in enumerate(text.split("\n"), start=1):
        if not row or row.startswith("#"):
            continue
        try:
            if match := _OUTPUT.fullmatch(row):
                _in_order(int(match[1]), len(outputs))
                outputs.append(Signed(-1 if match[2] else 1, int(match[3])))
            elif outputs:
                raise InputError("nothing but outputs may follow an output")
            else:
                lines.append(_line(row, len(lines)))
        except InputError as error:
            raise error.at(f"program text: line {number}") from None
    program = Program(tuple(lines), tuple(outputs))
    if faults := program.faults():
        raise InputError(faults[0], "program text", "give a program as Program.to_text writes it")
    return program


def _line(row: str, place: int) -> Line:
    match = _ROW.fullmatch(row)
    if match is None:
        raise InputError(f"found {row[:60]!r}, expected a line such as 't7 = t3 * t5  # velocity'")
    _in_order(int(match[1]), place)
    if match[3] not in _STAGES:
        raise InputError(f"no stage '{match[3][:40]}'", advice=f"choose one of {', '.join(_STAGES)}")
    op, args, data = _formula(match[2])
    return Line(op, args, _STAGES[match[3]], data, match[4] is not None)


def _formula(text: str) -> tuple[str, tuple[int, ...], str | Rational | None]:
    if text.startswith("input "):
        return "input", (), _name(text.removeprefix("input "))
    if match := _BINARY.fullmatch(text):
        return _OPERATION[match[2]], (int(match[1]), int(match[3])), None
    if match := _UNARY.fullmatch(text):
        op, arg = match[1], match[2]
        if op == "-" and text == f"-t{arg}":
            return "neg", (int(arg),), None
        if op in FUNCTIONS and text == f"{op}(t{arg})":
            return op, (int(arg),), None
    if (match := _PAIR.fullmatch(text)) and match[1] in FUNCTIONS:
        return match[1], (int(match[2]), int(match[3])), None
    if _NUMBER.fullmatch(text):
        return "constant", (), _number(text)
    raise InputError(f"found {text[:60]!r}, expected an input, a number or one operation on lines")


def _name(quoted: str) -> str:
    try:
        name = json.loads(quoted)
    except ValueError:
        name = None
    if not isinstance(name, str):
        raise InputError(f"found {quoted[:60]!r}, expected a quoted name")
    return name


def _number(text: str) -> Rational:
    try:
        return exact(float(text)) if any(c in text for c in ".eE") else exact(Fraction(text))
    except (ZeroDivisionError, OverflowError):
        raise InputError(f"{text[:60]} is no number") from None


def _in_order(found: int, expected: int) -> None:
    if found != expected:
        raise InputError(f"number {found}, expected {expected}", advice="number lines and outputs from 0")
