"""``taut measure``: a measurement sheet in, a robot file with tolerances out."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.api import Robot, measure
from taut.commands.command import FAILED, OK, Command, json_option, print_json
from taut.commands.output import write_whole
from taut.commands.report_file import report_option, write_report
from taut.report.measured import sheet_data, sheet_page


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("sheet", metavar="SHEET.toml", help="one section for each measurement, see docs/measuring.md")
    parser.add_argument("-o", "--output", metavar="ROBOT.toml", help="write the robot with what was measured")
    report_option(parser)
    json_option(parser)


def _run(arguments: Namespace) -> int:
    sheet = measure(arguments.sheet)
    if arguments.output is not None:
        write_whole(arguments.output, Robot(sheet.robot()).to_toml())
    page = sheet_page(sheet)
    write_report(arguments.report, page)
    if arguments.json:
        print_json(sheet_data(sheet))
    else:
        print(page.to_text(), end="")
    return OK if sheet.consistent else FAILED


COMMAND = Command(_arguments, _run)
