"""taut: robot dynamics, pulled tight."""

from typing import TYPE_CHECKING, Any

import taut.identify  # noqa: F401  (the package first, so that the verb of its name stays the verb)
from taut.api import calibrate as calibrate
from taut.api import from_dh as from_dh
from taut.api import from_text as from_text
from taut.api import identify as identify
from taut.api import load as load
from taut.api import measure as measure
from taut.api import payload as payload
from taut.api import validate as validate
from taut.errors import InputError as InputError
from taut.errors import TautError as TautError
from taut.errors import UnsupportedError as UnsupportedError

if TYPE_CHECKING:
    from taut.api.robot import Robot as Robot
    from taut.derive.function import Function as Function

_CLASSES = {"Robot": "taut.api.robot", "Function": "taut.derive.function"}
"""Modules of the public classes, imported when a class is asked for, so that importing taut is fast."""


def __getattr__(name: str) -> Any:
    """Return a public class or the version."""
    if name in _CLASSES:
        from importlib import import_module

        return getattr(import_module(_CLASSES[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("taut")
    raise AttributeError(f"module 'taut' has no attribute '{name}'")


def __dir__() -> list[str]:
    """List the classes with the verbs, where names are completed."""
    return sorted([*globals(), *_CLASSES])
