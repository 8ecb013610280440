"""Friction that grows with the load: which joints show it, and the load that its columns are made of.

Its torque mu sgn(qd) |L| is not linear in the parameters, since the load L depends on them. L is taken from the
estimate so far; then mu is one parameter more, and L is taken again from the estimate with it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from taut.identify.estimate.columns import LOAD_FRICTION, POSITION, Column, Model
from taut.identify.estimate.parts import Factored
from taut.identify.estimate.selection import LEAST_GAIN, Selection

SEEN = 1 - (1 - LEAST_GAIN) ** 2
"""Part of the squared residuals of a joint that it must explain before it is tried."""

ROUNDS = 2
"""Estimates of the load."""


def loads(selection: Selection) -> dict[Column, float]:
    """Return the parameters of links, rotors and terms of position: their torque is the load."""
    columns = selection.model.columns
    both = zip(selection.chosen(), selection.estimate(), strict=True)
    found = {columns[k]: float(value) for k, value in both}
    return {column: value for column, value in found.items() if column.drive < 0 or column.name in POSITION}


def with_load_friction(
    plain: tuple[Selection, Factored], again: Callable[[Model], tuple[Selection, Factored]], trusted: bool
) -> tuple[Selection, Factored]:
    """Return choices and factors with friction by load where cross-validation takes it, else what was there before.

    Args:
        plain: choices without it, and the factors that they were made on.
        again: factors the samples with other columns, and begins to choose.
        trusted: whether cross-validation can judge.
    """
    selection, found = plain
    for _ in range(ROUNDS):
        selection, found = again(selection.model.loaded(loads(selection)))
        selection.choose(trusted)
        for d in [] if selection.asks(LOAD_FRICTION) else selection.against_load():
            selection.choice.terms[d].discard(LOAD_FRICTION)
            selection.reweigh()
        if not any(LOAD_FRICTION in terms for terms in selection.choice.terms.values()):
            return plain
    return selection, found


def rubbing_by_load(selection: Selection) -> list[str]:
    """Return the joints whose residuals follow friction by load, judged on the rows kept."""
    chosen, x = selection.chosen(), selection.estimate()
    residuals, load = selection.residuals(chosen, x), loads(selection)
    found = []
    for j, (to, at) in enumerate(selection.products.places(chosen)):
        W = np.concatenate([rows.columns[:, j][:, at] for rows in selection.sample])
        carries = np.array([selection.model.columns[chosen[p]] in load for p in to])
        carried = W[:, carries] @ x[to[carries]]
        smoothing = selection.model.drive_of(Column("coulomb", j, selection.choice.smoothing[j])).smoothing
        rate = np.concatenate([rows.qd[:, j] for rows in selection.sample])
        column = np.abs(carried) * rate / np.sqrt(rate**2 + float(smoothing) ** 2)
        residual = np.concatenate([part[:, j] for part in residuals])
        both = np.stack([column, residual], 1)
        left = both - W @ np.linalg.lstsq(W, both, rcond=None)[0]
        along = float(left[:, 0] @ left[:, 1])
        forbidden = selection.forbids(selection.model.joints[j], {LOAD_FRICTION})
        if not forbidden and along > 0 and along**2 >= SEEN * float((left**2).sum(0).prod()):
            found.append(selection.model.joints[j])
    return found
