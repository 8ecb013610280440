"""Izaguirre's trajectory following (his figures 6 to 9) on the PUMA 260, in simulation.

    python examples/motion/izaguirre.py OUTPUT_FOLDER

The torques that the model of Table 2 needs for a motion, friction included, are fed to the arm in open loop, and the
error of the motion is drawn [Izaguirre, Hashimoto, Paul, Hayward 1992, section 7.2 and appendix B]. The arm is the same
model with parameters drawn from their measured spread (Table 2, kept between minimum and maximum) and with friction
that sticks. The model's parameters are averages over ten trajectories: the arms of the figures differ from it by normal
errors with the standard deviation of such an average, the deviation of Table 2 over the root of ten. A second table has
arms that differ by the deviation of a single trajectory. Both are drawn parameter by parameter; the errors of a fit are
correlated and cancel in the torque, so that these arms are worse than his. The paper does not say everything; chosen
here:

* each joint moves by 90 degrees, by a 3-4-5 polynomial: 0.94 s with 180 degrees/s at its fastest ("fast"), 4 s
  ("slow"); joint 1 about 0, joint 2 about -45, joint 3 about 90 degrees; the wrist is held at zero, and so are the
  other two of the first three joints where a joint moves alone;
* torques are computed every 10 ms and held; in the two-rate evaluation M, gravity and velocity torques are computed
  every 20 ms, his time for them on an 8087, and M qdd plus the rest every 10 ms;
* on-line gravity compensation replaces g of the nominal position by g of the actual one, every 10 ms;
* five arms, seed 0. A draw whose mass matrix is not positive definite along the motion is drawn again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import taut
from taut.simulate.sampled import Sampled
from taut.trajectory import Trajectory, point_to_point

ARMS, TRAJECTORIES, SEED = 5, 10, 0
FAST, SLOW = 0.94, 4.0
PERIOD, BACKGROUND, STEP = 0.010, 0.020, 0.010
MIDDLE = np.deg2rad([0.0, -45.0, 90.0])
JOINTS = ("joint1", "joint2", "joint3")
WRIST = {"joint4": 0.0, "joint5": 0.0, "joint6": 0.0}
RANGES = {
    **{"ia1": (0.069620, 0.115515), "ia2": (0.084086, 0.205561), "ia3": (0.0, 0.046165)},
    **{"m6": (2.395409, 2.971715), "z6": (0.002290, 0.022369), "y4": (-0.423311, -0.315692)},
    **{"Ixx4": (0.036028, 0.118200), "Izz4": (0.033405, 0.118039)},
    **{"fs1": (0.703532, 0.861973), "fs2": (1.080681, 1.711836), "fs3": (0.593681, 0.751500)},
    **{"ds1": (0.465081, 0.685223), "ds2": (0.558198, 1.362454), "ds3": (0.292471, 0.589464)},
}
"""Minimum and maximum of Table 2 of the parameters that move the first three joints; ia3 is cut off at 0."""

FIGURES = {
    "6": ("each joint alone", False, False),
    "7": ("joints together", True, False),
    "8": ("each joint alone, on-line gravity compensation", False, True),
    "9": ("joints together, on-line gravity compensation", True, True),
}
"""Number: title, whether the joints move together, whether gravity is compensated on line."""


def arms(robot: taut.Robot, share: float) -> list[taut.Robot]:
    """Return the robots whose parameters are drawn with a share of the measured deviation."""
    rng = np.random.default_rng(SEED)
    found: list[taut.Robot] = []
    grid = np.stack(np.meshgrid(*(m + np.linspace(-0.8, 0.8, 5) for m in MIDDLE)), axis=-1).reshape(-1, 3)
    while len(found) < ARMS:
        values = {}
        for name, (low, high) in RANGES.items():
            known = robot.tree.values[name]
            values[name] = float(np.clip(rng.normal(known.value, share * known.tolerance), low, high))
        arm = robot.with_values(values)
        M = arm.mass_matrix(np.concatenate([grid, np.zeros_like(grid)], axis=-1))[:, :3, :3]
        if np.linalg.eigvalsh(M).min() > 0.005:
            found.append(arm)
    return found


def motion(joints: tuple[int, ...], seconds: float) -> Trajectory:
    """Return the nominal motion of the joints that move, every quarter of a period."""
    count = round(seconds / (PERIOD / 4)) + 1
    middle = MIDDLE[list(joints)]
    return point_to_point(middle - np.pi / 4, middle + np.pi / 4, seconds, "3-4-5", count)


def torque(
    model: taut.Robot, nominal: Trajectory, online: bool, two_rate: bool
) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
    """Return the computed torque as a function of time, and of the position where gravity is compensated on line."""
    names = ("joint_torque", "mass_matrix", "gravity")
    needed, matrix, gravity = (model.derive(name, effort="none").compile() for name in names)

    def at(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        k = min(round(t / (PERIOD / 4)), len(nominal.t) - 1)
        return nominal.q[k], nominal.qd[k], nominal.qdd[k]

    def applied(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        q_ref, qd_ref, qdd_ref = at(t)
        if two_rate:
            old_q, old_qd, _ = at(BACKGROUND * np.floor(t / BACKGROUND * (1 + 1e-12)))
            rest = needed(old_q, old_qd, np.zeros_like(old_qd))
            tau = matrix(old_q) @ qdd_ref + rest
            old = old_q
        else:
            tau, old = needed(q_ref, qd_ref, qdd_ref), q_ref
        return tau + gravity(q) - gravity(old) if online else tau

    return applied


def errors(
    model: taut.Robot, plants: list[taut.Robot], joints: tuple[int, ...], seconds: float, online: bool, two_rate: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and the errors (arms, times, joints) [degrees]."""
    others = {JOINTS[k]: float(MIDDLE[k]) for k in range(3) if k not in joints}
    held = {**WRIST, **others}
    nominal = motion(joints, seconds)
    law = torque(model.lock(held), nominal, online, two_rate)
    times = nominal.t[::4]
    found = []
    for plant in plants:
        run = plant.lock(held).simulate(nominal.q[0], torque=Sampled(law, PERIOD), t=times, step=STEP, drives=True)
        found.append(np.rad2deg(run.q - nominal.q[::4]))
    return times, np.array(found)


