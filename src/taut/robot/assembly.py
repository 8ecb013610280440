"""From named parts to a tree, and back: ordering, merging of fixed joints, checks of the topology."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from taut.errors import InputError
from taut.graph.node import is_number
from taut.robot.closures import DescribedLoops, Loops
from taut.robot.gathered import carried, together
from taut.robot.looping import closed, geared, single_mimics
from taut.robot.motion import Fixed
from taut.robot.parts import DescribedJoint, Frame, Joint, Link, Mimic
from taut.robot.placement import Placement
from taut.robot.tree import Tree
from taut.spatial import NO_INERTIA, Inertia, Scalar, is_exactly

LARGEST = 20_000
"""Links beyond which a description is taken for a mistake."""

LEAST_RATIO = 1e-30
"""Smallest multiplier of a mimicking joint, and the inverse of the largest: squares of both are numbers."""


def assemble(
    name: str,
    links: Iterable[Link],
    joints: Sequence[DescribedJoint],
    *,
    coupling: Mapping[tuple[str, str], Any] = MappingProxyType({}),
    loops: DescribedLoops | None = None,
    may_float: bool = False,
    **attributes: Any,
) -> Tree:
    """Return the tree of the given parts; links held by fixed joints become named frames.

    Args:
        name: the robot's name.
        links: every link, the root among them.
        joints: every joint, in the order of the description.
        coupling: {(drive's joint, other joint): ratio}.
        loops: closures, gears, cams and conditions on rates.
        may_float: whether the base may float later, so that a robot without moving joints is allowed.
        attributes: further fields of :class:`Tree`.
    """
    by_name = _unique_links(name, links)
    root = _root(name, by_name, joints)
    ordered = _depth_first(name, root, joints, len(by_name))
    home = {root: (-1, Placement())}
    inertias = {-1: by_name[root].inertia}
    bodies: list[Joint] = []
    frames: list[Frame] = []
    index: dict[str, int] = {}
    for joint in ordered:
        body, there = home[joint.parent]
        placement = there.then(joint.placement)
        link = by_name[joint.child]
        if isinstance(joint.motion, Fixed):
            home[joint.child] = (body, placement)
            frames.append(Frame(joint.child, body, placement))
            if not _massless(link.inertia):
                inertias[body] = together(inertias[body], carried(placement, link.inertia))
        else:
            i = index[joint.name] = len(bodies)
            home[joint.child], inertias[i] = (i, Placement()), link.inertia
            bodies.append(
                Joint(joint.name, body, placement, joint.motion, link, joint.drive, joint.limits, joint.formulas)
            )

    if not bodies and not may_float:
        raise no_moving_joint(name)
    return Tree(
        name,
        tuple(replace(b, link=replace(b.link, inertia=inertias[i])) for i, b in enumerate(bodies)),
        tuple(frames),
        base_name=root,
        base_inertia=inertias[-1],
        mimics=(mimics := _mimics(ordered, index))
        + (geared(loops.gears, index, mimics, [body.motion for body in bodies]) if loops else ()),
        loops=closed(loops, index, home, bodies) if loops else Loops(),
        coupling=tuple((index[d], index[j], ratio) for (d, j), ratio in coupling.items() if d in index and j in index),
        **attributes,
    )


def no_moving_joint(name: str) -> InputError:
    """Return the error for a robot that nothing moves."""
    advice = "unlock a joint or describe one that moves; a single body may float (base='free', --base free)"
    return InputError(f"robot '{name}' has no moving joint", advice=advice)


def describe(tree: Tree) -> tuple[list[Link], list[DescribedJoint]]:
    """Return the parts of a tree: ``assemble`` puts them together again; frames become fixed joints."""
    base = Link(tree.base_name, tree.base_inertia)
    links = [base, *(joint.link for joint in tree.joints), *(Link(f.name) for f in tree.frames)]
    followed = {m.joint: (tree.joints[m.leader].name, m.multiplier, m.offset) for m in single_mimics(tree)}

    def link_name(body: int) -> str:
        return tree.joints[body].link.name if body >= 0 else tree.base_name

    joints = [
        DescribedJoint(
            *(j.name, link_name(j.parent), j.link.name, j.placement, j.motion, j.drive, j.limits),
            *(followed.get(i), j.formulas),
        )
        for i, j in enumerate(tree.joints)
    ]
    joints += [DescribedJoint(f"{f.name} mount", link_name(f.body), f.name, f.placement) for f in tree.frames]
    return links, joints


def _massless(body: Inertia) -> bool:
    return body is NO_INERTIA or all(is_exactly(x, 0) for x in body.parameters)


def _unique_links(name: str, links: Iterable[Link]) -> dict[str, Link]:
    by_name: dict[str, Link] = {}
    for link in links:
        if link.name in by_name:
            raise InputError(f"two links are named '{link.name}'", name, "give every link its own name")
        by_name[link.name] = link
        if len(by_name) > LARGEST:
            raise InputError(f"more than {LARGEST} links", name, "split the description")
    if not by_name:
        raise InputError("no links", name, "a robot needs a base link and at least one moving link")
    return by_name


def _root(name: str, links: Mapping[str, Link], joints: Sequence[DescribedJoint]) -> str:
    carried: dict[str, str] = {}
    seen: set[str] = set()
    for joint in joints:
        if joint.name in seen:
            raise InputError(f"two joints are named '{joint.name}'", name, "give every joint its own name")
        seen.add(joint.name)
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in links:
                raise InputError(f"{role} link '{link}' does not exist", f"{name}: joint '{joint.name}'", "name a link")
        if joint.child in carried:
            raise InputError(
                f"link '{joint.child}' is carried by joints '{carried[joint.child]}' and '{joint.name}'",
                name,
                "a tree gives every link one parent; describe loops as constraints",
            )
        carried[joint.child] = joint.name
    roots = [link for link in links if link not in carried]
    if not roots:
        raise InputError("the joints form a cycle with no base link", name, "remove one of them")
    if len(roots) > 1:
        listed = ", ".join(f"'{r}'" for r in roots[:5])
        raise InputError(f"{len(roots)} root links: {listed}", name, "connect them by (fixed) joints")
    return roots[0]


def _depth_first(name: str, root: str, joints: Sequence[DescribedJoint], count: int) -> list[DescribedJoint]:
    below: dict[str, list[DescribedJoint]] = {}
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    ordered: list[DescribedJoint] = []
    stack = list(reversed(below.get(root, [])))
    while stack:
        joint = stack.pop()
        ordered.append(joint)
        stack.extend(reversed(below.get(joint.child, [])))
    if len(ordered) < count - 1:
        reached = {root, *(joint.child for joint in ordered)}
        lost = next(joint.child for joint in joints if joint.child not in reached)
        raise InputError(f"link '{lost}' is part of a cycle", name, "a tree has no closed loops")
    return ordered


def _mimics(joints: Sequence[DescribedJoint], index: Mapping[str, int]) -> tuple[Mimic, ...]:
    described = {joint.name: joint for joint in joints}
    followed = _leaders({joint.name: joint.mimic for joint in joints if joint.mimic is not None})
    found = []
    for name, (leader, multiplier, offset) in followed.items():
        if name not in index:
            continue
        place = f"joint '{name}'"
        if leader == name or leader not in index:
            raise InputError(
                f"mimics '{leader}', which is no moving joint of its own", place, "name an independent joint"
            )
        for other in (name, leader):
            if described[other].motion.nq != 1:
                raise InputError(f"mimic needs single-axis joints, '{other}' is not one", place, "drop the mimic")
        if is_number(multiplier) and multiplier != 0 and not LEAST_RATIO <= abs(float(multiplier)) <= 1 / LEAST_RATIO:
            raise InputError(
                f"moves {float(multiplier):g} times as far as the joint it mimics", place, "correct its multiplier"
            )
        found.append(Mimic(index[name], index[leader], multiplier, offset))
    return tuple(found)


def _leaders(mimics: Mapping[str, tuple[str, Scalar, Scalar]]) -> dict[str, tuple[str, Scalar, Scalar]]:
    """Return every mimicking joint's independent leader, multiplier and offset; in a cycle a joint leads itself."""
    leaders: dict[str, tuple[str, Scalar, Scalar]] = {}
    for first in mimics:
        chain: dict[str, None] = {}
        name = first
        while name in mimics and name not in leaders and name not in chain:
            chain[name] = None
            name = mimics[name][0]
        if name in chain:
            leaders[name] = (name, 1, 0)
            del chain[name]
        for follower in reversed(chain):
            leader, multiplier, offset = mimics[follower]
            if leader in leaders:
                leader, factor, shift = leaders[leader]
                multiplier, offset = multiplier * factor, multiplier * shift + offset
            leaders[follower] = (leader, multiplier, offset)
    return {name: leaders[name] for name in mimics}
