"""From loops by names, as a description states them, to loops by indices of a tree, and back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from taut.errors import InputError, refuse_unknown
from taut.robot.closures import (
    STOPPED,
    Closure,
    DescribedClosure,
    DescribedGear,
    DescribedLoops,
    DescribedRateRow,
    Loops,
    RateRow,
)
from taut.robot.motion import JointMotion
from taut.robot.parts import Joint, Mimic
from taut.robot.placement import Placement
from taut.robot.tree import Tree

Home = Mapping[str, tuple[int, Placement]]
"""{link: (body that carries it, its place there)}."""


def closed(loops: DescribedLoops, index: Mapping[str, int], home: Home, joints: Sequence[Joint]) -> Loops:
    """Return the loops of a tree.

    Args:
        loops: as described.
        index: {name of a moving joint: its index}.
        home: where every link is.
        joints: of the tree.
    """
    repeated = Counter([c.name for c in loops.closures] + [row.name for row in loops.rate_rows])
    for name, count in repeated.items():
        if count > 1:
            raise InputError(f"two loops are named '{name}'", f"loop '{name}'", "give every loop its own name")
    return Loops(
        tuple(_closure(c, home) for c in loops.closures),
        tuple(_rate_row(row, index, joints) for row in loops.rate_rows),
        tuple(_start(name, q, index, joints) for name, q in loops.start),
        tuple(_joint(name, index, "independent") for name in loops.wanted),
        tuple(_joint(name, index, "actuated") for name in loops.actuated),
    )


def _start(
    name: str, q: Sequence[float], index: Mapping[str, int], joints: Sequence[Joint]
) -> tuple[int, tuple[float, ...]]:
    """Return a joint and the position at which it starts, its quaternion of unit length."""
    i, where = _joint(name, index, "start"), f"start of '{name}'"
    motion = joints[i].motion
    if len(q) != motion.nq:
        raise InputError(f"{len(q)} numbers, expected {motion.nq}", where, "give the position of the joint")
    if motion.nq == motion.nv:
        return i, tuple(q)
    size = math.hypot(*q[-4:])
    if size == 0:
        raise InputError("the quaternion is zero", where, "give a unit quaternion qx qy qz qw last")
    return i, tuple(q) if math.isclose(size, 1) else (*q[:-4], *(x / size for x in q[-4:]))


def _closure(c: DescribedClosure, home: Home) -> Closure:
    where = f"loop '{c.name}'"
    refuse_unknown("kind of loop", c.kind, STOPPED, where)
    for link in (c.link, c.other):
        if link not in home:
            raise InputError(f"link '{link}' does not exist", where, "name a link")
    (body, here), (other, there) = home[c.link], home[c.other]
    if body == other:
        advice = "a loop joins two links that joints move against each other"
        raise InputError(f"links '{c.link}' and '{c.other}' are one body", where, advice)
    return Closure(c.name, c.kind, body, other, here.then(c.placement), there.then(c.other_placement), c.active)


def _rate_row(row: DescribedRateRow, index: Mapping[str, int], joints: Sequence[Joint]) -> RateRow:
    where = f"rolling '{row.name}'"
    named = [name for name, _ in row.terms] + [name for _, law in row.terms for name in law.positions]
    for name in named:
        if joints[_joint(name, index, where)].motion.nv != 1:
            raise InputError(f"'{name}' is no joint of one axis", where, "name revolute and prismatic joints")
    return RateRow(row.name, tuple((index[name], law) for name, law in row.terms), row.active)


def _joint(name: str, index: Mapping[str, int], where: str) -> int:
    if name not in index:
        raise InputError(f"no moving joint '{name}'", where, f"joints: {', '.join(list(index)[:12])}")
    return index[name]


def geared(
    gears: Sequence[DescribedGear], index: Mapping[str, int], mimics: Sequence[Mimic], motions: Sequence[JointMotion]
) -> tuple[Mimic, ...]:
    """Return the joints that follow others by gears and cams; their leaders are joints that follow none."""
    followers = {m.joint for m in mimics}
    found: list[Mimic] = []
    for gear in gears:
        where = f"gear of joint '{gear.joint}'"
        joint = _joint(gear.joint, index, where)
        if joint in followers:
            raise InputError("the joint follows another already", where, "keep one gear or mimic of it")
        followers.add(joint)
        if not gear.terms:
            raise InputError("it follows no joint", where, "name the joints it follows")
        for k, (leader, ratio) in enumerate(gear.terms):
            i = _joint(leader, index, where)
            if motions[i].nv != 1 or motions[joint].nv != 1:
                raise InputError("gears and cams need joints of one axis", where, "name revolute or prismatic joints")
            found.append(Mimic(joint, i, ratio, gear.offset if k == 0 else 0.0, gear.law))
    for mimic in found:
        if mimic.leader in followers:
            name, leader = ({k: n for n, k in index.items()}[i] for i in (mimic.joint, mimic.leader))
            said = f"joint '{leader}', which it follows, follows another or itself"
            raise InputError(said, f"gear of joint '{name}'", "name joints that follow none")
    return tuple(found)


def single_mimics(tree: Tree) -> list[Mimic]:
    """Return the mimics of joints that follow one other at a constant ratio."""
    counted = Counter(m.joint for m in tree.mimics)
    return [m for m in _stated(tree) if counted[m.joint] == 1 and m.law is None]


def _stated(tree: Tree) -> list[Mimic]:
    """Return the mimics that are not found from closures."""
    return [m for m in tree.mimics if m.joint not in tree.loops.followers]


def described_loops(tree: Tree) -> DescribedLoops:
    """Return the loops, gears and cams of a tree by names."""

    def link(body: int) -> str:
        return tree.joints[body].link.name if body >= 0 else tree.base_name

    def names(joints: Sequence[int]) -> tuple[str, ...]:
        return tuple(tree.joints[i].name for i in joints)

    single = {m.joint for m in single_mimics(tree)}
    gears: dict[int, list[Mimic]] = {}
    for m in _stated(tree):
        if m.joint not in single:
            gears.setdefault(m.joint, []).append(m)
    loops = tree.loops
    return DescribedLoops(
        tuple(
            DescribedClosure(c.name, c.kind, link(c.body), link(c.other), c.placement, c.other_placement, c.active)
            for c in (*loops.closures, *loops.solved)
        ),
        tuple(
            DescribedGear(
                tree.joints[i].name,
                tuple((tree.joints[m.leader].name, m.multiplier) for m in terms),
                sum((m.offset for m in terms[1:]), terms[0].offset),
                terms[0].law,
            )
            for i, terms in gears.items()
        ),
        tuple(
            DescribedRateRow(row.name, tuple((tree.joints[i].name, law) for i, law in row.terms), row.active)
            for row in loops.rate_rows
        ),
        tuple((tree.joints[i].name, q) for i, q in loops.start),
        names(loops.wanted),
        names(loops.actuated),
    )
