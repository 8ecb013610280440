"""The verbs that begin with a file: load a robot, read measurements, fit a robot to them.

Each imports what it needs when it is called, NumPy included, so that ``import taut`` takes no time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taut import library
from taut.errors import refuse_unknown

if TYPE_CHECKING:
    from taut.api.robot import Robot
    from taut.calibration.calibrate import Calibration
    from taut.calibration.poses import Poses
    from taut.identify.estimate.identification import Identification, Settings
    from taut.identify.estimate.payload import Payload
    from taut.identify.estimate.validate import Validation
    from taut.measuring.sheet import Sheet
    from taut.recordings.assign import UnrecordedError
    from taut.recordings.mapping import Mapping as Columns
    from taut.recordings.recording import Recording
    from taut.recordings.windows import Window
    from taut.robot import Tree


def load(
    robot: str | Path,
    base: str = "fixed",
    lock: Mapping[str, float] | None = None,
    roots: Sequence[str | Path] = (),
    packages: Mapping[str, str | Path] | None = None,
) -> Robot:
    """Return a robot of taut's library, or of a description file.

    Args:
        robot: a name from ``taut list``; a path to a .toml, .urdf, .xml (MJCF or URDF), .par or .robot file, which
            may begin with ``package://NAME/``; or a name of the package ``robot_descriptions``, such as
            ``panda_description``, where it is installed.
        base: ``"fixed"``, or ``"free"`` to let the base link float.
        lock: {joint: position} of joints to hold; their links become frames.
        roots: folders besides the file's own that it may include files and meshes from.
        packages: {name: folder} of ROS packages, besides those the ROS path variables name.

    >>> load("puma560").dof
    6
    """
    from taut import formats
    from taut.api.descriptions import robot_file

    name = str(robot)
    file = robot_file(name)
    if file is not None:
        tree = formats.read_path(file, roots, packages)
    else:
        tree = formats.read(library.text(name), f"{name}.toml", "toml")
    return _standing(tree, base, lock)


def from_text(text: str, base: str = "fixed", lock: Mapping[str, float] | None = None) -> Robot:
    """Return the robot that a text describes, whatever format it is in; it may name no other files.

    Args:
        text: URDF, MJCF, TOML, or one of the other formats.
        base: ``"fixed"``, or ``"free"`` to let the base link float.
        lock: {joint: position} of joints to hold.

    >>> from_text(load("puma560").to_urdf()).dof
    6
    """
    from taut import formats

    return _standing(formats.read(text, "text"), base, lock)


def _standing(tree: Tree, base: str, lock: Mapping[str, float] | None) -> Robot:
    """Return a robot with its base fixed or free and some joints held."""
    from taut.api.robot import Robot
    from taut.robot import edit
    from taut.robot.assembly import no_moving_joint

    refuse_unknown("kind of base", base, ("fixed", "free"), "load")
    if base == "free":
        tree = edit.free_base(tree)
    if lock:
        tree = edit.lock(tree, lock)
    if not tree.joints:
        raise no_moving_joint(tree.name)
    return Robot(tree)


def from_dh(label: str, rows: Sequence[Mapping[str, Any]], **description: Any) -> Robot:
    """Return the robot of a Denavit-Hartenberg table; see :func:`taut.formats.dh.from_dh`.

    >>> from_dh("standard", [{"a": 0.4}, {"a": 0.3}]).dof
    2
    """
    from taut.api.robot import Robot
    from taut.formats import dh

    return Robot(dh.from_dh(label, rows, **description))


def measure(sheet: str | Path) -> Sheet:
    """Return the content of a measurement sheet; see :mod:`taut.measuring.sheet`.

    ``.results()`` lists every quantity with its tolerance, ``.findings`` what contradicts what, and
    ``Robot(sheet.robot())`` is the robot with the measured numbers.
    """
    from taut.formats.files import decoded, read_bytes
    from taut.measuring.sheet import read_sheet

    return read_sheet(
        decoded(read_bytes(Path(sheet), str(sheet)), str(sheet)), str(sheet), lambda name: load(name).tree
    )


def calibrate(
    robot: Robot,
    poses: str | Path | Poses,
    frame: str | None = None,
    *,
    offsets: bool = False,
    eccentric: bool = False,
    compliance: bool = False,
) -> Calibration:
    """Return the robot's geometry fitted to measured poses; see :func:`taut.calibration.calibrate.calibrate`."""
    from taut.calibration.calibrate import calibrate as fit_geometry
    from taut.calibration.poses import Poses, read_poses

    given = poses if isinstance(poses, Poses) else read_poses(poses, robot.tree)
    place = "poses" if isinstance(poses, Poses) else str(poses)
    return fit_geometry(
        robot.tree, given, frame, offsets=offsets, eccentric=eccentric, compliance=compliance, place=place
    )


