"""The general arm of n joints, every number a symbol: the case in which papers compare operation counts."""

from __future__ import annotations

from collections.abc import Collection

from taut.graph import Graph
from taut.robot import DescribedJoint, Link, Placement, Prismatic, Revolute, Tree, assemble
from taut.spatial import Inertia, Vec3


def general_chain(n: int, slides: Collection[int] = (), first_aligned: bool = False) -> Tree:
    """Return an arm on modified Denavit-Hartenberg rows with free twist, length and offset (or angle, of a slide).

    Ten free inertial parameters a link, gravity in any direction, and the first axis tilted like the others.

    Args:
        n: joints.
        slides: numbers, from 1, of the joints that are prismatic.
        first_aligned: whether the first joint's axis and origin are those of the base.
    """
    graph = Graph()

    def symbols(names: str, i: int) -> list:
        return [graph.symbol(f"{name}{i}") for name in names.split()]

    links, joints = [Link("link0")], []
    for i in range(1, n + 1):
        inertia = Inertia.from_parameters(tuple(symbols("m mx my mz Ixx Ixy Iyy Ixz Iyz Izz", i)))
        links.append(Link(f"link{i}", inertia))
        alpha, a, d, theta = symbols("alpha a d theta", i)
        before = Placement() if first_aligned and i == 1 else Placement(Vec3(a, 0, 0), ((0, alpha),))
        along = (
            Placement(turns=((2, theta),)) if i in slides else Placement(Vec3(0, 0, 0 if before == Placement() else d))
        )
        motion = Prismatic() if i in slides else Revolute()
        joints.append(DescribedJoint(f"joint{i}", f"link{i - 1}", f"link{i}", before.then(along), motion))
    gravity = Vec3(*(graph.symbol(f"g{axis}") for axis in "xyz"))
    kinds = "".join("p" if i in slides else "r" for i in range(1, n + 1)) if slides else f"{n}r"
    return assemble(f"general_{kinds}", links, joints, gravity_acceleration=gravity)
