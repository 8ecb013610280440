"""Changes of a robot, each giving a new one: locked joints, loads, tools, values, free base."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.graph.evaluate import evaluate, value_at
from taut.graph.node import Node, is_number
from taut.graph.substitute import substitute
from taut.graph.walk import names_of, symbols_of
from taut.robot.assembly import assemble, describe
from taut.robot.closed_form import with_closed_form
from taut.robot.closures import DescribedLoops, Loops
from taut.robot.gathered import carried, together
from taut.robot.linear_loops import with_linear_loops
from taut.robot.looping import described_loops
from taut.robot.motion import Fixed, Free, JointMotion, Prismatic, Revolute
from taut.robot.parts import Frame, Joint, Link, Mimic
from taut.robot.placement import Placement, turns_of
from taut.robot.records import with_numbers
from taut.robot.tree import Tree
from taut.spatial import NO_INERTIA, NO_TENSOR, Inertia, Scalar, Sym3, Vec3, is_exactly

ROOT_JOINT = "root_joint"
"""Name of the joint that a free base adds, as in Pinocchio."""


def lock(tree: Tree, positions: Mapping[str, Scalar]) -> Tree:
    """Return the robot with joints held at positions; their links become frames of their parents."""
    names = {joint.name: joint for joint in tree.joints}
    for name in positions:
        if name not in names:
            raise InputError(f"no joint '{name}' on robot '{tree.name}'", "lock", f"joints: {', '.join(names)}")
    held = dict(positions)
    held |= _held_followers(tree, held)
    links, joints = describe(tree)
    held_joints = [
        replace(j, motion=Fixed(), placement=j.placement.then(held_at(j.motion, held[j.name])), mimic=None)
        if j.name in held
        else j
        for j in joints
    ]
    coupling = {(tree.joints[d].name, tree.joints[j].name): ratio for d, j, ratio in tree.coupling}
    built = assemble(tree.name, links, held_joints, coupling=coupling, loops=_without(described_loops(tree), held))
    rebuilt = ("joints", "frames", "base_inertia", "mimics", "coupling", "loops")
    return with_linear_loops(replace(tree, convention=None, **{name: getattr(built, name) for name in rebuilt}))


def _held_followers(tree: Tree, held: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return the positions of joints that follow held ones."""
    followers: dict[str, list[Mimic]] = {}
    for mimic in tree.mimics:
        followers.setdefault(tree.joints[mimic.joint].name, []).append(mimic)
    found = {}
    for name, terms in followers.items():
        leaders = [tree.joints[m.leader].name in held for m in terms]
        if all(leaders):
            parts = [m.position(held[tree.joints[m.leader].name]) for m in terms]
            found[name] = sum(parts[1:], parts[0])
        elif any(leaders):
            raise InputError(f"joint '{name}' follows a locked joint and one that moves", "lock", "lock both, or none")
    return found


def _without(loops: DescribedLoops, held: Collection[str]) -> DescribedLoops:
    """Return loops in which no held joint is named."""
    for row in loops.rate_rows:
        if any(name in held for name, law in row.terms for name in (name, *law.positions)):
            raise InputError(f"'{row.name}' is a condition on the rate of a locked joint", "lock", "lock other joints")
    return replace(
        loops,
        gears=tuple(gear for gear in loops.gears if gear.joint not in held),
        start=tuple(pair for pair in loops.start if pair[0] not in held),
        wanted=tuple(name for name in loops.wanted if name not in held),
        actuated=tuple(name for name in loops.actuated if name not in held),
    )


def with_active(tree: Tree, active: Mapping[str, bool]) -> Tree:
    """Return the robot with closures switched on or off by name, as a foot that leaves the ground."""
    known = [c.name for c in tree.loops.closures] + [row.name for row in tree.loops.rate_rows]
    for name in active:
        if name not in known:
            raise InputError(f"robot '{tree.name}' has no loop '{name}'", advice=f"loops: {', '.join(known) or 'none'}")

    def switched(part: Any) -> Any:
        return replace(part, active=bool(active.get(part.name, part.active)))

    loops = replace(
        tree.loops,
        closures=tuple(switched(c) for c in tree.loops.closures),
        rate_rows=tuple(switched(row) for row in tree.loops.rate_rows),
        pivots=None,
    )
    return _settled_anew(tree, loops)


def _settled_anew(tree: Tree, loops: Loops) -> Tree:
    """Return a robot with other loops, its dependent rates chosen again; solved again where it was in closed form."""
    changed = replace(tree, loops=replace(loops, dyads=()))
    settled = replace(changed, loops=changed.settled_loops)
    return with_closed_form(settled) if loops.dyads else settled


