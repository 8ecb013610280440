"""What a fit can be trusted with, in words: joints that friction dominates, poor signals, inertias left open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.identify.estimate.columns import LOAD_FRICTION
from taut.identify.estimate.predicted import Predictions
from taut.identify.estimate.selection import Selection
from taut.robot import Tree

POOR = 25.0
"""Cross-validated error in % from which a joint's signal is called poor."""

ELSEWHERE = 4.0
"""Times the cross-validated error from which a poor held-out error says that the held-out samples are unlike the
fitted ones."""

DOMINATED = 0.75
"""Part of a joint's torque from which friction dominates it."""

WEAK = 0.5
"""Standard error, in parts of the value, from which a parameter is left open."""

RESTING = 0.25
"""A joint that stands still in this part of the held-out samples may be held there by friction."""

HELD_BY_FRICTION = 0.5
"""Dry friction of this part of the RMS torque may hold the joint at rest."""

CLEARLY = 4.0
"""Standard errors below zero from which a power is negative."""

FRICTION = frozenset(("coulomb", "viscous", "stribeck", "root", "square", "asymmetry", LOAD_FRICTION)) | frozenset(
    ("joint_coulomb", "joint_viscous")
)


def friction_shares(selection: Selection, chosen: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the part of each joint's torque that is friction: its RMS over the sum of RMS of friction and the rest."""
    places, names = selection.products.places(chosen), [c.name for c in selection.model.columns]
    shares = []
    for j, (to, at) in enumerate(places):
        rubs = np.array([names[chosen[p]] in FRICTION for p in to])
        W = np.concatenate([rows.columns[:, j][:, at] for rows in selection.sample])
        friction, rest = (
            float(np.sqrt(np.mean((W[:, which] @ x[to[which]]) ** 2))) if which.any() else 0.0
            for which in (rubs, ~rubs)
        )
        shares.append(friction / (friction + rest) if friction + rest > 0 else 0.0)
    return np.array(shares)


def driven_by_friction(selection: Selection, chosen: np.ndarray, x: np.ndarray, covariance: np.ndarray) -> list[str]:
    """Return the joints whose friction would feed power into the motion, clearly: their torque has the wrong sign."""
    columns = selection.model.columns
    found = []
    for j, (to, at) in enumerate(selection.products.places(chosen)):
        rubs = np.array([columns[chosen[p]].name in FRICTION and columns[chosen[p]].drive == j for p in to])
        power = np.concatenate([r.qd[:, j, None] * r.columns[:, j][:, at[rubs]] for r in selection.sample]).mean(0)
        own = to[rubs]
        unsure = float(np.sqrt(power @ covariance[np.ix_(own, own)] @ power))
        if power @ x[own] < -CLEARLY * unsure:
            found.append(selection.model.joints[j])
    return found


def poor_joints(selection: Selection, validated: np.ndarray, robot: Tree, apart: Predictions | None) -> dict[str, str]:
    """Return the joints whose signal is poor, with the reason."""
    poor = {}
    none, one = np.zeros(len(validated)), np.ones(len(validated))
    resting, rms = (none, one) if apart is None else (apart.resting, apart.rms)
    held_out = none if apart is None else apart.errors[0].relative("delayed")
    for d, (name, error) in enumerate(zip(selection.model.joints, validated, strict=True)):
        drive = robot.joints[robot.independent[d]].drive
        dry = abs(float(drive.coulomb)) + max(float(drive.stribeck), 0.0)
        if error > POOR:
            poor[name] = f"cross-validated error {error:.0f} %: friction or noise that no term explains dominates it"
        elif resting[d] > RESTING and dry > HELD_BY_FRICTION * rms[d]:
            poor[name] = (
                f"it stands still in {100 * resting[d]:.0f} % of the held-out samples, where dry friction of up to "
                f"{dry:.2g} may hold it: its torque there cannot be predicted"
            )
        elif held_out[d] > max(POOR, ELSEWHERE * error):
            poor[name] = (
                f"held-out error {held_out[d]:.0f} %, cross-validated {error:.2g} %: its motion or its load is another "
                "there than in the fitted samples; record a motion that covers both"
            )
    return poor


def verdict(
    selection: Selection,
    chosen: np.ndarray,
    x: np.ndarray,
    errors: np.ndarray,
    friction: dict[str, float],
    poor: dict[str, str],
    slow: bool,
    wrong: Sequence[str],
    other_order: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return sentences: what holds for each joint that cannot be trusted in every way, and what to do.

    Args:
        selection: the model.
        chosen: its columns.
        x: their parameters.
        errors: standard errors of these.
        friction: {joint: part of its torque that is friction}.
        poor: {joint with a poor signal: the reason}.
        slow: whether accelerations hardly show.
        wrong: joints whose torque or position seems to have the wrong sign.
        other_order: a sentence where columns seem to be in another order; then nothing else holds.
    """
    if other_order:
        return tuple(other_order)
    model = selection.model
    sentences = []
    near_zero: list[str] = []
    for d, name in enumerate(model.joints):
        own = [
            p
            for p, k in enumerate(chosen)
            if k < model.count and model.columns[k].name.endswith(str(model.robot.independent[d] + 1))
        ]
        left_open = [model.columns[chosen[p]].name for p in own if errors[p] > WEAK * abs(x[p])]
        near_zero += left_open
        if name in wrong:
            sentences.append(
                f"{name}: torque or position has the wrong sign; mend that first, nothing else about it can be trusted"
            )
        elif d in selection.still:
            sentences.append(f"{name} stands still: its friction and inertia are not found; move it")
        elif friction[name] > DOMINATED:
            told = (
                "this recording does not determine the inertia of its link"
                if left_open or slow
                else "its inertias are determined all the same"
            )
            advice = "; excite with faster motion: 'taut excite ROBOT --after LOG'" if left_open or slow else ""
            sentences.append(
                f"{name} is friction-dominated ({100 * friction[name]:.0f} % of its torque): {told}{advice}"
            )
        elif name in poor:
            sentences.append(f"{name}: {poor[name]}")
        elif own and len(left_open) > 0.5 * len(own):
            listed = ", ".join(left_open[:6])
            sentences.append(f"{name}: most of its link's parameters are left open by this motion ({listed})")
    if sentences:
        return tuple(sentences)
    more = f" and {len(near_zero) - 6} more" if len(near_zero) > 6 else ""
    told = f"; not told from zero by this motion: {', '.join(near_zero[:6])}{more}" if near_zero else ""
    return (f"every joint's torque is explained{told or ' and its parameters are told apart'}",)
