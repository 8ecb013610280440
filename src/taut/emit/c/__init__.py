"""C99 for a robot: source, header, build file, self-test and a page about them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from taut.emit.backend import Backend, Built, InDouble, Readable, ReadableFunction, Request
from taut.emit.c.body import Written
from taut.emit.c.in_double import as_written
from taut.emit.c.members import member
from taut.emit.c.module import Module as Module
from taut.emit.c.precision import PRECISIONS as PRECISIONS
from taut.emit.c.project import project as project
from taut.emit.c.run import run_c
from taut.toolchain.compiler import CompilerError
from taut.toolchain.sizes import Size, sizes

PORTABLE = ("-O3", "-fno-math-errno")
"""Flags for code that is tried and measured before it is written."""


def module_of(request: Request) -> Module:
    """Return the C of a request."""
    return Module(
        request.robot,
        request.routines,
        request.joints,
        request.precision,
        request.trig,
        request.batch,
        name=request.name,
    )


def build(request: Request) -> Built:
    """Return a directory that builds and tests itself without Python."""
    module = module_of(request)
    run = partial(run_c, module, flags=PORTABLE, batch=request.batch)
    return Built(project(module), run, partial(_sizes, module), _readable(module), _in_double(module))


def _in_double(module: Module) -> InDouble:
    """Return float code computed in double."""
    if module.precision == "double":
        return InDouble()
    run = partial(run_c, module, flags=("-O1",), batch=False, wide=True)
    return InDouble(run, {one.routine.name: as_written(one) for one in module.written})


def _readable(module: Module) -> Readable:
    """Return what a reader of the module's text needs."""
    functions = [_function(module, one) for one in (*module.written, *module.blocks)]
    names = [] if module.baked else module.parameters
    return Readable(module.prefix, f"{module.prefix}.c", functions, names, module.precision)


def _function(module: Module, one: Written) -> ReadableFunction:
    literals = {one.name: one.literals}
    literals |= {f"{one.name}_part{k}": numbers for k, numbers in enumerate(one.literals_of_parts, start=1)}
    if one.table:
        literals[f"{one.name}_constants"] = one.literals_of_table
    routine, kept = one.routine, not module.baked and one.routine.handed_over
    init, where = (f"{module.prefix}_init_{routine.name}", member(routine.name)) if kept else ("", "")
    return ReadableFunction(one.name, routine, literals, init, where)


def _sizes(module: Module) -> Mapping[str, Size]:
    """Return the bytes of every function; nothing where they cannot be measured."""
    try:
        measured = sizes(module.single_file, PORTABLE)
    except CompilerError:
        return {}
    return {name.removeprefix(f"{module.prefix}_"): size for name, size in measured.items()}


BACKEND = Backend("c", build, tuple(PRECISIONS))
