"""``taut list``: the robots that come with taut, or the functions it can derive."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut import library
from taut.commands.command import OK, Command, json_option, print_json
from taut.report.table import table


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--functions", action="store_true", help="list the functions of a robot instead of the robots")
    json_option(parser)


def _run(arguments: Namespace) -> int:
    if arguments.functions:
        from taut.report.functions import functions_data, functions_text  # here, so that listing robots starts quickly

        print_json(functions_data()) if arguments.json else print(functions_text())
        return OK
    entries = library.index()
    if arguments.json:
        print_json(entries)
        return OK
    rows = [[e["name"], str(e["dof"]), e["joints"], "symbols" if e["symbols"] else "numbers"] for e in entries]
    print(table(["robot", "dof", "joints", "given as"], rows))
    print(f"\n{len(rows)} robots; 'taut show ROBOT' tells about one")
    return OK


COMMAND = Command(_arguments, _run)
