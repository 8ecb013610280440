"""Inverse kinematics beside its peers: time and success on the same poses, in one run.

    python benchmarks/inverse_kinematics.py [--poses 10000] [-o benchmarks/results/inverse_kinematics.md]

Arms with a closed form (ur5e, puma560): taut's generated C, EAIK and ssik, all branches of every pose. Arms with seven
joints (panda, iiwa14): taut, pink and pytracik, one solution within the joint limits. Poses are those of random
positions within the limits. Times are process CPU time; peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import taut

Solved = tuple[float, float]
"""Seconds a pose, and the part of poses solved."""

EXACT = 1e-6
"""Error of a pose that counts as solved, for every contestant [m, rad]."""


def timed(run: Callable[[], np.ndarray], count: int) -> tuple[float, np.ndarray]:
    """Return CPU seconds a pose and what was returned."""
    begin = time.process_time()
    found = run()
    return (time.process_time() - begin) / count, found


def is_solved(robot: taut.Robot, q: np.ndarray, pose: np.ndarray, limited: bool) -> np.ndarray:
    """Return for each position (N, n) whether its pose is the wanted one, and it is within the limits."""
    good = np.isfinite(q).all(axis=-1)
    there = robot.forward_kinematics(np.where(np.isfinite(q), q, 0.0))
    good &= np.abs(there - pose).max(axis=(-1, -2)) < EXACT
    if limited:
        good &= ((q >= robot.limits.lower - 1e-9) & (q <= robot.limits.upper + 1e-9)).all(axis=-1)
    return good


def closed_forms(name: str, count: int) -> list[list[str]]:
    """Return rows of the closed forms of one arm."""
    robot = taut.load(name)
    q = robot.random_position(count, seed=1)
    pose = robot.forward_kinematics(q)
    rows = []
    run = robot.derive("inverse_kinematics").compile()
    flat = np.ascontiguousarray(pose[:, :3].reshape(count, 12))
    out = np.empty((count, 8, 7))
    seconds, found = timed(lambda: run(flat, out), count)
    rows.append(_closed_row(robot, "taut, generated C, batch", seconds, found, pose, q))
    single = np.empty((8, 7))

    def one_by_one() -> np.ndarray:
        return np.array([run(x, single).copy() for x in flat])

    seconds, found = timed(one_by_one, count)
    rows.append(_closed_row(robot, "taut, generated C, one call a pose", seconds, found, pose, q))
    robot.inverse_kinematics(pose[0])  # compiled at the first call
    seconds, answer = timed(lambda: robot.inverse_kinematics(pose, start=q), count)
    part = f"{100 * answer.reached.mean():.2f} %"
    rows.append([name, "taut, robot.inverse_kinematics", f"{1e6 * seconds:.2f}", part, ""])
    for contestant in (_eaik, _ssik):
        row = contestant(robot, pose, q)
        if row is not None:
            rows.append(row)
    return rows


def _closed_row(
    robot: taut.Robot, title: str, seconds: float, found: np.ndarray, pose: np.ndarray, q: np.ndarray
) -> list[str]:
    exists = found[..., 6] <= 1e-12
    there = robot.forward_kinematics(found[..., :6])
    off = np.where(exists, np.abs(there - pose[:, None]).max(axis=(-1, -2)), 0.0)
    apart = np.abs(np.remainder(found[..., :6] - q[:, None] + np.pi, 2 * np.pi) - np.pi).max(axis=-1)
    again = (np.where(exists, apart, np.inf).min(axis=1) < 1e-6).mean()
    return [robot.name, title, f"{1e6 * seconds:.2f}", f"{100 * again:.2f} %", f"{off.max():.0e}"]


def _arm(robot: taut.Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return axes, points and the frame's orientation of an arm at zero, as the peers take them."""
    from taut.algorithms.inverse_kinematics.arm import arm_of

    tree = robot.numeric
    arm = arm_of(tree, tree.frame(None))
    steps = np.vstack([arm.p[0], np.diff(arm.p, axis=0), arm.t - arm.p[-1]])
    return arm.h, steps, arm.R


