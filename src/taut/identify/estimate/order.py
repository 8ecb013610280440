"""Torque columns in the wrong order: each joint's own model explains another joint's torque better than its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.identify.estimate.selection import Selection

CLEARLY = 0.5
"""The unexplained part must fall to this part for an exchange to be suspected."""

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


def _pairs(moved: Sequence[int], best: np.ndarray) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    if not moved:
        return [(0, 0)], [(0, 0)]
    return [(j, j) for j in moved], [(j, int(best[j])) for j in moved]
