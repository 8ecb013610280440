"""Seconds and memory of ``taut identify`` on a long recording of a seven-joint arm, default settings.

    python benchmarks/large_identification.py [SAMPLES] [FOLDER]

writes an .npz of the Panda with friction at 1 kHz (a million samples by default, 120 bytes each), fits it in a process
of its own and prints CPU time, the largest memory of that process and the held-out error. Files above 400 MB are read
in windows.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen

import numpy as np

import taut
from taut.api import Robot
from taut.robot import Drive

RATE = 1000.0
CHUNK = 100_000
NOISE = 0.02
"""Of the torque, in parts of its RMS."""


def plant() -> Robot:
    """Return the Panda with rotor inertia and Coulomb, viscous and Stribeck's friction."""
    arm = taut.load("panda").numeric
    drive = Drive(rotor_inertia=0.2, coulomb=0.5, viscous=0.4, stribeck=0.2, stribeck_speed=0.1, smoothing=0.01)
    return Robot(replace(arm, joints=tuple(replace(joint, drive=drive) for joint in arm.joints)))


def write(robot: Robot, samples: int, folder: Path) -> Path:
    """Write the recording, a stretch at a time."""
    rng = np.random.default_rng(1)
    w = 2 * np.pi * rng.uniform(0.05, 0.6, (robot.nv, 6))
    a, b = rng.uniform(-0.3, 0.3, (2, robot.nv, 6)) / (0.5 + w)
    torque = robot.derive("joint_torque", effort="none").compile()
    widths = {"t": (samples,), "q": (samples, robot.nv), "tau": (samples, robot.nv)}
    arrays = {
        name: np.lib.format.open_memmap(folder / f"{name}.npy", "w+", float, shape) for name, shape in widths.items()
    }
    for start in range(0, samples, CHUNK):
        t = np.arange(start, min(start + CHUNK, samples)) / RATE
        phase = t[:, None, None] * w
        s, c = np.sin(phase), np.cos(phase)
        q, qd = (a * s + b * c).sum(2), (w * (a * c - b * s)).sum(2)
        tau = torque(q, qd, (-w * w * (a * s + b * c)).sum(2))
        at = slice(start, start + len(t))
        arrays["t"][at], arrays["q"][at] = t, q + 1e-5 * rng.normal(size=q.shape)
        arrays["tau"][at] = tau + NOISE * tau.std(0) * rng.normal(size=tau.shape)
    file = folder / "log.npz"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            array.flush()
            archive.write(folder / f"{name}.npy", f"{name}.npy")
            (folder / f"{name}.npy").unlink()
    return file


def largest_memory(process: Popen[str]) -> float:
    """Return the most memory that a process held before it ended [GB], looked at ten times a second."""
    most = 0.0
    while process.poll() is None:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        most = max([most, *(float(line.split()[1]) * 1e-6 for line in lines if line.startswith("VmHWM"))])
        time.sleep(0.1)
    return most


def main() -> None:
    """Print the figures."""
    samples = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as name:
        folder, robot = Path(name), plant()
        log = write(robot, samples, folder)
        (folder / "robot.toml").write_text(robot.to_toml())
        text = (
            "import sys, time; from taut.cli import main; code = main(sys.argv[1:]); "
            "print(time.process_time(), file=sys.stderr); sys.exit(code)"
        )
        command = [sys.executable, "-c", text, "identify", str(folder / "robot.toml"), str(log), "--json"]
        with open(folder / "out.json", "w") as out:
            process = Popen(command, stdout=out, stderr=PIPE, text=True)
            memory = largest_memory(process)
        assert process.stderr is not None
        said = process.stderr.read().strip().splitlines()
        if process.returncode:
            sys.exit("\n".join(said))
        found = json.loads((folder / "out.json").read_text())
        mean = np.mean(list(found["held_out"].values()))
        print(f"{samples} samples: {float(said[-1]):.1f} s CPU, {memory:.2f} GB, mean held-out error {mean:.2f} %")


if __name__ == "__main__":
    main()
