"""Run-time parameters of generated C: a structure of constants that the caller owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from taut.emit.c.members import member
from taut.emit.infix import formula, number
from taut.emit.names import distinct, identifier, remark
from taut.emit.routine import Routine
from taut.emit.spelling import spelled

if TYPE_CHECKING:
    from taut.emit.c.module import Module


class Initialisation(NamedTuple):
    """Texts for the header and for the source."""

    declarations: str
    definitions: str


def initialise(module: Module) -> Initialisation:
    """Return the structure of constants, the function that fills it and the one that returns the file's values."""
    return Initialisation(_declarations(module), _definitions(module))


def _declarations(module: Module) -> str:
    R, real = module.prefix, module.number.real
    names = distinct(identifier(name, "p") for name in module.parameters)
    rows = [
        "/* Places in the array of parameters, SI units: symbol, quantity, unit, body, reference point. */",
        "enum {",
    ]
    rows += [
        f"    {R}_PARAMETER_{safe} = {k}, /* {remark(module.described(name))} */"
        for k, (safe, name) in enumerate(zip(names, module.parameters, strict=True))
    ]
    rows += [f"    {R}_PARAMETERS = {len(names)}", "};", ""]
    rows += [
        "/* What the functions need to know about the robot; the caller owns it, no function but init writes it. */"
    ]
    rows += ["typedef struct {"]
    rows += [
        f"    {real} {member(routine.name)}[{len(routine.handed_over)}];"
        for routine in module.routines
        if routine.handed_over
    ]
    if not any(routine.handed_over for routine in module.routines):
        rows.append(f"    {real} nothing;")
    rows += [f"}} {R}_constants;", ""]
    rows += ["/* Write the parameters of the robot file; one that has no value there is NaN. */"]
    rows += [f"void {R}_default_parameters(double *parameters);", ""]
    rows += ["/* Compute the constants from the parameters. */"]
    rows += [f"void {R}_init({R}_constants *k, const double *parameters);"]
    return "\n".join(rows)


def _definitions(module: Module) -> str:
    R = module.prefix
    rows = [f"void {R}_default_parameters(double *parameters)", "{"]
    if not module.parameters:
        rows.append("    (void)parameters;")
    for k, name in enumerate(module.parameters):
        value = number(module.values[name]) if name in module.values else "(double)NAN"
        rows.append(f"    parameters[{k}] = {value};")
    rows += ["}", ""]
    place = {name: k for k, name in enumerate(module.parameters)}
    needed = [routine for routine in module.routines if routine.handed_over]
    for routine in needed:
        rows += [f"static void {R}_init_{routine.name}({module.number.real} *k, const double *p)", "{"]
        rows += [f"    {row}" for row in _statements(routine, place, module.number.real)]
        rows += ["}", ""]
    rows += [f"void {R}_init({R}_constants *k, const double *parameters)", "{"]
    rows += [f"    {R}_init_{routine.name}(k->{member(routine.name)}, parameters);" for routine in needed]
    if not needed:
        rows += ["    (void)k;", "    (void)parameters;"]
    rows += ["}"]
    return "\n".join(rows)


def _statements(routine: Routine, place: dict[str, int], real: str) -> list[str]:
    """Return the off-line lines, in double whatever the precision of the rest."""
    text: list[str] = []
    rows = []
    functions = spelled("NAME({})", sign="(double)(({0} > 0.0) - ({0} < 0.0))")
    program = routine.offline.before
    for i, line in enumerate(program.lines):
        if line.op == "input":
            text.append(f"p[{place[line.data]}]")
        elif line.op == "constant":
            text.append(number(float(line.data)))
        else:
            text.append(f"c{i}")
            rows.append(f"const double c{i} = {formula(line, [text[arg] for arg in line.args], functions)};")
    cast = "" if real == "double" else f"({real})"
    rows += [f"k[{k}] = {cast}{text[i]};" for k, (_, i) in enumerate(program.outputs)]
    return rows
