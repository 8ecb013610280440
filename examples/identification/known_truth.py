"""Izaguirre's identification of the PUMA 260 [1992, sections 6 and 7] with a plant of known parameters.

The plant has the 52 averages of his Table 1 (``puma260_table1.toml``). It follows six fixed and four random
polynomials with a small delay; positions and torques are sampled every 28 ms with noise, rates and accelerations are
differences, 15 samples are dropped at each end. Weighted least squares stands beside instrumental variables, whose
instruments are the regressor along the references.

    python examples/identification/known_truth.py [RUNS] [PAGE.html]

prints tables like his 1 and 2, how often 95 % intervals cover the truth, and draws figures like his 1 to 5.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

import taut
from taut.api import Robot
from taut.identify.estimate.instrumental import Estimate, instrumental
from taut.identify.published import SIGNIFICANT, full_regressor, published_parameters, torque_shares
from taut.report.page import Page, parts

PERIOD = 0.028
DROPPED = 15
POSITION_NOISE = 2e-4
"""Standard deviation of a position [rad]."""

TORQUE_NOISE = 0.02
"""Of a torque, in parts of its RMS."""

DELAYS = np.array([10, 14, 12, 8, 8, 6]) * 1e-3
"""By which the joints follow their references [s]."""

SLOW = 0.15
"""Rows in which the reference of the joint is slower than this are left out: the sign of dry friction is not sure."""

NAMES = {"m": 0, "x": 1, "y": 2, "z": 3, "a": 4, "b": 6, "c": 9, "d": 5, "e": 8, "f": 7}
"""His names of a link's parameters and their places among taut's ten."""


def plant() -> Robot:
    """Return the robot with the averages of Table 1."""
    return taut.load(Path(__file__).with_name("puma260_table1.toml"))


@dataclass(frozen=True)
class Table:
    """His parameters.

    Attributes:
        names: 52 of them, as he calls them.
        matrix: from them to taut's columns of the regressor followed by the drive regressor.
        values: of the plant.
    """

    names: tuple[str, ...]
    matrix: np.ndarray
    values: np.ndarray


@cache
def table() -> Table:
    """Return his 52 parameters: moments about the ends of the links, in Paul's frames, as combinations of taut's."""
    robot = plant()
    n = len(robot.tree.joints)
    full = np.zeros((14 * n, 14 * n))  # his parameters -> taut's
    for i, joint in enumerate(robot.tree.joints):
        full[10 * i : 10 * i + 10, 10 * i : 10 * i + 10] = _distal(robot, i)
        for k in range(4):
            full[10 * n + 4 * i + k, 10 * n + 4 * i + k] = 1.0
        assert joint.motion.nv == 1
    drives = [(f"ia{i + 1}", 10 * n + 4 * i) for i in range(n)]
    moments = [(f"{name}{i + 1}", 10 * i + place) for i in reversed(range(n)) for name, place in NAMES.items()]
    frictions = [(f"{name}{i + 1}", 10 * n + 4 * i + k) for k, name in ((1, "fs"), (2, "ds")) for i in range(n)]
    order = [*drives, *moments, *frictions]
    states = np.random.default_rng(1).uniform(-2, 2, (3, 100, n))
    W = full_regressor(robot.tree, *states) @ full
    from taut.identify.published import independent_columns

    kept = independent_columns(W[..., [place for _, place in order]].reshape(-1, len(order)))
    places = [order[k][1] for k in kept]
    own = np.concatenate([robot.parameters, [getattr(j.drive, f) for j in robot.tree.joints for f in DRIVE]])
    values = np.linalg.lstsq(full, own, rcond=None)[0][places]
    return Table(tuple(order[k][0] for k in kept), full[:, places], values)


DRIVE = ("rotor_inertia", "coulomb", "viscous", "offset")


def _distal(robot: Robot, i: int) -> np.ndarray:
    """Return the map from a link's ten moments about its end, in Paul's axes, to taut's about its joint."""
    end = {1: ("90 deg", 0, 0), 2: (0, 0.2032, 0), 3: ("-90 deg", 0, 0.12624)}
    end |= {4: ("90 deg", 0, 0.2032), 5: ("-90 deg", 0, 0), 6: (0, 0, 0)}
    alpha, a, d = end[i + 1]
    columns = []
    for k in range(10):
        unit = np.zeros(10)
        unit[k] = 1.0
        m, x, y, z, xx, xy, yy, xz, yz, zz = (float(v) for v in unit)
        link = {"mass": m, "moment": [x, y, z], "inertia": [xx, xy, yy, xz, yz, zz], "about": "origin"}
        alone = taut.from_dh("standard", [{"alpha": alpha, "a": a, "d": d, "theta": 0, "link": link}])
        columns.append(alone.parameters)
    return np.stack(columns, 1)


