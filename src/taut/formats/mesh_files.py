"""Triangles of mesh files: STL and OBJ (read by trimesh) and MuJoCo's MSH."""

from __future__ import annotations

import io
import re

import numpy as np

from taut.errors import InputError

Triangles = tuple[np.ndarray, np.ndarray]
"""Vertices (n, 3) and faces (m, 3), which may be none."""

MOST_TRIANGLES = 2_000_000
_SHAPE = re.compile(rb"^[ \t]*[og](?:[ \t].*)?$", re.MULTILINE)
_FACE = re.compile(rb"^[ \t]*f[ \t]", re.MULTILINE)


def read_mesh(data: bytes, extension: str, place: str) -> Triangles:
    """Return the triangles of a mesh file.

    Args:
        data: its content.
        extension: of its name, which tells the format.
        place: its name, for errors.
    """
    kind = extension.lower().removeprefix(".")
    if kind not in ("stl", "obj", "msh"):
        raise InputError(f"is a mesh of unknown kind '{kind[:20]}'", place, "use .stl, .obj or .msh")
    vertices, faces = _msh(data, place) if kind == "msh" else _loaded(data, kind, place)
    if len(vertices) < 3 or len(faces) > MOST_TRIANGLES or not np.all(np.isfinite(vertices)):
        raise InputError("holds no triangles, too many, or numbers that are not finite", place, "check the mesh")
    if len(faces) and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise InputError("names a vertex that it does not hold", place, "check the mesh")
    return vertices, faces


def hull(vertices: np.ndarray, place: str) -> np.ndarray:
    """Return the triangles of the convex hull of points, counter-clockwise seen from outside."""
    try:
        from scipy.spatial import ConvexHull, QhullError
    except ImportError:
        raise _missing("scipy", place) from None
    try:
        found = ConvexHull(vertices)
    except (QhullError, ValueError):
        raise InputError("the convex hull of the mesh has no volume", place, "check the mesh") from None
    faces, outward = found.simplices, found.equations[:, :3]
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("fi,fi->f", normals, outward) < 0
    return np.where(inward[:, None], faces[:, ::-1], faces)


def triangles(data: bytes, kind: str, place: str, missing: InputError, in_order: bool = False) -> Triangles:
    """Return the triangles of an STL or OBJ file.

    Args:
        data: its content.
        kind: ``stl`` or ``obj``.
        place: its name, for errors.
        missing: raised where trimesh is not installed.
        in_order: whether the vertices of an OBJ file keep their order.
    """
    try:
        import trimesh
    except ImportError:
        raise missing from None
    try:
        mesh = trimesh.load_mesh(
            io.BytesIO(data), file_type=kind, process=False, maintain_order=in_order, skip_materials=True
        )
        vertices = np.asarray(mesh.vertices, dtype=float).reshape(-1, 3)
        return vertices, np.asarray(mesh.faces, dtype=int).reshape(-1, 3)
    except Exception:  # whatever a parser raises on a damaged file
        raise InputError(f"is not readable as {kind.upper()}", place, "check the mesh") from None


def _loaded(data: bytes, kind: str, place: str) -> Triangles:
    """Return what MuJoCo reads: the first shape of an OBJ file, vertices in single precision."""
    text = _first_shape(data) if kind == "obj" else data
    vertices, faces = triangles(text, kind, place, _missing("trimesh", place), in_order=True)
    return vertices.astype(np.float32).astype(float), faces


def _first_shape(text: bytes) -> bytes:
    """Return the part of an OBJ text that holds its first shape, the only one MuJoCo reads."""
    face = _FACE.search(text)
    end = _SHAPE.search(text, face.end()) if face else None
    return text[: end.start()] if end else text


def _msh(data: bytes, place: str) -> Triangles:
    """Read four counts (vertices, normals, texture coordinates, faces), then these as 32-bit numbers."""
    counts = np.frombuffer(data[:16], dtype="<i4")
    if len(counts) == 4 and counts.min() >= 0:
        n, normals, textures, m = (int(x) for x in counts)
        if len(data) == 16 + 4 * (3 * n + 3 * normals + 2 * textures + 3 * m):
            vertices = np.frombuffer(data, dtype="<f4", count=3 * n, offset=16).reshape(-1, 3)
            faces = np.frombuffer(data, dtype="<i4", count=3 * m, offset=len(data) - 12 * m).reshape(-1, 3)
            return vertices.astype(float), faces.astype(int)
    raise InputError("is not readable as MSH", place, "check the mesh")


def _missing(package: str, place: str) -> InputError:
    return InputError(
        f"the inertia of a mesh needs {package}, which is not installed",
        place,
        "install taut with the extra 'mesh', or give the body an <inertial> (MuJoCo saves it by saveinertial=\"true\")",
    )
