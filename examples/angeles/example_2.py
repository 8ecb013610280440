"""Example 2 of Angeles, Ma and Rojas (1989): a six-revolute arm along a straight line, figures 6 to 8.

The tool moves along x = 1.33, y = s(t), z = 1.80 m within a second, its orientation kept. Choices where the print is
lost or does not fit:

- theta4(0) is 93.6 degrees, digits exchanged: the printed 39.6 puts the tool 0.56 m below the line, 93.6 within 0.011
m.
- The orientation is that of these initial angles. The first position is the solution on the line nearest to them.
- s(t) is the cubic spline with zero speed and acceleration at both ends, from 0 to 0.5 m: its range is not to be read.
- Mass centres and inertias are as printed, though they suggest another origin; torques in figure 8 depend on them.

    python examples/angeles/example_2.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import taut
from taut.trajectory import Line, Trajectory, spline_at_rest
from taut.trajectory.line import along

INITIAL = np.radians([0, 68.5, -135, 93.6, 90, 90])
PLACE, RANGE, SECONDS = np.array([1.33, 0.0, 1.80]), 0.5, 1.0


def tool_path(robot: taut.Robot, count: int = 201) -> Line:
    """Return the straight line of the tool."""
    start = robot.forward_kinematics(INITIAL)
    start[:3, 3] = PLACE
    s = spline_at_rest([0.0, SECONDS], [[0.0], [1.0]], count)
    end = PLACE + np.array([0, RANGE, 0])
    return along(start, end, s.t, *(x[:, 0] for x in (s.q, s.qd, s.qdd)))


def joint_motion(robot: taut.Robot, count: int = 201) -> tuple[Line, Trajectory]:
    """Return the line and the joint motion along it, by continuation from the initial position."""
    line = tool_path(robot, count)
    return line, robot.along(line, INITIAL)


def main(folder: Path) -> None:
    """Draw figures 6, 7 and 8 into a folder."""
    import matplotlib.pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    robot = taut.load("sixr_thomas_tesar")
    line, motion = joint_motion(robot)
    torques = robot.torques(motion)
    figure, (path, angles, drives) = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    path.plot(line.t, line.pose[:, 1, 3])
    path.set(xlabel="t [s]", ylabel="y [m]", title="figure 6: the spline")
    for k in range(6):
        angles.plot(motion.t, np.degrees(motion.q[:, k]), label=rf"$\theta_{k + 1}$")
        drives.plot(motion.t, torques.tau[:, k] / 1000, label=rf"$\tau_{k + 1}$")
    angles.set(xlabel="t [s]", ylabel="angle [deg]", title="figure 7: joint motions")
    drives.set(xlabel="t [s]", ylabel="torque [kN m]", title="figure 8: drives")
    for axes in (angles, drives):
        axes.legend(fontsize="small")
    figure.savefig(folder / "angeles_figures_6_7_8.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
