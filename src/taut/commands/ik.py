"""``taut ik``: positions at which a frame has a pose."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import numpy as np

from taut.commands.command import FAILED, OK, Command, json_option, load_robot, print_json, robot_options
from taut.errors import InputError
from taut.report.inverse_kinematics import ik_data, ik_text


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "--pose",
        metavar="X,Y,Z[,R,P,Y]",
        required=True,
        help="place [m] and roll, pitch, yaw [rad] about fixed axes in the world; a place alone leaves the orientation",
    )
    parser.add_argument("--frame", metavar="F", help="whose pose it is; the last one by default")
    parser.add_argument("--start", metavar="Q1,...", help="position to be near to [rad, m]; the middle of the limits")
    parser.add_argument("--method", metavar="best|closed|numeric", default="best", help="best by default")
    parser.add_argument("--weight", metavar="M", type=float, default=1.0, help="metres that a radian counts as; 1")
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    start = None if arguments.start is None else _numbers("--start", arguments.start, (robot.nq,))
    goal = _numbers("--pose", arguments.pose, (3, 6))
    found = robot.inverse_kinematics(
        goal if len(goal) == 3 else _pose(goal),
        arguments.frame,
        start,
        method=arguments.method,
        weight=arguments.weight,
    )
    if arguments.json:
        print_json(ik_data(robot, found))
    else:
        print(ik_text(robot, found))
    return OK if found.reached else FAILED


def _pose(numbers: list[float]) -> np.ndarray:
    """Return the pose of a place and roll, pitch, yaw about fixed axes."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(numbers[3:]), np.sin(numbers[3:])
    pose = np.eye(4)
    pose[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    pose[:3, 3] = numbers[:3]
    return pose


def _numbers(option: str, given: str, counts: tuple[int, ...]) -> list[float]:
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in counts or not np.isfinite(numbers).all():
        expected = " or ".join(map(str, counts))
        advice = f"give {expected} numbers with commas, e.g. {option}=0.4,0,0.3"
        raise InputError(f"cannot read '{given}'", option, advice)
    return numbers


COMMAND = Command(_arguments, _run)