def with_independent(tree: Tree, joints: Sequence[str]) -> Tree:
    """Return the robot with the rates of these joints as the independent ones."""
    index = {joint.name: i for i, joint in enumerate(tree.joints)}
    for name in joints:
        if name not in index:
            raise InputError(f"no joint '{name}' on robot '{tree.name}'", advice=f"joints: {', '.join(index)}")
    return _settled_anew(tree, replace(tree.loops, wanted=tuple(index[name] for name in joints), pivots=None))


def free_base(tree: Tree) -> Tree:
    """Return the robot with its base link floating in the world; one that floats already stays as it is."""
    if tree.joints and all(joint.motion.floats for joint in tree.joints if joint.parent < 0):
        return tree
    world = "world" if "world" not in tree.frame_names else "_world"
    root = Joint(ROOT_JOINT, -1, Placement(), Free(), Link(tree.base_name, tree.base_inertia))
    return replace(
        tree,
        joints=(root, *(replace(joint, parent=joint.parent + 1) for joint in tree.joints)),
        frames=tuple(replace(frame, body=frame.body + 1) for frame in tree.frames),
        base_name=world,
        base_inertia=NO_INERTIA,
        mimics=tuple(replace(m, joint=m.joint + 1, leader=m.leader + 1) for m in tree.mimics),
        coupling=tuple((d + 1, j + 1, ratio) for d, j, ratio in tree.coupling),
        loops=tree.loops.moved(1),
    )


def with_load(
    tree: Tree,
    mass: Scalar,
    com: Sequence[Scalar] | np.ndarray = (0.0, 0.0, 0.0),
    inertia: Sequence[Scalar] | np.ndarray | None = None,
    frame: str | None = None,
) -> Tree:
    """Return the robot carrying a rigid load.

    Args:
        tree: the robot.
        mass: [kg].
        com: centre of mass in the frame [m].
        inertia: about the centre of mass in the frame's axes [kg m^2]: a 3x3 matrix, six numbers
            ``Ixx Ixy Iyy Ixz Iyz Izz``, or nothing for a point mass.
        frame: the frame that holds the load; the last one by default.
    """
    place = tree.frame(frame)
    if place.body < 0:
        raise InputError(f"frame '{place.name}' does not move", "with_load", "name a frame on a moving link")
    if is_number(mass) and not mass >= 0:
        raise InputError(f"mass is {mass}", "with_load", "give the load's mass in kg, 0 or more")
    if len(tuple(com)) != 3:
        raise InputError(f"com has {len(tuple(com))} numbers", "with_load", "give x, y, z in metres")
    load = Inertia.about_centre(mass, Vec3(*com), _tensor(inertia))
    moved = carried(place.placement, load)
    joint = tree.joints[place.body]
    heavier = replace(joint, link=replace(joint.link, inertia=together(joint.link.inertia, moved)))
    return replace(tree, joints=(*tree.joints[: place.body], heavier, *tree.joints[place.body + 1 :]))


def with_tool(tree: Tree, placement: Placement, name: str = "tool", frame: str | None = None) -> Tree:
    """Return the robot with one more named frame, which becomes the default frame."""
    if name in tree.frame_names:
        raise InputError(f"a frame '{name}' exists already", "with_tool", "choose another name")
    place = tree.frame(frame)
    return replace(tree, frames=(*tree.frames, Frame(name, place.body, place.placement.then(placement))))


def with_spinning_rotors(tree: Tree, axes: Mapping[str, Sequence[float]] | None = None) -> Tree:
    """Return the robot with its rotors as spinning bodies, of the reflected inertia over the gear ratio.

    Args:
        tree: the robot.
        axes: {joint: axis of its rotor in the joint frame at rest}, of any length; the joint's own axis by default.
    """
    given = dict(axes or {})
    joints = []
    for joint in tree.joints:
        drive, axis = joint.drive, given.pop(joint.name, None)
        if joint.motion.nv == 1 and not is_exactly(drive.rotor_inertia, 0):
            column = joint.motion.columns[0]
            along = [float(x) for x in (axis if axis is not None else (*column.w,))]
            size = math.sqrt(sum(x * x for x in along)) or 1.0
            s = [drive.rotor_inertia / drive.gear_ratio * (x / size) if x else 0.0 for x in along]
            drive = replace(drive, spin_x=s[0], spin_y=s[1], spin_z=s[2])
        elif axis is not None:
            raise InputError(f"joint '{joint.name}' has no rotor", "with_spinning_rotors", "give it a rotor inertia")
        joints.append(replace(joint, drive=drive))
    if given:
        raise InputError(f"no joint '{next(iter(given))}'", "with_spinning_rotors", "name joints of the robot")
    return replace(tree, joints=tuple(joints))


