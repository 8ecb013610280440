"""The options of every command that derives: parameters, effort, method, frame, budget."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.report.counts import Settings


def derivation_options(parser: ArgumentParser, effort: str = "normal", method: bool = True) -> None:
    """Declare how a function is derived."""
    parser.add_argument(
        "--parameters",
        metavar="symbolic|pattern|numeric|base",
        help="which inertial numbers stay free: ten a link, those the file does not tie, none, what regrouping "
        "leaves; by default numeric where the file has all numbers, else pattern",
    )
    parser.add_argument(
        "--effort", metavar="quick|normal|max", default=effort, help=f"how hard to search; {effort} by default"
    )
    parser.add_argument(
        "--budget", metavar="SECONDS", type=float, help="end the search of a function after this long, with its best"
    )
    if method:
        parser.add_argument("--method", default="best", help="one algorithm instead of the cheapest, e.g. kane")
        parser.add_argument("--frame", metavar="NAME", help="for kinematics: which frame; the last one by default")


def settings_of(arguments: Namespace) -> Settings:
    """Return what the options say."""
    return Settings(
        method=getattr(arguments, "method", "best"),
        parameters=arguments.parameters,
        effort=arguments.effort,
        frame=getattr(arguments, "frame", None),
        budget=arguments.budget,
    )
