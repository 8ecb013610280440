"""C99 for a robot: source, header, build file, self-test and a page about them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from taut.emit.backend import Backend, Built, Request
from taut.emit.c.module import Module as Module
from taut.emit.c.precision import PRECISIONS
from taut.emit.c.project import project as project
from taut.emit.c.run import run_c
from taut.toolchain.compiler import CompilerError
from taut.toolchain.sizes import Size, sizes

PORTABLE = ("-O3", "-fno-math-errno")
"""Flags for code that is tried and measured before it is written."""


def build(request: Request) -> Built:
    """Return a directory that builds and tests itself without Python."""
    module = Module(
        request.robot,
        request.routines,
        request.joints,
        request.precision,
        request.trig,
        request.batch,
        name=request.name,
    )
    return Built(project(module), partial(run_c, module, flags=PORTABLE, batch=request.batch), partial(_sizes, module))


def _sizes(module: Module) -> Mapping[str, Size]:
    """Return the bytes of every function; nothing where they cannot be measured."""
    try:
        measured = sizes(module.single_file, PORTABLE)
    except CompilerError:
        return {}
    return {name.removeprefix(f"{module.prefix}_"): size for name, size in measured.items()}


BACKEND = Backend("c", build, tuple(PRECISIONS))