def with_values(tree: Tree, values: Mapping[str, float]) -> Tree:
    """Return the robot with other numbers, by name: symbols of the file, and the names of :mod:`taut.robot.places`."""
    return with_numbers(tree, values)


def with_gravity(tree: Tree, acceleration: Sequence[Scalar]) -> Tree:
    """Return the robot under another gravity, in the world frame [m/s^2]."""
    parts = tuple(acceleration)
    if len(parts) != 3:
        raise InputError(f"gravity has {len(parts)} numbers", "with_gravity", "give x, y, z in m/s^2")
    for part in parts:
        if not isinstance(part, Node) and (not is_number(part) or isinstance(part, complex) or not math.isfinite(part)):
            raise InputError(f"gravity is {part!r}", "with_gravity", "give finite numbers or symbols, in m/s^2")
    return replace(tree, gravity_acceleration=Vec3(*parts))


def symbols(tree: Tree) -> set[str]:
    """Return the names of all symbols in the robot's numbers."""
    return names_of(_nodes(tree))


def numeric(tree: Tree, keep: Collection[str] = ()) -> Tree:
    """Return the robot with every symbol replaced by its value; a symbol without one is an error.

    Args:
        tree: the robot.
        keep: symbols that stay what they are.
    """
    nodes = _nodes(tree)
    if not nodes:
        return tree
    missing = symbols(tree) - set(tree.values) - set(keep)
    if missing:
        raise InputError(
            f"robot '{tree.name}' has symbols without values: {_some(missing)}",
            advice="give them with robot.with_values({...}) or derive symbolically",
        )
    staying = {x for x in nodes if not names_of([x]).isdisjoint(keep)}
    plain = [x for x in nodes if x not in staying]
    table: dict[Node, Scalar] = dict(zip(plain, _evaluated(plain, tree), strict=True))
    table |= {x: _settled(x, tree, keep) for x in staying}
    return tree.map(lambda x: table[x] if isinstance(x, Node) else x)


def _evaluated(nodes: Sequence[Node], tree: Tree) -> list[float]:
    """Return the values of formulas; one that has no finite value is named in an error."""
    values = {name: v.value for name, v in tree.values.items()}
    try:
        numbers = [float(x) for x in evaluate(nodes, values)]
    except (ArithmeticError, ValueError):
        numbers = [math.nan]
    return numbers if all(map(math.isfinite, numbers)) else [float(value_at(x, values)) for x in nodes]


def _settled(x: Node, tree: Tree, keep: Collection[str]) -> Node:
    """Return a formula with values in place of its symbols, some excepted."""
    named = {node: node.name for node in symbols_of([x])}
    return substitute([x], {node: tree.values[name].value for node, name in named.items() if name not in keep})[0]


def _nodes(tree: Tree) -> list[Node]:
    found: dict[Node, None] = {}

    def note(x: Scalar) -> Scalar:
        if isinstance(x, Node):
            found[x] = None
        return x

    tree.map(note)
    return list(found)


def _some(names: set[str]) -> str:
    listed = sorted(names)
    return ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if len(listed) > 8 else "")


def held_at(motion: JointMotion | Fixed, q: Scalar) -> Placement:
    """Return the placement that a joint of one coordinate adds when it stands at q."""
    if not isinstance(motion, Revolute | Prismatic):
        raise InputError("only revolute and prismatic joints can be locked", "lock")
    if isinstance(motion, Revolute):
        for k, component in enumerate(motion.axis):
            if all(is_exactly(other, 0) for j, other in enumerate(motion.axis) if j != k):
                return Placement(turns=((k, q if component > 0 else -q),))
        rows = motion.transform([q]).R.matrix.rows
        return Placement(turns=turns_of(np.array([[float(x) for x in row] for row in rows])))
    return Placement(motion.axis * q)


def _tensor(inertia: Sequence[Scalar] | np.ndarray | None) -> Sym3:
    if inertia is None:
        return NO_TENSOR
    rows = [list(row) if isinstance(row, Sequence | np.ndarray) else row for row in inertia]
    if len(rows) == 6:
        return Sym3(*rows)
    if len(rows) == 3 and all(isinstance(row, list) and len(row) == 3 for row in rows):
        return Sym3(rows[0][0], rows[0][1], rows[1][1], rows[0][2], rows[1][2], rows[2][2])
    raise InputError("inertia is neither 3x3 nor six numbers", "with_load", "give Ixx Ixy Iyy Ixz Iyz Izz")
