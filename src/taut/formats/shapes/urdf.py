"""The shapes of a URDF document: the ``<visual>`` elements of its links."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from taut.formats.files import Files
from taut.formats.shapes.files import mesh_pieces
from taut.formats.shapes.shape import Colour, Piece, Shape, colour_of, plain_body
from taut.formats.urdf import origin
from taut.formats.xml import Element

_SIZES = {"box": ("size",), "cylinder": ("radius", "length"), "sphere": ("radius",), "capsule": ("radius", "length")}


def urdf_shapes(root: Element, files: Files) -> list[Shape]:
    """Return what the links of a robot look like."""
    named = {material.attributes.get("name", ""): material for material in root.all("material")}
    return [
        Shape(link.required("name"), partial(_pieces, visual, named, files))
        for link in root.all("link")
        for visual in link.all("visual")
    ]


def _pieces(visual: Element, named: Mapping[str, Element], files: Files) -> list[Piece]:
    """Return the triangles of one ``<visual>``; a ``<geometry>`` of another kind is left aside."""
    material = visual.first("material")
    colour = None
    if material is not None:
        colour = _colour(material) or _colour(named.get(material.attributes.get("name", ""), material))
    found: list[Piece] = []
    for body in visual.first("geometry") or ():
        if body.tag == "mesh":
            scale = tuple(body.numbers("scale", 3, default=(1.0, 1.0, 1.0)))
            found += mesh_pieces(files, body.required("filename"), scale, colour, body.place)
        elif body.tag in _SIZES:
            sizes = tuple(x for name in _SIZES[body.tag] for x in body.numbers(name))
            found += plain_body(body.tag, sizes, colour, body.place)
    return [piece.placed(origin(visual).transform) for piece in found]


def _colour(material: Element) -> Colour | None:
    given = material.first("color")
    if given is None or "rgba" not in given.attributes:
        return None
    return colour_of(given.numbers("rgba", 4))
