"""``taut generate ROBOT -o DIR``: the functions of a robot as code that is tried before it is written."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace

from taut.api import Robot
from taut.commands.command import (
    FAILED,
    OK,
    Command,
    json_option,
    print_json,
    robot_file_hash,
    robot_options,
    say,
)
from taut.commands.derivation import derivation_options, derived_from, settings_of
from taut.directory import refuse_directory
from taut.errors import InputError, shown
from taut.generate import (
    BACKENDS,
    DEFAULT,
    Function,
    Generated,
    Row,
    Wanted,
    default_functions,
    functions_named,
    generate,
)
from taut.report.counts import derived
from taut.report.table import table
from taut.report.tasks import task_plan, tasks_text
from taut.tasks.generate import GeneratedTasks, generate_tasks
from taut.tasks.proof import prove


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument("-o", metavar="DIR", dest="output", required=True, help="the directory to write")
    parser.add_argument(
        "--functions",
        metavar="F,...",
        help=f"what to generate, or 'all'; a frame may follow, as in jacobian:tool; {DEFAULT} by default, torque, M "
        "and accelerations of an abbreviated model",
    )
    parser.add_argument("--language", metavar="|".join(BACKENDS), default="c", help="c by default")
    parser.add_argument("--precision", metavar="double|float", default="double", help="of C; double by default")
    parser.add_argument("--trig", metavar="poly|libm", default="poly", help="sines of C; polynomials by default")
    parser.add_argument("--batch", action="store_true", help="C also for arrays of states, several at once")
    parser.add_argument("--name", metavar="NAME", help="of files and functions; made from the robot's by default")
    parser.add_argument(
        "--abbreviate",
        metavar="SHARE",
        type=float,
        help="leave out terms of the explicit equations below this share, e.g. 0.01; not exact, the bound of the "
        "torque error is in the comments; see taut abbreviate",
    )
    parser.add_argument(
        "--tasks",
        metavar="two-rate|STAGE,...",
        help="C tasks that run at rates of their own, with the hand-over between them: two-rate computes M and g from "
        "the configuration, velocity torques, and the torque as M qdd plus one vector; or a list of configuration, "
        "velocity, acceleration, synchronous; functions: inverse_dynamics, or joint_torque with friction",
    )
    parser.add_argument(
        "--recompute",
        metavar="N",
        type=int,
        default=0,
        help="a value crosses between background tasks only where that saves N operations; 0: the faster task is as "
        "small as can be",
    )
    parser.add_argument(
        "--form",
        metavar="hierarchy",
        help="write the explicit equations as 'taut derive --form hierarchy' prints them: explicit, explicit_torque",
    )
    parser.add_argument("--rule", metavar="armstrong|torque", help="which terms --abbreviate leaves out; armstrong")
    parser.add_argument("--scenario", metavar="FILE", help="motions --abbreviate is meant for; the robot's limits")
    parser.add_argument("--force", action="store_true", help="replace files that were edited since taut wrote them")
    derivation_options(parser, method=False, objective="time")
    json_option(parser)


def _run(arguments: Namespace) -> int:
    robot = derived_from(arguments)
    wanted = Wanted(arguments.language, arguments.precision, arguments.trig, arguments.batch, arguments.name)
    if arguments.abbreviate is None and (arguments.rule or arguments.scenario):
        raise InputError("a rule or a scenario without --abbreviate", "generate", "add --abbreviate SHARE")
    if arguments.recompute and not arguments.tasks:
        raise InputError("--recompute without --tasks", "generate", "add --tasks two-rate")
    if arguments.tasks is not None and arguments.form is not None:
        raise InputError("--form with --tasks", "generate", "leave one of them out")
    refuse_directory(arguments.output, robot.name, arguments.force)
    if arguments.abbreviate is not None:
        done = _abbreviated(robot, wanted, arguments)
    elif arguments.form is not None:
        done = _as_printed(robot, wanted, arguments)
    elif arguments.tasks is not None:
        done = _tasks(robot, wanted, arguments)
    else:
        done = _exact(robot, wanted, arguments)
    return _report_tasks(done, arguments.json) if isinstance(done, GeneratedTasks) else _report(done, arguments.json)


def _exact(robot: Robot, wanted: Wanted, arguments: Namespace) -> Generated:
    settings = settings_of(arguments)

    def derive(name: str, frame: str | None) -> Function:
        function = derived(robot.tree, name, replace(settings, frame=frame))
        if function.interrupted:
            _note(f"interrupted, the best {name} so far is taken")
        return function

    chosen = functions_named(arguments.functions or default_functions(robot.tree))
    return generate(robot.tree, arguments.output, chosen, wanted, derive, origin=robot_file_hash(arguments))


def _tasks(robot: Robot, wanted: Wanted, arguments: Namespace) -> Generated:
    made = task_plan(robot.tree, arguments.functions, arguments.tasks, settings_of(arguments), arguments.recompute)
    return generate_tasks(robot.tree, arguments.output, made, wanted, prove(made, robot.tree, arguments.load))


def _abbreviated(robot: Robot, wanted: Wanted, arguments: Namespace) -> Generated:
    _refuse_beside("abbreviate", arguments, "form")
    robot.numeric  # noqa: B018 - a symbol without a value is refused before anything long is done
    shorter = robot.explicit().abbreviate(arguments.abbreviate, arguments.scenario, arguments.rule or "armstrong")
    return shorter.generate(
        arguments.output,
        arguments.functions,
        **vars(wanted),
        tasks=arguments.tasks,
        recompute=arguments.recompute,
        effort=arguments.effort,
        seed=arguments.seed,
    )


def _as_printed(robot: Robot, wanted: Wanted, arguments: Namespace) -> Generated:
    if arguments.form != "hierarchy":
        raise InputError(f"no code of the form '{arguments.form}'", "--form", "choose hierarchy, or leave it out")
    _refuse_beside("form", arguments)
    chosen = {} if arguments.functions is None else {"functions": arguments.functions}
    return robot.explicit().generate(arguments.output, **chosen, **vars(wanted))


def _refuse_beside(form: str, arguments: Namespace, *others: str) -> None:
    """Refuse options of a derivation that a form of the equations does not have."""
    for option in ("parameters", "keep", "load", "budget", "snap", "accept", "fresh", *others):
        if getattr(arguments, option) not in (None, [], False):
            raise InputError(f"--{option} with --{form}", "generate", "leave one of them out")


def _report(done: Generated, as_json: bool) -> int:
    for name, reason in done.missing.items():
        _note(f"{name} is missing: {reason}")
    if done.not_run:
        _note(f"the code was not run and compared: {done.not_run}")
    if as_json:
        print_json(asdict(done) | {"partial": done.partial})
    else:
        print(_summary(done.functions))
        print(f"\n{len(done.files)} files in {shown(done.directory)}: {', '.join(done.files)}")
    return FAILED if done.partial or done.not_run else OK


def _report_tasks(done: GeneratedTasks, as_json: bool) -> int:
    if as_json:
        tasks = done.plan.as_json()
        print_json({"directory": done.directory, "files": done.files, "proof": done.proof, "tasks": tasks})
    else:
        print(f"{tasks_text(done.plan)}\n\n{done.proof}\n{len(done.files)} files in {shown(done.directory)}")
    if done.not_run:
        _note(f"the code was not run and compared: {done.not_run}")
    return FAILED if done.not_run else OK


def _note(text: str) -> None:
    say("generate", f"note: {text}")


def _summary(rows: Sequence[Row]) -> str:
    def number(value: int | None) -> str:
        return "-" if value is None else str(value)

    head = ["function", "operations", "fewest", "sin, cos", "code bytes", "stack bytes", "error"]
    cells = [
        [
            row.name,
            str(row.operations),
            number(row.fewest),
            str(row.trig),
            number(row.code),
            number(row.stack),
            "not run" if row.error is None else f"{row.error:.1e}",
        ]
        for row in rows
    ]
    return table(head, cells)


COMMAND = Command(_arguments, _run)
