"""Constants known by their value: formulas that vanish are zero, formulas that are equal are one.

Regrouping gives formulas such as ``Ixx3 - Iyy3 + ...`` that may cancel identically, and the same
formula on several links. A random point of the finite field tells, exactly.
"""

from __future__ import annotations

from taut.graph import Graph, Node, topological
from taut.graph.field import PRIME, FieldPoint
from taut.spatial import Scalar


class Constants:
    """A table of parameter-stage nodes by value."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._points = [FieldPoint(seed=11, index=k) for k in range(2)]
        self._known: list[dict[Node, int]] = [{}, {}]
        self._first: dict[tuple[int, ...], Node] = {}

    def is_zero(self, x: Scalar) -> bool:
        """Whether a number vanishes identically."""
        return not any(self._value(x)) if isinstance(x, Node) else x == 0

    def canonical(self, x: Scalar) -> Scalar:
        """Return 0 for what vanishes, else the first (or simpler) node of the same value up to sign."""
        if not isinstance(x, Node):
            return x
        x = self._graph.lift(x)
        value = self._value(x)
        if not any(value):
            return 0
        negated = value[0] > PRIME // 2
        key = tuple(PRIME - v if v else 0 for v in value) if negated else value
        positive = -x if negated else x
        known = self._first.get(key)
        if known is None or (known is not positive and len(topological([positive])) < len(topological([known]))):
            self._first[key] = known = positive
        return -known if negated else known

    def _value(self, x: Node) -> tuple[int, ...]:
        x = self._graph.lift(x)
        return tuple(point.values([x], known)[x] for point, known in zip(self._points, self._known, strict=True))
