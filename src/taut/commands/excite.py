"""``taut excite ROBOT``: a trajectory whose torques tell the robot's parameters apart, as CSV."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options, say
from taut.commands.output import write_whole
from taut.identify.collision_spheres import read_spheres
from taut.identify.excite import excite, information_of
from taut.recordings.read import read_recording


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("-o", metavar="FILE", dest="output", help="write t, q, qd, qdd as CSV there")
    parser.add_argument("--period", metavar="SECONDS", type=float, default=10.0, help="its length; 10 by default")
    parser.add_argument("--rate", metavar="HZ", type=float, default=100.0, help="samples a second; 100 by default")
    parser.add_argument("--form", metavar="fourier|polynomial", default="fourier", help="a Fourier series by default")
    parser.add_argument(
        "--after",
        metavar="LOG",
        action="append",
        default=[],
        help="what was recorded already: the next best trajectory adds to it; may be repeated",
    )
    parser.add_argument("--mapping", metavar="FILE", help="TOML: columns, units and gears of LOG")
    parser.add_argument(
        "--spheres", metavar="FILE", help="TOML: spheres on links that must not meet; see the page on identification"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="the same gives the same trajectory")
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    known, noise = None, None
    if arguments.after:
        logs = [read_recording(log, robot.joint_names, arguments.mapping) for log in arguments.after]
        known, noise = information_of(robot.tree, logs)
    spheres = read_spheres(arguments.spheres) if arguments.spheres else ()
    asked = arguments.period, arguments.rate, arguments.seed, known, noise, arguments.form
    found = excite(robot.tree, *asked, partial(say, "excite"), spheres)
    text = found.csv(robot.joint_names)
    if arguments.output:
        write_whole(arguments.output, text)
    if arguments.json:
        numbers = {"condition": found.condition, "period": found.period, "samples": len(found.t)}
        print_json(numbers | ({"worst_standard_error_falls_by": found.gain} if arguments.after else {}))
    elif arguments.output:
        print(f"condition number {found.condition:.2f}, {len(found.t)} samples in {arguments.output}")
        if arguments.after:
            print(f"with it the largest standard error of a base parameter falls by a factor of {found.gain:.2g}")
    else:
        print(text, end="")
    return OK


COMMAND = Command(_arguments, _run)
