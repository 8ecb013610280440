"""One solution of an arm's inverse kinematics."""

from __future__ import annotations

from dataclasses import dataclass

from taut.spatial import Scalar


@dataclass(frozen=True)
class Branch:
    """One solution.

    Attributes:
        angles: of the joints.
        lack: what its discriminants lack, each over the reach to its power: 0 where the branch exists.
    """

    angles: tuple[Scalar, ...]
    lack: Scalar
