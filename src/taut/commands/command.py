"""What a command is: a name, a line about it, examples, its arguments, and a function that runs it."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

OK, FAILED, BAD_INPUT = 0, 1, 2
"""Exit codes: done; done and a check failed; the input cannot be used."""


@dataclass(frozen=True)
class Command:
    """One verb of the command line.

    Attributes:
        name: the verb.
        summary: what it does, in one line.
        examples: lines a reader can type.
        arguments: declares the arguments on a parser.
        run: does the work and returns the exit code.
    """

    name: str
    summary: str
    examples: tuple[str, ...]
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def robot_argument(parser: ArgumentParser) -> None:
    """Declare the robot that most commands take."""
    parser.add_argument("robot", metavar="ROBOT", help="a name from 'taut list', or a robot file (.toml, .urdf, ...)")


def json_option(parser: ArgumentParser) -> None:
    """Declare --json."""
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")


def print_json(data: Any) -> None:
    """Print data as JSON that any parser accepts: ASCII, no NaN."""
    print(json.dumps(data, indent=2, allow_nan=False))
