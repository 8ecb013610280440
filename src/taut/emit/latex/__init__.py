"""LaTeX: the lines of each function as equations."""

from __future__ import annotations

from taut.emit.backend import Backend, Built, Request
from taut.emit.latex.source import latex_equations as latex_equations
from taut.emit.latex.source import latex_source as latex_source


def build(request: Request) -> Built:
    """Return one document with a section for each routine."""
    return Built({f"{request.prefix}_dynamics.tex": latex_source(request.robot, request.routines)})


BACKEND = Backend("latex", build)
