"""The robot that a sheet measures: its geometry, and what its measured links add to a joint's inertia."""

from __future__ import annotations

from dataclasses import dataclass, replace

from taut.algorithms.composite_bodies import composite_bodies
from taut.algorithms.newton_euler import newton_euler
from taut.errors import InputError
from taut.formats.table import Table, nearest
from taut.graph import Node
from taut.graph.derivative import tangent
from taut.measuring.ledger import Ledger
from taut.measuring.units import parse_quantity
from taut.robot import Tree, Value
from taut.spatial import Scalar


@dataclass(frozen=True)
class Arm:
    """The robot of a sheet.

    Attributes:
        tree: its geometry, with numbers for every symbol; None for a sheet of loose bodies.
        gravity: size of the acceleration of gravity, a reading of the sheet or a constant.
    """

    tree: Tree | None
    gravity: Node

    def joint(self, table: Table) -> str:
        """Return the joint a section names, checked against the robot."""
        name = table.text("joint")
        self._index(name, table)
        return name

    def link_inertia(self, ledger: Ledger, table: Table) -> Scalar:
        """Return the inertia of the measured links about a joint, in the posture of the section."""
        tree, i, q = self._posed(ledger, table)
        return composite_bodies(tree, tree.at(q).positions)[i][i]

    def gravity_stiffness(self, ledger: Ledger, table: Table) -> Scalar:
        """Return the derivative of a joint's gravity torque by its own position, in the posture of the section."""
        tree, i, q = self._posed(ledger, table)
        angle = ledger.graph.symbol(f"{table.place}: position")
        ledger.readings[angle.name] = Value(float(q[i]))
        joints = tree.at([*q[:i], angle, *q[i + 1 :]])
        rest = joints.rates([0] * tree.nv)
        torque = newton_euler(tree, joints.positions, rest, rest)[i][0]
        return tangent([ledger.graph.lift(torque)], {angle: 1})[0]

    def _posed(self, ledger: Ledger, table: Table) -> tuple[Tree, int, list[Scalar]]:
        tree, i = self._index(table.text("joint"), table)
        q: list[Scalar] = [0.0] * tree.nq
        posture = table.data.get("posture", {})
        for name, text in posture.items() if isinstance(posture, dict) else ():
            where = f"{table.where('posture')}: {name}"
            if name not in tree.joint_names:
                raise InputError(f"no joint '{name}' on the robot", where, nearest(name, tree.joint_names))
            k = tree.joint_names.index(name)
            q[k] = parse_quantity(text, tree.joints[k].motion.unit, where).value
        return measured_tree(tree, ledger, table.place), i, q

    def _index(self, name: str, table: Table) -> tuple[Tree, int]:
        if self.tree is None:
            raise InputError(
                "a joint is measured, but the sheet names no robot", table.place, 'add robot = "..." on top'
            )
        if name not in self.tree.joint_names:
            raise InputError(
                f"no joint '{name}' on the robot", table.where("joint"), nearest(name, self.tree.joint_names)
            )
        return self.tree, self.tree.joint_names.index(name)


def measured_tree(tree: Tree, ledger: Ledger, place: str) -> Tree:
    """Return the robot whose measured links have their inertias as formulas of the readings."""
    joints = tuple(
        replace(joint, link=replace(joint.link, inertia=ledger.body(joint.link.name, place)))
        if "mass" in ledger.bodies.get(joint.link.name, {})
        else joint
        for joint in tree.joints
    )
    return replace(tree, joints=joints)
