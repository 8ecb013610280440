"""``taut`` on the command line: finds the command, runs it, turns bad input into one sentence."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib.metadata import version
from typing import Any, NoReturn, TextIO, cast

from taut.commands.abbreviate import COMMAND as ABBREVIATE
from taut.commands.bench import COMMAND as BENCH
from taut.commands.calibrate import COMMAND as CALIBRATE
from taut.commands.command import BAD_INPUT, OK, Command
from taut.commands.compare import COMMAND as COMPARE
from taut.commands.count import COMMAND as COUNT
from taut.commands.derive import COMMAND as DERIVE
from taut.commands.excite import COMMAND as EXCITE
from taut.commands.generate import COMMAND as GENERATE
from taut.commands.identify import COMMAND as IDENTIFY
from taut.commands.ik import COMMAND as IK
from taut.commands.list import COMMAND as LIST
from taut.commands.measure import COMMAND as MEASURE
from taut.commands.rates import COMMAND as RATES
from taut.commands.report import COMMAND as REPORT
from taut.commands.show import COMMAND as SHOW
from taut.commands.simulate import COMMAND as SIMULATE
from taut.commands.torque import COMMAND as TORQUE
from taut.commands.validate import COMMAND as VALIDATE
from taut.commands.verify import COMMAND as VERIFY
from taut.errors import InputWarning, TautError, shown

COMMANDS: tuple[Command, ...] = (
    *(LIST, SHOW, DERIVE, COUNT, COMPARE, ABBREVIATE, GENERATE, VERIFY, RATES),
    *(MEASURE, CALIBRATE, EXCITE, IDENTIFY, VALIDATE, SIMULATE, TORQUE, IK, REPORT, BENCH),
)

GARBAGE = 100_000
"""New objects before Python looks for circles among them; graphs have many objects and no circles."""

INTERRUPTED = 130
EXIT_CODES = "exit codes: 0 done, 1 a check failed, 2 the input cannot be used"
LONGEST = 600
"""Characters of an error shown; a file may hold names of any length."""


class _Shown:
    """A stream on which control characters other than line ends and tabs are shown by their codes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text that cannot control a terminal."""
        return self._stream.write(re.sub(r"[^\n\t]+", lambda run: shown(run[0]), text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{_one_line(f'{self.prog}: {message}')}; see '{self.prog} --help'\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    gc.set_threshold(GARBAGE)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names in any script print on any terminal
            stream.reconfigure(errors="replace")
    given = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings(), redirect_stdout(cast(TextIO, _Shown(sys.stdout))):
            warnings.simplefilter("always", InputWarning)
            warnings.showwarning = lambda message, *_: _say(f"taut {given.command}: note: {message}")
            code: int = given.run(given)
        sys.stdout.flush()
        return code
    except TautError as error:
        _say(f"taut {given.command}: {str(error).removeprefix(f'{given.command}: ')}")
        return BAD_INPUT
    except BrokenPipeError:  # the reader has seen enough, as in `taut list | head`
        _close_output()
        return OK
    except OSError as error:
        _close_output()
        _say(f"taut {given.command}: the output cannot be written: {error.strerror}")
        return BAD_INPUT
    except KeyboardInterrupt:
        _say("taut: interrupted")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    examples = "\n".join(f"  {command.examples[0]}" for command in COMMANDS)
    parser = _Parser(
        prog="taut",
        description="Robot dynamics, pulled tight.",
        epilog=f"examples:\n{examples}\n\n'taut COMMAND --help' has more.\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"taut {version('taut')}")
    verbs = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        lines = "\n".join(f"  {example}" for example in command.examples)
        verb = verbs.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=f"examples:\n{lines}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(verb)
        verb.set_defaults(run=command.run)
    return parser


def _close_output() -> None:
    """Send what is still to be written nowhere, so that leaving does not fail on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    print(_one_line(message), file=sys.stderr)


def _one_line(message: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in message)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST // 2]} ... {shown[-LONGEST // 2 :]}"
