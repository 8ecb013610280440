"""``taut count ROBOT``: the operation counts of a robot's functions."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, print_json, robot_options, say
from taut.commands.derivation import derivation_options, derived_from, settings_of
from taut.commands.report_file import report_option, write_report
from taut.report.counts import counts_data, counts_page, derivations


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "--function",
        metavar="F",
        nargs="+",
        action="extend",
        help="what to count, several allowed, or 'all'; inverse_dynamics by default",
    )
    derivation_options(parser)
    json_option(parser)
    report_option(parser)


def _run(arguments: Namespace) -> int:
    robot = derived_from(arguments)
    found = derivations(robot.tree, arguments.function or ["inverse_dynamics"], settings_of(arguments))
    page = counts_page(found)
    write_report(arguments.report, page)
    if arguments.json:
        print_json(counts_data(found))
        for note in found.notes:
            say("count", f"note: {note}")
    else:
        print(page.to_text(), end="")
    return OK


COMMAND = Command(_arguments, _run)
