"""The three conventions of a Denavit-Hartenberg row; the label is mandatory.

Each convention carries one link frame to the next by the product::

    standard  Rz(theta) Tz(d) Tx(a) Rx(alpha)                        row i places frame i at the distal end of link i
    modified  Rx(alpha) Tx(a) Rz(theta) Tz(d)                        Craig; frame i on joint i's axis
    khalil    Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)        as modified, with branches; d along x, r along z

A revolute joint adds its coordinate to theta, a prismatic one to the length along z (d, in Khalil's
letters r). Sources: Denavit and Hartenberg 1955, Paul 1981; Craig 1986; Khalil and Kleinfinger 1986.

A joint frame of taut stands on the joint's axis. In the standard convention the link frame does not:
there the constant part Tz(d) Tx(a) Rx(alpha) is kept as the place of the link frame on the body.
"""

from __future__ import annotations

from collections.abc import Mapping

from taut.errors import InputError
from taut.robot import Placement
from taut.robot.gathered import carried
from taut.spatial import Inertia, Scalar, Vec3

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "standard": ("theta", "d", "a", "alpha"),
    "modified": ("alpha", "a", "theta", "d"),
    "khalil": ("gamma", "b", "alpha", "d", "theta", "r"),
}
"""The numbers of a row, in the order of the product."""

ANGLES = frozenset({"alpha", "theta", "gamma"})

KHALIL_LENGTHS = "Khalil calls the length along x 'd' and the one along z 'r'"


def check_label(label: object, place: str = "") -> str:
    """Return a known convention's label."""
    if isinstance(label, str) and label in COLUMNS:
        return label
    found = f"'{label}'" if isinstance(label, str) and label else "no convention"
    raise InputError(
        f"found {found}, expected one of {', '.join(COLUMNS)}",
        place,
        "a DH table means nothing without its convention: 'modified' is Craig's, 'standard' is Paul's",
    )


def place_row(label: str, row: Mapping[str, Scalar], kind: str) -> tuple[Placement, Placement]:
    """Return where a row puts its joint and its link frame.

    Args:
        label: ``standard``, ``modified`` or ``khalil``.
        row: the numbers of :data:`COLUMNS`; those of the joint's own coordinate are its offset.
        kind: ``revolute``, ``prismatic`` or ``fixed``.

    Returns:
        The joint's resting frame in the parent's link frame, and the link frame on the moving body.
    """
    if label == "standard":
        before = _turns((2, row["theta"]))
        after = Placement(Vec3(row["a"], 0.0, row["d"]), _turns((0, row["alpha"])).turns)
        return (before.then(after), Placement()) if kind == "fixed" else (before, after)
    if label == "modified":
        along_x, along_z, foot = row["a"], row["d"], Placement()
    else:
        along_x, along_z = row["d"], row["r"]
        foot = _turns((2, row["gamma"])).then(Placement(Vec3(0.0, 0.0, row["b"])))
    # Rx(alpha) Tx = Tx Rx(alpha), and Rz(theta) Tz = Tz Rz(theta): the offsets may precede the motion.
    twist = foot.then(Placement(Vec3(along_x, 0.0, 0.0), _turns((0, row["alpha"])).turns))
    return twist.then(Placement(Vec3(0.0, 0.0, along_z), _turns((2, row["theta"])).turns)), Placement()


def inertia_on_body(after: Placement, inertia: Inertia) -> Inertia:
    """Return an inertia given in the link frame about the joint frame's origin, in its axes."""
    if after == Placement():
        return inertia
    return carried(after, inertia)


def _turns(*turns: tuple[int, Scalar]) -> Placement:
    return Placement().then(Placement(turns=turns))
