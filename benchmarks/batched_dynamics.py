"""Batched inverse dynamics and M in Python, compared with Pinocchio and the Robotics Toolbox.

The same 7R arm in every library, the same random states, answers compared before anything is timed.
All run in one process and take turns; the figure is the least process CPU time of a few repeats.
Writes a table to ``benchmarks/results/batched_dynamics.md``.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

import taut
from taut.report.machine import processor
from taut.report.peers import PEERS

ROBOT = "iiwa14"
COUNTS = (1, 1_000, 100_000)
REPEATS = 5
SECONDS = 20.0
"""CPU time after which a slow library's repeats of one size end."""
SAME = 1e-10
"""Largest relative difference: rounding of seven links, nothing else."""

States = tuple[np.ndarray, np.ndarray, np.ndarray]
Function = Callable[[States], np.ndarray]
Peer = dict[str, Function]


def taut_peer(robot: taut.Robot) -> Peer:
    def one_or_many(states: States) -> States:
        """Return a single state as plain vectors, the way a user would give it."""
        return tuple(x[0] for x in states) if len(states[0]) == 1 else states

    return {
        "inverse dynamics": lambda s: robot.inverse_dynamics(*one_or_many(s)).reshape(-1, robot.nv),
        "M": lambda s: robot.mass_matrix(one_or_many(s)[0]).reshape(-1, robot.nv, robot.nv),
    }


def looping(robot: taut.Robot) -> Peer:
    """Return Pinocchio's functions, called for one state after the other."""
    asked = PEERS["pin"].build(robot.numeric)

    def loop(name: str, width: int) -> Function:
        call, whole = asked[name]
        return lambda s: np.array([whole(call(*state)) for state in zip(*s[:width], strict=True)])

    return {"inverse dynamics": loop("inverse_dynamics", 3), "M": loop("mass_matrix", 1)}


def toolbox_peer(robot: taut.Robot) -> Peer:
    """Return the Robotics Toolbox's functions, which take a batch at once."""
    asked = PEERS["rtb"].build(robot.numeric)
    return {
        "inverse dynamics": lambda s: np.atleast_2d(asked["inverse_dynamics"].call(*s)),
        "M": lambda s: asked["mass_matrix"].call(s[0]).reshape(-1, robot.nv, robot.nv),
    }


CONTESTANTS: dict[str, tuple[str, Callable[[taut.Robot], Peer]]] = {
    "taut, one call": ("taut", taut_peer),
    "Pinocchio, a Python loop": ("pin", looping),
    "Robotics Toolbox, one call": ("roboticstoolbox-python", toolbox_peer),
}


def timed(functions: dict[str, Function], states: States) -> dict[str, float]:
    """Return the least CPU time of each function, their repeats interleaved."""
    best = dict.fromkeys(functions, float("inf"))
    spent = dict.fromkeys(functions, 0.0)
    for _ in range(REPEATS if len(states[0]) > 1 else 50 * REPEATS):
        for name, function in functions.items():
            if spent[name] < SECONDS:
                start = time.process_time()
                function(states)
                took = time.process_time() - start
                best[name], spent[name] = min(best[name], took), spent[name] + took
    return best


def main() -> None:
    """Compare, time, print and write the table."""
    robot = taut.load(ROBOT)
    peers, absent = {}, []
    for name, (package, build) in CONTESTANTS.items():
        try:
            peers[f"{name} ({package} {version(package)})"] = build(robot)
        except ImportError as error:
            absent.append(f"- {name}: not measured, {package} does not import here ({error})")
    rng = np.random.default_rng(1)
    rows = []
    for count in COUNTS:
        states = tuple(rng.uniform(-2, 2, (count, robot.dof)) for _ in range(3))
        for question in ("inverse dynamics", "M"):
            functions = {name: peer[question] for name, peer in peers.items()}
            few = tuple(x[:100] for x in states)
            expected, *others = (function(few) for function in functions.values())
            for other in others:
                difference = np.abs(other - expected).max() / np.abs(expected).max()
                assert difference < SAME, f"{question}: the libraries differ by {difference:.1e}"
            best = timed(functions, states)
            rows.append([question, f"{count:,}", *(f"{seconds / count * 1e6:.3g}" for seconds in best.values())])
            print(*rows[-1], sep="\t", flush=True)
    lines = [
        f"# Batched dynamics of {ROBOT} (7R), microseconds of CPU time a state",
        "",
        f"{processor()}, Python {platform.python_version()}, NumPy {np.__version__}; one process, the libraries take",
        f"turns, least of {REPEATS} repeats; answers agree to {SAME:g} before timing. Made by `make bench`.",
        "",
        "| " + " | ".join(["question", "states", *peers]) + " |",
        "|---" * (2 + len(peers)) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
        *([""] if absent else []),
        *absent,
    ]
    text = "\n".join(lines) + "\n"
    results = Path(__file__).parent / "results" / "batched_dynamics.md"
    results.parent.mkdir(exist_ok=True)
    results.write_text(text, encoding="utf-8")
    print(f"\n{text}")


if __name__ == "__main__":
    main()