# -- trajectories --------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """One trajectory: the reference and the true motion on the sampling clock."""

    t: np.ndarray
    reference: tuple[np.ndarray, np.ndarray, np.ndarray]
    motion: tuple[np.ndarray, np.ndarray, np.ndarray]
    tau: np.ndarray


@cache
def runs() -> tuple[Run, ...]:
    """Return six fixed and four random polynomials through points, at rest at both ends, followed with a delay."""
    from scipy.interpolate import KroghInterpolator

    robot, rng = plant(), np.random.default_rng(260)
    fixed = np.array([[0.9, -1.1, 0.7, -0.6], [-0.8, 0.9, -1.0, 0.8], [1.1, 0.5, -0.9, 0.3]])
    found = []
    for k in range(10):
        turn = np.roll(np.arange(6), k)
        points = (
            fixed[k % 3][:, None] * (1 - 0.12 * turn) * np.where(turn % 2, 1, -1)
            if k < 6
            else rng.uniform(-1.1, 1.1, (4, 6))
        )
        length = 3.6 + 0.2 * (k % 4)
        knots = [0, 0, 0, *(length * np.arange(1, 5) / 5), length, length, length]
        still = np.zeros((1, 6))
        curve = KroghInterpolator(knots, np.concatenate([still, still, still, points, still, still, still]))
        t = np.arange(0, length, PERIOD)
        reference = tuple(curve.derivative(t, order) if order else curve(t) for order in range(3))
        late = [curve.derivatives(np.clip(t - d, 0, length), 3)[:, :, j] for j, d in enumerate(DELAYS)]
        motion = tuple(np.stack([late[j][order] for j in range(6)], 1) for order in range(3))
        found.append(Run(t, reference, motion, robot.joint_torque(*motion)))
    return tuple(found)


