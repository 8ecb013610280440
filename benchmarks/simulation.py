"""Measure simulation by RK4: taut's loop, the same loop over Pinocchio from Python, and MuJoCo's.

All integrate the same model (taut's own, written as URDF) at 1 kHz, without contacts and limits. taut and the loop over
``pin.aba`` run computed torque; MuJoCo's ``mj_step`` runs without a controller, all steps in one call, which is the
fastest it offers. The motions are compared before anything is timed. All run in one process and take turns; the
figures are the least process CPU time of a few repeats, and for two threads the least time by the clock.
Writes a table to ``benchmarks/results/simulation.md``.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin

import taut
from taut.control import ComputedTorque, Following
from taut.report.machine import processor
from taut.simulate.sampled import Sampled

ROBOT = "panda"
STEP, REPEATS = 1e-3, 7
SECONDS = 10.0
"""Simulated by one state."""
STATES, SPAN = 1000, 1.0
"""Initial states at once, and the seconds that they are simulated for."""
SHORT = 2.0
"""Seconds after which motions are compared; without torque small differences grow."""
KP, KD = 100.0, 20.0
SAME = 1e-9
"""Largest difference of the positions after a second [rad]."""

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7])
SWING = np.linspace(0.1, 0.4, 7)


def reference(times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the motion to follow: a swing of every joint."""
    s, c = np.sin(3 * times)[:, None], np.cos(3 * times)[:, None]
    return START + SWING * s, 3 * SWING * c, -9 * SWING * s


def pinocchio_loop(model: pin.Model, seconds: float = SECONDS) -> np.ndarray:
    """Return the position after the time, by RK4 in Python over ``pin.aba`` with computed torque."""
    data = model.createData()

    def field(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        q_ref, v_ref, a_ref = (x[0] for x in reference(np.array([t])))
        tau = pin.rnea(model, data, q, v, a_ref + KD * (v_ref - v) + KP * (q_ref - q))
        return pin.aba(model, data, q, v, tau)

    q, v, h = START.copy(), np.zeros(7), STEP
    for k in range(round(seconds / STEP)):
        t = k * STEP
        a1 = field(t, q, v)
        v2 = v + h / 2 * a1
        a2 = field(t + h / 2, q + h / 2 * v, v2)
        v3 = v + h / 2 * a2
        a3 = field(t + h / 2, q + h / 2 * v2, v3)
        v4 = v + h * a3
        a4 = field(t + h, q + h * v3, v4)
        q = q + h / 6 * (v + 2 * (v2 + v3) + v4)
        v = v + h / 6 * (a1 + 2 * (a2 + a3) + a4)
    return q


def mujoco_model(urdf: str) -> mujoco.MjModel:
    """Return MuJoCo's model with RK4, without contacts, limits and friction."""
    model = mujoco.MjModel.from_xml_string(urdf)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = STEP
    for flag in ("CONTACT", "CONSTRAINT", "LIMIT", "FRICTIONLOSS"):
        model.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}"))
    return model


def least(runs: dict[str, Callable[[], object]], clock: Callable[[], float]) -> dict[str, float]:
    """Return the least time of each of several functions that take turns."""
    times: dict[str, float] = {}
    for _ in range(REPEATS):
        for name, run in runs.items():
            started = clock()
            run()
            times[name] = min(times.get(name, np.inf), clock() - started)
    return times


def main() -> None:
    """Compare, measure, write."""
    robot = taut.load(ROBOT)
    rotors = [joint.drive.rotor_inertia for joint in robot.numeric.joints]
    assert not any(rotors), "Pinocchio would need armatures"
    urdf = robot.to_urdf()
    model, peer = pin.buildModelFromXML(urdf), mujoco_model(urdf)
    data = mujoco.MjData(peer)
    law = Following(ComputedTorque(KP, KD), reference)
    starts = START + 0.1 * np.random.default_rng(0).normal(size=(STATES, 7))

    def ended(q0: np.ndarray = START, torque: object = law, seconds: float = SECONDS, threads: int = 1) -> np.ndarray:
        return robot.simulate(q0, torque=torque, t=[0.0, seconds], step=STEP, threads=threads).q

    def by_mujoco(seconds: float = SECONDS) -> np.ndarray:
        mujoco.mj_resetData(peer, data)
        data.qpos[:] = START
        mujoco.mj_step(peer, data, round(seconds / STEP))
        return data.qpos.copy()

    assert np.abs(ended(seconds=SHORT)[-1] - pinocchio_loop(model, SHORT)).max() < SAME
    assert np.abs(ended(torque=None, seconds=SHORT)[-1] - by_mujoco(SHORT)).max() < SAME
    assert np.abs(ended(starts[:40], seconds=SHORT)[7] - ended(starts[7], seconds=SHORT)).max() < SAME
    single = least(
        {
            "taut, computed torque at every stage": ended,
            "taut, computed torque sampled at 1 kHz": lambda: ended(torque=Sampled(law, STEP)),
            "taut, computed torque at every stage, all points stored": lambda: robot.simulate(
                START, torque=law, t=SECONDS, step=STEP
            ),
            "taut, no torque": lambda: ended(torque=None),
            "loop over pin.aba and pin.rnea in Python, computed torque at every stage": lambda: pinocchio_loop(model),
            "MuJoCo, no torque, all steps in one call": by_mujoco,
        },
        time.process_time,
    )
    batch = {"one": lambda: ended(seconds=SPAN * 10), "batch": lambda: ended(starts, seconds=SPAN)}
    batch["two"] = lambda: ended(starts, seconds=SPAN, threads=2)
    many, walls = least(batch, time.process_time), least(batch, time.perf_counter)
    mine, steps = single["taut, computed torque at every stage"], SECONDS / STEP
    rows = [f"| {name} | {1e6 * t / steps:.2f} | {t / mine:.1f} |" for name, t in single.items()]
    per_core = STATES / 10 * many["one"] / many["batch"]
    lines = [
        "# Simulation beside Pinocchio and MuJoCo",
        "",
        f"`{ROBOT}`, {SECONDS:g} s by RK4 at {1 / STEP:.0f} Hz, without contacts and limits; one call of",
        "`robot.simulate`, its checks and its result included. Written by `benchmarks/simulation.py`.",
        "",
        f"{processor()}; Python {platform.python_version()}, pin {version('pin')}, mujoco {version('mujoco')}; "
        f"least process time of {REPEATS} repeats.",
        "",
        "| simulation | us a step | over taut's |",
        "|---|---|---|",
        *rows,
        "",
        f"{STATES} initial states at once against the compiled loop for one state, computed torque:",
        "",
        "| | times as fast |",
        "|---|---|",
        f"| one core, process time | {per_core:.2f} |",
        f"| one thread, by the clock | {STATES / 10 * walls['one'] / walls['batch']:.2f} |",
        f"| two threads, process time of both | {STATES / 10 * many['one'] / many['two']:.2f} |",
        f"| two threads, by the clock | {STATES / 10 * walls['one'] / walls['two']:.2f} |",
        "",
    ]
    text = "\n".join(lines)
    Path(__file__).parent.joinpath("results", "simulation.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
