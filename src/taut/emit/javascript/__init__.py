"""JavaScript: one ECMAScript module for a robot."""

from __future__ import annotations

from functools import partial

from taut.emit.backend import Backend, Built, Request
from taut.emit.javascript.run import run_javascript as run_javascript
from taut.emit.javascript.source import javascript_source as javascript_source


def build(request: Request) -> Built:
    """Return one module with an exported function for each routine."""
    text = javascript_source(request.robot, request.routines, request.joints)
    return Built({f"{request.prefix}_dynamics.mjs": text}, partial(run_javascript, text))


BACKEND = Backend("javascript", build)
