"""What a command is: its arguments and a function that runs it; with the options that several commands share."""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taut.api import from_text, load
from taut.errors import InputError, shown
from taut.report.progress import HIDDEN

if TYPE_CHECKING:  # the help and the list of robots start without it
    from taut.api import Robot

OK, FAILED, BAD_INPUT = 0, 1, 2
"""Exit codes: done; done and a check failed; the input cannot be used."""

STANDARD_INPUT = "-"
LARGEST = 200_000_000
"""Bytes read from standard input at most."""


@dataclass(frozen=True)
class Command:
    """One verb of the command line; :mod:`taut.commands.table` has its name and its help.

    Attributes:
        arguments: declares the arguments on a parser.
        run: does the work and returns the exit code.
    """

    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def robot_argument(parser: ArgumentParser, nargs: str | None = None) -> None:
    """Declare the robot that most commands take; ``nargs="?"`` lets it be left out."""
    known = "a name from 'taut list', a robot file (.toml, .urdf, ...), a name of robot_descriptions, or - for stdin"
    parser.add_argument("robot", metavar="ROBOT", nargs=nargs, help=known)
    parser.add_argument(
        "--root",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder besides the robot file's own that it may include files and meshes from; may be given again",
    )
    parser.add_argument(
        "--package",
        metavar="NAME=DIR",
        action="append",
        default=[],
        help="the folder that package://NAME stands for; may be given again",
    )


def robot_options(parser: ArgumentParser, nargs: str | None = None) -> None:
    """Declare the robot and how it stands: its base fixed or free, some joints held."""
    robot_argument(parser, nargs)
    parser.add_argument("--base", metavar="fixed|free", default="fixed", help="let the base link float (free)")
    parser.add_argument(
        "--lock",
        metavar="JOINT=VALUE",
        action="append",
        default=[],
        help="hold a joint at a position [rad or m]; may be given again for other joints",
    )


def load_robot(arguments: Namespace) -> Robot:
    """Return the robot that the arguments of :func:`robot_options` describe."""
    held = _locks(arguments.lock)
    if arguments.robot == STANDARD_INPUT:
        return from_text(sys.stdin.buffer.read(LARGEST).decode("utf-8", "replace"), arguments.base, held)
    return load(arguments.robot, arguments.base, held, *folders_of(arguments))


def folders_of(arguments: Namespace) -> tuple[list[str], dict[str, str]]:
    """Return the folders and the packages that the robot file may take files from."""
    return arguments.root, _packages(arguments.package)


def robot_file_hash(arguments: Namespace) -> str:
    """Return the hash of the robot file; empty where a robot was named instead, or none was."""
    file = Path(arguments.robot or "")
    return sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _packages(given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, equals, folder = text.partition("=")
        if not (name and equals and folder):
            advice = "give NAME=DIR, e.g. --package ur_description=src/ur"
            raise InputError(f"cannot read '{text}'", "--package", advice)
        found[name] = folder
    return found


def _locks(given: Sequence[str]) -> dict[str, float]:
    held: dict[str, float] = {}
    for text in given:
        joint, equals, position = text.rpartition("=")
        try:
            value = float(position)
        except ValueError:
            value = math.nan
        if not equals or not joint or not math.isfinite(value):
            raise InputError(f"cannot read '{text}'", "--lock", "give joint=value, e.g. --lock elbow=1.57")
        if joint in held:
            raise InputError(f"joint '{joint}' is held twice", "--lock", "give each joint once")
        held[joint] = value
    return held


@contextmanager
def silenced(quiet: bool) -> Iterator[None]:
    """Draw no progress lines within the context, where wanted."""
    token = HIDDEN.set(quiet)
    yield
    HIDDEN.reset(token)


def say(command: str, text: str) -> None:
    """Write a note or a step of a command to standard error, unless ``--quiet`` asks for none."""
    if not HIDDEN.get():
        print(shown(f"taut {command}: {text}"), file=sys.stderr)


def json_option(parser: ArgumentParser) -> None:
    """Declare --json."""
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")


def print_json(data: Any) -> None:
    """Print data as JSON that any parser accepts: ASCII, no NaN, no tag where it is put into a page."""
    print(json.dumps(data, indent=2, allow_nan=False).replace("<", "\\u003c"))
