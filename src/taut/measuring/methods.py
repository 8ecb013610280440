"""The measurements a sheet can hold, one function each: readings in, quantities of a body or joint out.

Sources: Armstrong, Khatib and Burdick (1986), section 5, for the two-wire suspension, the knife edge, the torsional
spring and thin shells; the others are elementary mechanics. Each docstring states its equation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from taut.errors import InputError
from taut.formats.table import Table, nearest
from taut.graph import Node
from taut.measuring.arm import Arm
from taut.measuring.ledger import BODY, CENTRE, JOINT, TENSOR, Ledger
from taut.measuring.shapes import SHAPES
from taut.robot import Placement
from taut.spatial import Inertia, Scalar, Transform, Vec3

AXES = ("x", "y", "z")


def balance(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Weigh a body: m."""
    _of_body(ledger, table, "mass", ledger.read(table, "mass", "kg", positive=True))


def knife_edge(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Balance a body on an edge across one axis: the mass centre is at ``reading - origin`` along that axis."""
    axis = table.choice("axis", AXES)
    _of_body(ledger, table, axis, ledger.read(table, "reading", "m") - ledger.read(table, "origin", "m", default=0))


def two_scales(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Rest a body on two scales at x1 and x2 that show m1 and m2: the centre is at (x1 m1 + x2 m2)/(m1 + m2)."""
    axis = table.choice("axis", AXES)
    x1, x2 = (ledger.read(table, key, "m") for key in ("first", "second"))
    m1, m2 = (ledger.read(table, key, "kg") for key in ("first_mass", "second_mass"))
    _of_body(ledger, table, axis, (x1 * m1 + x2 * m2) / (m1 + m2))
    _of_body(ledger, table, "mass", m1 + m2)


def suspension(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Swing a body about a vertical axis between two wires: I = M g r^2 / (w^2 l) (Armstrong's equation 11).

    The mass centre lies on the axis, halfway between wires at the distance r from it. A fixture that swings along
    has its mass added to M and its inertia taken off.
    """
    axis = table.choice("axis", AXES)
    fixture = ledger.read(table, "fixture_inertia", "kg m^2", default=0)
    mass = ledger.mass(table.text("body"), table.place) + ledger.read(table, "fixture_mass", "kg", default=0)
    r, length = (ledger.read(table, key, "m", positive=True) for key in ("wire_distance", "wire_length"))
    turned = _period(ledger, table) / (2 * math.pi)
    _of_body(ledger, table, f"I{axis}{axis}", mass * arm.gravity * r**2 * turned**2 / length - fixture)


def shape(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Estimate a body by a simple shape of the same mass and outer dimensions; tolerances of the guess are stated."""
    kind = SHAPES[table.choice("shape", SHAPES)]
    axis = AXES.index(table.choice("axis", AXES, "z"))
    mass = ledger.read(table, "mass", "kg", positive=True)
    sizes = {key: ledger.read(table, key, "m", positive=True) for key in kind.dimensions}
    height, (ixx, iyy, izz) = kind.moments(mass, sizes)
    # The shape's own z becomes the chosen axis; x and y follow in cyclic order.
    tensor = {(axis + 1) % 3: ixx, (axis + 2) % 3: iyy, axis: izz}
    along = [ledger.graph.lift(height) if k == axis else ledger.graph.constant(0) for k in range(3)]
    guess = {key: _guess(ledger, table, key) for key in ("inertia_tolerance", "centre_tolerance")}
    _of_body(ledger, table, "mass", mass)
    for k, (key, place) in enumerate(zip(AXES, _lengths(ledger, table, "centre"), strict=True)):
        _of_body(ledger, table, key, (place + along[k]) * guess["centre_tolerance"])
        _of_body(ledger, table, f"I{key}{key}", tensor[k] * guess["inertia_tolerance"])


def combine(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Add and subtract bodies, each in a frame of its own; the result is a body in the section's frame."""
    total = None
    for part in table.tables("parts", ("body", "sign", "xyz", "turns"), "part"):
        body = ledger.body(part.text("body"), part.place)
        moved = _transform(ledger, part).inertia_to_parent(body)
        sign = 1 if part.choice("sign", ("+", "-"), "+") == "+" else -1
        signed = Inertia.from_parameters(tuple(sign * x for x in moved.parameters))
        total = signed if total is None else total + signed
    if total is None:
        raise InputError("'parts' is missing", table.place, 'give parts = [{ body = "...", sign = "+" }, ...]')
    centre = Vec3(*(h / total.m for h in total.h))
    back = Inertia.about_centre(total.m, centre, Inertia.from_parameters((0,) * 10).I)
    _of_body(ledger, table, "mass", total.m)
    for key, value in zip(CENTRE, centre, strict=True):
        _of_body(ledger, table, key, value)
    for key, value, shifted in zip(TENSOR, total.I, back.I, strict=True):
        _of_body(ledger, table, key, value - shifted)


def given(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Take quantities from a data sheet or a published table as they stand."""
    owner, units = ("body", BODY) if "body" in table else ("joint", JOINT)
    keys = [key for key in units if key in table]
    if not keys:
        raise InputError("no quantity is given", table.place, f"give one of {', '.join(units)}")
    for key in keys:
        value = ledger.read(table, key, units[key])
        if key == "mass" and ledger.readings[table.where(key)].value < 0:
            raise InputError("the mass is negative", table.where(key), "correct the number")
        (_of_body if owner == "body" else _of_joint)(ledger, table, key, value)


def spring(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Let a joint swing on a commanded torsional spring: I = k T^2 (1 - z^2) / (2 pi)^2, the links taken off.

    T is the period of the damped swing and z its damping ratio, negative where the controller drives it: given as
    ``damping``, or found from two amplitudes some cycles apart, z = d / sqrt(4 pi^2 + d^2) with the logarithmic
    decrement d. Where gravity is not compensated its change with the angle adds to k.
    """
    joint = arm.joint(table)
    k = ledger.read(table, "stiffness", "N m/rad", positive=True)
    if table.choice("gravity", ("compensated", "acting"), "compensated") == "acting":
        k = k + arm.gravity_stiffness(ledger, table)
    turned = _period(ledger, table) / (2 * math.pi)
    total = k * turned**2 * (1 - _damping_squared(ledger, table))
    _of_joint(ledger, table, "inertia", total)
    ledger.note(ledger.joints, joint, "rotor_inertia", total - arm.link_inertia(ledger, table), _source(table))


def breakaway(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Raise the torque both ways until the joint moves: dry friction is the mean, the offset half the difference."""
    plus, minus = (_torque(ledger, table, arm, key) for key in ("positive", "negative"))
    _of_joint(ledger, table, "coulomb", (plus + minus) / 2)
    _of_joint(ledger, table, "offset", (plus - minus) / 2)


def coasting(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Let a joint coast where gravity does not act on it; least squares of I (w0 - w) = c t + v s.

    w is the speed, s the angle travelled (by the trapezoidal rule where ``angles`` is absent), c the dry and v the
    viscous friction, I the joint's total inertia from an earlier ``spring`` section.
    """
    joint = arm.joint(table)
    found = ledger.joints.get(joint, {}).get("inertia")
    if not found:
        raise InputError(
            f"the inertia of joint '{joint}' is not known here", table.place, "put a spring section before"
        )
    t = _series(ledger, table, "times", "s")
    w = _series(ledger, table, "speeds", "rad/s", len(t))
    if "angles" in table:
        s = _series(ledger, table, "angles", "rad", len(t))
    else:
        s = [ledger.graph.constant(0)]
        for k in range(1, len(t)):
            s.append(s[-1] + (w[k] + w[k - 1]) * (t[k] - t[k - 1]) / 2)
    if len(t) < 3:
        raise InputError(f"'times' has {len(t)} entries", table.place, "give the speed at three times or more")
    inertia = ledger.best(found)
    rows = [(t[k] - t[0], s[k] - s[0], inertia * (w[0] - w[k])) for k in range(1, len(t))]
    tt, ts, ss = (_dot(rows, a, b) for a, b in ((0, 0), (0, 1), (1, 1)))
    ty, sy = _dot(rows, 0, 2), _dot(rows, 1, 2)
    determinant = tt * ss - ts * ts
    _of_joint(ledger, table, "coulomb", (ss * ty - ts * sy) / determinant)
    _of_joint(ledger, table, "viscous", (tt * sy - ts * ty) / determinant)


def stall(ledger: Ledger, table: Table, arm: Arm) -> None:
    """Hold a stalled joint by a force on a lever: K = F l / i [N m/A], torque at the joint per motor current."""
    force = ledger.read(table, "force", "N", positive=True)
    lever = ledger.read(table, "lever", "m", positive=True)
    _of_joint(ledger, table, "motor_constant", force * lever / ledger.read(table, "current", "A", positive=True))


@dataclass(frozen=True)
class Method:
    """A kind of measurement: the keys its section may have besides kind, body, joint and instrument."""

    run: Callable[[Ledger, Table, Arm], None]
    keys: tuple[str, ...]


_TIMED = ("period", "time", "oscillations")
_SHAPE_KEYS = tuple(dict.fromkeys(key for one in SHAPES.values() for key in one.dimensions))

METHODS: dict[str, Method] = {
    "balance": Method(balance, ("mass",)),
    "knife edge": Method(knife_edge, ("axis", "reading", "origin")),
    "two scales": Method(two_scales, ("axis", "first", "second", "first_mass", "second_mass")),
    "suspension": Method(
        suspension, ("axis", "wire_distance", "wire_length", "fixture_mass", "fixture_inertia", *_TIMED)
    ),
    "shape": Method(shape, ("shape", "axis", "mass", "centre", "inertia_tolerance", "centre_tolerance", *_SHAPE_KEYS)),
    "combine": Method(combine, ("parts",)),
    "given": Method(given, tuple(BODY | JOINT)),
    "spring": Method(spring, ("stiffness", "damping", "amplitudes", "cycles", "posture", "gravity", *_TIMED)),
    "breakaway": Method(breakaway, ("positive", "negative")),
    "coasting": Method(coasting, ("times", "speeds", "angles")),
    "stall": Method(stall, ("force", "lever", "current")),
}
"""Every kind of measurement by the name a sheet uses."""


def _of_body(ledger: Ledger, table: Table, quantity: str, value: Scalar) -> None:
    ledger.note(ledger.bodies, table.text("body"), quantity, value, _source(table))


def _of_joint(ledger: Ledger, table: Table, quantity: str, value: Scalar) -> None:
    ledger.note(ledger.joints, table.text("joint"), quantity, value, _source(table))


def _source(table: Table) -> str:
    """Return what stands in the robot file as the origin of a number."""
    kind, instrument = table.text("kind"), table.text("instrument", "")
    shown = {"combine": "bodies added and subtracted", "given": "as given"}.get(kind, kind)
    axis = f" about {table.text('axis')}" if kind == "suspension" else ""
    return f"{shown}{axis}" + (f" ({instrument})" if instrument else "")


def _period(ledger: Ledger, table: Table) -> Node:
    if "period" in table:
        return ledger.read(table, "period", "s", positive=True)
    return ledger.read(table, "time", "s", positive=True) / ledger.read(table, "oscillations", "", positive=True)


def _damping_squared(ledger: Ledger, table: Table) -> Scalar:
    if "amplitudes" not in table:
        ratio = ledger.read(table, "damping", "", default=0)
        if abs(ledger.spread({"z": ratio}).values[0]) >= 1:
            raise InputError("the damping ratio is 1 or more", table.where("damping"), "an oscillation needs less")
        return ratio**2
    first, last = _series(ledger, table, "amplitudes", "rad", 2)
    cycles = ledger.read(table, "cycles", "", positive=True)
    before, after = (float(ledger.spread({"a": x}).values[0]) for x in (first, last))
    if before <= 0 or after <= 0:
        raise InputError("an amplitude is not positive", table.where("amplitudes"), "give sizes of the swing")
    # ln(a/b) to first order about the readings, which is exact in value and in derivative there.
    decrement = (math.log(before / after) + (first - before) / before - (last - after) / after) / cycles
    return decrement**2 / (4 * math.pi**2 + decrement**2)


def _torque(ledger: Ledger, table: Table, arm: Arm, key: str) -> Node:
    """Return a torque, given as such or as a motor current."""
    text = table.data.get(key)
    if not (isinstance(text, str) and text.replace("±", "+").split("+")[0].strip().endswith("A")):
        return ledger.read(table, key, "N m", positive=True)
    joint = arm.joint(table)
    found = ledger.joints.get(joint, {}).get("motor_constant")
    if not found:
        raise InputError(
            f"'{text}' is a current, and the motor constant of '{joint}' is not known",
            table.where(key),
            "put a stall section before",
        )
    return ledger.best(found) * ledger.read(table, key, "A", positive=True)


def _series(ledger: Ledger, table: Table, key: str, unit: str, length: int | None = None) -> list[Node]:
    entries = table.entries(key, length)
    return [ledger.number(x, unit, f"{table.where(key)}[{i}]") for i, x in enumerate(entries)]


def _lengths(ledger: Ledger, table: Table, key: str) -> list[Node]:
    """Return three lengths, zeros where the key is absent; a plain 0 needs no unit."""
    if key not in table:
        return [ledger.graph.constant(0)] * 3
    return [
        ledger.graph.constant(0)
        if x == 0 and not isinstance(x, str)
        else ledger.number(x, "m", f"{table.where(key)}[{i}]")
        for i, x in enumerate(table.entries(key, 3))
    ]


def _transform(ledger: Ledger, part: Table) -> Transform:
    turns = []
    for i, entry in enumerate(part.entries("turns") if "turns" in part else ()):
        place = f"{part.where('turns')}[{i}]"
        if not isinstance(entry, list | tuple) or len(entry) != 2 or entry[0] not in AXES:
            raise InputError("is not an axis with an angle", place, 'write ["x", "90 deg"]')
        turns.append((AXES.index(entry[0]), ledger.spread({"t": ledger.number(entry[1], "rad", place)}).values[0]))
    return Placement(Vec3(*_lengths(ledger, part, "xyz")), tuple((axis, float(x)) for axis, x in turns)).transform


def _guess(ledger: Ledger, table: Table, key: str) -> Scalar:
    """Return the factor 1 with the tolerance stated for a guess."""
    if key not in table:
        return 1
    size = table.data[key]
    if not isinstance(size, str) or not size.strip().endswith("%"):
        raise InputError(f"found {size!r}, expected a percentage", table.where(key), 'write e.g. "50 %"')
    return ledger.number(f"1 +- {size}", "", table.where(key))


def _dot(rows: list[tuple[Node, Node, Node]], a: int, b: int) -> Node:
    total = rows[0][a] * rows[0][b]
    for row in rows[1:]:
        total = total + row[a] * row[b]
    return total


def method(table: Mapping[str, object], place: str) -> tuple[str, Method]:
    """Return the measurement that a section of a sheet holds."""
    kind = table.get("kind")
    if kind not in METHODS:
        found = "no kind" if kind is None else f"the kind '{kind}'"
        raise InputError(f"found {found}", place, f"{nearest(kind, METHODS)}; kinds: {', '.join(METHODS)}")
    return str(kind), METHODS[str(kind)]
