"""The screw form of mode ``pattern`` for a robot whose numbers are written into the code.

Numbers computed from those of the file lose what they have in common; formulas keep it, and a program that was found
for free parameters serves the numbers, too. Which of the two forms gives the shorter program differs by function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from taut.derive.naming.parameters import Naming
from taut.graph import Graph, Node, Stage, topological
from taut.graph.operation import Op
from taut.robot import Drive
from taut.robot.screws import Screw
from taut.spatial import PseudoInertia, Scalar, Vec3

Visit = Callable[[Scalar], Scalar]

NUMBERS = ("phi", "alpha", "theta", "r", "a", "d")


@dataclass(frozen=True)
class General:
    """The screw form and gravity of mode ``pattern``, in a graph of their own."""

    graph: Graph
    screws: tuple[Screw, ...]
    gravity: Vec3


def renamed(bodies: Sequence[Screw], gravity: Vec3, source: Naming, target: Naming) -> General | None:
    """Return bodies and gravity in symbols that another naming has values for; None where a symbol has none.

    A symbol keeps its name where the other naming has none of that name, or one of the same value. The symbols stand in
    a graph of their own in the order in which they stand in theirs: programs are found by that order.
    """
    graph = Graph()
    symbols = [node for node in source.graph.nodes if node.op is Op.SYMBOL and node.stage <= Stage.PARAMETER]
    if not {node.name for node in symbols} <= set(source.values):
        return None
    new = {node: graph.symbol(_name(node.name, source.values[node.name], target), node.stage) for node in symbols}

    def visit(x: Scalar) -> Scalar:
        if not isinstance(x, Node):
            return x
        for node in topological([x], new):
            new[node] = graph.rebuild(node, [new[arg] for arg in node.args])
        return new[x]

    return General(graph, tuple(_each(body, visit) for body in bodies), Vec3(*(visit(x) for x in gravity)))


def _name(name: str, value: float, naming: Naming) -> str:
    """Return the name of a symbol of the value, the given one if it is free or has this value."""
    if naming.values.get(name) == value and name not in naming.records:
        return name
    return str(naming.free(name, value).data)


def _each(body: Screw, visit: Visit) -> Screw:
    moments = PseudoInertia.from_moments(tuple(visit(x) for x in body.moments.moments))
    drive = replace(body.drive, **{f.name: visit(getattr(body.drive, f.name)) for f in fields(Drive)})
    return replace(body, moments=moments, drive=drive, **{name: visit(getattr(body, name)) for name in NUMBERS})
