"""``taut compare ROBOT``: the operation counts of several algorithms for one function of a robot."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, print_json, robot_options
from taut.commands.derivation import derivation_options, derived_from, settings_of
from taut.report.compare import compare, comparison_data, comparison_text


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "--function", metavar="F", default="inverse_dynamics", help="what to compare; inverse_dynamics by default"
    )
    derivation_options(parser, method=False)
    json_option(parser)


def _run(arguments: Namespace) -> int:
    found = compare(derived_from(arguments).tree, arguments.function, settings_of(arguments))
    if arguments.json:
        print_json(comparison_data(found))
    else:
        print(comparison_text(found))
    return OK


COMMAND = Command(_arguments, _run)
