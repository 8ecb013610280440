"""A shape on a link and the coloured triangles that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from taut.errors import InputError
from taut.spatial import Transform

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1."""


def colour_of(numbers: Sequence[float]) -> Colour:
    """Return the first three numbers as a colour, brought into range.

    >>> colour_of([1.2, 0.5, -0.1, 1.0])
    (1.0, 0.5, 0.0)
    """
    red, green, blue = (min(max(float(x), 0.0), 1.0) for x in numbers[:3])
    return red, green, blue


@dataclass(frozen=True)
class Piece:
    """Triangles of one colour: vertices (n, 3), faces (m, 3); no colour is that of the theme."""

    vertices: np.ndarray
    faces: np.ndarray
    colour: Colour | None = None

    def placed(self, pose: Transform) -> Piece:
        """Return it where a pose puts it."""
        matrix = np.eye(4)
        matrix[:3, :3] = [[float(x) for x in row] for row in pose.R.matrix.rows]
        matrix[:3, 3] = [float(x) for x in pose.p]
        return self.moved(matrix)

    def moved(self, matrix: np.ndarray) -> Piece:
        """Return it transformed by a matrix of four rows; one that mirrors turns the triangles round."""
        faces = self.faces[:, ::-1] if np.linalg.det(matrix[:3, :3]) < 0 else self.faces
        return replace(self, vertices=self.vertices @ matrix[:3, :3].T + matrix[:3, 3], faces=faces)


@dataclass(frozen=True)
class Shape:
    """One shape that a description draws.

    Attributes:
        link: the frame that carries it, by name.
        read: returns its triangles in that frame, and raises an InputError where they cannot be had.
    """

    link: str
    read: Callable[[], list[Piece]]


def plain_body(kind: str, sizes: tuple[float, ...], colour: Colour | None, place: str) -> list[Piece]:
    """Return a box (three edges), a cylinder or capsule along z (radius, length), or a sphere (radius).

    An ellipsoid has three radii. A capsule's length is that of its cylinder.
    """
    try:
        from trimesh import creation
    except ImportError:
        raise missing_trimesh(place) from None
    if not all(0 < size < 1e6 for size in sizes):
        raise InputError(f"a {kind} has a size that is not positive", place, "correct it")
    if kind == "box":
        body = creation.box(extents=sizes)
    elif kind == "cylinder":
        body = creation.cylinder(radius=sizes[0], height=sizes[1], sections=32)
    elif kind == "capsule":
        body = creation.capsule(radius=sizes[0], height=sizes[1], count=[16, 24])
        body.vertices[:, 2] -= body.vertices[:, 2].mean()
    else:
        body = creation.icosphere(subdivisions=2)
        body.vertices *= np.array(sizes if kind == "ellipsoid" else sizes * 3)
    return [Piece(np.asarray(body.vertices, dtype=float), np.asarray(body.faces, dtype=int), colour)]


def missing_trimesh(place: str) -> InputError:
    """Return what is said where shapes cannot be read."""
    return InputError("shapes need trimesh, which is not installed", place, "install taut with the extra 'mesh'")
