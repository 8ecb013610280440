"""``taut report ROBOT -o FILE``: one page that shows a robot, its equations, its motion and its code."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from taut.api.descriptions import drawn_shapes
from taut.commands.command import OK, STANDARD_INPUT, Command, folders_of, load_robot, robot_options
from taut.commands.derivation import derivation_options, settings_of
from taut.commands.output import refuse_output, write_whole
from taut.report.living.write import TERMS, living_report


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the page; ROBOT.report.html by default")
    parser.add_argument(
        "--terms",
        metavar="N",
        type=int,
        default=TERMS,
        help=f"most terms of the explicit equations; beyond it the page shows the torque as it is computed; {TERMS}",
    )
    derivation_options(parser, method=False, positions=False)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    path = arguments.output
    if path is None:
        path = f"{Path(arguments.robot).stem}.report.html"
        refuse_output(path, arguments.force)
    drawn = [] if arguments.robot == STANDARD_INPUT else drawn_shapes(arguments.robot, *folders_of(arguments))
    text = living_report(robot, settings_of(arguments), arguments.terms, drawn)
    write_whole(path, text)
    print(f"{path}: {len(text.encode()) / 1e6:.2f} MB, opens in a browser without a network")
    return OK


COMMAND = Command(_arguments, _run)
