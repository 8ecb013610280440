"""The one place that names the numbers of a robot: deriving, base parameters and explicit equations ask here.

======================================  ===========================================================================
``m2 mx2 my2 mz2 Ixx2 Ixy2 ... Izz2``    inertial parameters of link 2 about the origin of its joint (0: the base link)
``rx2 ry2 rz2``                          mass centre of link 2, instead of its first moments
``a2 d2``, or ``px2 py2 pz2``            where joint 2 stands in its parent: along x, across x; ``d_tool`` of a frame
``alpha2 beta2 theta2 phi2``             turns about x, y, z of that placement; phi is a first z of two
``Im2 fc2 fv2 fo2 ks2 rest2 gear2``      drive: rotor inertia, Coulomb, viscous, offset, spring, its rest, gear ratio;
                                         others by their names in a file, ``stribeck2``
``ratio2 offset2``, ``ratio2_1``         mimicking joint 2; coupling of drive 2 to joint 1
``g``, or ``gx gy gz``                   gravity
======================================  ===========================================================================

Joints are counted from one. A symbol of the robot file keeps its name; one of these names that a file uses for
something else gets a number behind it (``Ixx2_2``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from taut.graph.node import Node
from taut.graph.operation import Op
from taut.graph.walk import names_of
from taut.robot.closures import Closure, Loops, RateRow
from taut.robot.inertial import PARAMETER_NAMES
from taut.robot.law import Law
from taut.robot.motion import JointMotion
from taut.robot.parts import Drive, Joint, Measure
from taut.robot.placement import Placement
from taut.robot.tree import Tree
from taut.spatial import Inertia, Scalar, Vec3, is_exactly

INERTIAL = {
    "m": ("mass", "kg"),
    **{f"m{x}": (f"first moment m {x}", "kg m") for x in "xyz"},
    **{name: (f"entry {name[1:]} of the inertia tensor", "kg m^2") for name in PARAMETER_NAMES[4:]},
}
"""{symbol: (quantity, unit)} of the ten parameters of a link."""

CENTRE = ("rx", "ry", "rz")

DRIVE = {
    "rotor_inertia": ("Im", "rotor inertia at the joint", "kg m^2", "kg"),
    "gear_ratio": ("gear", "gear ratio", "1", "1"),
    "coulomb": ("fc", "Coulomb friction", "N m", "N"),
    "viscous": ("fv", "viscous friction", "N m s/rad", "N s/m"),
    "offset": ("fo", "offset of the drive", "N m", "N"),
    "stiffness": ("ks", "spring stiffness", "N m/rad", "N/m"),
    "rest": ("rest", "position at which the spring is slack", "rad", "m"),
    "smoothing": ("smoothing", "speed below which dry friction falls off", "rad/s", "m/s"),
    "stribeck": ("stribeck", "dry friction at low speed beyond Coulomb friction", "N m", "N"),
    "stribeck_speed": ("stribeck_speed", "speed at which half of that is left", "rad/s", "m/s"),
    "root": ("root", "friction per square root of speed", "N m s^0.5/rad^0.5", "N s^0.5/m^0.5"),
    "square": ("square", "friction per square of speed", "N m s^2/rad^2", "N s^2/m^2"),
    "asymmetry": ("asymmetry", "torque per size of speed", "N m s/rad", "N s/m"),
    "load_friction": ("mu", "friction per torque that the joint carries", "1", "1"),
    "joint_coulomb": ("joint_coulomb", "Coulomb friction at the joint itself", "N m", "N"),
    "joint_viscous": ("joint_viscous", "viscous friction at the joint itself", "N m s/rad", "N s/m"),
    **{
        f"{name}{k}": (f"{name}{k}", f"torque per {name}({'2 ' * (k == 2)}q)", "N m", "N")
        for k in (1, 2)
        for name in ("cos", "sin")
    },
    "spring_crank": ("spring_crank", "end of the counterbalance on the link, from the axis", "m", "m"),
    "spring_ground": ("spring_ground", "other end of the counterbalance, from the axis", "m", "m"),
    "spring_angle": ("spring_angle", "angle between the ends of the counterbalance at q = 0", "rad", "rad"),
    "spring_length": ("spring_length", "length of the counterbalance at its given force", "m", "m"),
    "spring_force": ("spring_force", "force of the counterbalance at that length", "N", "N"),
    "spring_rate": ("spring_rate", "force of the counterbalance per length", "N/m", "N/m"),
    "spring_curve": ("spring_curve", "force of the counterbalance per square of length", "N/m^2", "N/m^2"),
    "gear_stiffness": ("gear_stiffness", "stiffness between motor and joint", "N m/rad", "N/m"),
    **{f"spin_{x}": (f"spin_{x}", f"rotor's inertia times gear ratio along {x}", "kg m^2", "kg m") for x in "xyz"},
}
"""{field: symbol, quantity, unit at a turning joint, unit at a sliding one} of a drive."""


@dataclass(frozen=True)
class Place(Measure):
    """A place of the tree that holds a number.

    Attributes:
        symbol: the name of the number there.
        kind: ``length``, ``angle``, ``inertial``, ``drive``, ``gravity``, ``ratio`` or ``offset`` (of a joint
            that follows another).
        field: of a drive, which of its fields.
        sign: -1 where the symbol stands for the negative of the number, as ``g`` of a gravity of -9.81.
    """

    symbol: str = ""
    kind: str = ""
    sign: int = 1
    field: str = ""

    @property
    def converts(self) -> bool:
        """Whether the number only converts signals of a motor: no function of a robot depends on a gear ratio."""
        return self.field == "gear_ratio"


def inertial_name(parameter: str, joint: int) -> str:
    """Return the symbol of an inertial parameter of the link on joint number ``joint``, counted from one."""
    return f"{parameter}{joint}"


def drive_name(field: str, joint: int) -> str:
    """Return the symbol of a number of a drive; joints are counted from one.

    >>> drive_name("coulomb", 3), drive_name("cos1", 3)
    ('fc3', 'cos1_3')
    """
    symbol = DRIVE[field][0]
    return f"{symbol}_{joint}" if symbol[-1].isdigit() else f"{symbol}{joint}"


Visit = Callable[[Place, Scalar], Scalar]


def each_number(tree: Tree, visit: Visit) -> Tree:
    """Return the robot with every number replaced by what ``visit`` returns for its place."""
    taken = file_symbols(tree)

    def named(place: Place, x: Scalar) -> Scalar:
        if isinstance(x, Node) and x.op is Op.SYMBOL:
            return visit(replace(place, symbol=x.name), x)
        symbol, k = place.symbol, 2
        while symbol in taken:
            symbol, k = f"{place.symbol}_{k}", k + 1
        taken.add(symbol)
        return visit(replace(place, symbol=symbol), x)

    return _walk(tree, named)


def places(tree: Tree) -> list[tuple[Place, Scalar]]:
    """Return every place of the robot and the number there: a float, a symbol or a formula."""
    found: list[tuple[Place, Scalar]] = []

    def note(place: Place, x: Scalar) -> Scalar:
        found.append((place, x))
        return x

    each_number(tree, note)
    return found


def file_symbols(tree: Tree) -> set[str]:
    """Return the names of the symbols in the robot's numbers."""
    nodes: list[Node] = []

    def note(_: Place, x: Scalar) -> Scalar:
        if isinstance(x, Node):
            nodes.append(x)
        return x

    _walk(tree, note)
    return names_of(nodes)


