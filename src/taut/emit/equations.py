"""A derived function as readable assignments: a line for what is used again, the rest written in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from taut.emit.derived import Derived
from taut.graph.elementary import FUNCTIONS
from taut.graph.program import BINARY, LEAVES, Line, Program
from taut.graph.stage import Stage
from taut.graph.text import number_text
from taut.questions.quantity import UNKNOWN

LONGEST = 88
"""Characters beyond which a part gets a line of its own."""

_SUM, _PRODUCT, _ATOM = range(3)
_PRECEDENCE = {"add": _SUM, "sub": _SUM, "mul": _PRODUCT, "div": _PRODUCT}


def equations(function: Derived) -> str:
    """Return a derived function as assignments, stage by stage, answers last."""
    program = function.program
    written = _Writer(program)
    rows = _parameters(function)
    for stage in Stage:
        lines = [row for at, row in written.assignments if at is stage]
        if lines:
            title = "once" if stage <= Stage.PARAMETER else f"with the {stage.label}"
            rows += [f"# {title}", *lines, ""]
    rows.append("# answers")
    letter = function.name if function.result is UNKNOWN else function.result.letter
    for place, (sign, line) in zip(_places(function.shape), program.outputs, strict=True):
        name = f"{letter}[{','.join(map(str, place))}]"
        rows.append(f"{name} = {written.answer(name, sign, line)}")
    return "\n".join(rows) + "\n"


def _parameters(function: Derived) -> list[str]:
    """Return what the parameters are and their values, as comments."""
    names = function.parameter_names
    if not names:
        return []
    width = max(map(len, names))
    rows = ["# parameters"]
    for name in names:
        value = f"{function.values[name]:.12g}" if name in function.values else "no value"
        about = f"  {function.records[name]}" if name in function.records else ""
        changes = "at run time" if name in function.run_time_names else "in the code"
        rows.append(f"#   {name:<{width}} = {value:<18} {changes}{about}")
    return [*rows, ""]


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the indices of an answer in order, from 1."""
    if not shape:
        yield ()
        return
    for first in range(1, shape[0] + 1):
        for rest in _places(shape[1:]):
            yield (first, *rest)


class _Writer:
    """Writes every line of a program as a name or as a formula.

    Attributes:
        assignments: (stage, ``name = formula``) of the lines that have a name.
    """

    def __init__(self, program: Program) -> None:
        self.assignments: list[tuple[Stage, str]] = []
        self._text: list[tuple[str, int]] = []
        self._taken = {line.data for line in program.lines if line.op == "input"}
        self._numbers: Counter[str] = Counter()
        ends = {line for _, line in program.outputs}
        uses = Counter(arg for line in program.lines for arg in line.args) + Counter(ends)
        waited = {arg for line in program.lines if line.stage > Stage.PARAMETER for arg in line.args}
        for i, line in enumerate(program.lines):
            text, precedence = self._formula(line)
            if line.op not in LEAVES and not line.free and line.op != "neg":
                known = line.stage <= Stage.PARAMETER
                own = line.op in FUNCTIONS or uses[i] > 1 or (known and i in waited) or len(text) > LONGEST
                if own and not (i in ends and uses[i] == 1 and line.op not in FUNCTIONS):
                    name = self._name(line, text)
                    self.assignments.append((line.stage, f"{name} = {text}"))
                    text, precedence = name, _ATOM
            self._text.append((text, precedence))

    def answer(self, name: str, sign: int, line: int) -> str:
        """Return what an answer is; where a formula would be written again, the answer that has it."""
        text, precedence = self._text[line]
        if precedence != _ATOM:
            self._text[line] = (name if sign > 0 else f"(-{name})"), _ATOM
        return text if sign > 0 else f"-({text})" if precedence == _SUM else f"-{text}"

    def _formula(self, line: Line) -> tuple[str, int]:
        if line.op == "input":
            return line.data, _ATOM
        if line.op == "constant":
            text = number_text(line.data)
            return text, _PRODUCT if "/" in text else _ATOM
        parts = [self._text[i] for i in line.args]
        if line.op in FUNCTIONS:
            return f"{line.op}({', '.join(text for text, _ in parts)})", _ATOM
        if line.op == "neg":
            return f"-{_wrapped(parts[0], _PRODUCT)}", _SUM
        precedence = _PRECEDENCE[line.op]
        left = _wrapped(parts[0], precedence)
        right = _wrapped(parts[1], precedence if line.op in ("add", "mul") else precedence + 1)
        space = " " if precedence == _SUM else ""
        return f"{left}{space}{BINARY[line.op]}{space}{right}", precedence

    def _name(self, line: Line, text: str) -> str:
        if line.op in ("sin", "cos") and (digits := _joints(text)):
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
