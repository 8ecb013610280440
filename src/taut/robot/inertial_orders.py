"""The ten inertial parameters of a body in the orders of other libraries, both ways.

- taut, pinocchio: m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, tensor about the frame's origin
- idyntree: m, mx, my, mz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz, about the frame's origin
- symoro: Ixx, Ixy, Ixz, Iyy, Iyz, Izz, mx, my, mz, m, about the frame's origin
- mujoco: m, cx, cy, cz, Ixx, Iyy, Izz, Ixy, Ixz, Iyz, about the centre of mass
- rtb: m, cx, cy, cz, Ixx, Iyy, Izz, Ixy, Iyz, Ixz, about the centre of mass

mx, my, mz is mass times centre, cx, cy, cz the centre itself. Pinocchio's is ``Inertia.toDynamicParameters``,
iDynTree's ``SpatialInertia.asVector``, SYMORO's the columns XX ... M of a ``.par`` file, MuJoCo's the attributes of
``<inertial>``, the Robotics Toolbox's (rtb) ``m``, ``r`` and the six numbers that ``Link(I=...)`` takes. Ixy is
everywhere the element of the tensor, the negative of the product of inertia.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.errors import InputError
from taut.spatial import Inertia, Scalar, Sym3, Vec3, is_exactly, shift

ORDERS: dict[str, tuple[str, ...]] = {
    name: tuple(text.split())
    for name, text in {
        "taut": "m mx my mz Ixx Ixy Iyy Ixz Iyz Izz",
        "pinocchio": "m mx my mz Ixx Ixy Iyy Ixz Iyz Izz",
        "idyntree": "m mx my mz Ixx Ixy Ixz Iyy Iyz Izz",
        "symoro": "Ixx Ixy Ixz Iyy Iyz Izz mx my mz m",
        "mujoco": "m cx cy cz Ixx Iyy Izz Ixy Ixz Iyz",
        "rtb": "m cx cy cz Ixx Iyy Izz Ixy Iyz Ixz",
    }.items()
}
"""Names of the ten numbers; where the centre is one of them, the tensor is about it."""

_TENSOR = ("Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")


def names_in(order: str) -> tuple[str, ...]:
    """Return the names of the ten numbers of an order, or raise an error that lists the orders."""
    if order not in ORDERS:
        raise InputError(f"order is {order!r}", "inertial parameters", f"use one of {', '.join(ORDERS)}")
    return ORDERS[order]


def inertia_from(ten: Sequence[Scalar], order: str) -> Inertia:
    """Return the inertia of a body from its ten numbers.

    >>> inertia_from((2, 0.1, 0, 0, 1, 1, 1, 0, 0, 0), "mujoco").parameters
    (2, 0.2, 0, 0, 1, 0.0, 1.02, 0.0, 0, 1.02)
    """
    given = dict(zip(names_in(order), ten, strict=True))
    tensor = Sym3(*(given[name] for name in _TENSOR))
    if "cx" in given:
        return Inertia.about_centre(given["m"], Vec3(given["cx"], given["cy"], given["cz"]), tensor)
    return Inertia(given["m"], Vec3(given["mx"], given["my"], given["mz"]), tensor)


def ten_in(inertia: Inertia, order: str) -> tuple[Scalar, ...]:
    """Return the ten numbers of a body; a body without mass has its centre at the origin.

    >>> ten_in(inertia_from(range(1, 11), "taut"), "symoro")
    (5, 6, 8, 7, 9, 10, 2, 3, 4, 1)
    """
    m, h, tensor = inertia.m, inertia.h, inertia.I
    names = names_in(order)
    known: dict[str, Scalar] = {"m": m, "mx": h.x, "my": h.y, "mz": h.z}
    if "cx" in names:
        c = h if is_exactly(m, 0) else h * (1 / m)
        tensor = tensor + shift(c, c) * (-1 * m)
        known |= {"cx": c.x, "cy": c.y, "cz": c.z}
    known |= {name: getattr(tensor, name[1:]) for name in _TENSOR}
    return tuple(known[name] for name in names)