def identify(
    robot: Robot,
    logs: Sequence[str | Path | Recording],
    test: Sequence[str | Path | Recording] = (),
    mapping: str | Columns | None = None,
    settings: Settings | None = None,
) -> Identification[Robot]:
    """Return the robot whose torques fit recordings; see :func:`taut.identify.estimate.identify.identify`.

    Args:
        robot: its geometry is taken as it is.
        logs: files or recordings to fit; the last 30 % of each are held out unless the settings change this.
        test: files or recordings that are held out whole.
        mapping: which columns are what; guessed from their names without it.
        settings: the defaults serve every robot.
    """
    from dataclasses import replace

    from taut.api.robot import Robot
    from taut.identify.estimate.identify import identify as fit
    from taut.recordings.assign import UnrecordedError

    doubts: list[str] = []
    try:
        fitted = _streamed(robot, logs, mapping)
    except UnrecordedError as error:
        robot, doubts = _without(robot, error)
        fitted = _streamed(robot, logs, mapping)
    found: Identification[Any] = fit(robot.tree, fitted, _streamed(robot, test, mapping), settings)
    return replace(found, robot=Robot(found.robot), warnings=(*doubts, *found.warnings))


def validate(
    robot: Robot,
    logs: Sequence[str | Path | Recording],
    mapping: str | Columns | None = None,
    cutoff: float | None = None,
    edge: float | None = None,
) -> Validation:
    """Return how a robot predicts the torques of recordings; see :func:`taut.identify.estimate.validate.validate`."""
    from taut.identify.estimate.validate import validate as compare

    return compare(robot.tree, _recordings(robot, logs, mapping), cutoff, edge)


def payload(
    robot: Robot,
    logs: Sequence[str | Path | Recording],
    mapping: str | Columns | None = None,
    frame: str | None = None,
) -> Payload:
    """Return the load that a fitted robot carries in recordings; see :func:`taut.identify.estimate.payload.payload`."""
    from taut.identify.estimate.payload import payload as found

    return found(robot.tree, _recordings(robot, logs, mapping), frame)


def _without(robot: Robot, unrecorded: UnrecordedError) -> tuple[Robot, list[str]]:
    """Return the robot without joints that are not recorded and carry none that is, as of a gripper; and what was done.

    They are held at zero, or at the limit nearest to it.
    """
    tree = robot.tree
    missing = {i for i, joint in enumerate(tree.joints) if joint.name in unrecorded.joints}
    missing |= {mimic.joint for mimic in tree.mimics if mimic.leader in missing}
    if any(joint.parent in missing for i, joint in enumerate(tree.joints) if i not in missing):
        raise unrecorded
    held = {}
    for joint in (joint for joint in tree.joints if joint.name in unrecorded.joints):
        lower, upper = (0.0 if x is None else x for x in (joint.limits.lower, joint.limits.upper))
        held[joint.name] = max(0.0, lower) if upper > 0 or lower > 0 else min(0.0, upper)
    said = [f"{name} is not recorded: held at {x:g}; --lock {name}=VALUE elsewhere" for name, x in held.items()]
    return robot.lock(held), said


STREAMED_FROM = 400_000_000
"""Bytes of an .npz or HDF5 file from which it is read in windows."""


def _streamed(
    robot: Robot, logs: Sequence[str | Path | Recording], mapping: str | Columns | None
) -> list[Recording | Window]:
    """Return recordings, those in large files as windows."""
    from taut.recordings.recording import Recording
    from taut.recordings.windows import windows_of

    found: list[Recording | Window] = []
    for log in logs:
        file = None if isinstance(log, Recording) else Path(str(log).partition("#")[0])
        large = file is not None and file.suffix.lower() in (".npz", ".h5", ".hdf5") and file.is_file()
        if file is not None and large and file.stat().st_size > STREAMED_FROM:
            found += windows_of(str(log), robot.joint_names, _mapping(robot, mapping))
        else:
            found += _recordings(robot, [log], mapping)
    return found


def _recordings(robot: Robot, logs: Sequence[str | Path | Recording], mapping: str | Columns | None) -> list[Recording]:
    from taut.recordings.read import read_recording
    from taut.recordings.recording import Recording

    given = _mapping(robot, mapping)
    return [log if isinstance(log, Recording) else read_recording(str(log), robot.joint_names, given) for log in logs]


def _mapping(robot: Robot, mapping: str | Columns | None) -> Columns:
    """Return what is said of the columns, and which joints slide."""
    from dataclasses import replace

    from taut.recordings.mapping import Mapping, read_mapping

    given = read_mapping(mapping) if isinstance(mapping, str) else mapping or Mapping()
    motions = [robot.tree.joints[i].motion for i in robot.tree.independent]
    return replace(given, slides=tuple(motion.pure_slide for motion in motions) if robot.tree.single_axis else ())
