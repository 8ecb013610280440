"""ROBMAT's two examples [Horn, Linge 1994, sections 5 and 6]: M, B, C, G and the torque."""

from __future__ import annotations

import math

import numpy as np
import pytest

from papers.arms import columns, standard_arm
from papers.formulas import Values, load
from taut.algorithms.lagrange_euler import configuration_space, lagrange_euler
from taut.algorithms.newton_euler import newton_euler
from taut.robot import Tree
from taut.spatial import NO_TENSOR, ZERO, Inertia, Sym3, Vec3

TABLES = load("robmat.json")
SEEDS = range(5)


def double_pendulum(v: dict[str, float]) -> Tree:
    points = [Inertia.about_centre(v[m], ZERO, NO_TENSOR) for m in ("m1", "m2")]
    return standard_arm(
        "pendulum", [("R", 0.0, v["L1"], 0.0), ("R", 0.0, v["L2"], 0.0)], points, Vec3(v["g"], 0.0, 0.0)
    )


def modified_stanford(v: dict[str, float]) -> Tree:
    centres = [Vec3(0, v["y1"], v["z1"]), Vec3(0, v["y2"], 0), Vec3(0, 0, v["z3"])]
    bodies = [
        Inertia.about_centre(v[f"m{i}"], centre, Sym3(v[f"Ixx{i}"], 0, v[f"Iyy{i}"], 0, 0, v[f"Izz{i}"]))
        for i, centre in enumerate(centres, 1)
    ]
    rows = [("R", -math.pi / 2, 0.0, 0.0), ("R", math.pi / 2, 0.0, v["d2"]), ("P", 0.0, 0.0, 0.0)]
    return standard_arm("stanford", rows, bodies, Vec3(0.0, 0.0, -v["g"]))


CASES = [
    ("double_pendulum", double_pendulum, ("q1", "q2")),
    ("modified_stanford", modified_stanford, ("q1", "q2", "d3")),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("table", "build", "coordinates"), CASES)
def test_coefficients_and_torque(table, build, coordinates, seed):
    rng = np.random.default_rng(seed)
    names = ["m1", "m2", "m3", "L1", "L2", "d2", "y1", "z1", "y2", "z3", "g", *coordinates]
    names += [f"I{axis}{axis}{i}" for i in (1, 2, 3) for axis in "xyz"]
    v = {name: float(x) for name, x in zip(names, rng.uniform(0.2, 2.0, len(names)), strict=True)}
    M, B, C, G = (np.asarray(Values(v, {}).value(TABLES[table][part]), float) for part in "MBCG")
    robot = build(v)
    q = columns([v[name] for name in coordinates])
    n = len(q)

    found = configuration_space(robot, q)
    pairs = [(j, k) for j in range(n) for k in range(j + 1, n)]
    np.testing.assert_allclose(found.M, M, rtol=0, atol=1e-13 * np.abs(M).max())
    np.testing.assert_allclose(np.array([found.B[pair] for pair in pairs]).T, B, rtol=0, atol=1e-13 * np.abs(M).max())
    np.testing.assert_allclose(found.C, C, rtol=0, atol=1e-13 * np.abs(M).max())
    np.testing.assert_allclose(found.G, G[:, 0], rtol=0, atol=1e-13 * np.abs(G).max())

    qd, qdd = rng.uniform(-2, 2, n), rng.uniform(-2, 2, n)
    products = np.array([qd[j] * qd[k] for j, k in pairs])
    tau = M @ qdd + 2 * B @ products + C @ qd**2 + G[:, 0]
    for algorithm in (lagrange_euler, newton_euler):
        np.testing.assert_allclose(
            np.asarray(algorithm(robot, q, columns(qd), columns(qdd)))[:, 0],
            tau,
            rtol=0,
            atol=1e-13 * np.abs(tau).max(),
        )
