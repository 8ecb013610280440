"""``taut`` on the command line: finds the command, runs it, turns bad input into one sentence."""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib.metadata import version
from typing import Any, TextIO, cast

from taut.commands.command import BAD_INPUT, OK, silenced
from taut.commands.help import EXIT_CODES, Formatter, Parser, add_command, examples, one_line, quiet_option
from taut.commands.output import refuse_output
from taut.commands.table import TABLE
from taut.errors import InputWarning, TautError, shown

GARBAGE = 100_000
"""New objects before Python looks for circles among them; graphs have many objects and no circles."""

INTERRUPTED = 130


class _Shown:
    """A stream on which control characters other than line ends and tabs are shown by their codes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text that cannot control a terminal."""
        return self._stream.write(re.sub(r"[^\n\t]+", lambda run: shown(run[0]), text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    gc.set_threshold(GARBAGE)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names in any script print on any terminal
            stream.reconfigure(errors="replace")
    given = _parser(sys.argv[1:] if arguments is None else arguments).parse_args(arguments)
    try:
        with warnings.catch_warnings(), redirect_stdout(cast(TextIO, _Shown(sys.stdout))), silenced(given.quiet):
            warnings.simplefilter("ignore" if given.quiet else "always", InputWarning)
            warnings.showwarning = lambda message, *_: _say(f"taut {given.command}: note: {message}")
            for option in given.files:
                refuse_output(getattr(given, option), given.force)
            for option in given.folders:
                refuse_output(getattr(given, option), force=False, folder=True)
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


def _parser(arguments: Sequence[str]) -> Parser:
    """Return the parser of a command line; it imports the command that the line names, and none for the help."""
    named = TABLE.get(next((text for text in arguments if not text.startswith("-")), ""))
    typed = [entry.examples[0].partition("   ")[0] for entry in TABLE.values()]
    listed = "" if named else f"examples:\n{examples(typed)}\n\n"
    parser = Parser(
        prog="taut",
        description="Robot dynamics, pulled tight.",
        epilog=f"{listed}'taut COMMAND --help' has more.\n{EXIT_CODES}",
        formatter_class=Formatter,
    )
    parser.add_argument("--version", action="version", version=f"taut {version('taut')}")
    quiet_option(parser)
    verbs = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    if named:
        add_command(verbs, named)
    else:
        for entry in TABLE.values():
            verbs.add_parser(entry.name, help=entry.summary)
    return parser


def _close_output() -> None:
    """Send what is still to be written nowhere, so that leaving does not fail on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str) -> None:
    print(one_line(message), file=sys.stderr)
