"""Which numbers of a robot are named in an explicit model?  Every one that is not zero or a right angle.

Symbols of the robot file keep their names and formulas. Numbers get the names of what they are: ``m2``, first
moments ``mx2``, inertias about the joint ``Ixx2``, lengths ``a2`` along x and ``d2`` across it, rotor inertia
``Im2``, gravity ``g``; each keeps its value. Zeros stay zero: the model has the pattern of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from taut.derive.model import tree_of
from taut.derive.parameters import SNAP, Naming, prepared
from taut.errors import InputError, UnsupportedError
from taut.graph import Graph, Node
from taut.robot import PARAMETER_NAMES, Joint, Mimic, Placement, Tree
from taut.robot.screws import screw_form
from taut.spatial import Inertia, Scalar, Vec3, is_exactly

MODES = ("pattern", "symbolic")
"""How inertial numbers are treated; both keep values where there are any."""


@dataclass(frozen=True)
class NamedRobot:
    """A robot whose numbers are symbols of one graph.

    Attributes:
        tree: the robot.
        naming: the graph, values of the symbols, notes.
        tolerances: of the symbols that have one.
    """

    tree: Tree
    naming: Naming
    tolerances: dict[str, float]

    @property
    def graph(self) -> Graph:
        """Where the symbols live."""
        return self.naming.graph


def named_robot(tree: Tree, mode: str = "pattern", snap: float = SNAP) -> NamedRobot:
    """Return the robot with every number named.

    Args:
        tree: the robot.
        mode: ``pattern`` keeps zeros and ties of the file, ``symbolic`` frees ten parameters a link.
        snap: tolerance for right angles and zero lengths.
    """
    if mode not in MODES:
        raise InputError(f"parameters '{mode}'", "explicit", f"choose one of {', '.join(MODES)}")
    _check(tree)
    naming = Naming(Graph(), shared=False, snap=snap)
    tree = prepared(tree, mode, naming)
    if not all(_along_coordinate(joint) for joint in tree.joints):
        tree = tree_of(tree, screw_form(tree))
        naming.notes.append("frames are turned so that every joint moves along z of its own")
    joints = tuple(_named_joint(joint, i + 1, naming) for i, joint in enumerate(tree.joints))
    tree = replace(
        tree,
        joints=joints,
        frames=(),
        base=_named_placement(tree.base, "0", naming),
        gravity_acceleration=_named_gravity(tree.gravity_acceleration, naming),
        mimics=tuple(_named_mimic(mimic, tree, naming) for mimic in tree.mimics),
        coupling=tuple((d, j, naming.length(ratio, f"ratio{d + 1}{j + 1}")) for d, j, ratio in tree.coupling),
    )
    tolerances = {name: value.tolerance for name, value in tree.values.items() if value.tolerance is not None}
    return NamedRobot(tree, naming, tolerances)


def _check(tree: Tree) -> None:
    if tree.has_free_joint:
        raise UnsupportedError(
            f"robot '{tree.name}' has a free joint, whose rates are no derivatives of coordinates",
            "explicit",
            "fix the base, or derive inverse_dynamics or christoffel",
        )
    for mimic in tree.mimics:
        joint = tree.joints[mimic.joint]
        whole = not isinstance(mimic.multiplier, Node) and float(mimic.multiplier).is_integer()
        if joint.motion.kind == "revolute" and not whole:
            raise UnsupportedError(
                f"joint '{joint.name}' follows another at {mimic.multiplier} times its angle",
                "explicit",
                "lock it, or derive the functions instead",
            )


def _along_coordinate(joint: Joint) -> bool:
    return sum(not is_exactly(x, 0) for x in joint.motion.columns[0].w + joint.motion.columns[0].v) == 1


def _named_joint(joint: Joint, number: int, naming: Naming) -> Joint:
    inertia = joint.link.inertia
    size = max((abs(x) for x in inertia.parameters if not isinstance(x, Node)), default=0.0)
    named = tuple(
        naming.inertial(x, f"{name}{number}", size) for name, x in zip(PARAMETER_NAMES, inertia.parameters, strict=True)
    )
    return replace(
        joint,
        placement=_named_placement(joint.placement, str(number), naming),
        link=replace(joint.link, inertia=Inertia.from_parameters(named)),
        drive=replace(joint.drive, rotor_inertia=naming.inertial(joint.drive.rotor_inertia, f"Im{number}")),
    )


def _named_placement(placement: Placement, number: str, naming: Naming) -> Placement:
    p = placement.p
    across = [x for x in (p.y, p.z) if not is_exactly(x, 0)]
    letters = ("a", "d", "d") if len(across) < 2 else ("px", "py", "pz")
    lengths = [_length(x, f"{letter}{number}", naming) for letter, x in zip(letters, p, strict=True)]
    angles = tuple((axis, naming.angle(angle, f"{'xyz'[axis]}turn{number}")) for axis, angle in placement.turns)
    return Placement(Vec3(*lengths), angles)


def _named_mimic(mimic: Mimic, tree: Tree, naming: Naming) -> Mimic:
    number = mimic.joint + 1
    if tree.joints[mimic.joint].motion.kind == "revolute":
        offset = naming.angle(mimic.offset, f"offset{number}")
        return replace(mimic, multiplier=int(mimic.multiplier), offset=offset)
    multiplier = mimic.multiplier
    if not isinstance(multiplier, Node) and not float(multiplier).is_integer():
        multiplier = naming.free(f"ratio{number}", float(multiplier))
    return replace(mimic, multiplier=multiplier, offset=_length(mimic.offset, f"offset{number}", naming))


def _length(x: Scalar, hint: str, naming: Naming) -> Scalar:
    """Return a length as a symbol of its own: equal lengths are no tie of the file."""
    if isinstance(x, Node):
        return naming.graph.lift(x)
    if abs(x) <= naming.snap:
        if abs(x) > 1e-15:
            naming.notes.append(f"{hint} = {x:.3g} taken for 0")
        return 0
    return naming.free(hint, float(x))


def _named_gravity(gravity: Vec3, naming: Naming) -> Vec3:
    """Return gravity as ``-g`` along one axis, or as gx, gy, gz."""
    numbers = [x for x in gravity if not isinstance(x, Node) and x != 0]
    alone = len(numbers) == 1 and all(is_exactly(x, 0) or x is numbers[0] for x in gravity)

    def named(x: Scalar, axis: str) -> Scalar:
        if isinstance(x, Node):
            return naming.graph.lift(x)
        if x == 0:
            return 0
        if alone:
            size = naming.free("g", abs(float(x)))
            return size if x > 0 else -size
        return naming.free(f"g{axis}", float(x))

    return Vec3(*(named(x, axis) for x, axis in zip(gravity, "xyz", strict=True)))


Progress = Callable[[str, int], None]
"""Told what is being done and how many terms there are."""
