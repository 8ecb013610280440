"""EMDEG's PUMA 560 [Burdick 1986, Appendix II], repaired: every element, and the zeros it leaves out."""

from __future__ import annotations

import numpy as np
import pytest

from papers.arms import columns, puma560
from papers.formulas import Values, load, trigonometry
from taut.algorithms.extended_bodies import (
    extended_body_christoffel,
    extended_body_gravity,
    extended_body_mass_matrix,
)
from taut.robot import Tree
from taut.spatial import Inertia, Sym3, Vec3

FORMULAS = load("puma560_burdick.json")["formulas"]
PRODUCTS = ("xx", "xy", "yy", "xz", "yz", "zz")
CENTRES = {1: "y", 2: "x", 3: "y", 4: "", 5: "y", 6: "z"}


def drawn(seed: int) -> dict[str, float]:
    """Return random parameters in EMDEG's pattern: full tensors inboard, round links 5 and 6."""
    rng = np.random.default_rng(seed)
    names = ["g", "a2", "a3", "d2", "d3", "d4", *(f"m{i}" for i in range(1, 7))]
    names += [f"r{axis}{i}" for i, axes in CENTRES.items() for axis in axes]
    names += [f"I{pq}{i}" for i in range(1, 7) for pq in PRODUCTS if i < 4 or pq[0] == pq[1]]
    p = {name: float(x) for name, x in zip(names, rng.uniform(0.1, 2.0, len(names)), strict=True)}
    return p | {"Iyy5": p["Ixx5"], "Iyy6": p["Ixx6"]}


def arm(p: dict[str, float]) -> Tree:
    bodies = [
        Inertia.about_centre(
            p[f"m{i}"],
            Vec3(*(p.get(f"r{axis}{i}", 0) for axis in "xyz")),
            Sym3(*(p.get(f"I{pq}{i}", 0) for pq in PRODUCTS)),
        )
        for i in range(1, 7)
    ]
    return puma560(p, bodies)


def by_taut(p: dict[str, float], q: list[float]) -> dict[str, float]:
    robot, position = arm(p), columns(q)
    M, beta = extended_body_mass_matrix(robot, position), extended_body_christoffel(robot, position)
    n = range(6)
    found = {f"M{i + 1}{j + 1}": M[i][j] for i in n for j in n[i:]}
    found |= {f"b{i + 1}{j + 1}{k + 1}": 2 * beta[i][j][k] for i in n for j in n for k in n[j + 1 :]}
    found |= {f"c{i + 1}{j + 1}{j + 1}": beta[i][j][j] for i in n for j in n}
    return found | {f"g{i + 1}": g / -p["g"] for i, [g] in enumerate(extended_body_gravity(robot, position))}


@pytest.mark.parametrize("seed", range(10))
def test_every_element(seed):
    p = drawn(seed)
    q = [float(x) for x in np.random.default_rng([seed, 86]).uniform(-3, 3, 6)]
    found = by_taut(p, q)
    zeros = {name: "0" for name in found if name not in FORMULAS}
    expected = Values({**p, **trigonometry(q, "s", "c")}, FORMULAS | zeros)
    assert len(found) - len(zeros) == 114
    scale = max(abs(x) for x in found.values())
    for name in found:
        assert found[name] == pytest.approx(expected[name], rel=0, abs=1e-13 * scale), name
