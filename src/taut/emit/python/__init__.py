"""Python that needs NumPy alone: one module for a robot."""

from __future__ import annotations

from functools import partial

from taut.emit.backend import Backend, Built, Request
from taut.emit.python.run import run_python as run_python
from taut.emit.python.source import NUMPY
from taut.emit.python.source import python_source as python_source
from taut.emit.statements import readable


def build(request: Request) -> Built:
    """Return one module with a function for each routine."""
    text = python_source(request.robot, request.routines, request.joints)
    file = f"{request.prefix}_dynamics.py"
    return Built({file: text}, partial(run_python, text), readable=readable(request, file, NUMPY))


BACKEND = Backend("python", build)
