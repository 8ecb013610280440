"""The closed form that fits the geometry of an arm; geometry decides, never a name.

Three neighbouring axes that meet or are parallel leave three equations to the other three joints:

- a spherical wrist, axes 4 to 6 [Pieper 1968], and axes 2 to 4 that meet: the place of the common point;
- axes 2 to 4 parallel: the heights of a point and of a direction along them;
- axes 1 to 3 parallel: the same, with a closed form where two neighbours of the others are parallel or meet.

Each is tried for the arm, then for the arm counted from its frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from taut.algorithms.inverse_kinematics import parallel, planar_base, spherical
from taut.algorithms.inverse_kinematics.arm import Arm
from taut.algorithms.inverse_kinematics.branch import Branch
from taut.algorithms.inverse_kinematics.constants import Constants
from taut.errors import UnsupportedError
from taut.spatial import Mat3, Vec3

Branches = Callable[[Arm, Constants, Mat3, Vec3], list[Branch]]
"""(arm, constants, R, t of the pose) -> all branches."""


@dataclass(frozen=True)
class Solver:
    """A closed form that fits an arm.

    Attributes:
        title: the geometry it is for.
        branches: makes all branches of a pose.
        backwards: whether it is for the arm as its frame sees it.
    """

    title: str
    branches: Branches
    backwards: bool = False


def solver_of(arm: Arm) -> Solver:
    """Return the closed form that fits the geometry of an arm; the shortest ones come first."""
    both = [(False, arm), (True, arm.reversed)]
    for forms in (_short, _long):
        for backwards, seen in both:
            for title, branches in forms(seen):
                return Solver(f"{title}, counted from the frame" if backwards else title, branches, backwards)
    raise UnsupportedError(
        "no closed form is known for this geometry",
        "closed form",
        "it needs three neighbouring axes that meet or are parallel",
    )


def _short(arm: Arm) -> Iterator[tuple[str, Branches]]:
    """Yield the closed forms with square roots alone."""
    if arm.common_point(4, 5, 6) is not None:
        for title, fits, place in spherical.POSITIONS:
            if fits(arm):
                yield f"spherical wrist, {title}", spherical.with_wrist(place)
    if parallel.fits(arm) and arm.common_point(5, 6) is not None:
        yield "axes 2, 3 and 4 parallel, axes 5 and 6 meet", parallel.meeting_wrist
    for title, fits, turns in planar_base.TURNS:
        if planar_base.fits(arm) and fits(arm):
            yield f"axes 1, 2 and 3 parallel, {title}", planar_base.with_base(turns)


def _long(arm: Arm) -> Iterator[tuple[str, Branches]]:
    """Yield those that two circles and a turn, or two linked equations, lead to: square roots or a quartic."""
    if arm.common_point(4, 5, 6) is not None and spherical.has_general_shoulder(arm):
        yield "spherical wrist, first three axes in general position", spherical.with_wrist(spherical.general_shoulder)
    if arm.common_point(2, 3, 4) is not None and spherical.has_inner_wrist(arm):
        yield "axes 2, 3 and 4 meet", spherical.inner_wrist
    if parallel.fits(arm):
        yield "axes 2, 3 and 4 parallel", parallel.general_wrist
