"""The files that documented commands name, made for the robot of a command in a folder of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import taut
from calibration.synthetic import Machine, write_csv
from identification.synthetic import excited
from taut.cli import main

ROOT = Path(__file__).parents[2]

LINK = (
    '<link name="{name}"><inertial><origin xyz="0.1 0.02 0.03"/><mass value="{mass}"/>'
    '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0.002" iyz="0.003"/></inertial></link>'
)
JOINT = (
    '<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="0.3 0 0.1" '
    'rpy="{roll} 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" velocity="2" effort="80"/></joint>'
)


def _urdf(name: str, kinds: list[tuple[str, str]]) -> str:
    """Return a chain of joints (name, kind), crossed in turn, with a frame tool0 at its end."""
    parts, parent = [LINK.format(name="base", mass=5)], "base"
    for k, (joint, kind) in enumerate(kinds):
        child = f"link{k + 1}"
        parts.append(LINK.format(name=child, mass=4 - k))
        parts.append(JOINT.format(name=joint, kind=kind, parent=parent, child=child, roll=1.5707963267948966 * (k % 2)))
        parent = child
    tool = f'<joint name="t" type="fixed"><parent link="{parent}"/><child link="tool0"/><origin xyz="0.1 0 0"/></joint>'
    return f'<robot name="{name}">{"".join(parts)}<link name="tool0"/>{tool}</robot>'


TURNING = [("waist", "revolute"), ("shoulder", "revolute"), ("elbow", "revolute")]
DESCRIPTIONS = {
    "arm.urdf": _urdf("arm", [*TURNING, ("gripper", "prismatic")]),
    "quadruped.urdf": _urdf("quadruped", TURNING),
    "pendulum.urdf": _urdf("pendulum", TURNING[:1]),
}
TASK = '[all]\nq = ["-90 deg", "90 deg"]\nqd = 1.0\nqdd = 5.0\n'


def prepare(arguments: list[str], folder: Path) -> None:
    """Make the files that a command reads."""
    for name, text in DESCRIPTIONS.items():
        (folder / name).write_text(text, "utf-8")
    planar = taut.load(folder / "quadruped.urdf").lock({"waist": 0.0})
    for name in ("arm.toml", "cad.toml", "fitted/robot.toml"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(planar.to_toml(), "utf-8")
    (folder / "task.toml").write_text(TASK, "utf-8")
    shutil.copy(ROOT / "examples" / "measure" / "puma560.toml", folder / "sheet.toml")
    shutil.copytree(ROOT / "examples", folder / "examples")
    verb, robot = (*arguments, "")[:2]
    if verb == "calibrate":
        _poses(folder, robot)
    if verb in ("torque", "simulate", "rates") and any(word.endswith(".csv") for word in arguments):
        _motion(folder, robot)
    if verb in ("identify", "validate", "excite"):
        _recordings(folder, robot, "log.mcap" in arguments)
    if "-o" in arguments:
        written = folder / arguments[arguments.index("-o") + 1]  # what is written is not there before
        shutil.rmtree(written) if written.is_dir() else written.unlink(missing_ok=True)
    if verb == "verify":
        named = arguments[2] if len(arguments) > 2 else "puma560"
        assert main(["generate", named, "-o", "out", "--functions", "gravity", "--effort", "none", "--quiet"]) == 0


def _poses(folder: Path, robot: str) -> None:
    write_csv(folder / "poses.csv", Machine(str(folder / robot) if "." in robot else robot, 1).measured(40, 2))


def _motion(folder: Path, robot: str) -> None:
    model = taut.load(folder / robot if "." in robot else robot)
    t, q, qd, qdd = excited(model, seconds=2.0)
    for name, letter, values in (("motion.csv", "q", q), ("tau.csv", "tau", model.inverse_dynamics(q, qd, qdd))):
        head = ",".join(["t", *(f"{letter}{k + 1}" for k in range(model.nv))])
        np.savetxt(folder / name, np.column_stack([t, values]), delimiter=",", header=head, comments="")


def _recordings(folder: Path, robot: str, bag: bool) -> None:
    model = taut.load(folder / robot if "." in robot else robot)
    loaded = model.with_load(1.5, [0.05, 0, 0.02], np.diag([0.01, 0.02, 0.02]))
    head = ",".join(["t", *(f"{x}{k + 1}" for x in ("q", "tau") for k in range(model.nv))])
    for seed, name in enumerate(("log", "other", "empty", "loaded", "a", "b", "c")):
        t, q, qd, qdd = excited(model, seconds=10.0, seed=seed)
        tau = (loaded if name == "loaded" else model).joint_torque(q, qd, qdd)
        tau = tau + 0.01 * tau.std(0) * np.random.default_rng(seed).normal(size=tau.shape)
        np.savetxt(folder / f"{name}.csv", np.column_stack([t, q, tau]), delimiter=",", header=head, comments="")
        np.savez(folder / f"{name}.npz", t=t, q=q, tau=tau)
        if bag and name == "log":
            _bag(folder, model, t, q, tau)


def _bag(folder: Path, model: taut.Robot, t: np.ndarray, q: np.ndarray, tau: np.ndarray) -> None:
    rosbag2 = pytest.importorskip("rosbags.rosbag2")
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    names = ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
    state, header, stamp = (store.types[name] for name in names)
    with rosbag2.Writer(folder / "bag", version=9, storage_plugin=rosbag2.StoragePlugin.MCAP) as writer:
        line = writer.add_connection("/joint_states", state.__msgtype__, typestore=store)
        for k, moment in enumerate(t):
            at = header(stamp=stamp(sec=int(moment), nanosec=round(moment % 1 * 1e9) % 10**9), frame_id="")
            message = state(
                header=at,
                name=list(model.joint_names),
                position=q[k].copy(),
                velocity=np.zeros(0),
                effort=tau[k].copy(),
            )
            writer.write(line, k, store.serialize_cdr(message, state.__msgtype__))
    [file] = (folder / "bag").glob("*.mcap")
    shutil.copy(file, folder / "log.mcap")
    (folder / "drives.toml").write_text("gain = [1, 1]\n", "utf-8")
