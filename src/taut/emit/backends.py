"""The languages that taut generates, by name; a new one is a :class:`Backend` entered here."""

from __future__ import annotations

from taut.emit import c, cpp, javascript, latex, matlab, python, ros2
from taut.emit.backend import Backend

_LANGUAGES = (c, cpp, ros2, python, javascript, matlab, latex)
BACKENDS: dict[str, Backend] = {language.BACKEND.name: language.BACKEND for language in _LANGUAGES}
