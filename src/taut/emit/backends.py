"""The languages that taut generates, by name; a new one is a :class:`Backend` entered here."""

from __future__ import annotations

from taut.emit import c, javascript, latex, matlab, python
from taut.emit.backend import Backend

BACKENDS: dict[str, Backend] = {
    one.name: one for one in (c.BACKEND, python.BACKEND, javascript.BACKEND, matlab.BACKEND, latex.BACKEND)
}
