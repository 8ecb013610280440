"""Float code computed in double: the same text and its own numbers, so that a wrong number stands out from rounding.

The rounding of float hides a number that is off by a millionth. Macros make the compiler take ``double`` wherever the
text says ``float``; numbers keep their suffix and stay those of the float code. What comes out is compared with the
program in long double, its numbers rounded to float: both differ by the rounding of double alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taut.emit.c.angles import TRIGONOMETRIC
from taut.emit.c.body import Written
from taut.emit.c.members import member
from taut.emit.c.module import Module
from taut.emit.routine import Routine
from taut.graph.assembly import Assembly, negative
from taut.graph.elementary import FUNCTIONS
from taut.graph.program import Program, Signed

COMPUTED_IN_DOUBLE = (
    *(f"#include <{name}.h>" for name in ("float", "math", "stddef", "string")),
    "#if defined(__clang__)",
    '#pragma clang diagnostic ignored "-Wkeyword-macro"',
    "#endif",
    "#undef FLT_EVAL_METHOD",
    "#define FLT_EVAL_METHOD 2 /* no vectors: sines by the mathematics library */",
    "#define float double",
    *(f"#define {name}f {name}" for name in FUNCTIONS if name != "sign"),
)
"""What stands before a float text that is to compute in double."""


def in_double(module: Module) -> str:
    """Return the text of a float module that computes in double, its functions under their own names."""
    return "\n".join([*COMPUTED_IN_DOUBLE, module.single_file])


def included_in_double(module: Module) -> str:
    """Return C that includes the source once more, its functions named ``R_in_double_...``.

    The header of the module stands before it; constants of run-time parameters get a structure of their own.
    """
    R = module.prefix
    names = [name for r in module.routines for name in (r.name, *([f"{r.name}_batch"] if module.batch else []))]
    rows = [*COMPUTED_IN_DOUBLE]
    if not module.baked:
        names += ["constants", "init", "default_parameters"]
        rows += ["typedef struct {"]
        kept = [r for r in module.routines if r.handed_over]
        rows += [f"    double {member(r.name)}[{len(r.handed_over)}];" for r in kept] or ["    double nothing;"]
        rows += [f"}} {R}_in_double_constants;"]
    rows += [f"#define {R}_{name} {R}_in_double_{name}" for name in names]
    rows += [_declaration(module, r) for r in module.routines]
    rows += [f"void {R}_init({R}_constants *k, const double *parameters);"] if not module.baked else []
    rows += [f"void {R}_default_parameters(double *parameters);"] if not module.baked else []
    rows += [f'#include "{R}.c"', *(f"#undef {R}_{name}" for name in names), "#undef float"]
    return "\n".join(rows) + "\n"


def _declaration(module: Module, routine: Routine) -> str:
    kinds = (False, True) if module.batch else (False,)
    return "\n".join(f"{module.signature(routine, batch)};" for batch in kinds)


def as_written(one: Written) -> Routine:
    """Return a routine that computes sines as its text does: those of an angle and a constant by the addition rule."""
    program, assembly = one.routine.program, Assembly()
    value: list[Signed] = []
    for line in program.lines:
        angle = line.args[0] if line.op in TRIGONOMETRIC else -1
        if angle in one.sums and one.routine.baked and any(arg < program.start for arg in program.lines[angle].args):
            value.append(_by_addition(assembly, program, value, angle, line.op))
        else:
            value.append(assembly.copy(line, [value[arg] for arg in line.args]))
    outputs = [value[i] if sign > 0 else negative(value[i]) for sign, i in program.outputs]
    return replace(one.routine, program=assembly.program(outputs))


def _by_addition(assembly: Assembly, program: Program, value: Sequence[Signed], angle: int, op: str) -> Signed:
    line = program.lines[angle]
    a, b = (value[arg] for arg in line.args)
    (sa, ca), (sb, cb) = ([assembly.function(name, x) for name in TRIGONOMETRIC] for x in (a, b))
    sb = sb if line.op == "add" else negative(sb)
    pairs = ((sa, cb), (ca, sb)) if op == "sin" else ((ca, cb), (negative(sa), sb))
    first, second = (assembly.multiply(x, y) for x, y in pairs)
    return assembly.add(first, second)
