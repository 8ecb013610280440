"""``taut generate ROBOT -o DIR``: the functions of a robot as code that is tried before it is written."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.derivation import derivation_options, settings_of
from taut.directory import write_directory
from taut.errors import InputError
from taut.generate import (
    LANGUAGES,
    Row,
    Wanted,
    examine,
    files,
    functions_named,
    refuse_wrong,
    routine_of,
)
from taut.report.counts import derived, was_interrupted
from taut.report.table import table

DEFAULT = "inverse_dynamics,mass_matrix,gravity,bias,forward_dynamics,forward_kinematics,jacobian"


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("-o", metavar="DIR", dest="output", required=True, help="the directory to write")
    parser.add_argument(
        "--functions",
        metavar="F,...",
        default=DEFAULT,
        help=f"what to generate, or 'all'; a frame may follow, as in jacobian:tool; {DEFAULT} by default",
    )
    parser.add_argument("--language", metavar="|".join(LANGUAGES), default="c", help="c by default")
    parser.add_argument("--precision", metavar="double|float", default="double", help="of C; double by default")
    parser.add_argument("--trig", metavar="poly|libm", default="poly", help="sines of C; polynomials by default")
    parser.add_argument("--batch", action="store_true", help="C also for arrays of states, several at once")
    derivation_options(parser, method=False)
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    wanted = Wanted(arguments.language, arguments.precision, arguments.trig, arguments.batch)
    asked = functions_named(arguments.functions)
    settings = settings_of(arguments)
    if not arguments.output:
        raise InputError("no directory is named", "-o", "name the directory to write")
    functions, routines = [], []
    for name, frame in asked:
        try:
            function = derived(robot, name, replace(settings, frame=frame))
        except InputError as error:
            if arguments.functions != "all":
                raise
            print(f"taut generate: note: left out, {error}", file=sys.stderr)
            continue
        functions.append(function)
        routines.append(routine_of(function, frame))
        if was_interrupted(function, settings):
            print(f"taut generate: note: interrupted, the best {name} so far is taken", file=sys.stderr)
    joints = list(robot.joint_names)
    rows = examine(robot.name, joints, functions, routines, wanted)
    refuse_wrong(rows, wanted.precision)
    texts = files(robot.name, joints, routines, wanted)
    write_directory(arguments.output, texts, robot.name, wanted.language)
    if arguments.json:
        print_json({"directory": arguments.output, "files": list(texts), "functions": [vars(row) for row in rows]})
    else:
        print(_summary(rows))
        print(f"\n{len(texts)} files in {arguments.output}: {', '.join(texts)}")
    return OK


def _summary(rows: list[Row]) -> str:
    def number(value: int | None) -> str:
        return "-" if value is None else str(value)

    head = ["function", "operations", "sin, cos", "code bytes", "stack bytes", "error"]
    cells = [
        [
            row.name,
            str(row.operations),
            str(row.trig),
            number(row.code),
            number(row.stack),
            "not run" if row.error is None else f"{row.error:.1e}",
        ]
        for row in rows
    ]
    return table(head, cells)


COMMAND = Command(
    "generate",
    "write a robot's functions as code that was run and compared first",
    (
        "taut generate ur5e -o ur5e                                  C for one state: source, header, self-test, page",
        "taut generate panda -o out --functions inverse_dynamics --batch --effort max",
        "taut generate puma560 -o out --parameters symbolic          numbers of the robot read at run time",
        "taut generate scara -o out --functions jacobian:tool --language python",
    ),
    _arguments,
    _run,
)
