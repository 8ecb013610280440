"""Mass and inertia of meshes, by the rules of MuJoCo's ``<mesh inertia="...">``.

A mesh is cut into pyramids over its triangles. ``exact`` adds their signed volumes and so asks for a closed,
oriented surface; ``legacy`` (the default) counts every volume as positive, seen from the centroid of the surface,
and so counts too much where a mesh is not convex; ``convex`` takes the convex hull; ``shell`` spreads the mass over
the surface. Vertices are moved by ``refpos``, turned by ``refquat`` and then scaled.
Source: MuJoCo's XML reference (``asset/mesh``), checked against the MuJoCo library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from taut.formats.files import Files
from taut.formats.mesh_files import Triangles, hull, read_mesh
from taut.formats.mjcf.settings import MAIN, Settings
from taut.formats.orientation import quaternion_turns
from taut.formats.xml import Element, shown
from taut.robot import Placement

RULES = ("legacy", "convex", "exact", "shell")
LEAST = 1e-15
"""Volume or area below which a mesh has none; MuJoCo's mjMINVAL."""


@dataclass(frozen=True)
class Solid:
    """A body of density one.

    Attributes:
        volume: of the mesh, or the area of a shell.
        centre: of mass, in the frame of the mesh.
        tensor: inertia about the centre.
        vertices: of the mesh.
    """

    volume: float
    centre: np.ndarray
    tensor: np.ndarray
    vertices: np.ndarray

    @property
    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal moments, largest first, and their axes as columns of a rotation."""
        moments, axes = np.linalg.eigh(self.tensor)
        moments, axes = moments[::-1], axes[:, ::-1]
        return moments, axes * np.array([1.0, 1.0, np.linalg.det(axes)])


@dataclass
class Meshes:
    """The meshes of one document, read when their inertia is needed."""

    settings: Settings
    files: Files
    _elements: dict[str, Element] = field(default_factory=dict)
    _solids: dict[str, Solid] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, files: Files, meshes: Iterable[Element]) -> Meshes:
        """Return the meshes of ``<mesh>`` elements; one without a name is called by its file."""
        filled = [settings.filled(mesh, MAIN) for mesh in meshes]
        return cls(settings, files, {_name(mesh): mesh for mesh in filled})

    def solid(self, geom: Element, name: str) -> Solid:
        """Return the body that a geom's mesh makes.

        Args:
            geom: that names the mesh, for errors.
            name: of the mesh.
        """
        if name not in self._solids:
            self._solids[name] = self._computed(self._element(geom, name))
        return self._solids[name]

    def triangles(self, geom: Element, name: str) -> Triangles:
        """Return what a geom's mesh looks like; arguments as for :meth:`solid`."""
        mesh = self._element(geom, name)
        vertices, faces = self._triangles(mesh)
        moved = self._moved(mesh, vertices)
        return moved, faces if len(faces) else hull(moved, mesh.place)

    def _element(self, geom: Element, name: str) -> Element:
        if name not in self._elements:
            geom.wrong(f"mesh {shown(name)} does not exist", "define it in <asset>")
        return self._elements[name]

    def _computed(self, mesh: Element) -> Solid:
        rule = mesh.attributes.get("inertia", "legacy")
        if rule not in RULES:
            mesh.wrong(f"inertia is {shown(rule)}", f"use {', '.join(RULES)}")
        vertices, faces = self._triangles(mesh)
        vertices = self._moved(mesh, vertices)
        if rule == "convex" or not len(faces):
            faces = hull(vertices, mesh.place)
        elif np.prod(mesh.numbers("scale", 3, default=(1.0, 1.0, 1.0))) < 0:
            faces = faces[:, ::-1]
        solid = solid_of(vertices, faces, rule)
        if not solid.volume >= LEAST:
            what = "negative: its triangles face inwards" if solid.volume < 0 else "too small"
            mesh.wrong(f"the volume of the mesh is {what}", 'correct it, or use inertia="shell"')
        return solid

    def _triangles(self, mesh: Element) -> Triangles:
        if "file" in mesh.attributes:
            name = mesh.required("file")
            if self.settings.strip_path:
                name = _last(name)
            home = self.files.folder
            own = mesh.folder or home
            folder = self.settings.mesh_folder
            places = [home / folder, own / folder, own] if home and own else []
            path = self.files.find(name, places, mesh.place)
            return read_mesh(self.files.read(path, mesh.place), path.suffix, f"{mesh.place}: {name}")
        if "vertex" not in mesh.attributes:
            mesh.unsupported("a mesh without file and vertices is not computed", "give its body an <inertial>")
        vertices, faces = mesh.numbers("vertex"), mesh.numbers("face", default=())
        if len(vertices) % 3 or len(faces) % 3:
            mesh.wrong("vertex and face hold no triples of numbers", "correct them")
        corners = np.array(faces, dtype=float).reshape(-1, 3)
        if np.any(corners != np.round(corners)) or np.any(corners < 0) or np.any(corners >= len(vertices) // 3):
            mesh.wrong("face names a vertex that does not exist", "count vertices from 0")
        # MuJoCo keeps vertices in single precision.
        return np.array(vertices, dtype=np.float32).astype(float).reshape(-1, 3), corners.astype(int)

    def _moved(self, mesh: Element, vertices: np.ndarray) -> np.ndarray:
        turns = quaternion_turns(mesh, mesh.numbers("refquat", 4, default=(1.0, 0.0, 0.0, 0.0)))
        rotation = np.array([tuple(row) for row in Placement(turns=turns).transform.R.matrix.rows], dtype=float)
        shifted = vertices - np.array(mesh.numbers("refpos", 3, default=(0.0, 0.0, 0.0)))
        return (shifted @ rotation) * np.array(mesh.numbers("scale", 3, default=(1.0, 1.0, 1.0)))


def solid_of(vertices: np.ndarray, faces: np.ndarray, rule: str) -> Solid:
    """Return the body that triangles enclose, or are, by one of the :data:`RULES`.

    Args:
        vertices: (n, 3).
        faces: (m, 3) indices of vertices, counter-clockwise seen from outside.
        rule: how volumes are added.
    """
    corners = vertices[faces]
    middles = corners.mean(axis=1)
    areas = np.linalg.norm(_normals(corners), axis=1)
    surface = areas @ middles / areas.sum() if areas.sum() > 0 else vertices.mean(axis=0)
    if rule == "shell":
        volumes, centre = areas, surface
    else:
        volumes = _volumes(corners - surface, rule)
        centre = volumes @ (0.75 * middles + 0.25 * surface) / volumes.sum() if volumes.sum() != 0 else surface
        volumes = _volumes(corners - centre, rule)
    # Second moments of a triangle over 12, of a pyramid with its tip at the origin over 20.
    about = corners - centre
    summed = about.sum(axis=1)
    products = np.einsum("f,fki,fkj->ij", volumes, about, about) + np.einsum("f,fi,fj->ij", volumes, summed, summed)
    products /= 12 if rule == "shell" else 20
    return Solid(float(volumes.sum()), centre, np.trace(products) * np.eye(3) - products, vertices)


def _normals(corners: np.ndarray) -> np.ndarray:
    """Return the normals of triangles, each as long as its area."""
    return 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _volumes(corners: np.ndarray, rule: str) -> np.ndarray:
    """Return the volumes of the pyramids over triangles with their tips at the origin."""
    signed = np.einsum("fi,fi->f", corners.mean(axis=1), _normals(corners)) / 3
    return np.abs(signed) if rule == "legacy" else signed


def _last(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _name(mesh: Element) -> str:
    given = mesh.attributes.get("name")
    return given or _last(mesh.attributes.get("file", "")).rpartition(".")[0]
