"""Torque columns in the wrong order or of the wrong sign.

In the wrong order each joint's own model explains another joint's torque better than its own. The sign of one joint's
torque shows in the inertias that it shares with other joints: with the right signs all torques are explained together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.identify.estimate.selection import Selection

CLEARLY = 0.5
"""The unexplained part must fall to this part for an exchange to be suspected."""

RIDGE = 1e-6
"""Relative ridge on parameters that the motion does not separate."""

ENOUGH = 4000
"""Rows that are looked at."""


def exchanged(selection: Selection, chosen: np.ndarray, joints: Sequence[str]) -> list[str]:
    """Return a warning where exchanging torque columns explains them far better; nothing where all is well."""
    from scipy.optimize import linear_sum_assignment

    rows = selection.sample
    torques = np.concatenate([r.tau for r in rows])[:ENOUGH]
    size = np.where((torques**2).sum(0) > 0, (torques**2).sum(0), 1.0)
    unexplained = np.ones((len(joints), len(joints)))
    for j, (_, at) in enumerate(selection.products.places(chosen)):
        columns = np.concatenate([r.columns[:, j][:, at] for r in rows])[:ENOUGH]
        solution, *_ = np.linalg.lstsq(columns, torques, rcond=1e-8)
        unexplained[j] = ((torques - columns @ solution) ** 2).sum(0) / size
    _, best = linear_sum_assignment(np.log(unexplained + 1e-12))
    moved = [j for j in range(len(joints)) if best[j] != j]
    now, then = (float(np.mean([unexplained[j, k] for j, k in pairs])) for pairs in _pairs(moved, best))
    if not moved or then > CLEARLY * now:
        return []
    listed = ", ".join(f"that of {joints[best[j]]} fits {joints[j]}" for j in moved)
    return [f"the torque columns seem to be in another order: {listed}; check their order or give a mapping"]


def reversed_signs(selection: Selection, chosen: np.ndarray, joints: Sequence[str]) -> list[str]:
    """Return the joints whose torque is explained far better together with the others' if its sign is changed."""
    products, places = selection.products, selection.products.places(chosen)
    weights = products.count / np.where(products.power > 0, products.power, np.inf)
    H, _ = products.normal(chosen, weights, np.zeros((0, 0)))
    scale = np.sqrt(np.diag(H))
    inverse = np.linalg.inv(H / scale[:, None] / scale + RIDGE * np.eye(len(scale)))
    sides, size = np.zeros((len(joints), len(scale))), 0.0
    t = products.factors.width
    for j, (to, at) in enumerate(places):
        sides[j, to] = weights[j] * products.total[j][at, t] / scale[to]
        size += weights[j] * products.total[j][t, t]

    def unexplained(signs: np.ndarray) -> float:
        c = signs @ sides
        return max(float(size - c @ inverse @ c), 1e-12 * float(size))

    signs = np.ones(len(joints))
    for _ in joints:
        flipped = [np.where(np.arange(len(joints)) == j, -signs, signs) for j in range(len(joints))]
        best = min(flipped, key=unexplained)
        if unexplained(best) > CLEARLY * unexplained(signs):
            break
        signs = best
    if (signs > 0).all():
        return []
    # The other signs would do as well: friction, which takes power from the motion, decides.
    x = inverse @ (signs @ sides)
    friction = [p for p, k in enumerate(chosen) if selection.model.columns[k].name in ("viscous", "coulomb")]
    wrong = signs < 0 if x[friction].sum() >= 0 else signs > 0
    return [name for name, is_wrong in zip(joints, wrong, strict=True) if is_wrong]


def _pairs(moved: Sequence[int], best: np.ndarray) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    if not moved:
        return [(0, 0)], [(0, 0)]
    return [(j, j) for j in moved], [(j, int(best[j])) for j in moved]
