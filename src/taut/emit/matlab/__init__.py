"""MATLAB and Octave: one file for each function; nothing here runs them."""

from __future__ import annotations

from taut.emit.backend import Backend, Built, Request
from taut.emit.matlab.source import matlab_sources as matlab_sources


def build(request: Request) -> Built:
    """Return one file for each routine."""
    return Built(matlab_sources(request.prefix, request.robot, request.routines))


BACKEND = Backend("matlab", build)
