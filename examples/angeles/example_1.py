"""Example 1 of Angeles, Ma and Rojas (1989): torques of the Stanford arm along cycloidal motions, figures 4 and 5.

The signs of the twists in the paper's Table 2 are lost in print, and so is the sense in which joint 3 moves. Five
readings are computed; they have the same figure 4 but for joint 3, and different torques.

    python examples/angeles/example_1.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import taut
from taut.trajectory import Trajectory, point_to_point

READINGS = {
    "A": (0, 90, 90, 0, 90, 90),
    "B": (0, -90, 90, 0, -90, 90),
    "C": (0, -90, 90, 0, 90, -90),
    "C extending": (0, -90, 90, 0, 90, -90),
    "D": (0, 90, -90, 0, 90, -90),
}
"""Twists in degrees: as the tokens left in print have them, as Paul has them, with the boom up, and mirrored."""

SECONDS = 10.0

LINKS = (
    (9.0, (0, 0, -0.1), (0.02, 0.01, 0.01)),
    (6.0, (0, 0, 0), (0.05, 0.01, 0.06)),
    (4.0, (0, 0, 0), (0.4, 0.4, 0.01)),
    (1.0, (0, 0, 0.1), (0.001, 0.0005, 0.001)),
    (0.6, (0, 0.06, 0), (0.0005, 0.0002, 0.0005)),
    (0.5, (0, 0, 0), (0.003, 0.001, 0.002)),
)
"""Mass [kg], mass centre [m] and principal moments about it [kg m^2] of each link."""


def stanford(reading: str) -> taut.Robot:
    """Return the arm in one reading of Table 2; the paper's b is -d."""
    rows = []
    offsets = (0.1, 0.1, 0, 0.6, 0, 0)
    for k, (twist, d, (mass, com, (x, y, z))) in enumerate(zip(READINGS[reading], offsets, LINKS, strict=True)):
        link = {"mass": mass, "com": list(com), "inertia": [x, 0, y, 0, 0, z], "about": "com"}
        kind = "prismatic" if k == 2 else "revolute"
        rows.append({"a": 0, "alpha": f"{twist} deg", "d": d, "theta": 0, "kind": kind, "link": link})
    return taut.from_dh("modified", rows, name=f"stanford {reading}", gravity=[0, 0, -9.81])


def motion(reading: str, count: int = 201) -> Trajectory:
    """Return the joint motion: theta_i(0) + A_i (t - sin(B t) / B), a cycloid over 10 s."""
    rates = np.array([np.pi / 30, -np.pi / 60, 0.01, np.pi / 30, np.pi / 30, np.pi / 30])
    if reading != "C extending":
        rates[2] = -rates[2]  # b_3 runs against the axis
    start = np.array([0, np.pi / 2, 0, 0, 0, 0])
    return point_to_point(start, start + SECONDS * rates, SECONDS, law="cycloidal", count=count)


def main(folder: Path) -> None:
    """Draw figures 4 and 5 into a folder."""
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    planned = motion("A")
    for k in (0, 1, 3, 4, 5):
        left.plot(planned.t, planned.q[:, k], label=rf"$\theta_{k + 1}$")
    right.plot(planned.t, -planned.q[:, 2], label="$b_3$")
    left.set(xlabel="t [s]", ylabel="angle [rad]", title="Example 1, figure 4: joint motions")
    right.set(xlabel="t [s]", ylabel="length [m]")
    for axes in (left, right):
        axes.legend()
    figure.savefig(folder / "angeles_figure_4.svg")
    figure, places = plt.subplots(2, 3, figsize=(9, 5), layout="constrained", sharex=True)
    for reading in READINGS:
        torques = stanford(reading).torques(motion(reading))
        for k, axes in enumerate(places.ravel()):
            axes.plot(torques.trajectory.t, torques.tau[:, k], label=reading)
            axes.set(title="force 3 [N], along Z" if k == 2 else f"torque {k + 1} [N m]")
    places[0, 0].legend(fontsize="small")
    for axes in places[1]:
        axes.set(xlabel="t [s]")
    figure.suptitle("Example 1, figure 5: drives, in five readings of Table 2")
    figure.savefig(folder / "angeles_figure_5.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
