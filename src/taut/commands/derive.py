"""``taut derive ROBOT --function F``: the equations themselves, how they came about, and that they are exact."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.derivation import derivation_options, settings_of
from taut.commands.forms import check_forms, form_options, run_form
from taut.commands.output import write_whole
from taut.report.counts import derivation_data, derived, was_interrupted
from taut.report.table import printable


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("--function", metavar="F", default="inverse_dynamics", help="what to derive")
    derivation_options(parser)
    parser.add_argument("--explain", action="store_true", help="print the count after every pass and nothing else")
    listing = parser.add_mutually_exclusive_group()
    listing.add_argument("--text", action="store_true", help="print readable assignments (the default)")
    listing.add_argument("--program", action="store_true", help="print the program, one operation a line, with stages")
    form_options(parser, listing)
    json_option(parser)
    parser.add_argument("-o", metavar="FILE", dest="output", help="write the equations to a file, all or nothing")


def _run(arguments: Namespace) -> int:
    check_forms(arguments)
    if arguments.form is not None:
        return run_form(arguments)
    settings = settings_of(arguments)
    function = derived(load_robot(arguments).tree, arguments.function, settings)
    if was_interrupted(function, settings):
        print("taut derive: note: interrupted, this is the best so far", file=sys.stderr)
    explained = [printable(row) for row in function.explain().split("\n")]
    listing = function.program.to_text() if arguments.program else function.text()
    page = "\n".join([*(f"# {row}" for row in explained), "", listing])
    if arguments.output is not None:
        write_whole(arguments.output, page)
    if arguments.json:
        print_json(derivation_data(function))
    elif arguments.output is not None or (arguments.explain and not (arguments.text or arguments.program)):
        print("\n".join(explained))
    else:
        print(page, end="")
    return OK


COMMAND = Command(
    "derive",
    "derive a function of a robot as exact equations with few operations",
    (
        "taut derive puma560 --function gravity                 the equations, and the count after every pass",
        "taut derive puma560 --explain                          the counts alone",
        "taut derive panda --parameters symbolic -o panda.txt   into a file",
        "taut derive ur5e --objective cycles --effort max       what runs fastest here, not what counts least",
        "taut derive scara --function mass_matrix --program     one operation a line, with its stage",
        "taut derive puma560 --form explicit --latex -o p.tex   M, b, c and g element by element, for a reader",
        "taut derive puma560 --form hierarchy                   the same by constants K, terms T and V, as EMDEG does",
        "taut derive stanford_rrp --form matrices               M, B, C, G and the products and squares of rates",
        "taut derive stanford --form kinematics                 pose, Jacobian, its inverse, singular configurations",
    ),
    _arguments,
    _run,
)
