"""Writes a whole program as one statement per line, in order, for languages that need no special care."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from taut.emit.backend import Readable, ReadableFunction, Request
from taut.emit.infix import formula, number, signed
from taut.emit.literals import Literal, marked, unmarked
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


class Statements(NamedTuple):
    """Statements, the formulas of the outputs after them, and what the numbers of both stand for, in order."""

    statements: list[str]
    outputs: list[str]
    literals: Sequence[Literal | None]


def texts(
    routine: Routine,
    number: Callable[[int, float], str],
    read: Callable[[int], str],
    define: Callable[[int, list[str]], str],
) -> list[str]:
    """Return how the value of every line of a routine is written.

    Args:
        routine: what to write.
        number: how the number of a line is written.
        read: how the input of a line is read.
        define: gives a name to the value of any other line.
    """
    program = routine.program
    found: list[str] = []
    for i, line in enumerate(program.lines):
        if line.op == "constant":
            found.append(number(i, float(line.data)))
        elif i < program.start and routine.baked:
            found.append(number(i, routine.constants[i]))
        elif line.op == "input":
            found.append(read(i))
        else:
            found.append(define(i, [found[arg] for arg in line.args]))
    return found


def statements(routine: Routine, language: Language, parameters: Sequence[str] = ()) -> Statements:
    """Return a routine as statements.

    Args:
        routine: what to write.
        language: how to write it.
        parameters: names in the order of the vector ``p``, for routines that read them at run time.
    """
    place = {name: k for k, name in enumerate(parameters)}
    program = routine.program
    rows: list[str] = []

    def read(i: int) -> str:
        name = program.lines[i].data
        return language.element(*(("p", place[name]) if i < program.start else routine.places[name]))

    def define(i: int, args: list[str]) -> str:
        name = f"t{i - program.start}" if i >= program.start else f"c{i}"
        rows.append(language.statement(name, formula(program.lines[i], args, language.functions)))
        return name

    def numbered(i: int, value: float) -> str:
        return marked(number(value), Literal(1, i))

    text = texts(routine, numbered, read, define)
    outputs = [signed(sign, text[i]) for sign, i in program.outputs]
    plain, literals = unmarked("\n".join([*rows, *outputs]))
    written = plain.split("\n") if plain else []
    return Statements(written[: len(rows)], written[len(rows) :], literals)


def readable(request: Request, file: str, language: Language) -> Readable:
    """Return what a reader of a text needs whose functions have their routines' names and statements.

    Args:
        request: what was written.
        file: name of the file.
        language: how it was written.
    """
    names = parameter_names(request.routines)
    functions = [
        ReadableFunction(routine.name, routine, {routine.name: statements(routine, language, names).literals})
        for routine in request.routines
    ]
    return Readable(request.prefix, file, functions, names)


def description(routine: Routine) -> list[str]:
    """Return the comment on a routine, in any language."""
    rows = [remark(sentence) for sentence in routine.remarks]
    rows += [f"{name} ({len(s)}): {remark(meaning(name))}" for name, s in routine.arguments.items()]
    shape = " x ".join(map(str, routine.shape))
    return [*rows, f"result {routine.result.letter} ({shape}): {remark(routine.result.text)}"]


def parameter_names(routines: Sequence[Routine]) -> list[str]:
    """Return the names of the parameters read at run time, in the order of the vector ``p``."""
    return list(dict.fromkeys(name for routine in routines if not routine.baked for name in routine.parameters))


def parameter_rows(routines: Sequence[Routine]) -> list[str]:
    """Return the comment on the vector ``p``: a line for each parameter, in order."""
    return [f"{k + 1}. {remark(described(routines, name))}" for k, name in enumerate(parameter_names(routines))]
