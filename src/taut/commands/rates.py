"""``taut rates ROBOT``: how often tasks can run on a processor, and what holding their values costs in torque."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from taut.commands.command import FAILED, OK, Command, json_option, print_json, robot_options
from taut.commands.derivation import derivation_options, derived_from, settings_of
from taut.commands.report_file import report_option, write_report
from taut.errors import InputError
from taut.report.page import Page
from taut.report.processors import processors_data, processors_page
from taut.report.rates import Processor, Question, rates_data, rates_page, rates_plot, rates_study
from taut.report.tasks import task_plan
from taut.tasks.rates import SINE, speed

PLOTS = (".png", ".svg", ".pdf")
"""Kinds of files that can be drawn."""


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("--flops", metavar="N", help="operations a second of the processor, e.g. 100k; 100k by default")
    parser.add_argument("--sine", metavar="N", type=float, default=SINE, help=f"operations of a sine or cosine; {SINE}")
    parser.add_argument("--measure", action="store_true", help="the times measured on this machine instead of --flops")
    parser.add_argument(
        "--instructions",
        metavar="TASK=N,...",
        help="counted instructions of each task instead of --flops, with --clock",
    )
    parser.add_argument("--clock", metavar="HZ", help="instructions a second, e.g. 168M")
    parser.add_argument("--schedule", metavar="N:1", default="4:1", help="synchronous runs a background run; 4:1")
    parser.add_argument("--rate", metavar="HZ", help="wanted of the synchronous task; the highest by default")
    parser.add_argument("--tasks", metavar="two-rate|STAGE,...", default="two-rate", help="as taut generate; two-rate")
    parser.add_argument("--functions", metavar="F,...", help="what the tasks compute; inverse_dynamics by default")
    parser.add_argument("--recompute", metavar="N", type=int, default=0, help="as taut generate")
    parser.add_argument(
        "--trajectory",
        metavar="FILE",
        action="append",
        default=[],
        help="a motion to measure along, as taut torque reads it; may be given again; random motions by default",
    )
    parser.add_argument("--motions", metavar="N", type=int, default=20, help="how many random motions; 20")
    parser.add_argument("--scenario", metavar="FILE", help="ranges of motion; the robot's limits by default")
    parser.add_argument(
        "--error", metavar="SHARE", type=float, default=0.01, help="wanted torque error as a share of the limits; 0.01"
    )
    parser.add_argument(
        "--processors", metavar="P,...", help="instead: the function divided over so many processors, e.g. 1,2,4,6"
    )
    parser.add_argument("--hop", metavar="N", type=float, default=4, help="operations until a value is elsewhere; 4")
    parser.add_argument("--plot", metavar="FILE", help="draw the errors of held values")
    derivation_options(parser, method=False)
    json_option(parser)
    report_option(parser)


def _run(arguments: Namespace) -> int:
    robot, settings = derived_from(arguments).tree, settings_of(arguments)
    if arguments.processors is not None:
        found = processors_data(robot, arguments.functions, arguments.processors, arguments.hop, settings)
        _say(arguments, processors_page(found), found)
        return OK
    processor = _processor(arguments)
    rate = None if arguments.rate is None else speed(arguments.rate, "--rate")
    if arguments.plot is not None and Path(arguments.plot).suffix not in PLOTS:
        raise InputError(f"'{arguments.plot}' has another ending", "--plot", f"end it in {', '.join(PLOTS)}")
    if arguments.motions < 1 or not arguments.error > 0:
        raise InputError("no motions or no error", "rates", "give --motions of at least 1 and --error above 0")
    plan = task_plan(robot, arguments.functions, arguments.tasks, settings, arguments.recompute)
    asked = Question(
        arguments.schedule, rate, arguments.trajectory, arguments.motions, arguments.scenario, arguments.error
    )
    study = rates_study(robot, plan, processor, asked, settings)
    if arguments.plot is not None:
        rates_plot(study, arguments.plot)
    _say(arguments, rates_page(study), rates_data(study))
    return FAILED if study.held is not None and study.held.violated else OK


def _say(arguments: Namespace, page: Page, data: dict[str, Any]) -> None:
    write_report(arguments.report, page)
    if arguments.json:
        print_json(data)
    else:
        print(page.to_text(), end="")


def _processor(arguments: Namespace) -> Processor:
    given = [arguments.flops is not None, arguments.measure, arguments.instructions is not None]
    if sum(given) > 1:
        raise InputError("more than one speed", "rates", "give --flops, --measure or --instructions")
    if (arguments.instructions is None) != (arguments.clock is None):
        raise InputError("--instructions without --clock, or the other way", "rates", "give both")
    if not 0 <= arguments.sine < 1e6:
        raise InputError(f"a sine of {arguments.sine:g} operations", "--sine", "give 0 or more")
    if arguments.instructions is not None:
        return Processor(instructions=arguments.instructions, clock=speed(arguments.clock, "--clock"))
    return Processor(None if arguments.measure else speed(arguments.flops or "100k"), arguments.sine)


COMMAND = Command(_arguments, _run)
