"""The options of every command that derives: parameters, effort, budget, objective, method, frame."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from taut.commands.command import load_robot
from taut.report.counts import Settings

if TYPE_CHECKING:
    from taut.api import Robot

UNITS = {"": 1, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600}
"""Seconds in each unit a budget may have."""

LONGEST = 285.0
"""Seconds of search for a function at the highest effort, unless an option sets another number."""


def derivation_options(
    parser: ArgumentParser,
    effort: str = "normal",
    method: bool = True,
    positions: bool = True,
    objective: str = "operations",
) -> None:
    """Declare how a function is derived."""
    parser.add_argument(
        "--parameters",
        metavar="symbolic|pattern|numeric|base",
        help="which inertial numbers stay free: ten a link, those the file does not tie, none, what regrouping "
        "leaves; by default numeric where the file has all numbers, else pattern",
    )
    parser.add_argument(
        "--keep",
        metavar="NAME,...",
        action="append",
        default=[],
        help="parameters that stay inputs at run time while all other numbers are written into the code; "
        "'taut show --parameters' lists the names",
    )
    parser.add_argument(
        "--load", metavar="FRAME", help="a load on this frame, its ten parameters inputs at run time, zero by default"
    )
    parser.add_argument(
        "--effort", metavar="none|quick|normal|max", default=effort, help=f"how hard to search; {effort} by default"
    )
    parser.add_argument(
        "--budget",
        metavar="TIME",
        type=seconds,
        help="end the search of a function after this long, with its best: 300, 300s or 5min; by default "
        f"{LONGEST:.0f}s for --effort max, which is five minutes with the proof, and no end for the others",
    )
    parser.add_argument(
        "--objective",
        metavar="operations|time|m|fma|cycles",
        default=objective,
        help="what to make small: all operations (also m+a); these, and of the programs found with at most 2 %% more "
        "than the fewest the fastest by simulation (time); multiplications; instructions where a multiplication and an "
        f"addition are one; or the measured time on this machine; {objective} by default",
    )
    parser.add_argument(
        "--snap",
        metavar="RAD",
        type=float,
        help="take angles for multiples of 15 degrees within this many radians; by default their digits decide (1.5708 "
        "is a right angle, 1.57 is not), 0 keeps every digit",
    )
    parser.add_argument(
        "--accept",
        metavar="X",
        type=float,
        help="largest difference from the file's digits on each output's scale; by default 1e-4 where angles were "
        "taken for multiples of 15 degrees, 1e-9 where none were",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the random choices of the search; 1")
    parser.add_argument(
        "--engine",
        metavar="local|dask",
        default="local",
        help="where starts and seeds are searched: here, or on a Dask cluster, named by DASK_SCHEDULER_ADDRESS or made "
        "on this machine; the result is the same",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="derive anew: leave functions unread that were derived and kept before, and the programs that come with "
        "taut for robots of the same structure",
    )
    parser.add_argument(
        "--continue",
        dest="again",
        action="store_true",
        help="search on from the best program that earlier runs have found for robots of this structure",
    )
    parser.add_argument(
        "--generic",
        action="store_true",
        help="the shortest program for parameters in general: it may divide by zero where some of them are zero; "
        "without it, code that reads parameters is right for all their values",
    )
    if positions:
        parser.add_argument(
            "--positions",
            metavar="independent|all",
            default="independent",
            help="what q holds of a robot with loops: the independent positions, where loops have a closed form (the "
            "default), or those of all joints, which the caller closes",
        )
    if method:
        parser.add_argument("--method", default="best", help="one algorithm instead of the cheapest, e.g. kane")
        parser.add_argument("--frame", metavar="NAME", help="for kinematics: which frame; the last one by default")


def derived_from(arguments: Namespace) -> Robot:
    """Return the robot whose functions are derived: loops with a closed form are solved unless an option forbids it."""
    return load_robot(arguments).with_positions(arguments.positions)


def settings_of(arguments: Namespace) -> Settings:
    """Return the settings that the options give."""
    return Settings(
        method=getattr(arguments, "method", "best"),
        parameters=arguments.parameters,
        effort=arguments.effort,
        frame=getattr(arguments, "frame", None),
        budget=LONGEST if arguments.budget is None and arguments.effort == "max" else arguments.budget,
        objective="m+a" if arguments.objective == "operations" else arguments.objective,
        fresh=arguments.fresh,
        generic=arguments.generic,
        again=arguments.again,
        seed=arguments.seed,
        engine=arguments.engine,
        snap=arguments.snap,
        accept=arguments.accept,
        keep=tuple(name.strip() for text in arguments.keep for name in text.split(",") if name.strip()),
        load=arguments.load,
    )


def seconds(text: str) -> float:
    """Return a time such as ``300``, ``300s`` or ``5min`` in seconds.

    >>> seconds("300s"), seconds("5min"), seconds("0.5")
    (300.0, 300.0, 0.5)
    """
    match = re.fullmatch(r"\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*([a-z]*)\s*", text.lower())
    try:
        if match is not None and match[2] in UNITS:
            return float(match[1]) * UNITS[match[2]]
    except ValueError:
        pass
    raise ArgumentTypeError(f"'{text}' is no time; give seconds, 300s or 5min")
