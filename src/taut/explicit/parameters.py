"""The numbers of a robot that an explicit model names: all that are not zero or a right angle.

Symbols of the robot file keep their names and formulas. Numbers get the names of :mod:`taut.robot.places`; each keeps
its value. Zeros stay zero: the model has the pattern of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from taut.derive.naming.model import tree_of
from taut.derive.naming.parameters import SNAP, Naming, prepared
from taut.errors import UnsupportedError, refuse_unknown
from taut.graph import Graph, Node
from taut.robot import Joint, Mimic, Tree
from taut.robot.meaning import Meaning
from taut.robot.places import Place, each_number
from taut.robot.screws import screw_form
from taut.spatial import Scalar, is_exactly

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
    def meaning(self) -> Meaning:
        """What the written angles were taken for."""
        return self.naming.meaning or Meaning(self.tree)

    @property
    def graph(self) -> Graph:
        """Where the symbols live."""
        return self.naming.graph


def named_robot(tree: Tree, mode: str = "pattern", snap: float | None = SNAP) -> NamedRobot:
    """Return the robot with every number named.

    Args:
        tree: the robot.
        mode: ``pattern`` keeps zeros and ties of the file, ``symbolic`` frees ten parameters a link.
        snap: what written angles mean, see :func:`taut.robot.meaning.decided`.
    """
    refuse_unknown("treatment of parameters", mode, MODES, "explicit")
    _check(tree)
    naming = Naming(Graph(), snap=snap)
    tree = prepared(tree, mode, naming, frames=lambda decided: _on_coordinate_axes(decided, naming))
    tree = _lifted(replace(tree, frames=(), mimics=tuple(_whole(mimic) for mimic in tree.mimics)), naming)
    tolerances = {name: value.tolerance for name, value in tree.values.items() if value.tolerance is not None}
    return NamedRobot(tree, naming, tolerances)


def _check(tree: Tree) -> None:
    if not tree.single_axis:
        raise UnsupportedError(
            f"robot '{tree.name}' has a free or ball joint, whose rates are no derivatives of coordinates",
            "explicit",
            "lock the joint, or derive inverse_dynamics or christoffel",
        )
    if tree.at().bends:
        raise UnsupportedError(
            f"the ratios between the joint rates of '{tree.name}' change with its position",
            "explicit",
            "derive the functions instead",
        )
    for mimic in tree.mimics:
        joint = tree.joints[mimic.joint]
        whole = not isinstance(mimic.multiplier, Node) and float(mimic.multiplier).is_integer()
        if joint.motion.pure_turn and not whole:
            raise UnsupportedError(
                f"joint '{joint.name}' follows another at {mimic.multiplier} times its angle",
                "explicit",
                "lock it, or derive the functions instead",
            )


def _on_coordinate_axes(tree: Tree, naming: Naming) -> Tree:
    """Return the robot with every joint along an axis of its frame."""
    if all(_along_coordinate(joint) for joint in tree.joints):
        return tree
    naming.notes.append("frames are turned so that every joint moves along z of its own")
    return tree_of(tree, screw_form(tree))


def _along_coordinate(joint: Joint) -> bool:
    return sum(not is_exactly(x, 0) for x in joint.motion.columns[0].w + joint.motion.columns[0].v) == 1


def _whole(mimic: Mimic) -> Mimic:
    """Return a mimic with a whole ratio as an exact number."""
    whole = not isinstance(mimic.multiplier, Node) and float(mimic.multiplier).is_integer()
    return replace(mimic, multiplier=int(mimic.multiplier)) if whole else mimic


def _lifted(tree: Tree, naming: Naming) -> Tree:
    """Return the robot with all symbols in the graph of the naming; what is left of numbers is structure."""

    def visit(place: Place, x: Scalar) -> Scalar:
        if isinstance(x, Node):
            return naming.graph.lift(x)
        if place.kind == "angle" or (place.kind == "offset" and place.unit == "rad"):
            return naming.angle(x, place.symbol)
        return naming.length(x, place.symbol, naming.smallest) if place.kind == "length" else x

    for joint in tree.joints:  # a link before its place: the order in which factors are written
        for x in (*joint.link.inertia.parameters, *joint.placement.p):
            if isinstance(x, Node):
                naming.graph.lift(x)
    return each_number(tree, visit)


Progress = Callable[[str, int], None]
"""Called with what is being done and how many terms there are."""
