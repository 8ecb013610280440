"""The statements of a C function in a dialect: scalars for one state, or vectors for several.

:func:`body` writes a routine; :mod:`taut.emit.c.scalar` and :mod:`taut.emit.c.vector` are the dialects.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from taut.emit.c.angles import TRIGONOMETRIC, Angles, angle_levels, cone
from taut.emit.c.members import member
from taut.emit.c.parts import parts, places_in_memory
from taut.emit.c.precision import Precision
from taut.emit.c.signs import signed_sum, signs
from taut.emit.constants import rounded_sines
from taut.emit.infix import formula, signed
from taut.emit.literals import Literal, marked, unmarked
from taut.emit.routine import Routine
from taut.emit.spelling import spelled
from taut.graph.program import Line

BEGIN, END = "/* begin: {} operations */", "/* end */"
"""Around the operations of a function, so that they can be counted in the text; angles are marked and not counted."""


@dataclass(frozen=True)
class Written:
    """The text of a function.

    Attributes:
        routine: what was written.
        name: of the function.
        real: the type of its values.
        text: its statements.
        parts: statements of the functions that a huge one is cut into.
        helpers: what the text calls besides what every module has: ``pairs``, ``sums``.
        table: definitions that come before the function.
        literals: what every number of the text stands for, in the order of the text.
        literals_of_parts: the same for each part.
        literals_of_table: the same for the table.
        sums: lines of angles whose sines follow from those of others.
    """

    routine: Routine
    name: str
    real: str
    text: str
    parts: tuple[str, ...] = ()
    helpers: frozenset[str] = frozenset()
    table: str = ""
    literals: tuple[Literal | None, ...] = ()
    literals_of_parts: tuple[tuple[Literal | None, ...], ...] = ()
    literals_of_table: tuple[Literal | None, ...] = ()
    sums: tuple[int, ...] = ()


def body(routine: Routine, prefix: str, precision: Precision, poly: bool, dialect: type[Dialect]) -> Written:
    """Return the statements of a routine in a dialect."""
    return dialect(routine, prefix, precision, poly).written()


class Dialect(ABC):
    """Statements of a routine in one dialect; each dialect is a subclass that defines what differs.

    Args:
        routine: what to write; its program is taken in the order it has.
        prefix: of every name outside the function.
        precision: of all numbers.
        poly: sines by polynomials, else by the mathematics library.

    Attributes:
        suffix: of the name of the function.
    """

    suffix = ""

    def __init__(self, routine: Routine, prefix: str, precision: Precision, poly: bool) -> None:
        self.routine, self.prefix, self.precision, self.poly = routine, prefix, precision, poly
        self.names: dict[int, str] = {}
        self.rows: list[str] = []
        self.named = 0
        self.signs = signs(routine.program, routine.baked)
        self.kept = {line: k for k, line in enumerate(routine.handed_over)}
        self.zeros, self.others = self._runs()
        self.name = f"{prefix}_{routine.name}{self.suffix}"
        self.parts: list[str] = []
        self.helpers: set[str] = set()
        self.cleared: dict[int, list[range]] = {}
        self.angles = self._divided(angle_levels(routine.program, routine.baked))
        self.needed = self._needed()

    def written(self) -> Written:
        """Return the statements of the function; of a huge one, what comes before and calls its parts."""
        program, cut = self.routine.program, parts(self.routine.program)
        for name in self._unused() if len(cut) == 1 else self._given():
            self.rows.append(f"(void){name};")
        if len(cut) == 1:
            self.rows.append(BEGIN.format(sum(line.counted for line in program.lines)))
        for level, angles in enumerate(self.angles):
            for i in cone(program, angles.own):
                self._line(i)
            self._all_sines(angles, "" if level == 0 else f"_{level + 1}")
        complete: dict[int, list[range]] = {}
        for group in self._groups():
            complete.setdefault(max(program.outputs[k].line for k in group), []).append(group)
        if len(cut) > 1:
            for run in self.zeros:
                self._clear(run)
            self._cut(cut, complete)
        else:
            self._spread_zeros()
            self._lines(range(len(program.lines)), complete)
            self.rows.append(END)
        text, literals = unmarked(indented(self.rows))
        pieces = [unmarked(part) for part in self.parts]
        return Written(
            self.routine,
            self.name,
            self.real,
            text,
            tuple(part for part, _ in pieces),
            frozenset(self.helpers),
            literals=literals,
            literals_of_parts=tuple(numbers for _, numbers in pieces),
            sums=tuple(i for angles in self.angles for i in angles.sums),
        )

    def _lines(
        self, run: range, complete: Mapping[int, Sequence[range]], places: Mapping[int, int] | None = None
    ) -> None:
        for i in run:
            if i in self.needed:
                self._line(i)
            if places and i in places and self.names[i] != f"live[{places[i]}]":
                self.rows.append(f"live[{places[i]}] = {self.names[i]};")
            for group in complete.get(i, []):  # what is stored at once needs no register later
                self._store(group)
            for piece in self.cleared.get(i, []):
                self._clear(piece)

    def _cut(self, cut: Sequence[range], complete: Mapping[int, Sequence[range]]) -> None:
        """Write the lines as functions of their own, which hand values on in the array live."""
        program = self.routine.program
        stored = {i: [program.outputs[k].line for group in those for k in group] for i, those in complete.items()}
        begun = set(self.names)
        places = places_in_memory(program, cut, begun, stored)
        self.rows.append(f"{self.real} live[{max(len(places), 1)}];")
        self.rows += [f"live[{places[i]}] = {self.names[i]};" for i in begun if i in places]
        off_line = range(program.start)
        self._lines(off_line, complete)
        main, given = self.rows, ", ".join([*self._given(), "live"])
        for number, run in enumerate(cut, start=1):
            main.append(f"{self.name}_part{number}({given});")
            for i in self.names:
                if program.lines[i].op != "input":
                    self.names[i] = f"live[{places[i]}]" if i in places else "gone"
            self.names = {i: name for i, name in self.names.items() if program.lines[i].op != "input"}
            self.rows = [f"(void){name};" for name in (*self._given(), "live")]
            self.rows.append(BEGIN.format(sum(program.lines[i].counted for i in run)))
            self._lines(run, complete, places)
            self.parts.append(indented([*self.rows, END]))
        self.rows = main

    def _given(self) -> list[str]:
        """Return the names of everything the function takes."""
        return [*([] if self.routine.baked else ["k"]), *self.routine.arguments, self.routine.result.letter]

    def operand(self, i: int) -> str:
        """Return the text by which a line is read."""
        line, routine = self.routine.program.lines[i], self.routine
        if i < routine.program.start:
            if i in self.kept and not routine.baked:
                return f"k->{member(routine.name)}[{self.kept[i]}]"
            return self._constant(self._value(i), Literal(1, i))
        if i not in self.names:  # an input is read where it is needed first
            self._input(i, *routine.places[line.data])
        return self.names[i]

    def _line(self, i: int) -> None:
        if i in self.names or self.routine.program.lines[i].op == "input":
            return
        self.names[i] = f"t{self.named}"
        self.named += 1
        self._operation(i, self.names[i])

    def _operation(self, i: int, name: str) -> None:
        line = self.routine.program.lines[i]
        operands, given = [self.operand(arg) for arg in line.args], [self.signs[arg] for arg in line.args]
        if line.op in ("add", "sub"):
            right = signed_sum(line, self.signs[i], given, operands)
        else:
            if self.signs[i] * math.prod(given) < 0:
                self._negate(line, operands)
            right = formula(line, operands, self._functions)
        self._declare(name, right, line.free)

    def _negate(self, line: Line, operands: list[str]) -> None:
        """Give one factor the other sign: a constant, if there is one."""
        literals = [k for k, arg in enumerate(line.args) if arg < self.routine.program.start and self.routine.baked]
        if literals:
            factor = line.args[literals[0]]
            operands[literals[0]] = self._constant(-self._value(factor), Literal(-1, factor))
        else:
            operands[0] = f"-{operands[0]}"

    def _constant(self, value: float, source: Literal) -> str:
        """Return the text by which a number is read."""
        return marked(self.precision.literal(value), source)

    def _value(self, i: int) -> float:
        """Return a constant known off line."""
        line = self.routine.program.lines[i]
        return float(line.data) if line.op == "constant" else self.routine.constants[i]

    @property
    def _functions(self) -> Mapping[str, str]:
        return spelled(f"NAME{self.precision.suffix}({{}})", sign=f"{self.prefix}_sign({{}})")

    def _needed(self) -> set[int]:
        """Return the lines of a state that are written: all but angles whose sines follow from others."""
        program, sums = self.routine.program, {i for angles in self.angles for i in angles.sums}
        needed = {i for _, i in program.outputs}
        for i in range(len(program.lines) - 1, program.start - 1, -1):
            line = program.lines[i]
            if i in needed and not (line.op in TRIGONOMETRIC and line.args[0] in sums):
                needed.update(line.args)
        return {i for i in needed if i >= program.start}

    def _declare(self, name: str, right: str, free: bool) -> None:
        self.rows.append(f"const {self.real} {name} = {right};{' /* angle */' if free else ''}")

    def _all_sines(self, angles: Angles, mark: str) -> None:
        """Compute the sines of all angles of a level and name the lines that are one."""
        lines, wanted = self.routine.program.lines, self._wanted(angles)
        known = self._sines(angles.own, mark, wanted)
        if angles.sums:
            self.helpers.add("sums")
        for number, i in enumerate(angles.sums):
            given = [
                text for arg in lines[i].args for text in (known[arg] if arg in known else self._sines_of_constant(arg))
            ]
            known[i] = (f"s{mark}_{number}", f"c{mark}_{number}")
            how = "SUM" if lines[i].op == "add" else "DIFFERENCE"
            for op, name in zip(TRIGONOMETRIC, known[i], strict=True):
                if (op, i) in wanted:
                    right = f"{self.prefix}_{op.upper()}_{how}({', '.join(given)})"
                    self.rows.append(f"const {self.real} {name} = {right};")
        for i in self.needed:
            if lines[i].op in TRIGONOMETRIC and lines[i].args[0] in known:
                self.names[i] = known[lines[i].args[0]][lines[i].op == "cos"]

    def _wanted(self, angles: Angles) -> set[tuple[str, int]]:
        """Return {(sine or cosine, angle)} that lines read, or sums of angles."""
        lines = self.routine.program.lines
        wanted = {(lines[i].op, lines[i].args[0]) for i in self.needed if lines[i].op in TRIGONOMETRIC}
        for i in reversed(angles.sums):
            if any((op, i) in wanted for op in TRIGONOMETRIC):
                wanted |= {(op, arg) for op in TRIGONOMETRIC for arg in lines[i].args}
        return wanted

    def _sines_of_constant(self, i: int) -> tuple[str, str]:
        sines = rounded_sines(self.routine.program, self.routine.values, i)
        sine, cosine = (self.precision.literal(x) for x in sines)
        return marked(sine, Literal(1, i, "sin")), marked(cosine, Literal(1, i, "cos"))

    def _spread_zeros(self) -> None:
        """Put zeros evenly among the lines, one wide store at a time: all at once they fill the queue of stores."""
        lines, start, wide = len(self.routine.program.lines), self.routine.program.start, self.precision.group
        pieces = [range(k, min(k + wide, run.stop)) for run in self.zeros for k in range(run.start, run.stop, wide)]
        for number, piece in enumerate(pieces, start=1):
            place = start + number * (lines - start) // (len(pieces) + 1)
            self.cleared.setdefault(min(place, lines - 1), []).append(piece)

    def _clear(self, run: range) -> None:
        """Write outputs that are always zero: as a loop, which compilers make wide stores of."""
        letter, zero = self.routine.result.letter, self.precision.literal(0.0)
        self.rows += [f"for (int i = {run.start}; i < {run.stop}; ++i)", f"    {letter}[i] = {zero};"]

    def _output(self, k: int) -> str:
        """Return the text of an output, with its sign."""
        sign, i = self.routine.program.outputs[k]
        return signed(sign * self.signs[i], self.operand(i))

    def _unused(self) -> list[str]:
        lines = self.routine.program.lines
        read = {
            self.routine.places[line.data][0]
            for line in lines
            if line.op == "input" and line.data in self.routine.places
        }
        unused = [name for name in self.routine.arguments if name not in read]
        return unused if self.routine.baked or self.kept else ["k", *unused]

    # -- what a dialect defines --------------------------------------------------------------

    @property
    @abstractmethod
    def real(self) -> str:
        """The type of all values."""

    @abstractmethod
    def _runs(self) -> tuple[list[range], list[range]]:
        """Return the outputs that are cleared as zeros, and the others."""

    @abstractmethod
    def _divided(self, levels: list[Angles]) -> list[Angles]:
        """Return which angles get sines of their own."""

    @abstractmethod
    def _input(self, i: int, argument: str, index: int) -> None:
        """Name an input where it is needed first."""

    @abstractmethod
    def _sines(self, angles: Sequence[int], mark: str, wanted: set[tuple[str, int]]) -> dict[int, tuple[str, str]]:
        """Write the sines of angles that are wanted, or all; return how sine and cosine of each are read."""

    @abstractmethod
    def _groups(self) -> list[range]:
        """Return the outputs that are stored together."""

    @abstractmethod
    def _store(self, group: range) -> None:
        """Write outputs that are stored together."""


def indented(rows: Sequence[str]) -> str:
    """Return statements as the text of a function."""
    return "\n".join(f"    {row}" if row[0] != "#" else row for row in rows)
