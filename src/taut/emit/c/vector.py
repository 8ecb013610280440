"""C for a vector of states: the same lines on vectors, read from rows of states and written to rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taut.emit.c.angles import Angles
from taut.emit.c.body import Dialect, Written, indented
from taut.emit.c.parts import parts
from taut.emit.c.precision import Precision
from taut.emit.literals import Literal, unmarked
from taut.emit.routine import Routine
from taut.graph.elementary import FUNCTIONS

TABLED = 400
"""Constants up to which batches have a table of them: 32 bytes each, which the first-level cache is to hold."""


class Vector(Dialect):
    """Statements for several states at once.

    Attributes:
        constants: {what a number stands for: the number}, a table of vectors in this order; a product reads it from
            there without another instruction.
    """

    suffix = "_block"

    def __init__(self, routine: Routine, prefix: str, precision: Precision, poly: bool) -> None:
        super().__init__(routine, prefix, precision, poly)
        self.constants: dict[Literal, float] = {}
        start = routine.program.start
        numbers = len({arg for line in routine.program.lines[start:] for arg in line.args if arg < start})
        self.tabled = len(parts(routine.program)) == 1 and numbers <= TABLED

    @property
    def real(self) -> str:
        """The type of several numbers."""
        return f"{self.prefix}_vector"

    def _runs(self) -> tuple[list[range], list[range]]:
        """Return all outputs as one run: loops over zeros are slower than storing them with their neighbours."""
        return [], [range(self.routine.size)]

    def written(self) -> Written:
        """Return the statements of the function, which begin with where its constants are."""
        plain = super().written()
        if not self.constants:
            return plain
        begin = [f"const {self.real} *constant = {self.name}_constants;", f"{self.prefix}_FROM_MEMORY(constant);"]
        table, literals = unmarked(self._table())
        return replace(plain, text=f"{indented(begin)}\n{plain.text}", table=table, literals_of_table=literals)

    def _table(self) -> str:
        """Return the table of constants."""
        numbers = [super(Vector, self)._constant(value, source) for source, value in self.constants.items()]
        rows = [f"    {self.prefix}_SPREAD({number})," for number in numbers]
        return "\n".join([f"static const {self.real} {self.name}_constants[] = {{", *rows, "};", ""])

    def _constant(self, value: float, source: Literal) -> str:
        if not self.tabled:
            return super()._constant(value, source)
        self.constants.setdefault(source, value)
        return f"constant[{list(self.constants).index(source)}]"

    def _output(self, k: int) -> str:
        """Return the text of an output; a constant one has no place in the table."""
        sign, i = self.routine.program.outputs[k]
        if i >= self.routine.program.start:
            return super()._output(k)
        at_run_time = i in self.kept and not self.routine.baked
        if at_run_time:
            return f"{self.prefix}_SPREAD({super()._output(k)})"
        sign *= self.signs[i]
        return f"{self.prefix}_SPREAD({super()._constant(sign * self._value(i), Literal(sign, i))})"

    def _input(self, i: int, argument: str, index: int) -> None:
        self.names[i] = f"{argument}_{index}"
        width = len(self.routine.arguments[argument])
        self.rows.append(f"const {self.real} {self.names[i]} = {self.prefix}_LOAD({argument} + {index}, {width});")

    def _operation(self, i: int, name: str) -> None:
        line = self.routine.program.lines[i]
        if line.op in FUNCTIONS:
            first, *others = (self.operand(arg) for arg in line.args)
            self.rows.append(f"{self.real} {name} = {first};")
            self.rows += [f"const {self.real} {name}_{k} = {other};" for k, other in enumerate(others)]
            given = ", ".join([f"{name}[i]", *(f"{name}_{k}[i]" for k in range(len(others)))])
            self.rows.append(f"for (int i = 0; i < {self.prefix}_LANES; ++i)")
            self.rows.append(f"    {name}[i] = {self._functions[line.op].format(given)};")
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
