"""``taut identify ROBOT LOG...``: the robot whose torques fit recordings, with its errors; to TOML, URDF and C."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np

from taut.api import Robot, identify, payload
from taut.commands.command import OK, Command, json_option, load_robot, print_json, robot_options
from taut.commands.output import write_whole
from taut.errors import InputError, refuse_unknown
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.reduced import Reduced, reduced
from taut.identify.estimate.simulated import feed_forward
from taut.identify.estimate.split import Split
from taut.identify.recursive import RecursiveModel, recursive_files
from taut.recordings.mapping import Mapping, read_mapping
from taut.report.identification import identification_page, payload_section
from taut.report.page import Page

CODE = ("joint_torque", "inverse_dynamics", "mass_matrix", "gravity")
"""Functions of the fitted robot that are written as C."""

REGRESSORS = ("regressor", "drive_regressor")
"""Those that the recursive estimator needs."""


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    parser.add_argument(
        "logs", metavar="LOG", nargs="+", help="recordings to fit: .csv .npz .parquet .h5 .mcap, rosbag2"
    )
    held = parser.add_mutually_exclusive_group()
    held.add_argument(
        "--holdout", metavar="PART", type=float, help="hold out the last part of each LOG; 0.3 by default"
    )
    held.add_argument(
        "--blocks", metavar="SECONDS", nargs="?", const=0.0, type=float, help="hold out every third block instead"
    )
    held.add_argument(
        "--test", metavar="LOG", action="append", help="hold out another recording instead; may be repeated"
    )
    recording_options(parser)
    parser.add_argument(
        "--force", metavar="JOINT:TERM", action="append", default=[], help="take a term; '*' is every joint"
    )
    parser.add_argument("--forbid", metavar="JOINT:TERM", action="append", default=[], help="never take a term")
    parser.add_argument(
        "--prior",
        metavar="scale|model|cad",
        default="scale",
        help="draw towards ROBOT's numbers: 'model' in units of size, 'cad' by relative changes of each body",
    )
    parser.add_argument("--loss", metavar="squares|huber|tukey", default="squares", help="robust losses for outliers")
    parser.add_argument(
        "--estimator",
        metavar="KIND",
        default="squares",
        help="squares, momentum or energy (no accelerations), instrumental or output_error (need columns q_ref1..)",
    )
    parser.add_argument(
        "--gravity", metavar="file|estimate", default="file", help="find its direction: mounting unknown"
    )
    parser.add_argument("--engine", metavar="local|dask", default="local", help="where large recordings are factored")
    parser.add_argument("--unconstrained", action="store_true", help="plain least squares; links may be impossible")
    parser.add_argument("--simulated", action="store_true", help="keep mass matrices positive definite, for simulation")
    parser.add_argument(
        "--significant",
        metavar="PART",
        nargs="?",
        const=0.01,
        type=float,
        help="with -o: also the robot without parameters below this part of the torque, 0.01, and its code",
    )
    parser.add_argument(
        "--recursive", action="store_true", help="with -o: also an estimator as C that follows every new sample"
    )
    parser.add_argument(
        "--payload",
        metavar="LOG",
        action="append",
        default=[],
        help="a recording of the same robot with a load: the load's mass, centre and inertia; may be repeated",
    )
    parser.add_argument(
        "-o", metavar="DIR", dest="output", help="write robot.toml, robot.urdf, robot.xml (MJCF), report and C there"
    )
    parser.add_argument(
        "--effort", metavar="none|quick|normal|max", default="quick", help="how hard to search for short C; quick"
    )
    json_option(parser)


def recording_options(parser: ArgumentParser) -> None:
    """Declare how recordings are read and filtered."""
    parser.add_argument("--mapping", metavar="FILE", help="TOML: columns, units, gears; see the page on identification")
    parser.add_argument("--rate", metavar="HZ", type=float, help="sample rate where a recording has no stamps")
    parser.add_argument("--unit", metavar="rad|deg", help="of positions; radians unless the numbers contradict")
    parser.add_argument("--cutoff", metavar="HZ", type=float, help="of the filter; chosen from the motion by default")
    parser.add_argument(
        "--trim", metavar="SECONDS", type=float, help="dropped at both ends; two periods of the cut-off"
    )


def mapping_of(arguments: Namespace) -> Mapping:
    """Return the mapping that the options describe."""
    mapping = read_mapping(arguments.mapping) if arguments.mapping else Mapping()
    if arguments.rate is not None:
        mapping = replace(mapping, rate=arguments.rate)
    if arguments.unit is not None:
        refuse_unknown("unit", arguments.unit, ("rad", "deg"), "--unit")
        mapping = replace(mapping, position_unit=arguments.unit)
    return mapping


def _settings(arguments: Namespace, mapping: Mapping) -> Settings:
    split = Split(0.0 if arguments.test else 0.3 if arguments.holdout is None else arguments.holdout, arguments.blocks)
    return Settings(
        split=split,
        cutoff=arguments.cutoff,
        edge=arguments.trim,
        force=_terms(arguments.force, "--force"),
        forbid=_terms(arguments.forbid, "--forbid"),
        consistent=not arguments.unconstrained,
        simulated=arguments.simulated,
        prior=arguments.prior,
        loss=arguments.loss,
        estimator=arguments.estimator,
        law=feed_forward(mapping.kp, mapping.kd),
        engine=arguments.engine,
        gravity=arguments.gravity,
    )


def _terms(given: list[str], option: str) -> dict[str, set[str]]:
    table: dict[str, set[str]] = {}
    for text in given:
        joint, colon, term = text.rpartition(":")
        if not colon or not joint:
            raise InputError(f"cannot read '{text}'", option, "give JOINT:TERM, e.g. joint2:stribeck or '*:stribeck'")
        table.setdefault(joint, set()).add(term)
    return table


def _run(arguments: Namespace) -> int:
    robot = load_robot(arguments)
    mapping = mapping_of(arguments)
    fit = identify(robot, arguments.logs, arguments.test or (), mapping, _settings(arguments, mapping))
    written, page = "", identification_page(fit)
    if arguments.output:
        folder = Path(arguments.output)
        written = _write_code(fit.robot, str(folder / "c"), arguments.effort)
        if arguments.significant is not None:
            found = reduced(fit.robot.tree, fit.selection, arguments.significant)
            written += "\n" + _write_reduced(found, folder, arguments.effort)
        if arguments.recursive:
            written += "\n" + _write_recursive(fit, folder / "recursive")
        write_whole(str(folder / "robot.toml"), fit.robot.to_toml())
        write_whole(str(folder / "robot.urdf"), fit.robot.to_urdf())
        if fit.consistent:
            write_whole(str(folder / "robot.xml"), fit.robot.to_mjcf())
        write_whole(str(folder / "report.html"), page.to_html())
        write_whole(str(folder / "report.json"), json.dumps(fit.data, indent=2, allow_nan=False) + "\n")
    load = payload(fit.robot, arguments.payload, mapping) if arguments.payload else None
    if arguments.json:
        more = ({"directory": arguments.output} if arguments.output else {}) | ({"payload": load.data} if load else {})
        print_json(fit.data | more)
    else:
        shown = Page(page.title, (*page.sections, payload_section(load))) if load else page
        print(shown.to_text(), end="")
        if written:
            print(f"\n{written}\n{arguments.output} holds the robot as TOML, URDF and MJCF, reports and c/")
    return OK


def _write_reduced(found: Reduced, folder: Path, effort: str) -> str:
    """Write the robot with significant parameters alone, and its C; return its counts and errors."""
    robot = Robot(found.robot)
    counts = _write_code(robot, str(folder / "c_significant"), effort, "of the significant parameters")
    write_whole(str(folder / "significant.toml"), robot.to_toml())
    write_whole(str(folder / "significant.json"), json.dumps(found.data, indent=2, allow_nan=False) + "\n")
    mean = [sum(e.values()) / len(e) for e in (found.before, found.after)]
    kept = f"{len(found.kept)} of {len(found.shares)} parameters are significant"
    return f"{kept}: mean error {mean[0]:.2f} % with all, {mean[1]:.2f} % with them alone\n{counts}"


def _write_recursive(fit: Identification[Robot], folder: Path) -> str:
    """Write the recursive estimator that starts with the fitted robot; return what it is."""
    _, measured, predicted, _ = fit.shown
    noise = np.maximum((measured - predicted).std(0), 1e-6)
    model = RecursiveModel(fit.robot.tree, noise)
    fit.robot.generate(str(folder), REGRESSORS, effort="none")
    prefix = min((path.stem for path in folder.glob("*.h")), key=len)
    for file, text in recursive_files(model, prefix).items():
        write_whole(str(folder / file), text)
    return f"C: recursive estimator of {len(model.columns)} base parameters in {folder}"


def _write_code(robot: Robot, folder: str, effort: str, whose: str = "of the fitted robot") -> str:
    """Write a robot's functions as C that was run first; return their counts."""
    done = robot.generate(folder, CODE, effort=effort)
    counts = [f"{row.name} in {row.operations} operations, {row.trig} sines and cosines" for row in done.functions]
    return "\n".join(f"C {whose}: {count}" for count in counts)


COMMAND = Command(_arguments, _run)
