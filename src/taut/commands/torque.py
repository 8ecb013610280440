"""``taut torque``: a trajectory in, the torques along it out."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.output import write_whole
from taut.report.torque_history import torque_csv, torque_data, torque_text


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "trajectory",
        metavar="TRAJ.csv",
        help="columns t, q1.. or joint names; qd1.. and qdd1.., or they are differentiated [SI units, radians]",
    )
    parser.add_argument("--drives", action="store_true", help="add friction, offsets and springs of the drives")
    parser.add_argument("-o", "--output", metavar="FILE", help="write t, q, qd, qdd and tau as .csv")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="draw the torque of every joint and what it is made of, inertial, Coriolis, ..., as .svg, .png or .pdf",
    )
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    found = robot.torques(arguments.trajectory, drives=arguments.drives)
    if arguments.plot is not None:
        motion = found.trajectory
        robot.contributions(motion.q, motion.qd, motion.qdd).plot(arguments.plot, motion.t)
    if arguments.output is not None:
        write_whole(arguments.output, torque_csv(found))
    if arguments.json:
        print_json(torque_data(found))
    else:
        print(torque_text(found))
    return OK


COMMAND = Command(_arguments, _run)
