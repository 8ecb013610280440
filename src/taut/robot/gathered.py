"""Inertias that remember the placements they were carried through.

An inertia given in the axes of its own frame, or on a link that a fixed joint holds, is moved to the joint when a file
is read, with the angles as written. What those angles mean is decided later, so the pieces are kept with the sum.
"""

from __future__ import annotations

from dataclasses import dataclass

from taut.robot.placement import Placement
from taut.spatial import Inertia

MOST_PIECES = 64
"""Pieces kept of one link; a sum of more is taken as the numbers it has."""

Pieces = tuple[tuple[Placement, Inertia], ...]


@dataclass(slots=True, eq=False)
class Gathered(Inertia):
    """A sum of inertias, each carried through a placement whose angles may mean more than their digits.

    Equal to the plain inertia with the same ten numbers.
    """

    pieces: Pieces = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inertia) and self.parameters == other.parameters

    def __hash__(self) -> int:
        return hash((self.m, self.h, self.I))


def carried(placement: Placement, body: Inertia) -> Inertia:
    """Return a body's inertia in the frame that the placement starts from."""
    total = placement.transform.inertia_to_parent(body)
    return _remembering(total, tuple((placement.then(place), piece) for place, piece in pieces_of(body)))


def together(a: Inertia, b: Inertia) -> Inertia:
    """Return the sum of two inertias about the same origin."""
    return _remembering(a + b, pieces_of(a) + pieces_of(b))


def pieces_of(body: Inertia) -> Pieces:
    """Return what an inertia was put together from; at least itself."""
    return body.pieces if isinstance(body, Gathered) else ((Placement(), body),)


def _remembering(total: Inertia, pieces: Pieces) -> Inertia:
    if len(pieces) > MOST_PIECES or not any(place.undecided for place, _ in pieces):
        return total
    return Gathered(total.m, total.h, total.I, pieces)
