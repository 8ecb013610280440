"""``taut show ROBOT``: the data of a robot, and a check whether its links are physically possible."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import FAILED, OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.report_file import report_option, write_report
from taut.report.check import check
from taut.report.drawing import picture
from taut.report.parameters import parameters_data, parameters_text
from taut.report.show import robot_page
from taut.report.summary import summary


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("--check", action="store_true", help="judge every inertia; exit code 1 if a link cannot exist")
    parser.add_argument(
        "--parameters", action="store_true", help="list every number by the name that --keep takes, and nothing else"
    )
    json_option(parser)
    report_option(parser)
    parser.add_argument("--plot", metavar="FILE", help="also write a picture of the zero pose (.png, .svg, .pdf)")


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    if arguments.parameters:
        if arguments.json:
            print_json({"name": robot.name, "parameters": parameters_data(robot.tree)})
        else:
            print(parameters_text(robot.tree))
        return OK
    found = check(robot) if arguments.check else None
    if arguments.plot is not None:
        picture(robot.tree, arguments.plot)
    if arguments.report is not None:
        write_report(arguments.report, robot_page(robot, found))
    if arguments.json:
        print_json(summary(robot) | ({"check": found.data} if found else {}))
    else:
        print(robot_page(robot, found).to_text(), end="")
    return FAILED if found and not found.passed else OK


COMMAND = Command(_arguments, _run)
