"""What inertia an MJCF body has: from its ``<inertial>``, or from its geoms as solids of uniform density.

Source: MuJoCo's XML reference (``inertial``, ``geom``, ``compiler``), checked against the MuJoCo library;
moments of the solids are the textbook ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from taut.formats.mjcf_settings import Settings
from taut.formats.xml import Element, shown
from taut.robot import Placement
from taut.spatial import NO_INERTIA, NO_TENSOR, ZERO, Inertia, Sym3, Vec3, shift

WATER = 1000.0
"""Density of a geom that gives none [kg/m^3]."""

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
_MASSLESS = ("plane", "hfield")
_LONG = ("capsule", "cylinder", "ellipsoid", "box")

Placed = tuple[Element, Placement]
"""An element and where the ``<frame>`` elements around it put its surroundings in the body."""


def body_inertia(settings: Settings, inertial: Placed | None, geoms: Sequence[Placed], *, moves: bool) -> Inertia:
    """Return the inertia of a body about its origin.

    Args:
        settings: of the document.
        inertial: the body's ``<inertial>``.
        geoms: its geoms, defaults filled in.
        moves: whether the body can move; of one that cannot, geoms without known inertia count nothing.
    """
    wanted = settings.inertia_from_geom
    counted = [(geom, around) for geom, around in geoms if _counts(settings, geom)]
    if inertial and not (wanted == "true" and counted):
        return _bounded(settings, _stated(settings, *inertial))
    if wanted == "false":
        return NO_INERTIA
    total = NO_INERTIA
    for geom, around in counted:
        if not moves and _solid(geom) is None:
            continue
        total = total + around.transform.inertia_to_parent(_geom_inertia(settings, geom))
    return _bounded(settings, total)


def scaled(body: Inertia, factor: float) -> Inertia:
    """Return a body with its density multiplied."""
    return Inertia.from_parameters(tuple(factor * x for x in body.parameters))


def _stated(settings: Settings, inertial: Element, around: Placement) -> Inertia:
    mass = inertial.number("mass")
    inertial.required("pos")
    if "fullinertia" in inertial.attributes:
        xx, yy, zz, xy, xz, yz = inertial.numbers("fullinertia", 6)
        tensor = Sym3(xx, xy, yy, xz, yz, zz)
    else:
        xx, yy, zz = inertial.numbers("diaginertia", 3, default=(0.0, 0.0, 0.0))
        tensor = Sym3(xx, 0.0, yy, 0.0, 0.0, zz)
    placement = around.then(settings.placement(inertial))
    return placement.transform.inertia_to_parent(Inertia(mass, ZERO, tensor))


def _counts(settings: Settings, geom: Element) -> bool:
    first, last = settings.inertia_groups
    massless = geom.attributes.get("type", "sphere") in _MASSLESS or (
        "mass" in geom.attributes and geom.number("mass") == 0
    )
    return first <= geom.number("group", 0.0) <= last and not massless


def _solid(geom: Element) -> str | None:
    """Return the kind of a geom whose inertia follows from its attributes alone."""
    kind = geom.attributes.get("type", "sphere")
    hollow = geom.attributes.get("shellinertia", "false") == "true"
    return kind if kind in _SIZES and "mesh" not in geom.attributes and not hollow else None


def _geom_inertia(settings: Settings, geom: Element) -> Inertia:
    kind = _solid(geom)
    if kind is None:
        found = shown(geom.attributes.get("type", "sphere"))
        geom.unsupported(
            f"the inertia of this geom (type {found}) is not computed",
            "give its body an <inertial>, as MuJoCo saves it",
        )
    size = geom.numbers("size", default=())
    if "fromto" in geom.attributes:
        return _along(geom, kind, size)
    if len(size) < _SIZES[kind]:
        geom.wrong(f"a {kind} needs {_SIZES[kind]} numbers in size, found {len(size)}", "correct size")
    mass, tensor = _mass_and_moments(geom, kind, size)
    return settings.placement(geom).transform.inertia_to_parent(Inertia(mass, ZERO, tensor))


def _along(geom: Element, kind: str, size: Sequence[float]) -> Inertia:
    """Return the inertia of a geom that stretches between two points; it is round or square about that line."""
    if kind not in _LONG:
        geom.wrong(f"fromto does not apply to a {kind}", "give pos and size")
    numbers = geom.numbers("fromto", 6)
    a, b = Vec3(*numbers[:3]), Vec3(*numbers[3:])
    line = b - a
    length = math.hypot(*line)
    if length < 1e-12 or not size:
        geom.wrong("fromto needs two different points and a size", "correct fromto or size")
    radius, half = size[0], length / 2
    mass, moments = _mass_and_moments(
        geom, kind, (radius, half) if kind in ("capsule", "cylinder") else (radius, radius, half)
    )
    # I = I_t 1 + (I_a - I_t) u u^T; with u u^T = 1 - shift(u, u) that is I_a 1 + (I_t - I_a) shift(u, u).
    u = line * (1 / length)
    across, along = moments.xx, moments.zz
    tensor = Sym3(along, 0.0, along, 0.0, 0.0, along) + shift(u, u) * (across - along)
    return Inertia.about_centre(mass, (a + b) * 0.5, tensor)


def _mass_and_moments(geom: Element, kind: str, size: Sequence[float]) -> tuple[float, Sym3]:
    """Return mass and central inertia of a solid in its own axes; sizes are radii and half lengths."""
    a, b, c = (*size, 0.0, 0.0)[:3]
    if not all(x > 0 for x in size[: _SIZES[kind]]):
        geom.wrong(f"size of a {kind} is {' '.join(f'{x:g}' for x in size)}, expected positive numbers", "correct size")
    ball, tube = 4 / 3 * math.pi * a**3, 2 * math.pi * a**2 * b
    volume = {
        "sphere": ball,
        "capsule": ball + tube,
        "cylinder": tube,
        "ellipsoid": 4 / 3 * math.pi * a * b * c,
        "box": 8 * a * b * c,
    }[kind]
    mass = geom.number("mass") if "mass" in geom.attributes else geom.number("density", WATER) * volume
    match kind:
        case "box":
            moments = ((b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3)
        case "ellipsoid":
            moments = ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
        case "sphere":
            moments = (0.4 * a * a,) * 3
        case _:
            # A cylinder of length 2b, and for a capsule two half balls whose centres lie 3/8 a beyond its ends.
            caps = ball / volume if kind == "capsule" else 0.0
            across = (1 - caps) * (a * a / 4 + b * b / 3) + caps * (0.4 * a * a + b * b + 0.75 * a * b)
            moments = (across, across, (1 - caps) * a * a / 2 + caps * 0.4 * a * a)
    xx, yy, zz = (mass * x for x in moments)
    return mass, Sym3(xx, 0.0, yy, 0.0, 0.0, zz)


def _bounded(settings: Settings, body: Inertia) -> Inertia:
    """Return the body with the compiler's repairs: least mass, least principal moments, balanced moments."""
    if not (settings.least_mass > 0 or settings.least_inertia > 0 or settings.balance_inertia):
        return body
    centre = Vec3(*(x / body.m for x in body.h)) if body.m != 0 else ZERO
    central = body.I + shift(centre, centre) * -body.m if body.m != 0 else NO_TENSOR
    matrix = np.array([tuple(row) for row in central.matrix.rows], dtype=float)
    moments, axes = np.linalg.eigh(matrix)
    repaired = np.maximum(moments, settings.least_inertia)
    if settings.balance_inertia and repaired[0] + repaired[1] < repaired[2]:
        repaired[:] = repaired.mean()
    mass = max(body.m, settings.least_mass)
    if np.array_equal(moments, repaired) and mass == body.m:
        return body
    m = (axes * repaired) @ axes.T
    tensor = Sym3(*(float(m[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))))
    return Inertia.about_centre(mass, centre, tensor)
