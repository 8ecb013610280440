"""The ten inertial parameters of a link, and when they describe a real body."""

from __future__ import annotations

import numpy as np

from taut.spatial import Inertia, PseudoInertia

PARAMETER_NAMES = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
"""The one order of inertial parameters, about the joint frame's origin, in its axes."""

ROUNDING = 1e-9
"""Relative slack for numbers that were rounded when the file was written."""


def faults(body: Inertia) -> list[str]:
    """Return what is not physical about a numeric body, in words; empty for a real or massless one.

    A body is physical exactly when its :class:`~taut.spatial.PseudoInertia`, the 4x4 matrix [[J, h], [h^T, m]], is
    positive semidefinite [Wensing, Kim, Slotine 2018].

    >>> faults(Inertia.from_parameters((1, 0, 0, 0, 1, 0, 1, 0, 0, 3)))
    ['principal moments 1, 1, 3 break the triangle inequality']
    """
    values = np.array([float(x) for x in body.parameters])
    if not np.all(np.isfinite(values)):
        return ["a parameter is not a finite number"]
    if not values.any():
        return []
    found = []
    mass = values[0]
    if mass < 0:
        return [f"mass is {mass:.6g} kg, a negative mass"]
    if mass == 0:
        found.append(f"mass is {mass:.6g} kg while other parameters are not zero")
        return found
    moments = PseudoInertia.of(body)
    centre = np.array([float(x) for x in moments.h]) / mass
    second = np.array([[float(x) for x in row] for row in moments.J.matrix.rows]) - mass * np.outer(centre, centre)
    tensor = np.trace(second) * np.eye(3) - second
    principal = np.linalg.eigvalsh(tensor)
    slack = ROUNDING * max(1e-12, float(np.abs(tensor).max()))
    if principal[0] < -slack:
        found.append(f"the inertia about the centre of mass has the negative principal moment {principal[0]:.3g}")
    elif principal[0] + principal[1] < principal[2] - slack:
        listed = ", ".join(f"{x:.4g}" for x in principal)
        found.append(f"principal moments {listed} break the triangle inequality")
    return found
