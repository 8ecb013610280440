"""Inertia of an MJCF body: from its ``<inertial>``, or from its geoms as bodies of uniform density.

Source: MuJoCo's XML reference (``inertial``, ``geom``, ``compiler``), checked against the MuJoCo library;
moments of the primitive bodies are the textbook ones. With ``shellinertia`` the mass lies on the surface.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from taut.formats.mjcf.meshes import Meshes, Solid
from taut.formats.mjcf.settings import Settings
from taut.formats.xml import LARGEST_NUMBER, Element, shown
from taut.robot import Placement
from taut.robot.gathered import carried, together
from taut.spatial import NO_INERTIA, NO_TENSOR, ZERO, Inertia, Sym3, Vec3, shift

WATER = 1000.0
"""Density of a geom that gives none [kg/m^3]."""

LEAST_SIZE = 1e-30
"""Sizes below are zero: their cubes would not be numbers [m]."""

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
_MASSLESS = ("plane", "hfield")
_LONG = ("capsule", "cylinder", "ellipsoid", "box")
_BY_MESH = ("mesh", "sdf")

Placed = tuple[Element, Placement]
"""An element and where the ``<frame>`` elements around it put its surroundings in the body."""


def body_inertia(
    settings: Settings, meshes: Meshes, inertial: Placed | None, geoms: Sequence[Placed], *, moves: bool
) -> Inertia:
    """Return the inertia of a body about its origin.

    Args:
        settings: of the document.
        meshes: of the document.
        inertial: the body's ``<inertial>``.
        geoms: its geoms, defaults filled in.
        moves: whether the body can move; the meshes of one that cannot are read only if its mass has an effect.
    """
    wanted = settings.inertia_from_geom
    counted = [(geom, around) for geom, around in geoms if _counts(settings, geom)]
    if inertial and not (wanted == "true" and counted):
        return _bounded(settings, _stated(settings, *inertial))
    if wanted == "false":
        return NO_INERTIA
    total = NO_INERTIA
    for geom, around in counted:
        if moves or settings.total_mass > 0 or "mesh" not in geom.attributes:
            placement = around.then(settings.placement(geom))
            total = together(total, carried(placement, _geom_inertia(settings, meshes, geom)))
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
    return carried(placement, Inertia(mass, ZERO, tensor))


def _counts(settings: Settings, geom: Element) -> bool:
    """Return whether a geom has mass, and its group one that gives mass."""
    first, last = settings.inertia_groups
    if geom.attributes.get("type", "sphere") in _MASSLESS or not first <= geom.number("group", 0.0) <= last:
        return False
    return geom.number("mass") != 0 if "mass" in geom.attributes else geom.number("density", WATER) != 0


def _geom_inertia(settings: Settings, meshes: Meshes, geom: Element) -> Inertia:
    """Return the inertia of a geom in its own frame."""
    kind = geom.attributes.get("type", "sphere")
    name = geom.attributes.get("mesh")
    if kind not in _SIZES and not (kind in _BY_MESH and name):
        geom.unsupported(
            f"the inertia of this geom (type {shown(kind)}) is not computed", "give its body an <inertial>"
        )
    if name is None:
        size = geom.numbers("size", default=())
        if "fromto" in geom.attributes:
            return _along(geom, kind, size)
        if len(size) < _SIZES[kind]:
            geom.wrong(f"a {kind} needs {_SIZES[kind]} numbers in size, found {len(size)}", "correct size")
        return Inertia(*_mass_and_moments(geom, kind, size))
    solid = meshes.solid(geom, name)
    if kind in _BY_MESH:
        mass = _mass(geom, solid.volume)
        return Inertia.about_centre(mass, Vec3(*map(float, solid.centre)), _sym3(solid.tensor * (mass / solid.volume)))
    centre, axes, size = _fitted(settings, geom, kind, solid)
    mass, _, moments = _mass_and_moments(geom, kind, size)
    tensor = axes @ np.diag([moments.xx, moments.yy, moments.zz]) @ axes.T
    return Inertia.about_centre(mass, Vec3(*map(float, centre)), _sym3(tensor))


def _fitted(settings: Settings, geom: Element, kind: str, solid: Solid) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Return centre, axes and size of the primitive body that is fitted to a mesh in its principal axes.

    By default it follows the box of equal inertia, with ``fitaabb`` the box around the mesh.
    """
    moments, axes = solid.principal
    half = np.sqrt(np.maximum(1.5 * (moments.sum() - 2 * moments) / solid.volume, 0.0))
    centre = solid.centre
    sizes = {
        "sphere": [half.mean()],
        "capsule": [half[:2].mean(), max(0.0, half[2] - half[:2].mean() / 2)],
        "cylinder": [half[:2].mean(), half[2]],
    }
    if settings.fit_box:
        points = (solid.vertices - centre) @ axes
        low, high = points.min(axis=0), points.max(axis=0)
        middle, half = (low + high) / 2, (high - low) / 2
        centre = centre + axes @ middle
        radius = max(half[:2])
        sizes = {
            "sphere": [max(half)],
            "capsule": [radius, max(0.0, half[2] - radius)],
            "cylinder": [radius, half[2]],
        }
    scale = geom.number("fitscale", 1.0)
    return centre, axes, [scale * float(x) for x in sizes.get(kind, half)]


