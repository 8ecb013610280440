"""The robot with its significant parameters alone, fitted again.

A parameter is significant if its largest contribution to some joint's torque is at least a part of the largest torque
there, 1 % by default [Izaguirre et al. 1992, section 7]. The others become zero, so that code gets shorter. Every base
parameter stands in its own place and what was regrouped into it is zero: the links are no bodies that can exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.identify.estimate.excitation import label
from taut.identify.estimate.factors import HELD_OUT
from taut.identify.estimate.fitted import fitted_robot
from taut.identify.estimate.selection import Selection
from taut.identify.published import SIGNIFICANT, torque_shares
from taut.robot import Tree


@dataclass(frozen=True)
class Reduced:
    """A reduced robot.

    Attributes:
        robot: with significant parameters alone.
        shares: {parameter: its largest part of a joint's largest torque}, of all that were fitted.
        kept: names of the significant ones.
        before: {joint: error in % with all parameters, unconstrained}, held out where there are held-out samples.
        after: the same with the significant ones.
    """

    robot: Tree
    shares: dict[str, float]
    kept: tuple[str, ...]
    before: dict[str, float]
    after: dict[str, float]

    @property
    def data(self) -> dict[str, Any]:
        """Everything but the robot as plain data for JSON."""
        return {
            "fitted": len(self.shares),
            "significant": list(self.kept),
            "shares": self.shares,
            "error_with_all": self.before,
            "error_with_significant": self.after,
        }


def reduced(robot: Tree, selection: Selection, least: float = SIGNIFICANT) -> Reduced:
    """Return the robot whose parameters contribute at least a part of the torque, fitted again to the same samples."""
    model, products = selection.model, selection.products
    chosen, x = selection.chosen(), selection.estimate()
    W = [spread(selection, rows.columns, chosen) for rows in selection.sample]
    shares = torque_shares(W, [rows.tau for rows in selection.sample], x)
    keep = np.flatnonzero(shares >= least)
    again = chosen[keep]
    links = [k for k in keep if chosen[k] < model.count]
    precision = selection.precision()[np.ix_(links, links)]
    fitted = products.solve(again, selection.weights, precision, selection.mean[links])
    pi = np.zeros(model.base.matrix.shape[1])
    pi[[model.base.kept[chosen[k]] for k in links]] = fitted[: len(links)]
    folds = [HELD_OUT] if HELD_OUT in products.factors.samples else products.factors.folds
    before, after = (
        dict(zip(model.joints, products.relative_error(folds, *both).tolist(), strict=True))
        for both in ((chosen, x), (again, fitted))
    )
    names = [label(model, int(k)) for k in chosen]
    return Reduced(
        fitted_robot(robot, model, selection.choice, again, pi, fitted),
        {name: float(s) for name, s in zip(names, shares, strict=True)},
        tuple(names[k] for k in keep),
        before,
        after,
    )


def spread(selection: Selection, columns: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return the chosen columns of rows, zeros where a joint does not see one."""
    whole = np.zeros((*columns.shape[:2], len(chosen)))
    for j, (to, at) in enumerate(selection.products.places(chosen)):
        whole[:, j, to] = columns[:, j, at]
    return whole
