"""How fast are batched inverse dynamics and M in Python, beside Pinocchio and the Robotics Toolbox?

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
from machine import processor

import taut
from taut.spatial import Inertia

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


def pinocchio_peer(robot: taut.Robot) -> Peer:
    import pinocchio

    model = pinocchio.Model()
    body = 0
    for i, joint in enumerate(robot.numeric.joints):
        pose, inertia = robot.numeric.rest_poses[i], joint.link.inertia
        place = pinocchio.SE3(_matrix(pose.R.matrix.rows), _vector(pose.p))
        body = model.addJoint(body, pinocchio.JointModelRZ(), place, joint.name)
        model.appendBodyToJoint(body, pinocchio.Inertia(*_about_centre(inertia)), pinocchio.SE3.Identity())
    data = model.createData()

    def mass_matrix(states: States) -> np.ndarray:
        upper = np.array([pinocchio.crba(model, data, q) for q in states[0]])
        return np.triu(upper) + np.triu(upper, 1).swapaxes(1, 2)

    return {
        "inverse dynamics": lambda s: np.array([pinocchio.rnea(model, data, *state) for state in zip(*s, strict=True)]),
        "M": mass_matrix,
    }


def toolbox_peer(robot: taut.Robot) -> Peer:
    import roboticstoolbox

    links = []
    for i, joint in enumerate(robot.numeric.joints):
        pose = robot.numeric.rest_poses[i]
        turned, p = _matrix(pose.R.matrix.rows), _vector(pose.p)  # Rx(alpha) Tx(a) Tz(d): a modified DH row
        dh = {"alpha": np.arctan2(turned[2, 1], turned[2, 2]), "a": p[0], "d": p @ turned[:, 2]}
        m, r, tensor = _about_centre(joint.link.inertia)
        inertia = [tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[1, 2], tensor[0, 2]]
        drive = {"Jm": 0, "G": 1, "B": 0, "Tc": [0, 0]}
        links.append(roboticstoolbox.RevoluteMDH(**dh, m=m, r=r, I=inertia, **drive))
    arm = roboticstoolbox.DHRobot(links, gravity=_vector(robot.gravity_acceleration))
    return {
        "inverse dynamics": lambda s: np.atleast_2d(arm.rne(*s)),
        "M": lambda s: arm.inertia(s[0]).reshape(-1, arm.n, arm.n),
    }


PEERS: dict[str, tuple[str, Callable[[taut.Robot], Peer]]] = {
    "taut, one call": ("taut", taut_peer),
    "Pinocchio, a Python loop": ("pin", pinocchio_peer),
    "Robotics Toolbox, one call": ("roboticstoolbox-python", toolbox_peer),
}


def _vector(v: object) -> np.ndarray:
    return np.array([float(x) for x in v])  # type: ignore[attr-defined]


def _matrix(rows: object) -> np.ndarray:
    return np.array([_vector(row) for row in rows])  # type: ignore[attr-defined]


def _about_centre(inertia: Inertia) -> tuple[float, np.ndarray, np.ndarray]:
    mass, moment = float(inertia.m), _vector(inertia.h)
    centre = moment / mass
    shift = mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return mass, centre, _matrix(inertia.I.matrix.rows) - shift


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
    for name, (package, build) in PEERS.items():
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
