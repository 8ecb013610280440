"""The wrench at a frame that explains external joint torques, and what no torque can tell.

.. math:: \\tau_{ext} = J^T F, \\qquad F = (J^T)^+ \\tau_{ext}

The pseudo-inverse gives the smallest wrench. Wrenches in the null space of J^T load the structure and no joint: they
are reported as unobservable. With more joints than six, torques outside the range of J^T belong to no wrench at this
frame; their size is reported, too [Haddadin, De Luca, Albu-Schaeffer 2017].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.errors import InputError


@dataclass(frozen=True)
class ExternalWrench:
    """The wrench at one frame that joint torques determine.

    Attributes:
        wrench: [force; moment] in world axes at the frame's origin, without its unobservable part [N, N m].
        unobservable: (6, k), orthonormal wrenches [force; moment / length] that no joint feels.
        unexplained: size of the torques that no wrench at the frame gives [N m].
    """

    wrench: np.ndarray
    unobservable: np.ndarray
    unexplained: float


def external_wrench(
    jacobian: np.ndarray, residual: np.ndarray, length: float = 1.0, tolerance: float = 1e-3
) -> ExternalWrench:
    """Return the smallest wrench at a frame that explains external joint torques.

    Args:
        jacobian: J (6, nv), [linear; angular] in world axes at the frame's origin.
        residual: external joint torques (nv), such as an observer's residual.
        length: metres for which a force counts as much as a moment.
        tolerance: singular values of the scaled J below this part of the largest count as zero; near a singularity
            the wrench would be noise.
    """
    J, r = np.asarray(jacobian, float), np.asarray(residual, float)
    if J.ndim != 2 or J.shape[0] != 6 or r.shape != J.shape[1:]:
        raise InputError(f"J of shape {J.shape}, residual of shape {r.shape}", "wrench", "give (6, nv) and (nv)")
    if not (length > 0 and 0 < tolerance < 1):
        raise InputError(
            f"length {length}, tolerance {tolerance}", "wrench", "give a length above 0, 0 < tolerance < 1"
        )
    scale = np.array([1.0] * 3 + [length] * 3)
    U, sizes, V = np.linalg.svd(J / scale[:, None])
    seen = int((sizes > tolerance * sizes.max(initial=0.0)).sum())
    scaled = U[:, :seen] @ ((V[:seen] @ r) / sizes[:seen])
    return ExternalWrench(scaled / scale, U[:, seen:], float(np.linalg.norm(r - (J.T / scale) @ scaled)))
