"""``taut calibrate``: measured poses in, a robot whose geometry fits them out."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.api import calibrate
from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.output import write_whole
from taut.commands.report_file import report_option, write_report
from taut.errors import InputError
from taut.report.calibrated import WRITERS, calibration_data, calibration_page, next_poses_csv


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "poses", metavar="POSES.csv", help="columns q1.. and x, y, z; qx..qw or roll, pitch, yaw for full poses"
    )
    parser.add_argument("--frame", metavar="NAME", help="the frame that was measured (default: the last one)")
    parser.add_argument("--offsets", action="store_true", help="fit the joint offsets alone; base and tool are known")
    parser.add_argument("--eccentric", action="store_true", help="fit eccentric gears, too")
    parser.add_argument("--compliance", action="store_true", help="fit joint compliance under gravity, too")
    parser.add_argument("--next", metavar="N", type=int, default=0, help="propose N poses to measure next")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the corrected robot (.toml or .urdf), or with --next a .csv"
    )
    report_option(parser)
    json_option(parser)


def _run(arguments: Namespace) -> int:
    if arguments.next < 0 or arguments.next > 1000:
        raise InputError(f"{arguments.next} poses cannot be proposed", "--next", "ask for 1 to 1000")
    ending = "" if arguments.output is None else arguments.output.rpartition(".")[2].lower()
    if arguments.output is not None and ending not in (*WRITERS, "csv"):
        advice = f"end it in .{', .'.join(WRITERS)} or .csv"
        raise InputError(f"'{arguments.output}' has another ending", "--output", advice)
    if ending == "csv" and not arguments.next:
        raise InputError("a .csv holds poses to measure next", "--output", "give their number with --next N")
    found = calibrate(
        load_robot(arguments),
        arguments.poses,
        arguments.frame,
        offsets=arguments.offsets,
        eccentric=arguments.eccentric,
        compliance=arguments.compliance,
    )
    if ending == "csv":
        write_whole(arguments.output, next_poses_csv(found, arguments.next))
    elif ending:
        write_whole(arguments.output, WRITERS[ending](found.corrected()))
    page = calibration_page(found, arguments.next)
    write_report(arguments.report, page)
    if arguments.json:
        print_json(calibration_data(found, arguments.next))
    else:
        print(page.to_text(), end="")
    return OK


COMMAND = Command(_arguments, _run)
