"""How does a program become the statements of a C function?  For one state, or for a vector of states."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from taut.emit.c.angles import TRIGONOMETRIC, Angles, angle_levels, cone
from taut.emit.c.outputs import output_runs, stored_together
from taut.emit.c.parts import handed_on, parts
from taut.emit.c.precision import Precision
from taut.emit.c.signs import signed_sum, signs
from taut.emit.infix import formula, signed
from taut.emit.routine import Routine
from taut.graph.program import Line

OTHER = ("sqrt", "sign", "atan")
"""Functions of one argument that are called, not grouped."""

TABLED = 400
"""Constants up to which batches have a table of them: 32 bytes each, which the first-level cache is to hold."""

BEGIN, END = "/* begin: {} operations */", "/* end */"
"""Around the operations of a function, so that they can be counted in the text; angles are marked and not counted."""


class Body:
    """Statements for one state: scalars, and sines of all angles of a level in groups.

    Args:
        routine: what to write; its program is taken in the order it has.
        prefix: of every name outside the function.
        precision: of all numbers.
        poly: sines by polynomials, else by the mathematics library.

    Attributes:
        real: the type of its values.
        parts: statements of the functions that a huge one is cut into, after :meth:`text`.
        helpers: what the text calls besides what every module has: ``pairs``, ``sums``.
    """

    def __init__(self, routine: Routine, prefix: str, precision: Precision, poly: bool) -> None:
        self.routine, self.prefix, self.precision, self.poly = routine, prefix, precision, poly
        self.names: dict[int, str] = {}
        self.rows: list[str] = []
        self.named = 0
        self.signs = signs(routine.program, routine.baked)
        self.kept = {line: k for k, line in enumerate(routine.handed_over)}
        # In batches, loops over zeros are slower than storing them with their neighbours.
        self.zeros, self.others = output_runs(routine.program) if type(self) is Body else ([], [range(routine.size)])
        self.real = precision.real if type(self) is Body else f"{prefix}_vector"
        self.name = f"{prefix}_{routine.name}{'' if type(self) is Body else '_block'}"
        self.parts: list[str] = []
        self.helpers: set[str] = set()
        self.cleared: dict[int, list[range]] = {}
        self.angles = self._divided(angle_levels(routine.program, routine.baked))
        self.needed = self._needed()

    def text(self) -> str:
        """Return the statements of the function; of a huge one, what comes before and calls its :attr:`parts`."""
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
        return _indented(self.rows)

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
        places = handed_on(program, cut, begun, stored)
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
            self.parts.append(_indented([*self.rows, END]))
        self.rows = main

    def _given(self) -> list[str]:
        """Return the names of everything the function takes."""
        return [*([] if self.routine.baked else ["k"]), *self.routine.arguments, self.routine.result.letter]

    def operand(self, i: int) -> str:
        """Return the text by which a line is read."""
        line, routine = self.routine.program.lines[i], self.routine
        if i < routine.program.start:
            if i in self.kept and not routine.baked:
                return f"k->{routine.name}[{self.kept[i]}]"
            return self._constant(self._value(i))
        if i not in self.names:  # an input is read where it is needed first
            self._input(i, *routine.places[line.data])
        return self.names[i]

    def _line(self, i: int) -> None:
        if i in self.names or self.routine.program.lines[i].op == "input":
            return
        self.names[i] = f"t{self.named}"
        self.named += 1
        self._operation(i, self.names[i])

    def _input(self, i: int, argument: str, index: int) -> None:
        self.names[i] = f"{argument}[{index}]"

    def _operation(self, i: int, name: str) -> None:
        line = self.routine.program.lines[i]
        operands, given = [self.operand(arg) for arg in line.args], [self.signs[arg] for arg in line.args]
        if line.op in ("add", "sub"):
            right = signed_sum(line, self.signs[i], given, operands)
        else:
            functions = {name: f"{self._function(name)}({{}})" for name in OTHER}
            if self.signs[i] * math.prod(given) < 0:
                self._negate(line, operands)
            right = formula(line, operands, functions)
        self._declare(name, right, line.free)

    def _negate(self, line: Line, operands: list[str]) -> None:
        """Give one factor the other sign: a constant, if there is one."""
        literals = [k for k, arg in enumerate(line.args) if arg < self.routine.program.start and self.routine.baked]
        if literals:
            operands[literals[0]] = self._constant(-self._value(line.args[literals[0]]))
        else:
            operands[0] = f"-{operands[0]}"

    def _constant(self, value: float) -> str:
        """Return the text by which a number is read."""
        return self.precision.literal(value)

    def _value(self, i: int) -> float:
        """Return a constant known off line."""
        line = self.routine.program.lines[i]
        return float(line.data) if line.op == "constant" else self.routine.constants[i]

    def _function(self, name: str) -> str:
        return f"{self.prefix}_sign" if name == "sign" else f"{name}{self.precision.suffix}"

    def _divided(self, levels: list[Angles]) -> list[Angles]:
        """Return which angles get sines of their own: all that have a place in a group."""
        return [angles.grouped(self.precision.group) for angles in levels] if self.poly else levels

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
        angle = self._value(i)
        return self.precision.literal(math.sin(angle)), self.precision.literal(math.cos(angle))

    def _sines(self, angles: Sequence[int], mark: str, wanted: set[tuple[str, int]]) -> dict[int, tuple[str, str]]:
        """Write the sines of angles that are wanted, or all; return how sine and cosine of each are read."""
        if self.poly:
            self._grouped_sines(angles, mark)
            return {i: (f"s{mark}[{j}]", f"c{mark}[{j}]") for j, i in enumerate(angles)}
        f = self.precision.suffix
        for j, i in enumerate(angles):
            for op in TRIGONOMETRIC:
                if (op, i) in wanted:
                    self.rows.append(f"const {self.real} {op[0]}{mark}{j} = {op}{f}({self.operand(i)});")
        return {i: (f"s{mark}{j}", f"c{mark}{j}") for j, i in enumerate(angles)}

    def _grouped_sines(self, angles: Sequence[int], mark: str) -> None:
        R, group, real = self.prefix, self.precision.group, self.real
        f = self.precision.suffix
        starts = range(0, len(angles), group)
        size = len(starts) * group
        x, s, c = f"x{mark}", f"s{mark}", f"c{mark}"
        given = [self.operand(a) for a in angles] + [self.precision.literal(0.0)] * (size - len(angles))
        self.rows.append(f"const {real} {x}[{size}] = {{{', '.join(given)}}};")
        self.rows.append(f"{real} {s}[{size}], {c}[{size}];")
        libm = [f"{s}[{k}] = sin{f}({x}[{k}]), {c}[{k}] = cos{f}({x}[{k}]);" for k in range(len(angles))]
        self.rows += [f"#if {R}_VECTORS", f"{R}_bits far{mark} = {{0}};"]
        self.rows += [f"{R}_mark_group({x} + {k}, &far{mark});" for k in starts]
        self.rows += [f"if (!{R}_any(&far{mark})) {{"]
        self.rows += [f"    {R}_sincos_group({x} + {k}, {s} + {k}, {c} + {k});" for k in starts]
        self.rows += ["} else", "#endif", "{", *(f"    {row}" for row in libm), "}"]

    def _groups(self) -> list[range]:
        """Return the outputs that are stored together."""
        return stored_together(self.routine.program, self.others)

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

    def _store(self, group: range) -> None:
        letter = self.routine.result.letter
        values = [self._output(k) for k in group]
        if len(group) == 2:
            self.helpers.add("pairs")
            self.rows.append(f"{self.prefix}_store_two(&{letter}[{group[0]}], {', '.join(values)});")
        else:
            self.rows.append(f"{letter}[{group[0]}] = {values[0]};")

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


class BatchBody(Body):
    """Statements for a vector of states: the same lines on vectors, read from rows of states and written to rows.

    Attributes:
        constants: {number: its place in a table of vectors}; a product reads it from there without another instruction.
    """

    def __init__(self, routine: Routine, prefix: str, precision: Precision, poly: bool) -> None:
        super().__init__(routine, prefix, precision, poly)
        self.constants: dict[float, int] = {}
        start = routine.program.start
        numbers = len({arg for line in routine.program.lines[start:] for arg in line.args if arg < start})
        self.tabled = len(parts(routine.program)) == 1 and numbers <= TABLED

    def text(self) -> str:
        """Return the statements of the function, which begin with where its constants are."""
        text = super().text()
        if not self.constants:
            return text
        begin = [f"const {self.real} *constant = {self.name}_constants;", f"{self.prefix}_FROM_MEMORY(constant);"]
        return f"{_indented(begin)}\n{text}"

    def table(self) -> str:
        """Return the table of constants; nothing where there are none."""
        if not self.constants:
            return ""
        rows = [f"    {self.prefix}_SPREAD({self.precision.literal(value)})," for value in self.constants]
        return "\n".join([f"static const {self.real} {self.name}_constants[] = {{", *rows, "};", ""])

    def _constant(self, value: float) -> str:
        if not self.tabled:
            return super()._constant(value)
        return f"constant[{self.constants.setdefault(value, len(self.constants))}]"

    def _output(self, k: int) -> str:
        """Return the text of an output; a constant one has no place in the table."""
        sign, i = self.routine.program.outputs[k]
        if i >= self.routine.program.start:
            return super()._output(k)
        at_run_time = i in self.kept and not self.routine.baked
        text = super()._output(k) if at_run_time else self.precision.literal(sign * self.signs[i] * self._value(i))
        return f"{self.prefix}_SPREAD({text})"

    def _input(self, i: int, argument: str, index: int) -> None:
        self.names[i] = f"{argument}_{index}"
        width = len(self.routine.arguments[argument])
        self.rows.append(f"const {self.real} {self.names[i]} = {self.prefix}_LOAD({argument} + {index}, {width});")

    def _operation(self, i: int, name: str) -> None:
        line = self.routine.program.lines[i]
        if line.op in OTHER:
            self.rows.append(f"{self.real} {name} = {self.operand(line.args[0])};")
            self.rows.append(f"for (int i = 0; i < {self.prefix}_LANES; ++i)")
            self.rows.append(f"    {name}[i] = {self._function(line.op)}({name}[i]);")
        else:
            super()._operation(i, name)

    def _divided(self, levels: list[Angles]) -> list[Angles]:
        """Return the angles as they are: here every sine takes as long as the first."""
        return levels

    def _sines(self, angles: Sequence[int], mark: str, wanted: set[tuple[str, int]]) -> dict[int, tuple[str, str]]:
        R = self.prefix
        numbers = range(len(angles))
        self.rows += [f"const {self.real} x{mark}{j} = {self.operand(a)};" for j, a in enumerate(angles)]
        self.rows += [f"{self.real} s{mark}{j}, c{mark}{j};" for j in numbers]

        def calls(function: str) -> list[str]:
            return [f"    {R}_{function}(&x{mark}{j}, &s{mark}{j}, &c{mark}{j});" for j in numbers]

        if self.poly:
            self.rows += [f"{R}_bits far{mark} = {{0}};"]
            self.rows += [f"{R}_mark(&x{mark}{j}, &far{mark});" for j in numbers]
            self.rows += [f"if (!{R}_any(&far{mark})) {{", *calls("sincos"), "} else"]
        self.rows += ["{", *calls("libm"), "}"]
        return {i: (f"s{mark}{j}", f"c{mark}{j}") for j, i in enumerate(angles)}

    def _groups(self) -> list[range]:
        """Return four components at a time, which become a row of each state in a few shuffles; the rest one by one."""
        found = []
        for run in self.others:
            whole = run.stop - len(run) % 4
            found += [range(k, k + 4) for k in range(run.start, whole, 4)]
            found += [range(k, k + 1) for k in range(whole, run.stop)]
        return found

    def _store(self, group: range) -> None:
        R, letter, size = self.prefix, self.routine.result.letter, self.routine.size
        self.rows += [f"const {self.real} y{k} = {self._output(k)};" for k in group]
        if len(group) == 4:
            self.rows.append(f"{R}_store_four({letter} + {group[0]}, {size}, {', '.join(f'&y{k}' for k in group)});")
        else:
            self.rows += [f"{R}_STORE({letter} + {k}, {size}, y{k});" for k in group]


def _indented(rows: Sequence[str]) -> str:
    return "\n".join(f"    {row}" if row[0] != "#" else row for row in rows)
