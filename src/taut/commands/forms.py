"""``taut derive ROBOT --form explicit|hierarchy|matrices|kinematics``: equations for a reader, in several notations."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, _MutuallyExclusiveGroup

from taut.commands.command import OK, load_robot, print_json, say
from taut.commands.output import write_whole
from taut.errors import InputError
from taut.report.forms import FORMS, NOTATIONS, Wanted, size_note


def form_options(parser: ArgumentParser, listing: _MutuallyExclusiveGroup) -> None:
    """Declare --form and the notations besides --text."""
    parser.add_argument(
        "--form",
        metavar="|".join(FORMS),
        help="instead of one function: explicit, M, b, c and g element by element over named constants; hierarchy, the "
        "same by constants K and shared terms T and V; matrices, M, B, C and G with the products and squares of rates; "
        "design, conditions on the parameters that make these simple; "
        "kinematics, pose, Jacobian, its analytic inverse and singular configurations",
    )
    listing.add_argument("--latex", action="store_true", help="with --form: a LaTeX document")
    listing.add_argument("--markdown", action="store_true", help="with --form: a Markdown page")
    listing.add_argument("--sympy", action="store_true", help="with --form explicit: a Python file that builds SymPy")


def check_forms(arguments: Namespace) -> None:
    """Refuse a notation that only a form has."""
    for notation in ("latex", "markdown", "sympy"):
        if getattr(arguments, notation) and arguments.form is None:
            advice = "give --form explicit or --form kinematics, or 'taut generate' for programs"
            raise InputError("a notation without a form", f"--{notation}", advice)


def run_form(arguments: Namespace) -> int:
    """Write the form that was asked for, to a file or to the terminal."""
    if arguments.form not in FORMS:
        raise InputError(f"no form '{arguments.form}'", "--form", f"choose {' or '.join(FORMS)}")
    notation = next((name for name in NOTATIONS if getattr(arguments, name, False)), "text")
    robot = load_robot(arguments)
    if note := size_note(robot, arguments.form):
        say("derive", f"note: {note}")
    wanted = Wanted.of(arguments.function, notation, arguments.effort, arguments.frame, arguments.json)
    made = FORMS[arguments.form](robot, wanted)
    if arguments.output is not None:
        write_whole(arguments.output, made.page)
    if arguments.json:
        print_json(made.data)
    else:
        print(made.summary if arguments.output is not None else made.page, end="")
    return OK
