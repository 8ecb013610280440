"""What a link costs in each stage of Angeles, Ma, Rojas 1989, section 6, when the stages are traced.

The paper counts 50 m + 46 a a link in stage 2 and 55 m + 44 a in stage 3. Three of the additions of
stage 2 are a_i - rho_{i-1}, which is constant between revolute joints and is found off line here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from taut.algorithms.kane import centroidal_bodies, stage1, stage2, stage3
from taut.graph.node import Graph, Node, topological
from taut.graph.stage import Stage
from taut.robot import DescribedJoint, Link, Placement, Revolute, assemble
from taut.spatial import Inertia, Sym3, Vec3


def nodes(value: Any) -> list[Node]:
    if isinstance(value, Node):
        return [value]
    if is_dataclass(value):
        return [node for field in fields(value) for node in nodes(getattr(value, field.name))]
    return [node for item in value for node in nodes(item)] if isinstance(value, (list, tuple)) else []


def operations(outputs: Iterable[Node], given: Iterable[Node] = ()) -> tuple[int, int]:
    """Return multiplications and additions at run time, what is given being free."""
    known = set(topological(given))
    mul = add = 0
    for node in topological(outputs):
        if node.stage > Stage.PARAMETER and node not in known:
            if node.op == "sum":
                constant, coefficients = node.data
                add += len(node.args) - 1 + (constant != 0)
                mul += sum(abs(c) != 1 for c in coefficients)
            elif node.op == "product":
                coefficient, exponents = node.data
                mul += sum(exponents) - 1 + (abs(coefficient) != 1)
    return mul, add


def stage_counts(n: int) -> dict[str, tuple[int, int]]:
    """Return the counts of a chain of n revolute joints on general modified Denavit-Hartenberg rows."""
    graph = Graph()

    def symbol(name: str, stage: Stage = Stage.PARAMETER) -> Node:
        return graph.symbol(name, stage)

    links, joints = [Link("link0")], []
    for i in range(1, n + 1):
        m = symbol(f"m{i}")
        moment = Vec3(*(symbol(f"r{axis}{i}") * m for axis in "xyz"))
        links.append(Link(f"link{i}", Inertia(m, moment, Sym3(*(symbol(f"I{k}{i}") for k in range(6))))))
        placement = Placement(Vec3(*(symbol(f"a{axis}{i}") for axis in "xyz")), ((0, symbol(f"alpha{i}")),))
        joints.append(DescribedJoint(f"joint{i}", f"link{i - 1}", f"link{i}", placement, Revolute()))
    gravity = Vec3(*(symbol(f"g{axis}") for axis in "xyz"))
    robot = assemble("general", links, joints, gravity_acceleration=gravity)
    q, qd, qdd = (
        [[symbol(f"{name}{i}", stage)] for i in range(n)]
        for name, stage in (("q", Stage.CONFIGURATION), ("qd", Stage.VELOCITY), ("qdd", Stage.ACCELERATION))
    )
    bodies, steps = centroidal_bodies(robot), stage1(robot, q)
    states = stage2(robot, bodies, steps, qd, qdd)
    tau = stage3(robot, bodies, steps, states)
    before = nodes(steps)
    return {
        "stage 1": operations(before),
        "stage 2": operations(nodes(states), before),
        "stage 3": operations(nodes(tau), before + nodes(states)),
        "total": operations(nodes(tau)),
    }


def test_a_link_costs_what_the_paper_says():
    six, seven = stage_counts(6), stage_counts(7)
    more = {stage: (seven[stage][0] - six[stage][0], seven[stage][1] - six[stage][1]) for stage in six}
    assert six["stage 1"] == (0, 0)
    assert more["stage 2"] == (50, 46 - 3)
    assert more["stage 3"] == (55, 44)


def test_six_joints_cost_no_more_than_the_paper_says():
    mul, add = stage_counts(6)["total"]
    assert mul <= 105 * 6 - 109  # (58)
    assert add <= 90 * 6 - 105  # (59)
