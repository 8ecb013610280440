"""The C module of a robot: one source and one header with any set of functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from taut.emit.c.body import Written, body
from taut.emit.c.initialise import initialise
from taut.emit.c.lanes import lanes, pairs
from taut.emit.c.precision import Precision, precision
from taut.emit.c.scalar import Scalar
from taut.emit.c.schedule import scheduled
from taut.emit.c.trigonometry import sums, support
from taut.emit.c.vector import Vector
from taut.emit.names import module_name, remark, wrapped
from taut.emit.routine import Routine, described
from taut.errors import InputError, refuse_unknown
from taut.questions.arguments import meaning

TRIG = ("poly", "libm")
HELPERS = {"pairs": pairs, "sums": sums}
"""C helpers by the name that bodies give them."""


@dataclass(frozen=True)
class Module:
    """A robot's functions in C.

    Attributes:
        robot: its name, as the file has it.
        routines: what to write, names distinct.
        joints: names of the joints, the order of every vector.
        precision: ``double`` or ``float``.
        trig: ``poly`` or ``libm``.
        batch: whether each function also comes for arrays of states.
        ordered: whether lines are scheduled, or left in the order they have.
        name: that files and functions begin with; made from the robot's by default.
    """

    robot: str
    routines: Sequence[Routine]
    joints: Sequence[str] = ()
    precision: str = "double"
    trig: str = "poly"
    batch: bool = True
    ordered: bool = True
    name: str | None = None

    def __post_init__(self) -> None:
        refuse_unknown("trigonometry", self.trig, TRIG, "generate")
        names = [routine.name for routine in self.routines]
        if len(set(names)) < len(names):
            raise InputError("a function is asked for twice", "generate", "name each once")
        if len({routine.baked for routine in self.routines}) > 1:
            raise InputError("constants both baked and at run time", "generate", "choose one for all functions")

    @cached_property
    def prefix(self) -> str:
        """What every name begins with."""
        return module_name(self.name or self.robot)

    @cached_property
    def number(self) -> Precision:
        """The type of all numbers."""
        return precision(self.precision)

    @property
    def baked(self) -> bool:
        """Whether constants are in the code."""
        return all(routine.baked for routine in self.routines)

    @cached_property
    def values(self) -> Mapping[str, float]:
        """Values of the parameters, the same in all functions."""
        known: dict[str, float] = {}
        for routine in self.routines:
            for name in routine.parameters:
                if name in routine.values and known.setdefault(name, routine.values[name]) != routine.values[name]:
                    raise InputError(f"parameter '{name}' has two values", "generate", "derive all from one robot")
        return known

    @cached_property
    def parameters(self) -> list[str]:
        """Names of run-time parameters, in the order of the array."""
        return list(dict.fromkeys(name for routine in self.routines for name in routine.parameters))

    def described(self, parameter: str) -> str:
        """Return the name of a run-time parameter and what it measures."""
        return described(self.routines, parameter)

    def header(self) -> str:
        """Return the text of the header."""
        R, guard = self.prefix, f"{self.prefix.upper()}_H"
        rows = [
            *self._about(),
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stddef.h>",
            "",
            "#ifdef __cplusplus",
            f"#define {R}_RESTRICT __restrict",
            'extern "C" {',
            "#else",
            f"#define {R}_RESTRICT restrict",
            "#endif",
            "",
        ]
        if not self.baked:
            rows += [initialise(self).declarations, ""]
        for routine in self.routines:
            rows += [self.comment(routine), f"{self.signature(routine)};", ""]
            if self.batch:
                rows += [f"/* {R}_{routine.name} of n states, one after the other in every array. */"]
                rows += [f"{self.signature(routine, batch=True)};", ""]
        rows += ["#ifdef __cplusplus", "}", "#endif", "", "#endif"]
        return "\n".join(rows) + "\n"

    @cached_property
    def single_file(self) -> str:
        """Header and source in one text."""
        return "\n".join([self.header(), self._code])

    def source(self) -> str:
        """Return the text of the source, which includes the header's file."""
        return "\n".join([*self._about(), f'#include "{self.prefix}.h"', self._code])

    @cached_property
    def written(self) -> list[Written]:
        """The function of one state of every routine, its lines in the order that is written."""
        ready = [replace(r, program=scheduled(r.program)) if self.ordered else r for r in self.routines]
        return [body(routine, self.prefix, self.number, self.trig == "poly", Scalar) for routine in ready]

    @cached_property
    def blocks(self) -> list[Written]:
        """The functions of several states at once, where there are batches."""
        ready = [one.routine for one in self.written] if self.batch else []
        return [body(routine, self.prefix, self.number, self.trig == "poly", Vector) for routine in ready]

    @cached_property
    def _code(self) -> str:
        """The source after its own header."""
        R, real = self.prefix, self.number.real
        rows = [
            "#include <float.h>",
            "#include <math.h>",
            "#include <string.h>",
            "",
            "#if defined(__clang__) /* as gcc does: a product and a sum may be one instruction that rounds once */",
            "#pragma clang fp contract(fast)",
            "#endif",
            "",
            "#if defined(__GNUC__) /* parts of a huge function: inlined again, they would take as long to compile */",
            f"#define {R}_PART static __attribute__((noinline))",
            "#else",
            f"#define {R}_PART static",
            "#endif",
            "",
        ]
        rows.append(support(R, self.number, self.trig == "poly", self.batch))
        if self.batch:
            rows.append(lanes(R, self.number))
        if any(
            line.op == "sign" for routine in self.routines for line in routine.program.lines[routine.program.start :]
        ):
            zero = self.number.literal(0.0)
            rows += [f"static {real} {R}_sign({real} x) /* without a branch; NaN stays */", "{"]
            rows += [f"    return ({real})((x > {zero}) - (x < {zero})) + (x - x);", "}", ""]
        if not self.baked:
            rows += [initialise(self).definitions, ""]
        functions: list[str] = []
        helpers: set[str] = set()
        for one, block in zip_longest(self.written, self.blocks):
            functions += [*self._parts(one), self.signature(one.routine), "{", one.text, "}", ""]
            helpers |= one.helpers
            if block:
                functions.append(self._batch(one.routine, block))
                helpers |= block.helpers
        rows += [HELPERS[name](R, self.number) for name in sorted(helpers)]
        return "\n".join([*rows, *functions])

    def signature(self, routine: Routine, batch: bool = False, block: bool = False) -> str:
        """Return the head of a function, one state or a batch of them."""
        R, real = self.prefix, self.number.real
        given = [] if self.baked else [f"const {R}_constants *k"]
        given += ["size_t n"] if batch and not block else []
        given += [f"const {real} *{R}_RESTRICT {name}" for name in routine.arguments]
        given.append(f"{real} *{R}_RESTRICT {routine.result.letter}")
        name = f"{R}_{routine.name}" + ("_block" if block else "_batch" if batch else "")
        return f"{'static ' if block else ''}void {name}({', '.join(given)})"

    def _parts(self, function: Written) -> list[str]:
        """Return the functions that a huge one calls; inlined again, they would be what they were cut from."""
        R = self.prefix
        rows: list[str] = []
        given = self.signature(function.routine, block=True).partition("(")[2].rstrip(")")
        for number, text in enumerate(function.parts, start=1):
            rows += [
                f"{R}_PART void {function.name}_part{number}({given}, {function.real} *{R}_RESTRICT live)",
                "{",
                text,
                "}",
                "",
            ]
        return rows

    def comment(self, routine: Routine) -> str:
        """Return the comment of a function in the header."""
        rows = [f"/* {self.prefix}_{routine.name}"]
        rows += [f" * {remark(sentence)}" for sentence in routine.remarks]
        rows += [f" *   {name}[{len(symbols)}]: {remark(meaning(name))}" for name, symbols in routine.arguments.items()]
        shape = "".join(f"[{n}]" for n in routine.shape)
        layout = ", row-major" if len(routine.shape) > 1 else ""
        rows.append(
            f" *   {routine.result.letter}{shape}: {remark(routine.result.text)}{layout}; must not overlap an argument"
        )
        return "\n".join([*rows, " */"])

    def _about(self) -> list[str]:
        rows = [f"/* Dynamics of '{remark(self.robot)}', written by taut. C99 and C++, {self.precision} precision."]
        rows.append(" * No heap, no global state; any number of threads may call every function.")
        if self.joints:
            rows += [" * Joints, in the order of every vector:"]
            rows += [f" *   {row}" for row in wrapped([remark(name) for name in self.joints])]
        return [*rows, " */"]

    def _batch(self, routine: Routine, block: Written) -> str:
        R = self.prefix
        before = block.table + "".join(row + "\n" for row in self._parts(block))
        moved = [f"{name} + {len(symbols)} * i" for name, symbols in routine.arguments.items()]
        moved.append(f"{routine.result.letter} + {routine.size} * i")
        given = ", ".join(moved if self.baked else ["k", *moved])
        return f"""\
#if {R}_VECTORS
{before}{self.signature(routine, block=True)}
{{
{block.text}
}}
#endif

{self.signature(routine, batch=True)}
{{
    size_t i = 0;
#if {R}_VECTORS
    for (; n - i >= {R}_LANES; i += {R}_LANES)
        {R}_{routine.name}_block({given});
#endif
    for (; i < n; ++i)
        {R}_{routine.name}({given});
}}
"""