def differences(q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions with rates and accelerations by five-point central differences; two samples lost at each end."""
    h = PERIOD
    v = (-q[4:] + 8 * q[3:-1] - 8 * q[1:-3] + q[:-4]) / (12 * h)
    a = (-q[4:] + 16 * q[3:-1] - 30 * q[2:-2] + 16 * q[1:-3] - q[:-4]) / (12 * h * h)
    return q[2:-2], v, a


INSIDE = slice(DROPPED, -DROPPED)


@cache
def instruments() -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Return the regressor along the references, and the rows in which the joint is not slow."""
    robot, matrix = plant(), table().matrix
    Z = tuple(full_regressor(robot.tree, *(x[INSIDE] for x in run.reference)) @ matrix for run in runs())
    return Z, tuple(np.abs(run.reference[1][INSIDE]) > SLOW for run in runs())


def measured(seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return regressors along the noisy motion and noisy torques of all trajectories."""
    robot, matrix, rng = plant(), table().matrix, np.random.default_rng(seed)
    W, tau = [], []
    for run in runs():
        q = run.motion[0] + POSITION_NOISE * rng.normal(size=run.motion[0].shape)
        cut = slice(DROPPED - 2, -(DROPPED - 2))
        W.append(full_regressor(robot.tree, *(x[cut] for x in differences(q))) @ matrix)
        rms = np.sqrt((run.tau**2).mean(0))
        tau.append((run.tau + TORQUE_NOISE * rms * rng.normal(size=run.tau.shape))[INSIDE])
    return W, tau


def estimates(seed: int) -> tuple[Estimate, Estimate]:
    """Return weighted least squares and instrumental variables of one experiment of ten trajectories."""
    W, tau = measured(seed)
    Z, use = instruments()
    return instrumental(W, tau, use=use), instrumental(W, tau, Z, use)


def coverage(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return how often 95 % intervals cover each parameter, and the mean bias over the spread: both for both."""
    truth = table().values
    inside, found = np.zeros((2, len(truth))), [[], []]
    for seed in range(count):
        for k, estimate in enumerate(estimates(seed)):
            low, high = estimate.interval()
            inside[k] += (low <= truth) & (truth <= high)
            found[k].append(estimate.x)
    bias = [(np.mean(x, 0) - truth) / np.std(x, 0, ddof=1) for x in found]
    return inside[0] / count, inside[1] / count, bias[0], bias[1]


def significant() -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the torque share of each parameter of Table 1's averages, and those of at least 1 %."""
    W = [full_regressor(plant().tree, *(x[INSIDE] for x in run.motion)) @ table().matrix for run in runs()]
    shares = torque_shares(W, [run.tau[INSIDE] for run in runs()], table().values)
    named = dict(zip(table().names, shares, strict=True))
    return named, tuple(name for name, share in named.items() if share >= SIGNIFICANT)


HIS_23 = (*(f"{k}{i}" for k in ("ia", "fs", "ds") for i in range(1, 7)), "m6", "z6", "y4", "a4", "c4")


def coupled_errors() -> tuple[np.ndarray, np.ndarray]:
    """Return errors in % of the RMS torque of a plant with a coupled wrist: fitted without and with the coupling."""
    coupling = ((4, 3, 0.3), (5, 3, 0.15), (5, 4, 0.25))
    robot = plant()
    robot = Robot(replace(robot.tree, coupling=coupling))
    errors = []
    for model in (plant(), robot):
        squares, power = np.zeros(6), np.zeros(6)
        W = [full_regressor(model.tree, *(x[INSIDE] for x in run.motion)) @ table().matrix for run in runs()]
        tau = [robot.joint_torque(*(x[INSIDE] for x in run.motion)) for run in runs()]
        x = instrumental(W, tau).x
        for w, t in zip(W, tau, strict=True):
            squares, power = squares + ((t - w @ x) ** 2).sum(0), power + (t**2).sum(0)
        errors.append(100 * np.sqrt(squares / power))
    return errors[0], errors[1]


# -- report --------------------------------------------------------------------------


def statistics(names: tuple[str, ...]) -> list[list[str]]:
    """Return rows as in his Tables 1 and 2: weighted least squares on each trajectory alone, over ten of them."""
    at = [table().names.index(name) for name in names]
    (W, tau), (_, use) = measured(0), instruments()
    alone = [instrumental([w[..., at]], [t], use=[u]).x for w, t, u in zip(W, tau, use, strict=True)]
    rows = []
    for k, name in enumerate(names):
        x = [a[k] for a in alone]
        rows.append(
            [name, *(f"{v:.5f}" for v in (np.mean(x), np.std(x, ddof=1), max(x), min(x), table().values[at[k]]))]
        )
    return rows


def condition(names: tuple[str, ...]) -> tuple[float, float]:
    """Return the largest and the smallest singular value of the regressor of all trajectories."""
    at = [table().names.index(name) for name in names]
    W = np.concatenate([w[..., at].reshape(-1, len(at)) for w in measured(0)[0]])
    values = np.linalg.svd(W, compute_uv=False)
    return float(values[0]), float(values[-1])


def figures() -> Page:
    """Return drawings: reference, rates, accelerations; torques with 52 and 23 parameters; RMS errors per joint."""
    run, (W, tau) = runs()[6], measured(0)
    Z, use = instruments()
    _, v, a = differences(run.motion[0])
    drawn = (("positions [rad]", run.motion[0]), ("rates [rad/s]", v), ("accelerations [rad/s^2]", a))
    sections = [
        parts.Section(f"Figure {k}: {what}", tuple(_drawn(f"joint {j + 1}", {"": x[:, j]}) for j in range(6)))
        for k, (what, x) in enumerate(drawn, 1)
    ]
    rows = []
    for names in (table().names, HIS_23):
        at = [table().names.index(name) for name in names]
        x = instrumental([w[..., at] for w in W], tau, [z[..., at] for z in Z], use).x
        fitted = W[6][..., at] @ x
        charts = [_drawn(f"joint {j + 1} [N m]", {"measured": tau[6][:, j], "fitted": fitted[:, j]}) for j in range(6)]
        sections.append(parts.Section(f"Figure 4: torque with {len(names)} parameters", tuple(charts)))
        errors = [
            np.sqrt(np.mean(np.concatenate([(t - w[..., at] @ x)[:, j] for w, t in zip(W, tau, strict=True)]) ** 2))
            for j in range(6)
        ]
        rows.append((f"{len(names)} parameters", *(f"{e:.4f}" for e in errors)))
    head = ("RMS of measured minus fitted torque [N m]", *(f"joint {j + 1}" for j in range(6)))
    sections.append(parts.Section("Figure 5: errors per joint", (parts.Table(head, tuple(rows)),)))
    return Page("PUMA 260", tuple(sections))


def _drawn(caption: str, curves: dict[str, np.ndarray]) -> parts.Chart:
    """Return curves over time; the last one is drawn in the foreground."""
    kinds = ("other", "main")[-len(curves) :]
    over_time = (
        parts.Curve.of(name, kind, PERIOD * np.arange(len(y)), y)
        for (name, y), kind in zip(curves.items(), kinds, strict=True)
    )
    return parts.Chart(caption, "time [s]", tuple(over_time))


def main() -> None:
    """Print the tables and write the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    asked = published_parameters(plant().tree)
    print(f"{len(asked.names)} parameters, {len(asked.kept)} independent as published")
    shares, chosen = significant()
    print(f"significant by 1 % of the torque: {len(chosen)}; his 23 beside them:")
    for name in sorted(set(chosen) ^ set(HIS_23), key=lambda n: -shares[n]):
        print(
            f"  {name}: {100 * shares[name]:.2f} % of the largest torque, {'ours' if name in chosen else 'his'} alone"
        )
    for names, his in ((table().names, "828.8/0.033"), (HIS_23, "146.0/0.35")):
        print(f"\n{len(names)} parameters: singular values {'/'.join(f'{x:.4g}' for x in condition(names))}, his {his}")
        print("parameter average deviation maximum minimum truth")
        for row in statistics(names):
            print("  " + " ".join(row))
    plain, better, bias, unbiased = coverage(count)
    print(f"\n95 % intervals over {count} runs cover the truth, mean and range over the parameters:")
    for what, share, off in (("least squares", plain, bias), ("instrumental variables", better, unbiased)):
        ends = f"{100 * share.min():.1f} to {100 * share.max():.1f} %"
        print(f"  {what}: {100 * share.mean():.1f} %, {ends}; largest bias {np.abs(off).max():.2f} standard deviations")
    without, with_coupling = coupled_errors()
    print(f"coupled wrist, errors in %: without the coupling {without.round(2)}, with it {with_coupling.round(2)}")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(figures().written(sys.argv[2]), "utf-8")


if __name__ == "__main__":
    main()
