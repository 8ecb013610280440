"""Writes one line of a program in a language with infix operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.graph.program import BINARY, Line


def formula(line: Line, operands: Sequence[str], functions: Mapping[str, str]) -> str:
    """Return the right-hand side of a line.

    Args:
        line: an operation.
        operands: texts of its arguments.
        functions: {elementary function: its text with {} for the arguments}.
    """
    if line.op in BINARY:
        return f"{operands[0]} {BINARY[line.op]} {operands[1]}"
    if line.op == "neg":
        return f"-{operands[0]}"
    return functions[line.op].format(", ".join(operands))


def number(value: float, suffix: str = "") -> str:
    """Return the shortest decimal that reads back as the same double; a negative one in brackets.

    >>> number(0.1), number(-2.0), number(1e-7, "f")
    ('0.1', '(-2.0)', '1e-07f')
    """
    text = f"{value!r}{suffix}"
    return f"({text})" if text.startswith("-") else text


def signed(sign: int, operand: str) -> str:
    """Return an output with its sign."""
    return operand if sign > 0 else f"-{operand}"
