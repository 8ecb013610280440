"""The shapes of an MJCF document: the geoms of its bodies that MuJoCo shows unless told otherwise."""

from __future__ import annotations

import math
from functools import partial

from taut.formats.files import Files
from taut.formats.mjcf.bodies import Bodies
from taut.formats.mjcf.inertia import Placed
from taut.formats.mjcf.source import Source
from taut.formats.orientation import z_axis_turns
from taut.formats.shapes.shape import Colour, Piece, Shape, colour_of, plain_body
from taut.formats.xml import Element
from taut.robot import Placement
from taut.spatial import Vec3

LAST_GROUP = 2
"""Groups of geoms beyond are hidden by default."""


def mjcf_shapes(text: str | bytes, place: str, files: Files) -> list[Shape]:
    """Return what the bodies of a document look like; planes, height fields and the world's own geoms are left out."""
    bodies = Bodies.of(text, place, files)
    return [
        Shape(link, partial(_pieces, source, geom))
        for link, source, geom in bodies.geoms
        if geom[0].number("group", 0.0) <= LAST_GROUP
    ]


def _pieces(source: Source, placed: Placed) -> list[Piece]:
    geom, around = placed
    kind, mesh = geom.attributes.get("type", "sphere"), geom.attributes.get("mesh")
    where = source.settings.placement(geom)
    if mesh is not None:
        found = [Piece(*source.meshes.triangles(geom, mesh), _colour(source, geom))]
    elif kind in ("plane", "hfield"):
        return []
    else:
        size = geom.numbers("size", default=())
        if "fromto" in geom.attributes:
            where, size = _between(geom, kind, size)
        found = plain_body(kind, _whole(kind, size), _colour(source, geom), geom.place)
    return [piece.placed(around.then(where).transform) for piece in found]


def _between(geom: Element, kind: str, size: list[float]) -> tuple[Placement, list[float]]:
    """Return where a geom between two points stands, and its size: radii and half lengths."""
    numbers = geom.numbers("fromto", 6)
    a, b = Vec3(*numbers[:3]), Vec3(*numbers[3:])
    half = math.hypot(*(b - a)) / 2
    if not half or not size:
        geom.wrong("fromto needs two different points and a size", "correct fromto or size")
    round_ = kind in ("capsule", "cylinder")
    return Placement((a + b) * 0.5, z_axis_turns(geom, b - a)), [*size[:1] * (1 if round_ else 2), half]


def _whole(kind: str, size: list[float]) -> tuple[float, ...]:
    """Return MuJoCo's radii and half lengths as radii and lengths."""
    if kind == "box":
        return tuple(2 * x for x in size[:3])
    if kind in ("capsule", "cylinder"):
        return (size[0], 2 * size[1])
    return tuple(size[: 3 if kind == "ellipsoid" else 1])


def _colour(source: Source, geom: Element) -> Colour | None:
    given: Element | None = geom
    if "rgba" not in geom.attributes:
        materials = (material for asset in source.root.all("asset") for material in asset.all("material"))
        wanted = geom.attributes.get("material")
        given = next((one for one in materials if wanted and one.attributes.get("name") == wanted), None)
    if given is None or "rgba" not in given.attributes:
        return None
    return colour_of(given.numbers("rgba", 4))