def _eaik(robot: taut.Robot, pose: np.ndarray, q: np.ndarray) -> list[str] | None:
    try:
        from eaik.IK_HP import HPRobot
    except ImportError:
        return None
    H, P, R = _arm(robot)
    peer = HPRobot(H, P)
    turned = pose.copy()
    turned[:, :3, :3] = pose[:, :3, :3] @ R.T  # EAIK's frame has no orientation of its own at zero
    seconds, found = timed(lambda: np.array([peer.IK(x) for x in turned], dtype=object), len(pose))
    again, worst = [], 0.0
    for solution, wanted, known in zip(found, pose, q, strict=True):
        exact = np.array([x for x, rough in zip(solution.Q, solution.is_LS, strict=True) if not rough]).reshape(-1, 6)
        apart = np.abs(np.remainder(exact - known + np.pi, 2 * np.pi) - np.pi).max(axis=-1, initial=0.0)
        again.append(bool(len(exact)) and float(apart.min()) < 1e-6)
        if len(exact):
            worst = max(worst, float(np.abs(robot.forward_kinematics(exact) - wanted).max()))
    return [robot.name, "EAIK", f"{1e6 * seconds:.2f}", f"{100 * np.mean(again):.2f} %", f"{worst:.0e}"]


def _ssik(robot: taut.Robot, pose: np.ndarray, q: np.ndarray) -> list[str] | None:
    try:
        import ssik
    except ImportError:
        return None
    path = Path(f"{robot.name}.urdf")
    try:
        path.write_text(robot.to_urdf())
        tree = robot.tree
        peer = ssik.Manipulator.from_urdf(path, base=tree.base_name, ee=tree.frame(None).name)
        few = min(len(pose), 500)
        seconds, found = timed(lambda: np.array([peer.solve(x) for x in pose[:few]], dtype=object), few)
    except Exception as error:  # a peer that refuses an arm is reported, not hidden
        return [robot.name, "ssik", "-", f"refused: {type(error).__name__}", ""]
    finally:
        path.unlink(missing_ok=True)
    again, worst = [], 0.0
    for answer, wanted, known in zip(found, pose, q, strict=False):
        exact = np.array([x.q for x in answer]).reshape(-1, 6)
        apart = np.abs(np.remainder(exact - known + np.pi, 2 * np.pi) - np.pi).max(axis=-1, initial=0.0)
        again.append(bool(len(exact)) and float(apart.min()) < 1e-6)
        if len(exact):
            worst = max(worst, float(np.abs(robot.forward_kinematics(exact) - wanted).max()))
    return [robot.name, f"ssik, {few} poses", f"{1e6 * seconds:.2f}", f"{100 * np.mean(again):.2f} %", f"{worst:.0e}"]


def numeric(name: str, count: int, alone: int) -> list[list[str]]:
    """Return rows of the numeric solvers of one arm."""
    robot = taut.load(name)
    pose = robot.forward_kinematics(robot.random_position(count, seed=1))
    robot.inverse_kinematics(pose[0])
    seconds, found = timed(lambda: robot.inverse_kinematics(pose), count)
    rows = [_numeric_row(robot, "taut, one batch", seconds, found.q, pose)]
    few = pose[:alone]
    times: list[float] = []

    def one_by_one() -> np.ndarray:
        answers = []
        for x in few:
            begin = time.process_time()
            answers.append(robot.inverse_kinematics(x).q)
            times.append(time.process_time() - begin)
        return np.array(answers)

    seconds, q = timed(one_by_one, alone)
    rows.append(_numeric_row(robot, f"taut, one call a pose, {alone} poses", seconds, q, few))
    rows[-1][-1] = f"median {1e3 * np.median(times):.2f} ms, 99 % below {1e3 * np.quantile(times, 0.99):.2f} ms"
    for contestant in (_pytracik, _pink):
        row = contestant(robot, few)
        if row is not None:
            rows.append(row)
    return rows


