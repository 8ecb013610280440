"""``taut count ROBOT``: the operation counts of a robot's functions."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.derivation import derivation_options, settings_of
from taut.report.counts import counts_data, counts_text, derivations


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


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    found = derivations(robot.tree, arguments.function or ["inverse_dynamics"], settings_of(arguments))
    if arguments.json:
        print_json(counts_data(found))
        for note in found.notes:
            print(f"taut count: note: {note}", file=sys.stderr)
    else:
        print(counts_text(found))
    return OK


COMMAND = Command(
    "count",
    "count the operations of a robot's tightened functions",
    (
        "taut count puma560                                       torque: mul, add, total, trig, depth",
        "taut count panda --function all --effort quick           every function, without search",
        "taut count puma560 --effort max --budget 300s --fresh    searched for five minutes, nothing known before",
        "taut count iiwa14 --parameters symbolic --json           ten free parameters a link, for a program",
        "taut count arm.urdf --lock gripper=0 --base free         one joint held, base floating",
    ),
    _arguments,
    _run,
)
