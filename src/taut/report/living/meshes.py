"""The shapes of a robot as the page draws them: coloured triangles a body, few enough for any browser, packed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.formats.shapes import Piece, Shape
from taut.robot import Tree

MOST_TRIANGLES = 40_000
"""Triangles of a page; larger meshes are made coarser."""

STEPS = 65535
"""Steps of a coordinate: a body is at most a metre or two, so that a step is some hundredths of a millimetre."""

Key = tuple[int, tuple[float, float, float] | None]
"""Body and colour."""


def mesh_data(tree: Tree, shapes: Sequence[Shape], most: int = MOST_TRIANGLES) -> tuple[list[dict[str, Any]], str]:
    """Return the triangles by body and colour, and a sentence on shapes that are not drawn (empty if there are none).

    Args:
        tree: of the robot.
        shapes: that its description draws.
        most: triangles of all together.
    """
    groups: dict[Key, list[Piece]] = {}
    wrong: list[InputError] = []
    for shape in shapes:
        if shape.link not in tree.frame_names:
            continue
        frame = tree.frame(shape.link)
        try:
            for piece in shape.read():
                placed = piece.placed(frame.transform)
                groups.setdefault((frame.body, piece.colour), []).append(placed)
        except InputError as error:
            wrong.append(error)
    joined = {key: _joined(pieces) for key, pieces in groups.items()}
    return [_packed(key, *mesh) for key, mesh in coarser(joined, most).items()], _sentence(wrong, len(shapes))


def coarser(meshes: dict[Any, tuple[np.ndarray, np.ndarray]], most: int) -> dict[Any, tuple[np.ndarray, np.ndarray]]:
    """Return meshes of at most so many triangles: vertices in one cell of a grid become one, the cells grow."""
    if not meshes:
        return {}
    size = max(float(np.ptp(vertices, axis=0).max(initial=0.0)) for vertices, _ in meshes.values())
    cell = max(size, 1e-9) * 2**-20
    while True:
        found = {key: _clustered(*mesh, cell) for key, mesh in meshes.items()}
        if sum(len(faces) for _, faces in found.values()) <= most:
            return {key: mesh for key, mesh in found.items() if len(mesh[1])}
        cell = max(1.15 * cell, 0.002 * size)


def _clustered(vertices: np.ndarray, faces: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a mesh with the vertices of every cell at their mean; triangles without an area fall away."""
    cells = np.floor((vertices - vertices.min(axis=0)) / cell).astype(np.int64)
    _, inverse, counts = np.unique(_one_number(cells), return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(inverse, column) / counts for column in vertices.T], axis=1)
    faces = inverse[faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    _, kept = np.unique(_one_number(np.sort(faces, axis=1)), return_index=True)
    return means, faces[np.sort(kept)]


def _one_number(rows: np.ndarray) -> np.ndarray:
    """Return a number for each row of three whole numbers below 2^21, different for different rows."""
    return (rows[:, 0] << 42) | (rows[:, 1] << 21) | rows[:, 2]


def _joined(pieces: Sequence[Piece]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces)])
    faces = [piece.faces + start for piece, start in zip(pieces, starts, strict=False)]
    return np.concatenate([piece.vertices for piece in pieces]), np.concatenate(faces)


def _packed(key: Key, vertices: np.ndarray, faces: np.ndarray) -> dict[str, Any]:
    """Return a mesh as text: vertices by 16-bit steps from a corner, triangles by the numbers of their vertices."""
    used, numbered = np.unique(faces, return_inverse=True)
    vertices = vertices[used]
    low = vertices.min(axis=0)
    step = max(float(np.ptp(vertices, axis=0).max()), 1e-9) / STEPS
    body, colour = key
    wide = len(used) > STEPS
    return {
        "body": body,
        "colour": None if colour is None else "#" + "".join(f"{round(255 * x):02x}" for x in colour),
        "low": [float(x) for x in low],
        "step": step,
        "wide": wide,
        "vertices": _text(np.round((vertices - low) / step), "<u2"),
        "faces": _text(numbered, "<u4" if wide else "<u2"),
    }


def _text(numbers: np.ndarray, kind: str) -> str:
    return b64encode(np.ascontiguousarray(numbers, dtype=kind).tobytes()).decode("ascii")


def _sentence(wrong: Sequence[InputError], shapes: int) -> str:
    if not wrong:
        return ""
    return f"{len(wrong)} of {shapes} shapes of the robot file are not drawn; the first: {wrong[0]}"
