"""The general arm of n revolute joints, every number a symbol: the case in which papers compare operation counts."""

from __future__ import annotations

from taut.graph import Graph
from taut.robot import DescribedJoint, Link, Placement, Revolute, Tree, assemble
from taut.spatial import Inertia, Vec3


def general_chain(n: int) -> Tree:
    """Return an arm on modified Denavit-Hartenberg rows with free twist, length and offset.

    Ten free inertial parameters a link, gravity in any direction, and the first axis tilted like the others.
    """
    graph = Graph()

    def symbols(names: str, i: int) -> list:
        return [graph.symbol(f"{name}{i}") for name in names.split()]

    links, joints = [Link("link0")], []
    for i in range(1, n + 1):
        inertia = Inertia.from_parameters(tuple(symbols("m mx my mz Ixx Ixy Iyy Ixz Iyz Izz", i)))
        links.append(Link(f"link{i}", inertia))
        alpha, a, d = symbols("alpha a d", i)
        placement = Placement(Vec3(a, 0, 0), ((0, alpha),)).then(Placement(Vec3(0, 0, d)))
        joints.append(DescribedJoint(f"joint{i}", f"link{i - 1}", f"link{i}", placement, Revolute()))
    gravity = Vec3(*(graph.symbol(f"g{axis}") for axis in "xyz"))
    return assemble(f"general_{n}r", links, joints, gravity_acceleration=gravity)
