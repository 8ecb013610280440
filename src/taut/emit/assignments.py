"""A program as assignments to read: a name for what is used again, the rest written in place.

A formula is a tree: ``(op, *parts)`` with trees as parts, ``("name", text)`` or ``("number", rational)``. Whoever
shows it decides how: as text (:func:`tree_text`), or as mathematics.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from taut.graph.elementary import FUNCTIONS
from taut.graph.program import BINARY, LEAVES, Line, Program
from taut.graph.stage import Stage
from taut.graph.text import number_text

LONGEST = 88
"""Characters beyond which a part gets a line of its own."""

_SUM, _PRODUCT, _ATOM = range(3)
_PRECEDENCE = {"add": _SUM, "sub": _SUM, "mul": _PRODUCT, "div": _PRODUCT}

Tree = tuple[Any, ...]


class Assignments:
    """The lines of a program as names or as formulas.

    Attributes:
        lines: (stage, name, formula) of the lines that have a name, in order.
    """

    def __init__(self, program: Program) -> None:
        self.lines: list[tuple[Stage, str, Tree]] = []
        self._trees: list[Tree] = []
        self._taken = {line.data for line in program.lines if line.op == "input"}
        self._numbers: Counter[str] = Counter()
        ends = {line for _, line in program.outputs}
        uses = Counter(arg for line in program.lines for arg in line.args) + Counter(ends)
        waited = {arg for line in program.lines if line.stage > Stage.PARAMETER for arg in line.args}
        for i, line in enumerate(program.lines):
            tree = self._tree(line)
            if line.op not in LEAVES and not line.free and line.op != "neg":
                known = line.stage <= Stage.PARAMETER
                own = line.op in FUNCTIONS or uses[i] > 1 or (known and i in waited)
                if (own or len(tree_text(tree)) > LONGEST) and not (
                    i in ends and uses[i] == 1 and line.op not in FUNCTIONS
                ):
                    name = self._name(line, tree)
                    self.lines.append((line.stage, name, tree))
                    tree = "name", name
            self._trees.append(tree)

    def answer(self, name: str, sign: int, line: int) -> Tree:
        """Return what an answer is; where a formula would be written again, the answer that has it."""
        tree = self._trees[line]
        if _written(tree)[1] != _ATOM:
            self._trees[line] = ("name", name) if sign > 0 else ("bracket", ("neg", ("name", name)))
        return tree if sign > 0 else ("neg", tree)

    def _tree(self, line: Line) -> Tree:
        if line.op == "input":
            return "name", line.data
        if line.op == "constant":
            return "number", line.data
        return line.op, *(self._trees[i] for i in line.args)

    def _name(self, line: Line, tree: Tree) -> str:
        if line.op in ("sin", "cos") and (digits := _joints(tree_text(tree))):
            wanted = f"{line.op[0]}{digits}"
            if wanted not in self._taken:
                self._taken.add(wanted)
                return wanted
        letter = "k" if line.stage <= Stage.PARAMETER else "t"
        while True:
            self._numbers[letter] += 1
            name = f"{letter}{self._numbers[letter]}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def tree_text(tree: Tree) -> str:
    """Return a formula as text, with as few brackets as it needs."""
    return _written(tree)[0]


def _written(tree: Tree) -> tuple[str, int]:
    op, *parts = tree
    if op == "name":
        return parts[0], _ATOM
    if op == "number":
        text = number_text(parts[0])
        return text, _PRODUCT if "/" in text else _ATOM
    written = [_written(part) for part in parts]
    if op == "bracket":
        return f"({written[0][0]})", _ATOM
    if op in FUNCTIONS:
        return f"{op}({', '.join(text for text, _ in written)})", _ATOM
    if op == "neg":
        return f"-{_wrapped(written[0], _PRODUCT)}", _SUM
    precedence = _PRECEDENCE[op]
    left = _wrapped(written[0], precedence)
    right = _wrapped(written[1], precedence if op in ("add", "mul") else precedence + 1)
    space = " " if precedence == _SUM else ""
    return f"{left}{space}{BINARY[op]}{space}{right}", precedence


def _joints(call: str) -> str:
    """Return the joints of an angle: '23' for ``sin(q2 + q3)``, nothing for any other.

    >>> _joints("sin(q2 + q3)"), _joints("cos(q10)"), _joints("sin(q1 - q2)"), _joints("sin(alpha1)")
    ('23', '10', '', '')
    """
    terms = call.partition("(")[2].removesuffix(")").split(" + ")
    numbers = [term.removeprefix("q") for term in terms if term.startswith("q")]
    if len(numbers) != len(terms) or not all(number.isdigit() for number in numbers):
        return ""
    return "".join(numbers) if len(numbers) == 1 or max(map(len, numbers)) == 1 else "_".join(numbers)


def _wrapped(part: tuple[str, int], least: int) -> str:
    text, precedence = part
    return text if precedence >= least else f"({text})"
