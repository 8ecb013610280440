"""Writes a whole program as one statement per line, in order, for languages that need no special care."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from taut.emit.infix import formula, number, signed
from taut.emit.names import remark
from taut.emit.routine import Routine, described
from taut.questions.arguments import meaning


class Language(NamedTuple):
    """What differs between languages.

    Attributes:
        functions: {elementary function: its text with {} for the arguments}.
        element: (vector, index from 0) -> how it is read.
        statement: (name, formula) -> the statement that gives the formula the name.
    """

    functions: Mapping[str, str]
    element: Callable[[str, int], str]
    statement: Callable[[str, str], str]


class Straight(NamedTuple):
    """Statements, and the formulas of the outputs after them."""

    statements: list[str]
    outputs: list[str]


def straight(routine: Routine, language: Language, parameters: Sequence[str] = ()) -> Straight:
    """Return a routine as statements.

    Args:
        routine: what to write.
        language: how to write it.
        parameters: names in the order of the vector ``p``, for routines that read them at run time.
    """
    place = {name: k for k, name in enumerate(parameters)}
    program = routine.program
    text: list[str] = []
    rows: list[str] = []
    for i, line in enumerate(program.lines):
        if line.op == "constant":
            text.append(number(float(line.data)))
        elif i < program.start and routine.baked:
            text.append(number(routine.constants[i]))
        elif line.op == "input":
            at = ("p", place[line.data]) if i < program.start else routine.places[line.data]
            text.append(language.element(*at))
        else:
            text.append(f"t{i - program.start}" if i >= program.start else f"c{i}")
            right = formula(line, [text[arg] for arg in line.args], language.functions)
            rows.append(language.statement(text[i], right))
    return Straight(rows, [signed(sign, text[i]) for sign, i in program.outputs])


def description(routine: Routine) -> list[str]:
    """Return what a comment says about a routine, in any language."""
    rows = [remark(sentence) for sentence in routine.remarks]
    rows += [f"{name} ({len(s)}): {remark(meaning(name))}" for name, s in routine.arguments.items()]
    shape = " x ".join(map(str, routine.shape))
    return [*rows, f"result {routine.result.letter} ({shape}): {remark(routine.result.text)}"]


def parameter_names(routines: Sequence[Routine]) -> list[str]:
    """Return the names of the parameters read at run time, in the order of the vector ``p``."""
    return list(dict.fromkeys(name for routine in routines if not routine.baked for name in routine.parameters))


def parameter_rows(routines: Sequence[Routine]) -> list[str]:
    """Return what a comment says about the vector ``p``: a line for each parameter, in order."""
    return [f"{k + 1}. {remark(described(routines, name))}" for k, name in enumerate(parameter_names(routines))]
