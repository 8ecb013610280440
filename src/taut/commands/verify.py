"""``taut verify DIR``: checks generated C against its certificate."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.certificate.verify import RefusedError, verified
from taut.commands.command import (
    FAILED,
    OK,
    Command,
    json_option,
    load_robot,
    print_json,
    robot_file_hash,
    robot_options,
)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="a directory with a certificate, as 'taut generate' writes it")
    robot_options(parser, nargs="?")
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = None if arguments.robot is None else load_robot(arguments).tree
    try:
        said = verified(arguments.directory, robot, robot_file_hash(arguments))
    except RefusedError as refusal:
        if arguments.json:
            print_json({"proved": False, "reason": str(refusal)})
        else:
            print(f"refused: {refusal}")
        return FAILED
    if arguments.json:
        print_json({"proved": not any("NOT CHECKED" in sentence for sentence in said), "functions": said})
    else:
        print("\n".join(said))
    return OK


COMMAND = Command(_arguments, _run)
