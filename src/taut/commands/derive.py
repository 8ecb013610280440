"""``taut derive ROBOT --function F``: the equations themselves, how they came about, and that they are exact."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import OK, Command, json_option, print_json, robot_options, say
from taut.commands.derivation import derivation_options, derived_from, settings_of
from taut.commands.forms import check_forms, form_options, run_form
from taut.commands.output import write_whole
from taut.report.counts import derivation_data, derived
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
    function = derived(derived_from(arguments).tree, arguments.function, settings)
    if function.interrupted:
        say("derive", "note: interrupted, this is the best so far")
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


COMMAND = Command(_arguments, _run)