def _numeric_row(robot: taut.Robot, title: str, seconds: float, q: np.ndarray, pose: np.ndarray) -> list[str]:
    part = is_solved(robot, q, pose, limited=True).mean()
    return [robot.name, title, f"{1e3 * seconds:.3f}", f"{100 * part:.2f} %", ""]


def _pytracik(robot: taut.Robot, pose: np.ndarray) -> list[str] | None:
    try:
        from trac_ik import TracIK
    except ImportError:
        return None
    path = Path(f"{robot.name}.urdf")
    try:
        path.write_text(robot.to_urdf())
        peer = TracIK(robot.tree.base_name, robot.tree.frame(None).name, str(path), timeout=0.5, epsilon=1e-8)
        start = 0.5 * (robot.limits.lower + robot.limits.upper)

        def run() -> np.ndarray:
            found = [peer.ik(x[:3, 3], x[:3, :3], start) for x in pose]
            return np.array([np.full(robot.nq, np.nan) if q is None else q for q in found])

        seconds, q = timed(run, len(pose))
    except Exception as error:
        return [robot.name, "pytracik", "-", f"refused: {type(error).__name__}", ""]
    finally:
        path.unlink(missing_ok=True)
    return _numeric_row(robot, "pytracik, 500 ms on the clock at most", seconds, q, pose)


def _pink(robot: taut.Robot, pose: np.ndarray) -> list[str] | None:
    try:
        import pink
        import pinocchio as pin
    except ImportError:
        return None
    model = pin.buildModelFromXML(robot.to_urdf())
    few = pose[:100]
    start = 0.5 * (robot.limits.lower + robot.limits.upper)

    def solve(x: np.ndarray) -> np.ndarray:
        configuration = pink.Configuration(model, model.createData(), start.copy())
        task = pink.tasks.FrameTask(robot.tree.frame(None).name, position_cost=1.0, orientation_cost=1.0)
        task.set_target(pin.SE3(x[:3, :3], x[:3, 3]))
        for _ in range(200):
            if np.linalg.norm(task.compute_error(configuration)) < 1e-8:
                break
            rates = pink.solve_ik(configuration, [task], 1.0, solver="quadprog", safety_break=False)
            q = np.clip(configuration.integrate(rates, 1.0), robot.limits.lower, robot.limits.upper)
            configuration.update(q)
        return np.asarray(configuration.q)

    try:
        seconds, q = timed(lambda: np.array([solve(x) for x in few]), len(few))
    except Exception as error:
        return [robot.name, "pink", "-", f"refused: {type(error).__name__}", ""]
    return _numeric_row(robot, "pink, one start, 200 steps at most, 100 poses", seconds, q, few)


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return rows as a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--poses", type=int, default=10_000)
    parser.add_argument("--alone", type=int, default=500, help="poses solved one at a time")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    closed = [row for name in ("ur5e", "puma560") for row in closed_forms(name, options.poses)]
    free = [row for name in ("panda", "iiwa14") for row in numeric(name, options.poses, options.alone)]
    page = f"""# Inverse kinematics

{options.poses} poses of random positions within the limits; process CPU time on a shared machine, so that only ratios
within a table mean something. Written by `python benchmarks/inverse_kinematics.py`.

## All branches of arms with a closed form

"Found" are poses among whose branches the position is that the pose was made from; "error" is the largest of any branch
that is called a solution.

{table(["robot", "solver", "microseconds a pose", "found", "error"], closed)}

## One solution of arms with seven joints

"Found" are poses reached to {EXACT:g} within the joint limits.

{table(["robot", "solver", "milliseconds a pose", "found", "note"], free)}
"""
    if options.output:
        options.output.write_text(page)
    else:
        print(page)


if __name__ == "__main__":
    main()
