"""Mass centre and inertia of simple bodies from their mass and outer dimensions.

Solids are filled evenly, shells have all their mass on the surface, as Armstrong, Khatib and Burdick (1986) took
the links of the PUMA's wrist. A body of revolution has its axis along ``z`` here; the centre is measured from its
geometric centre, for a cone from the centre of its base towards the tip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from taut.spatial import Scalar, sqrt


@dataclass(frozen=True)
class Shape:
    """What a shape is measured by, and its moments.

    Attributes:
        dimensions: names of the lengths.
        moments: from the mass and the lengths, the height of the mass centre along the axis and Ixx, Iyy, Izz
            about the mass centre.
    """

    dimensions: tuple[str, ...]
    moments: Callable[[Scalar, Mapping[str, Scalar]], tuple[Scalar, tuple[Scalar, Scalar, Scalar]]]


Moments = tuple[Scalar, tuple[Scalar, Scalar, Scalar]]


def _axial(height: Scalar, across: Scalar, along: Scalar) -> Moments:
    return height, (across, across, along)


def _box(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    x, y, z = (d[name] ** 2 for name in "xyz")
    return 0, (m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12)


def _box_shell(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    x, y, z = (d[name] for name in "xyz")
    density = m / (2 * (x * y + y * z + z * x))
    # Second moments of the surface along each axis: two faces across it, four along it.
    xx = density * x**2 * (y * z / 2 + x * (y + z) / 6)
    yy = density * y**2 * (x * z / 2 + y * (x + z) / 6)
    zz = density * z**2 * (x * y / 2 + z * (x + y) / 6)
    return 0, (yy + zz, xx + zz, xx + yy)


def _cylinder(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    r, h = d["radius"], d["height"]
    return _axial(0, m * (3 * r**2 + h**2) / 12, m * r**2 / 2)


def _tube(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    r, h = d["radius"], d["height"]
    return _axial(0, m * (r**2 / 2 + h**2 / 12), m * r**2)


def _cylinder_shell(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    r, h = d["radius"], d["height"]
    side, lids = m * h / (h + r), m * r / (h + r)
    _, (across, _, along) = _tube(side, d)
    return _axial(0, across + lids * (r**2 + h**2) / 4, along + lids * r**2 / 2)


def _cone(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    r, h = d["radius"], d["height"]
    return _axial(h / 4, 3 * m * (4 * r**2 + h**2) / 80, 3 * m * r**2 / 10)


def _cone_shell(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    r, h = d["radius"], d["height"]
    slant = sqrt(r**2 + h**2)
    side, base = m * slant / (slant + r), m * r / (slant + r)
    centre = side * h / (3 * m)
    across = side * (r**2 / 4 + h**2 / 18 + (h / 3 - centre) ** 2) + base * (r**2 / 4 + centre**2)
    return _axial(centre, across, m * r**2 / 2)


def _sphere(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    inertia = 2 * m * d["radius"] ** 2 / 5
    return _axial(0, inertia, inertia)


def _sphere_shell(m: Scalar, d: Mapping[str, Scalar]) -> Moments:
    inertia = 2 * m * d["radius"] ** 2 / 3
    return _axial(0, inertia, inertia)


_ROUND = ("radius", "height")

SHAPES: dict[str, Shape] = {
    "box": Shape(("x", "y", "z"), _box),
    "box shell": Shape(("x", "y", "z"), _box_shell),
    "cylinder": Shape(_ROUND, _cylinder),
    "cylinder shell": Shape(_ROUND, _cylinder_shell),
    "tube": Shape(_ROUND, _tube),
    "cone": Shape(_ROUND, _cone),
    "cone shell": Shape(_ROUND, _cone_shell),
    "sphere": Shape(("radius",), _sphere),
    "sphere shell": Shape(("radius",), _sphere_shell),
}
"""Solids and closed thin shells; a tube is a cylinder shell without its ends."""
