"""``taut abbreviate ROBOT``: shorter explicit equations, and how wrong they are."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.report_file import report_option, write_report
from taut.report.abbreviation import (
    Asked,
    abbreviation_data,
    abbreviation_page,
    check_figure,
    draw_curve,
    shortened,
)


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "--threshold",
        metavar="SHARE",
        type=float,
        default=0.01,
        help="below which terms go: of the element's greatest term (armstrong) or of the joint's greatest torque "
        "(torque); 0.01 by default",
    )
    parser.add_argument(
        "--rule",
        metavar="armstrong|torque|budget",
        help="armstrong: terms below 1 %% of the greatest of their element, or 0.1 %% of the joint's greatest; "
        "torque: least torque first while all that goes stays, guaranteed, below the threshold; budget: least torque "
        "first until few enough operations are left; armstrong by default, budget where --operations is given",
    )
    parser.add_argument("--operations", metavar="N", type=int, help="for the budget rule: most operations, with torque")
    parser.add_argument(
        "--scenario",
        metavar="FILE",
        help="TOML with ranges of q, qd, qdd under [all] and [joint.NAME], and a [load]; by default the limits of the "
        "robot, slowed until its motors can give every torque; 'armstrong' for full rates and accelerations of torque "
        "limits over M_ii; a limit that is missing has to be given here",
    )
    parser.add_argument(
        "--effort",
        metavar="none|quick|normal|max",
        default="none",
        help="also search the shorter model for fewer operations; none by default",
    )
    parser.add_argument("--equations", action="store_true", help="print what is left of the equations too")
    parser.add_argument("--plot", metavar="FILE", help="draw operations against error (.svg, .pdf, .png; some time)")
    json_option(parser)
    report_option(parser)


def _run(arguments: Namespace) -> int:
    if arguments.plot is not None:
        check_figure(arguments.plot)
    asked = Asked(
        threshold=arguments.threshold,
        scenario=arguments.scenario,
        rule=arguments.rule or ("armstrong" if arguments.operations is None else "budget"),
        operations=arguments.operations,
        effort=arguments.effort,
        curve=arguments.plot is not None,
    )
    found = shortened(load_robot(arguments).tree, asked)
    if arguments.plot is not None:
        draw_curve(found, arguments.plot)
    page = abbreviation_page(found, arguments.equations)
    write_report(arguments.report, page)
    if arguments.json:
        print_json(abbreviation_data(found))
    else:
        print(page.to_text(), end="")
    return OK


COMMAND = Command(_arguments, _run)
