"""Help of the command line: parsers of commands, and texts that fit eighty columns."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from taut.commands.command import BAD_INPUT
from taut.commands.table import Entry

COLUMNS = 80
"""Widest line of a help text."""

WRITTEN, FOLDER = ("output", "plot", "animate", "report"), "DIR"
"""Options that name a file to write, or a folder where the value is called so."""

EXIT_CODES = "exit codes: 0 done, 1 a check failed, 2 the input cannot be used"
LONGEST = 600
"""Characters of an error shown; a file may hold names of any length."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence each."""

    def error(self, message: str) -> NoReturn:
        """Leave with the sentence."""
        for kind, number in (("float", "number"), ("int", "whole number")):
            message = message.replace(f"invalid {kind} value:", f"no {number}:")
        sentence = one_line(f"{self.prog}: {message}")
        self.exit(BAD_INPUT, f"{sentence}{' See' if sentence.endswith('?') else '; see'} '{self.prog} --help'\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not among the choices, with the nearest one."""
        if action.choices is not None and value not in action.choices:
            near = _closest(value, action.choices)
            advice = f"did you mean '{near}'?" if near else f"choose one of {', '.join(action.choices)}"
            raise argparse.ArgumentError(action, f"'{value}' is unknown; {advice}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse; arguments that this command does not have are refused here, where its options are known."""
        given, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = unknown[0].partition("=")[0]
            words = {known.lstrip("-"): known for known in self._option_string_actions}
            near = _closest(option.lstrip("-"), words) if option.startswith("--") else None
            self.error(f"unknown argument '{unknown[0]}'" + (f"; did you mean '{words[near]}'?" if near else ""))
        return given, unknown

    def format_help(self) -> str:
        """Return the help; where an option takes a function, with the functions' names before the examples."""
        epilog = self.epilog
        if {action.dest for action in self._actions} & {"function", "functions"}:
            self.epilog = f"{_functions()}{epilog}"
        text = super().format_help()
        self.epilog = epilog
        return text


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Lines of at most eighty columns; texts that are laid out already stay as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=min(COLUMNS, shutil.get_terminal_size().columns))


def add_command(parsers: argparse._SubParsersAction[Parser], entry: Entry) -> Parser:
    """Import a command; declare it with its arguments and its help."""
    parser = parsers.add_parser(
        entry.name,
        help=entry.summary,
        description=textwrap.fill(f"{entry.summary[0].upper()}{entry.summary[1:]}.", COLUMNS),
        formatter_class=Formatter,
    )
    command = entry.command
    command.arguments(parser)
    written = [action for action in parser._actions if action.dest in WRITTEN]
    files = tuple(action.dest for action in written if action.metavar != FOLDER)
    folders = tuple(action.dest for action in written if action.metavar == FOLDER)
    if files:
        parser.add_argument("--force", action="store_true", help="replace files that exist; they are kept without it")
    quiet_option(parser, argparse.SUPPRESS)
    parser.set_defaults(run=command.run, files=files, folders=folders)
    parser.epilog = f"examples:\n{examples(entry.examples)}\n\n{EXIT_CODES}"
    return parser


def quiet_option(parser: argparse.ArgumentParser, default: object = False) -> None:
    """Declare --quiet."""
    parser.add_argument(
        "--quiet", action="store_true", default=default, help="no notes and no progress on standard error"
    )


def examples(lines: Sequence[str]) -> str:
    """Return commands with what they do: on the same line where there is room, else below.

    >>> print(examples(["taut list        the robots", "taut show " + 8 * "a" + "   " + "tables and a drawing " * 3]))
      taut list           the robots
      taut show aaaaaaaa  tables and a drawing tables and a drawing tables and a
                          drawing
    """
    pairs = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines]
    typed = [(pair[0], pair[1] if len(pair) > 1 else "") for pair in pairs]
    width = max([len(command) for command, _ in typed if len(command) <= COLUMNS // 2], default=0)
    rows = []
    for command, words in typed:
        wrapped = textwrap.wrap(words, COLUMNS - width - 4) or [""]
        first = _continued(command)
        if len(command) <= width:
            first, wrapped = [f"  {command:<{width}}  {wrapped[0]}".rstrip()], wrapped[1:]
        rows += [*first, *(f"{'':{width + 4}}{line}".rstrip() for line in wrapped if line)]
    return "\n".join(rows)


def _closest(typed: str, known: Iterable[str]) -> str | None:
    """Return the known word most like what was typed, if any is like it."""
    from difflib import get_close_matches  # here, so that commands without a mistake start quickly

    return next(iter(get_close_matches(typed[:COLUMNS], known, 1)), None)


def _continued(command: str) -> list[str]:
    """Return a command over as many lines as it needs, as a shell reads them."""
    lines = textwrap.wrap(command, COLUMNS - 8, break_on_hyphens=False, break_long_words=False)
    return ["  " + line for line in " \\\n    ".join(lines).split("\n")]


def _functions() -> str:
    from taut.report.functions import functions_data  # here, so that other commands start quickly

    names = ", ".join(entry["name"] for entry in functions_data())
    listed = textwrap.fill(names, COLUMNS, initial_indent="  ", subsequent_indent="  ")
    return f"functions ('taut list --functions' describes each):\n{listed}\n\n"


def one_line(message: str) -> str:
    """Return a message on one line, its middle left out where it is long."""
    text = "".join(c if c.isprintable() else "?" for c in message)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"
