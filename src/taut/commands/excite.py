"""``taut excite ROBOT``: a trajectory whose torques tell the robot's parameters apart, as CSV."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.output import write_whole
from taut.identify.excite import excite


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("-o", metavar="FILE", dest="output", help="write t, q, qd, qdd as CSV there")
    parser.add_argument("--period", metavar="SECONDS", type=float, default=10.0, help="its length; 10 by default")
    parser.add_argument("--rate", metavar="HZ", type=float, default=100.0, help="samples a second; 100 by default")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="the same gives the same trajectory")
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)

    def say(text: str) -> None:
        print(f"taut excite: {text}", file=sys.stderr)

    found = excite(robot, arguments.period, arguments.rate, arguments.seed, progress=say)
    text = found.csv(robot.joint_names)
    if arguments.output:
        write_whole(arguments.output, text)
    if arguments.json:
        print_json({"condition": found.condition, "period": found.period, "samples": len(found.t)})
    elif arguments.output:
        print(f"condition number {found.condition:.2f}, {len(found.t)} samples in {arguments.output}")
    else:
        print(text, end="")
    return OK


COMMAND = Command(
    "excite",
    "a trajectory within the limits that excites every parameter, to record and identify from",
    (
        "taut excite panda -o excite.csv              ten seconds at 100 Hz, at rest at both ends",
        "taut excite arm.toml -o e.csv --period 20",
    ),
    _arguments,
    _run,
)
