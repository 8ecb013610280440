"""``taut simulate``: the motion of a robot from an initial state under given torques."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.report_file import report_option, write_report
from taut.errors import InputError
from taut.report.progress import ProgressLine
from taut.report.simulated import simulation_data, simulation_page
from taut.simulate.sampled import Sampled

PASSED = ("method", "step", "tolerance", "drives", "stops", "restitution", "rest_speed", "saturate", "bits")
"""Options that the simulation takes as they are."""


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("--q0", metavar="Q1,...", help="initial positions [rad, m] (default: zero, or assembled)")
    parser.add_argument("--qd0", metavar="V1,...", help="initial rates [rad/s, m/s] (default: rest)")
    parser.add_argument(
        "--torque",
        metavar="T1,...|FILE.csv",
        help="constant torques [N m, N], or a table with columns t, tau1, tau2, ... (default: none)",
    )
    parser.add_argument("-t", "--time", metavar="S", type=float, default=1.0, help="end time [s] (default: 1)")
    parser.add_argument("--step", metavar="S", type=float, default=1e-3, help="step, and spacing of the result [s]")
    parser.add_argument(
        "--method",
        metavar="M",
        default="rk4",
        help="rk4 (default), semi_implicit, variational; with error control: DOP853, RK45, Radau, BDF, LSODA",
    )
    parser.add_argument("--tolerance", metavar="X", type=float, default=1e-10, help="of the error control")
    parser.add_argument("--drives", action="store_true", help="add friction, which sticks, and springs of the drives")
    parser.add_argument("--stops", action="store_true", help="the limits of the joints are stops")
    parser.add_argument("--restitution", metavar="E", type=float, default=0.0, help="of the stops, 0 to 1 (default: 0)")
    parser.add_argument(
        "--rest-speed", metavar="V", type=float, default=1e-3, help="impacts slower than this end at rest [rad/s, m/s]"
    )
    parser.add_argument("--wrench", metavar="FRAME=FX,FY,FZ,MX,MY,MZ", help="of the world on a frame [N, N m]")
    parser.add_argument(
        "--switch", metavar="LOOP=T1,...", action="append", help="a loop changes between open and closed at times [s]"
    )
    parser.add_argument("--saturate", action="store_true", help="cut torques off at the robot's limits")
    parser.add_argument("--bits", metavar="N", type=int, help="of the torques' converter, over twice the limits")
    parser.add_argument("--sample", metavar="S", type=float, help="period at which the torque is sampled and held [s]")
    parser.add_argument("--delay", metavar="S", type=float, default=0.0, help="of a sampled torque [s]")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the motion as .csv or .npz")
    parser.add_argument("--plot", metavar="FILE", help="draw the motion into a .svg, .png or .pdf")
    parser.add_argument("--animate", metavar="FILE", help="write a page that plays the motion, .html")
    report_option(parser)
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    if arguments.output is not None and Path(arguments.output).suffix.lower() not in (".csv", ".npz"):
        raise InputError(f"'{arguments.output}' has another ending", "--output", "end it in .csv or .npz")
    torque: Any = arguments.torque
    if torque is not None and not torque.lower().endswith(".csv"):
        torque = _numbers("--torque", torque)
    if arguments.sample is not None:
        torque = Sampled(torque, arguments.sample, arguments.delay)
    options = {name: getattr(arguments, name) for name in PASSED}
    if arguments.wrench is not None:
        frame, _, numbers = arguments.wrench.partition("=")
        options["wrenches"] = {frame: _numbers("--wrench", numbers)}
    if arguments.switch is not None:
        parts = [given.partition("=") for given in arguments.switch]
        options["active"] = {name: _numbers("--switch", times) for name, _, times in parts}
    try:
        with ProgressLine(f"{robot.name}", noun="steps left") as line:
            found = robot.simulate(
                _numbers("--q0", arguments.q0),
                _numbers("--qd0", arguments.qd0),
                torque,
                arguments.time,
                progress=line,
                **options,
            )
    except InputError as error:
        so_far = getattr(error, "partial", None)
        if arguments.output is not None and so_far is not None:
            so_far.save(arguments.output)  # the motion up to the error
        raise
    if arguments.output is not None:
        found.save(arguments.output)
    if arguments.plot is not None:
        found.plot(arguments.plot)
    if arguments.animate is not None:
        found.animate(arguments.animate)
    page = simulation_page(found)
    write_report(arguments.report, page)
    if arguments.json:
        print_json(simulation_data(found))
    else:
        print(page.to_text(), end="")
    return OK


def _numbers(option: str, given: str | None) -> list[float] | None:
    if given is None:
        return None
    try:
        return [float(part) for part in given.split(",")]
    except ValueError:
        raise InputError(f"cannot read '{given}'", option, f"give numbers with commas, e.g. {option}=0,0.5,1") from None


COMMAND = Command(_arguments, _run)