def _walk(tree: Tree, visit: Visit) -> Tree:
    return replace(
        tree,
        joints=tuple(_joint(tree, joint, i + 1, visit) for i, joint in enumerate(tree.joints)),
        frames=tuple(
            replace(f, placement=_placement(f.placement, f"_{_word(f.name)}", f"frame '{f.name}'", "its link", visit))
            for f in tree.frames
        ),
        base=_placement(tree.base, "0", f"base '{tree.base_name}'", "the world", visit),
        base_inertia=_inertia(tree.base_inertia, 0, f"link '{tree.base_name}'", "its own frame", visit),
        gravity_acceleration=_gravity(tree.gravity_acceleration, visit),
        mimics=tuple(
            replace(
                mimic,
                multiplier=visit(_mimic(tree, mimic.joint, "ratio"), mimic.multiplier),
                offset=visit(_mimic(tree, mimic.joint, "offset"), mimic.offset),
                law=None if mimic.law is None else _law(mimic.law, f"cam of '{tree.joints[mimic.joint].name}'", visit),
            )
            for mimic in tree.mimics
        ),
        loops=_loops(tree.settled_loops, visit),
        coupling=tuple((d, j, visit(_coupling(tree, d, j), ratio)) for d, j, ratio in tree.coupling),
    )


def _joint(tree: Tree, joint: Joint, number: int, visit: Visit) -> Joint:
    of = f"joint '{joint.name}'"
    parent = f"link '{tree.joints[joint.parent].link.name}'" if joint.parent >= 0 else f"base '{tree.base_name}'"
    point = f"the origin of joint '{joint.name}'"
    return replace(
        joint,
        drive=_drive(joint.drive, number, of, joint.motion, visit),
        placement=_placement(joint.placement, str(number), of, parent, visit),
        link=replace(
            joint.link, inertia=_inertia(joint.link.inertia, number, f"link '{joint.link.name}'", point, visit)
        ),
    )


