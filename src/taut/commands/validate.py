"""``taut validate MODEL LOG...``: errors of a robot's torques on recordings; two models side by side."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.api import load as load_file
from taut.api import payload, validate
from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.identify import mapping_of, recording_options
from taut.commands.report_file import write_report
from taut.identify.estimate.validate import parameters_beside
from taut.report.identification import payload_section
from taut.report.validation import validation_page


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("logs", metavar="LOG", nargs="+", help="recordings: .csv .npz .parquet .h5 .mcap, rosbag2")
    parser.add_argument("--beside", metavar="MODEL", help="another robot: its errors and parameters are listed as well")
    parser.add_argument("--payload", action="store_true", help="the load that explains what MODEL leaves of the torque")
    parser.add_argument("--frame", metavar="NAME", help="that carries the load; the last link by default")
    recording_options(parser)
    parser.add_argument(
        "-o", metavar="FILE", dest="output", help="write the report with the torques: .html, .md, .tex or .txt"
    )
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot, mapping = load_robot(arguments), mapping_of(arguments)
    other = None if arguments.beside is None else load_file(arguments.beside)
    found = [
        validate(model, arguments.logs, mapping, arguments.cutoff, arguments.trim)
        for model in (robot, other)
        if model is not None
    ]
    load = payload(robot, arguments.logs, mapping, arguments.frame) if arguments.payload else None
    parameters = {} if other is None else parameters_beside(robot.tree, other.tree)
    page = validation_page(found, parameters, [payload_section(load)] if load else [])
    write_report(arguments.output, page)
    if arguments.json:
        beside = {} if other is None else {"beside": found[1].data, "parameters": parameters}
        print_json(found[0].data | beside | ({"payload": load.data} if load else {}))
    else:
        print(page.to_text(), end="")
    return OK


COMMAND = Command(_arguments, _run)
