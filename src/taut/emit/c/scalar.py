"""C for one state: scalars, and sines of all angles of a level in groups."""

from __future__ import annotations

from collections.abc import Sequence

from taut.emit.c.angles import TRIGONOMETRIC, Angles
from taut.emit.c.body import Dialect
from taut.emit.c.outputs import output_runs, stored_together


class Scalar(Dialect):
    """Statements for one state."""

    @property
    def real(self) -> str:
        """The type of all numbers."""
        return self.precision.real

    def _runs(self) -> tuple[list[range], list[range]]:
        return output_runs(self.routine.program)

    def _input(self, i: int, argument: str, index: int) -> None:
        self.names[i] = f"{argument}[{index}]"

    def _divided(self, levels: list[Angles]) -> list[Angles]:
        """Return which angles get sines of their own: all that have a place in a group."""
        return [angles.grouped(self.precision.group) for angles in levels] if self.poly else levels

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
        self.rows += [f"#if {R}_VECTORS", f"{R}_angle_bits far{mark} = {{0}};"]
        self.rows += [f"{R}_mark_group({x} + {k}, &far{mark});" for k in starts]
        self.rows += [f"if (!{R}_marked(&far{mark})) {{"]
        self.rows += [f"    {R}_sincos_group({x} + {k}, {s} + {k}, {c} + {k});" for k in starts]
        self.rows += ["} else", "#endif", "{", *(f"    {row}" for row in libm), "}"]

    def _groups(self) -> list[range]:
        """Return the outputs that are stored together."""
        return stored_together(self.routine.program, self.others)

    def _store(self, group: range) -> None:
        letter = self.routine.result.letter
        values = [self._output(k) for k in group]
        if len(group) == 2:
            self.helpers.add("pairs")
            self.rows.append(f"{self.prefix}_store_two(&{letter}[{group[0]}], {', '.join(values)});")
        else:
            self.rows.append(f"{letter}[{group[0]}] = {values[0]};")
