"""Energy drift and order of convergence of the integrators, as a table and a figure.

    python examples/motion/integrators.py OUTPUT_FOLDER

Drift: the largest |E(t) - E(0)| without torque, over the largest kinetic energy, of the double pendulum and of puma560,
both undamped, in 60 s; with fixed steps also in 600 s, which is the same where the error is bounded.
Order: the error after half a second against the step, or against the tolerance for the integrators with error control;
the reference is RK4 with steps 16 times shorter than the shortest.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import taut

RUNS = {
    "rk4, 1 ms": {"method": "rk4"},
    "variational, 1 ms": {"method": "variational"},
    "semi_implicit, 1 ms": {"method": "semi_implicit"},
    "DOP853, tolerance 1e-13": {"method": "DOP853", "tolerance": 1e-13},
    "LSODA, tolerance 1e-12": {"method": "LSODA", "tolerance": 1e-12},
}
STEPS = {
    "rk4": 0.5 / np.array([25, 50, 100, 200, 400]),
    "variational": 0.5 / np.array([50, 100, 200, 400, 800]),
    "semi_implicit": 0.5 / np.array([50, 100, 200, 400, 800]),
}
TOLERANCES = 10.0 ** -np.arange(4, 13, 2)
ADAPTIVE = ("DOP853", "RK45", "Radau", "LSODA")


def robots() -> dict[str, tuple[taut.Robot, list[float], list[float]]]:
    """Return the robots with the state each starts from."""
    pendulum = taut.load("double_pendulum").with_values({"m1": 1.0, "L1": 1.0, "m2": 1.0, "L2": 1.0})
    return {
        "double pendulum": (pendulum, [1.5, 0.5], [0.0, 0.0]),
        "puma560": (taut.load("puma560"), [0.1] * 6, [1.0, -1.0, 1.0, 1.0, -1.0, 1.0]),
    }


def drift_table() -> str:
    """Return the drift and its growth, a row an integrator."""
    columns = [f"{name}, {time}" for name in robots() for time in ("60 s", "600 s")]
    lines = ["| integrator | " + " | ".join(columns) + " |", "|---" * (1 + len(columns)) + "|"]
    for title, options in RUNS.items():
        cells = []
        for robot, q0, qd0 in robots().values():
            fixed = options["method"] in STEPS
            times = np.linspace(0, 600, 60001) if fixed else np.linspace(0, 60, 6001)
            found = robot.simulate(q0, qd0, t=times, **options)
            error = np.abs(found.energy_error) / found.energy[:, 0].max()
            cells += [f"{error[:6001].max():.1e}", f"{error.max():.1e}" if fixed else ""]
        lines.append(f"| `{title.partition(',')[0]}`,{title.partition(',')[2]} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def convergence(path: Path) -> str:
    """Write the figure and return the measured orders."""
    robot, q0, qd0 = robots()["puma560"]
    tau = np.array([5.0, -10.0, 5.0, 1.0, -1.0, 0.5])

    def end(**options: object) -> np.ndarray:
        found = robot.simulate(q0, qd0, tau, t=[0.0, 0.5], **options)
        return np.concatenate([found.q[-1], found.qd[-1]])

    best = end(step=STEPS["rk4"][-1] / 16)
    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    rows = []
    for method, steps in STEPS.items():
        errors = [np.abs(end(method=method, step=step) - best).max() for step in steps]
        order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
        rows.append(f"| `{method}` | {order:.2f} |")
        left.loglog(steps, errors, "o-", label=f"{method}, order {order:.2f}")
    for method in ADAPTIVE:
        errors = [np.abs(end(method=method, tolerance=x) - best).max() for x in TOLERANCES]
        right.loglog(TOLERANCES, errors, "o-", label=method)
    right.loglog(TOLERANCES, TOLERANCES, "k:", label="tolerance")
    left.set_xlabel("step [s]")
    right.set_xlabel("tolerance")
    left.set_ylabel("error after 0.5 s [rad, rad/s]")
    for axes in (left, right):
        axes.legend(fontsize="small")
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return "\n".join(["| integrator | order measured |", "|---|---|", *rows])


def main(folder: str) -> None:
    """Write ``integrators.md`` and ``convergence.svg``."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    text = f"{drift_table()}\n\n{convergence(place / 'convergence.svg')}\n"
    place.joinpath("integrators.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "integrators")
