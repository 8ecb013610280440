"""Measure simulation with M, b, c and g of the explicit equations held for k steps, for puma560.

Armstrong's second use of his decomposition: the coefficients change slowly, and a step with them held is a few sums
and one solution of a linear system [Armstrong, Khatib, Burdick 1986]. RK4 at 1 kHz for a second, released from a state
in motion, with the full coefficients and with those abbreviated at 1 percent; the error is against forward dynamics at
every stage. Writes a table to ``benchmarks/results/held_coefficients.md``.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

import taut
from taut.derive.traced import exact_function
from taut.reduce.functions import abbreviated_function
from taut.report.machine import processor
from taut.simulate.parts import held_accelerations

HOLDS = (1, 2, 4, 8, 16)
REPEATS, SECONDS = 15, 1.0


def main() -> None:
    """Measure and write."""
    robot = taut.load("puma560")
    q0, qd0 = [0.1, -0.4, 0.5, 0.2, 0.3, 0.1], [1.0, -1.0, 1.0, 1.0, -1.0, 1.0]
    short = abbreviated_function(robot.explicit().abbreviate(0.01), "explicit", effort="none")
    models = {"full": exact_function(robot.numeric, "explicit"), "abbreviated": short}
    exact = robot.simulate(q0, qd0, t=SECONDS)
    plain: dict[str, object] = {}
    runs = {("forward dynamics", 0): plain}
    for name, function in models.items():
        for hold in HOLDS:
            runs[name, hold] = {"hold": hold, "coefficients": function}
    errors = {key: np.abs(robot.simulate(q0, qd0, t=SECONDS, **run).q - exact.q).max() for key, run in runs.items()}
    times = dict.fromkeys(runs, np.inf)
    for _ in range(REPEATS):
        for key, run in runs.items():
            started = time.process_time()
            robot.simulate(q0, qd0, t=[0.0, SECONDS], **run)
            times[key] = min(times[key], time.process_time() - started)
    forward = exact_function(robot.numeric, "forward_dynamics").operations.total
    lines = [
        "# Coefficients held for k steps",
        "",
        f"`puma560`, RK4 at 1 kHz for {SECONDS:g} s; {processor()}; least process time of {REPEATS} repeats,",
        "everything that `robot.simulate` does included. Written by `benchmarks/held_coefficients.py`.",
        "",
        "| coefficients | k | largest error [rad] | us a step | operations a step |",
        "|---|---|---|---|---|",
        f"| forward dynamics at every stage | | 0 | {1e3 * times['forward dynamics', 0]:.2f} | {4 * forward} |",
    ]
    for name, function in models.items():
        each = held_accelerations(robot.numeric, function).operations.total
        for hold in HOLDS:
            cost = 4 * each + function.operations.total / hold
            took = 1e3 * times[name, hold]
            lines.append(f"| {name} | {hold} | {errors[name, hold]:.1e} | {took:.2f} | {cost:.0f} |")
    text = "\n".join([*lines, ""])
    Path(__file__).parent.joinpath("results", "held_coefficients.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
