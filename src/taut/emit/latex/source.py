r"""A program as LaTeX: its lines as equations, with the letters a reader of dynamics expects.

Sines and cosines of joint positions are s_2, c_2; off-line constants have their value or their formula.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from taut.emit.latex_words import call, escaped, number, symbol
from taut.emit.routine import Routine
from taut.emit.statements import texts
from taut.graph.program import Line
from taut.questions.arguments import latex

_ROWS = 30
"""Equations a block: amsmath breaks pages between blocks."""


def latex_source(robot: str, routines: Sequence[Routine]) -> str:
    """Return a document with one section a routine."""
    rows = [r"\documentclass{article}", r"\usepackage{amsmath}", r"\begin{document}"]
    rows += [rf"\title{{{escaped(robot)}}}", r"\date{}", r"\maketitle"]
    for routine in routines:
        rows += [rf"\section{{{_heading(routine)}}}", *(escaped(x) + r"\\" for x in routine.remarks)]
        equations = latex_equations(routine)
        for k in range(0, len(equations), _ROWS):
            body = " \\\\\n".join(x.replace(" = ", " &= ", 1) for x in equations[k : k + _ROWS])
            rows += [r"\begin{align*}", body, r"\end{align*}"]
    return "\n".join([*rows, r"\end{document}"]) + "\n"


def _heading(routine: Routine) -> str:
    """Return the name of a routine and what it computes as a formula: its letter of its arguments."""
    arguments = ", ".join(latex(name) or rf"\mathrm{{{escaped(name)}}}" for name in routine.arguments)
    return rf"{escaped(routine.name.replace('_', ' '))}, ${_letter(routine)}({arguments})$"


def _letter(routine: Routine) -> str:
    letter = routine.result.letter
    return latex(letter) or (letter if len(letter) == 1 else rf"\mathrm{{{escaped(letter)}}}")


def latex_equations(routine: Routine) -> list[str]:
    """Return the lines of a program and its outputs as formulas, each ``left = right``."""
    program = routine.program
    rows: list[str] = []

    def read(i: int) -> str:
        name = program.lines[i].data
        place = routine.places.get(name)
        return rf"{latex(place[0]) or place[0]}_{{{place[1] + 1}}}" if place else symbol(name)

    def define(i: int, args: list[str]) -> str:
        if short := _short(program.lines[i], args):
            return short
        name = rf"{'t' if i >= program.start else 'k'}_{{{i + 1}}}"
        rows.append(f"{name} = {_formula(program.lines[i], args)}")
        return name

    text = texts(routine, lambda _, value: number(value), read, define)
    name = _letter(routine)
    for k, (sign, i) in enumerate(program.outputs):
        rows.append(f"{name}_{{{_place(k, routine.shape)}}} = {'-' if sign < 0 else ''}{text[i]}")
    return rows


def _short(line: Line, args: Sequence[str]) -> str | None:
    """Return s_{2}, c_{3} for the sine or cosine of a joint's position."""
    if line.op in ("sin", "cos") and (match := re.fullmatch(r"q_\{(\d+)\}", args[0])):
        return rf"{line.op[0]}_{{{match[1]}}}"
    return None


def _formula(line: Line, args: Sequence[str]) -> str:
    if line.op == "mul":
        return rf"{args[0]}\,{args[1]}"
    if line.op == "div":
        return rf"\frac{{{args[0]}}}{{{args[1]}}}"
    if line.op in ("add", "sub"):
        return f"{args[0]} {'+' if line.op == 'add' else '-'} {args[1]}"
    if line.op == "neg":
        return f"-{args[0]}"
    return call(line.op, *args)


def _place(k: int, shape: Sequence[int]) -> str:
    indices = []
    for n in reversed(shape):
        k, at = divmod(k, n)
        indices.append(str(at + 1))
    return ",".join(reversed(indices))