def _sym3(matrix: np.ndarray) -> Sym3:
    return Sym3(*(float(matrix[i, j]) for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))))


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
    mass, _, moments = _mass_and_moments(
        geom, kind, (radius, half) if kind in ("capsule", "cylinder") else (radius, radius, half)
    )
    # I = I_t 1 + (I_a - I_t) u u^T; with u u^T = 1 - shift(u, u) that is I_a 1 + (I_t - I_a) shift(u, u).
    u = line * (1 / length)
    across, along = moments.xx, moments.zz
    tensor = Sym3(along, 0.0, along, 0.0, 0.0, along) + shift(u, u) * (across - along)
    return Inertia.about_centre(mass, (a + b) * 0.5, tensor)


def _mass_and_moments(geom: Element, kind: str, size: Sequence[float]) -> tuple[float, Vec3, Sym3]:
    """Return mass, first moment (zero) and central inertia in a body's own axes; sizes are radii and half lengths."""
    if not all(x > LEAST_SIZE for x in size[: _SIZES[kind]]):
        geom.wrong(f"size of a {kind} is {' '.join(f'{x:g}' for x in size)}, expected positive numbers", "correct size")
    hollow = geom.attributes.get("shellinertia", "false") == "true"
    if hollow and kind == "ellipsoid":
        geom.unsupported("the inertia of the shell of an ellipsoid is not computed", "give its body an <inertial>")
    volume, moments = (_shell if hollow else _solid)(kind, *(*size, 0.0, 0.0)[:3])
    mass = _mass(geom, volume)
    xx, yy, zz = (mass * x for x in moments)
    return mass, ZERO, Sym3(xx, 0.0, yy, 0.0, 0.0, zz)


def _mass(geom: Element, volume: float) -> float:
    """Return a geom's mass: given, or density times volume (for a shell, area)."""
    mass = geom.number("mass") if "mass" in geom.attributes else geom.number("density", WATER) * volume
    if abs(mass) > LARGEST_NUMBER:
        geom.wrong(f"the mass of this geom is {mass:g} kg", "correct its size and density")
    return mass


def _solid(kind: str, a: float, b: float, c: float) -> tuple[float, tuple[float, float, float]]:
    """Return the volume of a primitive body and its central moments per mass."""
    ball, tube = 4 / 3 * math.pi * a**3, 2 * math.pi * a**2 * b
    match kind:
        case "box":
            return 8 * a * b * c, ((b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3)
        case "ellipsoid":
            return 4 / 3 * math.pi * a * b * c, ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
        case "sphere":
            return ball, (0.4 * a * a,) * 3
    # A cylinder of length 2b, and for a capsule two half balls whose centres lie 3/8 a beyond its ends.
    volume = ball + tube if kind == "capsule" else tube
    caps = ball / volume if kind == "capsule" else 0.0
    across = (1 - caps) * (a * a / 4 + b * b / 3) + caps * (0.4 * a * a + b * b + 0.75 * a * b)
    return volume, (across, across, (1 - caps) * a * a / 2 + caps * 0.4 * a * a)


def _shell(kind: str, a: float, b: float, c: float) -> tuple[float, tuple[float, float, float]]:
    """Return the area of a primitive surface and its central moments per mass."""
    if kind == "sphere":
        return 4 * math.pi * a * a, (2 / 3 * a * a,) * 3
    if kind == "box":
        # Mean squares over the surface: on the two faces across an axis it is the half length, else a third of it.
        areas = (b * c, a * c, a * b)
        whole = sum(areas)
        xx, yy, zz = (h * h * (face + (whole - face) / 3) / whole for h, face in zip((a, b, c), areas, strict=True))
        return 8 * whole, (yy + zz, xx + zz, xx + yy)
    # A tube, closed by two discs, or for a capsule by two half spheres whose centres lie a/2 beyond its ends.
    tube, ends = 4 * math.pi * a * b, (4 if kind == "capsule" else 2) * math.pi * a * a
    area = tube + ends
    round_ends = kind == "capsule"
    along = (tube * a * a + ends * (2 / 3 if round_ends else 1 / 2) * a * a) / area
    beyond = b * b + a * b + a * a / 3 if round_ends else b * b
    lengthwise = (tube * b * b / 3 + ends * beyond) / area
    return area, (along / 2 + lengthwise, along / 2 + lengthwise, along)


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
    return Inertia.about_centre(mass, centre, _sym3((axes * repaired) @ axes.T))