def row_of(
    model: taut.Robot, plants: list[taut.Robot], together: bool, seconds: float, online: bool, two_rate: bool
) -> tuple[list[str], list[tuple[np.ndarray, np.ndarray]]]:
    """Return the cells of a table's row, and times and errors (arms, times) of each joint."""
    cells, curves = [], []
    for joints in [(0, 1, 2)] if together else [(0,), (1,), (2,)]:
        times, error = errors(model, plants, joints, seconds, online, two_rate)
        for column in range(len(joints)):
            worst = np.abs(error[:, :, column]).max(axis=1) / 0.9
            cells.append(f"{np.median(worst):.1f} ({worst.max():.1f})")
            curves.append((times, error[:, :, column]))
    return cells, curves


def main(folder: str) -> None:
    """Write the figures and the tables of the errors."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    model = taut.load("puma260")
    head = ["| figure | evaluation | speed | joint 1 | joint 2 | joint 3 |", "|---|---|---|---|---|---|"]
    means, singles = [*head], [*head]
    plants, rough = arms(model, TRAJECTORIES**-0.5), arms(model, 1.0)
    for number, (title, together, online) in FIGURES.items():
        figure = Figure(figsize=(10, 5.5), layout="constrained")
        axes = figure.subplots(2, 3, sharey="row")
        for row, (speed, seconds) in enumerate((("slow", SLOW), ("fast", FAST))):
            cells, curves = row_of(model, plants, together, seconds, online, False)
            means.append(f"| {number}, {title} | one rate | {speed} | " + " | ".join(cells) + " |")
            for joint, (times, error) in enumerate(curves):
                axes[row, joint].plot(times, error.T, linewidth=0.8)
                axes[row, joint].set_title(f"joint {joint + 1}, {speed}", fontsize="small")
            cells, _ = row_of(model, plants, together, seconds, online, True)
            means.append(f"| {number}, {title} | two rates | {speed} | " + " | ".join(cells) + " |")
            cells, _ = row_of(model, rough, together, seconds, online, False)
            singles.append(f"| {number}, {title} | one rate | {speed} | " + " | ".join(cells) + " |")
        for axis in axes.ravel():
            axis.axhline(0.0, color="k", linewidth=0.5)
            axis.set_xlabel("t [s]", fontsize="small")
        for axis in axes[:, 0]:
            axis.set_ylabel("error [degrees]", fontsize="small")
        figure.suptitle(f"Figure {number}: {title}")
        figure.savefig(place / f"izaguirre_{number}.svg")
    what = f"Largest error along the motion in percent of 90 degrees: median of {ARMS} arms (the worst arm)."
    lines = [what, "", "Arms that differ by the deviation of an average of ten:", "", *means, ""]
    lines += ["Arms that differ by the deviation of a single trajectory:", "", *singles, ""]
    text = "\n".join(lines)
    place.joinpath("izaguirre.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "izaguirre")
