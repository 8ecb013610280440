"""The measured recordings: a robot file and a mapping for each, and the rows of the table of held-out errors.

Read from the folder that the environment variable TAUT_RECORDINGS names.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from taut.api import Robot, identify
from taut.formats.dh import from_dh
from taut.identify.estimate.identification import Identification, Settings
from taut.identify.estimate.split import Split
from taut.recordings.mapping import Mapping
from taut.recordings.read import read_recording
from taut.recordings.recording import Recording

FOLDER = Path(os.environ.get("TAUT_RECORDINGS", "/nonexistent"))
MISSING = "TAUT_RECORDINGS names no folder of recordings"

HALF = np.pi / 2


@dataclass(frozen=True)
class Row:
    """A row of the table: what is fitted, what is held out, and the floor to stay below."""

    file: str
    fit: tuple[str, ...]
    test: tuple[str, ...]
    settings: Settings
    floor: tuple[float, ...]


def _settings(cutoff: float, edge: float, **split: float | None) -> Settings:
    return Settings(split=Split(**split), cutoff=cutoff, edge=edge)


ROWS = {
    "tx40, blocks": Row(
        "tx40_figaroh",
        ("",),
        (),
        _settings(20, 0.2, blocks=0.5),
        (5.17, 12.07, 12.74, 12.25, 15.09, 15.67),
    ),
    "tx40, last 30 %": Row("tx40_figaroh", ("",), (), _settings(20, 0.2), (9.19, 15.96, 11.39, 14.69, 63.80, 38.48)),
    "ur10, last 30 %": Row("ur10_unisa2025", ("",), (), _settings(8, 0.3), (14.47, 5.98, 5.17, 10.65, 7.85, 16.56)),
    "ur10, blocks": Row(
        "ur10_unisa2025", ("",), (), _settings(8, 0.3, blocks=2.0), (14.86, 4.12, 4.63, 9.25, 6.06, 22.85)
    ),
    "panda, last 30 %": Row(
        "panda_unisa2025", ("",), (), _settings(4, 0.5), (36.90, 1.96, 2.53, 1.71, 10.70, 7.05, 19.25)
    ),
    "lwr4 1+3 -> 2": Row(
        "lwr4_flobaroid2016",
        ("1", "3"),
        ("2",),
        _settings(8, 0.5, holdout=0.0),
        (24.10, 1.11, 8.99, 1.59, 23.73, 29.78, 68.78),
    ),
    "lwr4 1+2 -> 3": Row(
        "lwr4_flobaroid2016",
        ("1", "2"),
        ("3",),
        _settings(8, 0.5, holdout=0.0),
        (86.18, 9.10, 67.71, 12.29, 140.63, 113.15, 179.19),
    ),
    "kr300 A+C -> B": Row(
        "kr300_weigand2021",
        ("A", "C"),
        ("B",),
        _settings(8, 0.2, holdout=0.0),
        (31.09, 22.77, 15.22, 45.99, 17.97, 29.42),
    ),
    "kr300 A+B -> C": Row(
        "kr300_weigand2021",
        ("A", "B"),
        ("C",),
        _settings(8, 0.2, holdout=0.0),
        (26.03, 23.33, 12.54, 40.15, 23.03, 25.88),
    ),
}

TX40 = np.array(
    [
        [32.0, 0, 0, 0, 0, 0],
        [0, 32, 0, 0, 0, 0],
        [0, 0, 45, 0, 0, 0],
        [0, 0, 0, -48, 0, 0],
        [0, 0, 0, 0, 45, 0],
        [0, 0, 0, 0, 32, 32],
    ]
)

COUPLING = {"tx40_figaroh": [{"drive": "joint6", "joint": "joint5", "ratio": 1.0}]}
SPRING = {"spring_crank": 0.2, "spring_ground": 0.8, "spring_angle": "95 deg", "spring_length": 0.6}
DRIVES = {"kr300_weigand2021": {1: SPRING}}


def robot_of(file: str) -> Robot:
    """Return the robot of a recording, kinematics alone."""
    known = json.loads((FOLDER / f"{file}.json").read_text("utf-8"))
    modified = known["convention"].startswith("modified")
    columns = ("alpha", "a", "d", "theta") if modified else ("a", "alpha", "d", "theta")
    rows = [dict(zip(columns, row, strict=True)) for row in known["kinematics"]]
    for k, drive in DRIVES.get(file, {}).items():
        rows[k]["drive"] = drive
    # The one with its base turned over: gravity is the other way round in its base frame.
    gravity = [0, 0, 9.81] if "base_rotation" in known else known["gravity"]
    description = {"gravity": gravity, "coupling": COUPLING.get(file, [])}
    return Robot(from_dh("modified" if modified else "standard", rows, **description))


def mapping_of(file: str) -> Mapping:
    """Return how the columns of a recording become joint signals."""
    start = np.array([0, -HALF, HALF, 0, 0, 0])
    if file.startswith("tx40"):
        return Mapping(rate=5000.0, position="qm", torque="taum", transmission=TX40, offset=start)
    if file.startswith("kr300"):
        known = json.loads((FOLDER / f"{file}.json").read_text("utf-8"))
        return Mapping(
            rate=250.0,
            position="q_motor_deg",
            torque="taum",
            position_unit="deg",
            gain=np.array(known["gear"]),
            offset=start,
        )
    return Mapping(position="q", torque="tau")


def recordings_of(file: str, parts: tuple[str, ...]) -> list[Recording]:
    """Return recordings of a file."""
    joints = [f"joint{k + 1}" for k in range(robot_of(file).nv)]
    return [read_recording(f"{FOLDER / file}.npz" + (f"#{p}" if p else ""), joints, mapping_of(file)) for p in parts]


def fitted(row: Row) -> Identification[Robot]:
    """Return the identification of a row."""
    train, test = recordings_of(row.file, row.fit), recordings_of(row.file, row.test)
    return identify(robot_of(row.file), train, test, settings=row.settings)


def main() -> None:
    """Print the table."""
    import sys
    import time

    for name, row in ROWS.items():
        if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
            continue
        begun = time.process_time()
        fit = fitted(row)
        held, free = np.array(list(fit.held_out.values())), np.array(list(fit.unconstrained.values()))
        floor = np.array(row.floor)
        change = 100 * (held.mean() / floor.mean() - 1)
        raw, validated, prompt = (
            np.mean(list(e.values())) for e in (fit.held_out_raw, fit.validated, fit.held_out_prompt)
        )
        print(
            f"{name:18s} floor {floor.mean():6.2f}  held out {held.mean():6.2f} ({change:+5.1f} %)"
            f"  not delayed {prompt:6.2f}  unconstrained {free.mean():6.2f}  raw {raw:6.2f}"
            f"  cross-validated {validated:6.2f}  consistent {fit.consistent}  {time.process_time() - begun:.1f} s"
        )
        print("   ", held.round(2), "ratio", (held / floor).round(2), "poor", list(fit.poor))
        print("   ", fit.selection.choice.terms, fit.selection.choice.smoothing, fit.prior_strength)


if __name__ == "__main__":
    main()