def _drive(drive: Drive, number: int, of: str, motion: JointMotion, visit: Visit) -> Drive:
    def place(field: str) -> Place:
        _, quantity, turning, sliding = DRIVE[field]
        unit = sliding if motion.pure_slide else turning
        return Place(quantity, unit, of, "at the joint", drive_name(field, number), "drive", field=field)

    unused = {"stribeck_speed"} if is_exactly(drive.stribeck, 0) else set()
    names = [f.name for f in fields(Drive) if f.name not in unused]
    return replace(drive, **{name: visit(place(name), getattr(drive, name)) for name in names})


def _placement(placement: Placement, end: str, of: str, parent: str, visit: Visit) -> Placement:
    p, turns = placement.p, placement.turns
    lengths = [
        visit(Place(f"offset along {axis}", "m", of, f"from the frame of {parent}", f"{letter}{end}", "length"), x)
        for axis, letter, x in zip("xyz", _letters(p), p, strict=True)
    ]
    last_z = max((k for k, (axis, _) in enumerate(turns) if axis == 2), default=-1)
    angles = []
    for k, (axis, angle) in enumerate(turns):
        letter = ("alpha", "beta", "theta" if k == last_z else "phi")[axis]
        meaning = f"turn about {'xyz'[axis]}"
        place = Place(meaning, "rad", of, f"from the frame of {parent}", f"{letter}{end}", "angle")
        angles.append((axis, visit(place, angle)))
    if all(x is y for x, y in zip((*p, *(x for _, x in turns)), (*lengths, *(x for _, x in angles)), strict=True)):
        return placement  # with what it remembers of its making
    return Placement(Vec3(*lengths), tuple(angles))


def _letters(p: Vec3) -> tuple[str, str, str]:
    """Return the names of an offset: a along x and d across it, or px, py, pz where that would not do."""
    along_y, along_z = (not is_exactly(x, 0) for x in (p.y, p.z))
    if along_y and along_z:
        return "px", "py", "pz"
    return ("a", "d", "pz") if along_y else ("a", "py", "d")


def _inertia(body: Inertia, number: int, of: str, point: str, visit: Visit) -> Inertia:
    def place(name: str) -> Place:
        about = f"about {point}, in its axes" if name != "m" else ""
        return Place(*INERTIAL[name], of, about, inertial_name(name, number), "inertial")

    new = tuple(visit(place(name), x) for name, x in zip(PARAMETER_NAMES, body.parameters, strict=True))
    same = all(x is y for x, y in zip(body.parameters, new, strict=True))
    return body if same else Inertia.from_parameters(new)


def _gravity(gravity: Vec3, visit: Visit) -> Vec3:
    alone = sum(not is_exactly(x, 0) for x in gravity) == 1

    def named(axis: str, x: Scalar) -> Scalar:
        upright = alone and not is_exactly(x, 0)
        sign = -1 if upright and not isinstance(x, Node) and x < 0 else 1
        meaning = f"gravity along {'-' * (sign < 0)}{axis}"
        symbol = "g" if upright else f"g{axis}"
        return visit(Place(meaning, "m/s^2", "world", "", symbol, "gravity", sign), x)

    return Vec3(*(named(axis, x) for axis, x in zip("xyz", gravity, strict=True)))


def _mimic(tree: Tree, i: int, letter: str) -> Place:
    joint = tree.joints[i]
    unit = "1" if letter == "ratio" else joint.motion.unit
    quantity = "ratio to the joint it follows" if letter == "ratio" else "offset from the joint it follows"
    return Place(quantity, unit, f"joint '{joint.name}'", "", f"{letter}{i + 1}", letter)


def _law(law: Law, of: str, visit: Visit) -> Law:
    def place(name: str) -> Place:
        return Place("number of a law", "SI", of, "", name, "ratio")

    return replace(law, parameters=tuple((name, visit(place(name), x)) for name, x in law.parameters))


def _loops(loops: Loops, visit: Visit) -> Loops:
    def closure(c: Closure) -> Closure:
        end, of = _word(c.name), f"loop '{c.name}'"
        return replace(
            c,
            placement=_placement(c.placement, f"_{end}", of, "its link", visit),
            other_placement=_placement(c.other_placement, f"_{end}_to", of, "the other link", visit),
        )

    def row(r: RateRow) -> RateRow:
        return replace(r, terms=tuple((i, _law(law, f"rolling '{r.name}'", visit)) for i, law in r.terms))

    if loops.skeleton is not None:
        raise AssertionError("the numbers of a robot are named before its frames are moved")
    closures, solved = (tuple(map(closure, some)) for some in (loops.closures, loops.solved))
    return replace(loops, closures=closures, solved=solved, rate_rows=tuple(map(row, loops.rate_rows)))


def _coupling(tree: Tree, drive: int, joint: int) -> Place:
    of = f"drive of joint '{tree.joints[drive].name}'"
    quantity = f"turns per turn of joint '{tree.joints[joint].name}'"
    return Place(quantity, "1", of, "", f"ratio{drive + 1}_{joint + 1}", "ratio")


def _word(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "frame"
