"""Every command by name; each is imported when it is used, so that the command line starts quickly."""

from __future__ import annotations

from importlib import import_module

from taut.commands.command import Command

NAMES = (
    *("list", "show", "derive", "count", "compare", "abbreviate", "generate", "verify", "rates"),
    *("measure", "calibrate", "excite", "identify", "validate", "simulate", "torque", "ik", "report", "bench"),
    "completion",
)
"""The commands, in the order of the help; each is the module of its name in this folder."""


def command(name: str) -> Command:
    """Return a command."""
    found: Command = import_module(f"taut.commands.{name}").COMMAND
    return found
