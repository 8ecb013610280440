"""JavaScript: one ECMAScript module for a robot."""

from __future__ import annotations

from functools import partial

from taut.emit.backend import Backend, Built, Request
from taut.emit.javascript.run import run_javascript as run_javascript
from taut.emit.javascript.source import JAVASCRIPT
from taut.emit.javascript.source import javascript_source as javascript_source
from taut.emit.statements import readable


def build(request: Request) -> Built:
    """Return one module with an exported function for each routine."""
    text = javascript_source(request.robot, request.routines, request.joints)
    file = f"{request.prefix}_dynamics.mjs"
    return Built({file: text}, partial(run_javascript, text), readable=readable(request, file, JAVASCRIPT))


BACKEND = Backend("javascript", build)
