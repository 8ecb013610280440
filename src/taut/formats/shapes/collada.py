"""Triangles of COLLADA files (.dae), with the diffuse colours of their materials.

Read: geometries of triangles, polylists and polygons, placed by the nodes of the scene, in the file's unit of length.
As the programs that show robots do, the file's upward axis is not turned: robot descriptions mean its numbers as they
stand. Left aside: textures, skins, lights, cameras.
Source: COLLADA 1.4 specification (Khronos).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from taut.errors import InputError
from taut.formats.shapes.shape import Colour, Piece, colour_of

DEEPEST = 60
"""Nodes within nodes."""


def read_collada(data: bytes, place: str) -> list[Piece]:
    """Return the triangles of a file, one piece a material.

    Args:
        data: its content.
        place: its name, for errors.
    """
    try:
        root = fromstring(data)
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
        found = list(_Scene(root).pieces())
    except (ParseError, DefusedXmlException, ValueError, IndexError, KeyError, AttributeError, RecursionError):
        raise InputError("is not readable as COLLADA", place, "check the mesh") from None
    if not found:
        raise InputError("holds no triangles", place, "check the mesh")
    return found


class _Scene:
    """A document, its parts by their names."""

    def __init__(self, root: Any) -> None:
        self.root = root
        self.named = {element.get("id"): element for element in root.iter() if element.get("id")}

    def pieces(self) -> Iterator[Piece]:
        unit = self.root.find("asset/unit")
        size = float(unit.get("meter", 1.0)) if unit is not None else 1.0
        scale = np.diag([size, size, size, 1.0])
        shown = self.root.find("scene/instance_visual_scene")
        scenes = [self._at(shown.get("url"))] if shown is not None else self.root.findall(".//visual_scene")
        for scene in scenes:
            for node in scene.findall("node"):
                yield from self._node(node, scale, 0)

    def _at(self, address: str) -> Any:
        return self.named[address.removeprefix("#")]

    def _node(self, node: Any, above: np.ndarray, depth: int) -> Iterator[Piece]:
        if depth > DEEPEST:
            raise ValueError(depth)
        here = above
        for element in node:
            if element.tag in _TRANSFORMS:
                here = here @ _TRANSFORMS[element.tag](_numbers(element))
        for instance in node.findall("instance_geometry"):
            materials = {m.get("symbol"): m.get("target") for m in instance.iter("instance_material")}
            for piece in self._geometry(self._at(instance.get("url")), materials):
                yield piece.moved(here)
        for inner in node.findall("node"):
            yield from self._node(inner, here, depth + 1)
        for instance in node.findall("instance_node"):
            yield from self._node(self._at(instance.get("url")), here, depth + 1)

    def _geometry(self, geometry: Any, materials: dict[str, str]) -> Iterator[Piece]:
        mesh = geometry.find("mesh")
        if mesh is None:
            return
        for part in mesh:
            if part.tag in ("triangles", "polylist", "polygons"):
                vertices, faces = self._corners(part)
                colour = self._colour(materials.get(part.get("material"), ""))
                if len(faces):
                    yield Piece(vertices, faces, colour)

    def _corners(self, part: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return places and triangles; a polygon is cut into triangles around its first corner."""
        inputs = part.findall("input")
        width = 1 + max(int(one.get("offset", 0)) for one in inputs)
        [held] = [one for one in inputs if one.get("semantic") == "VERTEX"]
        vertices = self._places(self._at(held.get("source")))
        at = int(held.get("offset", 0))
        rings = [_integers(p).reshape(-1, width)[:, at] for p in part.findall("p")]
        if part.tag == "polygons":
            sizes, corners = (
                np.array([len(ring) for ring in rings], dtype=int),
                np.concatenate([*rings, []]).astype(int),
            )
        else:
            corners = rings[0] if rings else np.zeros(0, dtype=int)
            counts = part.find("vcount")
            sizes = _integers(counts) if counts is not None else np.full(len(corners) // 3, 3)
        faces = _fans(corners, sizes)
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(vertices):
            raise IndexError(faces.max())
        return vertices, faces

    def _places(self, vertices: Any) -> np.ndarray:
        [held] = [one for one in vertices.findall("input") if one.get("semantic") == "POSITION"]
        source = self._at(held.get("source"))
        accessor = source.find("technique_common/accessor")
        stride = int(accessor.get("stride", 3)) if accessor is not None else 3
        numbers = _numbers(source.find("float_array"))
        places = numbers[: len(numbers) // stride * stride].reshape(-1, stride)[:, :3]
        if not np.isfinite(places).all():
            raise ValueError("not finite")
        return places

    def _colour(self, address: str) -> Colour | None:
        """Return the diffuse colour of a material; none where it has none, or a texture."""
        material = self.named.get(address.removeprefix("#"))
        effect = material.find("instance_effect") if material is not None else None
        if effect is None or (described := self.named.get(effect.get("url", "").removeprefix("#"))) is None:
            return None
        colour = described.find(".//diffuse/color")
        if colour is None:
            return None
        return colour_of(_numbers(colour).tolist())


def _fans(corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    starts = np.cumsum(sizes) - sizes
    found = [
        np.stack([corners[first], corners[first + k], corners[first + k + 1]], axis=1)
        for k in range(1, int(sizes.max(initial=0)) - 1)
        if len(first := starts[sizes > k + 1])
    ]
    return np.concatenate(found).astype(int) if found else np.zeros((0, 3), dtype=int)


def _numbers(element: Any) -> np.ndarray:
    return np.array((element.text or "").split(), dtype=float)


def _integers(element: Any) -> np.ndarray:
    return np.array((element.text or "").split(), dtype=int)


def _translated(numbers: np.ndarray) -> np.ndarray:
    found = np.eye(4)
    found[:3, 3] = numbers
    return found


def _turned(numbers: np.ndarray) -> np.ndarray:
    """Return the rotation about an axis by degrees (Rodrigues)."""
    axis, angle = numbers[:3] / np.linalg.norm(numbers[:3]), np.radians(numbers[3])
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found = np.eye(4)
    found[:3, :3] += np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew
    return found


_TRANSFORMS = {
    "matrix": lambda numbers: numbers.reshape(4, 4),
    "translate": _translated,
    "rotate": _turned,
    "scale": lambda numbers: np.diag([*numbers, 1.0]),
}
