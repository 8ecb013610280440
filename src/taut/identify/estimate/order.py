"""Columns in the wrong order or of the wrong sign.

Inertias are shared by the joints: with the right order and the right signs all torques are explained together. Other
orders, of the torques, of the positions or of both, are tried by exchanging two joints at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np

from taut.identify.estimate.selection import Selection
from taut.recordings.conditioning import Filter, Motion, low_pass

CLEARLY = 0.5
"""The unexplained part must fall to this part for a sign to be suspected."""

FAR_BETTER = 0.4
"""It must fall to this part for another order to be suspected: several orders are tried, and where all joints move at
one frequency a wrong one can fit by chance."""

FURTHER = 0.95
"""It must fall to this part for another exchange to be made on the way."""

WELL = 0.05**2
"""Unexplained part of the torques below which no other order is looked for."""

RIDGE = 1e-6
"""Relative ridge on parameters that the motion does not separate."""

ENOUGH = 200
"""Samples that are looked at."""

MANY = 8
"""Joints up to which other orders of the positions are tried."""

NOTHING = 1e-9
"""The least unexplained part that is told from none."""

Order = tuple[int, ...]
"""The column that each joint gets."""


def exchanged(selection: Selection, chosen: np.ndarray, motions: Sequence[Motion], filter_: Filter) -> list[str]:
    """Return a warning where another order of the columns explains them far better; nothing where all is well."""
    joints = selection.model.joints
    unexplained = _unexplained(selection, chosen, _thinned(motions, filter_))
    recorded = tuple(range(len(joints)))
    now = unexplained(recorded, recorded)
    if now < WELL:
        return []
    found = [("torque columns seem", *_descended(recorded, lambda order: unexplained(recorded, order)))]
    if len(joints) <= MANY:
        found += [
            ("position columns seem", *_descended(recorded, lambda order: unexplained(order, recorded))),
            ("joints seem", *_descended(recorded, lambda order: unexplained(order, order))),
        ]
    what, order, then = min(found, key=lambda one: one[2])
    if then > FAR_BETTER * now:
        return []
    listed = ", ".join(
        f"that of {joints[k]} fits {name}" for k, name in zip(order, joints, strict=True) if joints[k] != name
    )
    return [f"the {what} to be in another order: {listed}; check their order or give a mapping"]


def _thinned(motions: Sequence[Motion], filter_: Filter) -> Motion:
    """Return some samples of all motions, their torques low-passed."""
    step = max(1, sum(len(motion.q) for motion in motions) // ENOUGH)
    low = [low_pass(motion.tau, motion.rate, filter_.cutoff) for motion in motions]
    tau = np.concatenate([x[::step] for x in low])
    q, qd, qdd = (np.concatenate([getattr(m, name)[::step] for m in motions]) for name in ("q", "qd", "qdd"))
    return replace(motions[0], q=q, qd=qd, qdd=qdd, tau=tau)


def _unexplained(selection: Selection, chosen: np.ndarray, motion: Motion) -> Callable[[Order, Order], float]:
    """Return the part of the torques, each in units of its size, that no parameters explain, for any two orders."""
    power = (motion.tau**2).mean(0)
    power = np.where(power > 0, power, 1.0)
    places = selection.products.places(chosen)

    @cache
    def products(order: Order) -> tuple[np.ndarray, np.ndarray]:
        """Return those of each joint's columns, and of them with every torque, at positions in this order."""
        at = list(order)
        moved = replace(motion, q=motion.q[:, at], qd=motion.qd[:, at], qdd=motion.qdd[:, at])
        columns, n = selection.model(moved), len(places)
        grams, sides = np.zeros((n, len(chosen), len(chosen))), np.zeros((n, n, len(chosen)))
        for j, (to, active) in enumerate(places):
            W = columns[:, j, active]
            grams[j][np.ix_(to, to)], sides[j][:, to] = W.T @ W, motion.tau.T @ W
        return grams, sides

    def unexplained(positions: Order, torques: Order) -> float:
        grams, sides = products(positions)
        H = sum(grams[j] / power[k] for j, k in enumerate(torques))
        c = sum(sides[j, k] / power[k] for j, k in enumerate(torques))
        scale = np.sqrt(np.where(np.diag(H) > 0, np.diag(H), 1.0))
        x = np.linalg.solve(H / scale[:, None] / scale + RIDGE * np.eye(len(scale)), c / scale)
        return max(1.0 - float(x @ (c / scale)) / motion.tau.size, NOTHING)

    return unexplained


def _descended(order: Order, unexplained: Callable[[Order], float]) -> tuple[Order, float]:
    """Exchange the two joints that lower the unexplained part most as long as it falls; return what it is then."""
    least = unexplained(order)
    while True:
        swaps = [
            tuple({i: order[j], j: order[i]}.get(k, order[k]) for k in range(len(order)))
            for i, j in combinations(range(len(order)), 2)
        ]
        best = min(swaps, key=unexplained, default=order)
        if unexplained(best) > FURTHER * least:
            return order, least
        order, least = best, unexplained(best)


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
