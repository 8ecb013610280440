"""The exact rank and null space of the regressor over GF(2^61 - 1), by FLINT.

The regressor is traced once and evaluated at random states: points of the circle for angles, of the unit
sphere for orientations, anything for rates, accelerations and the signs of rates; where loops are solved by square
roots, those at which the roots exist. The geometry is the same at all of them. A rank found there is never above the
true one, and below it with a chance of some 1e-15.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import nmod_mat

from taut.graph import Graph, Node, Stage, topological
from taut.graph.field import PRIME, FieldPoint
from taut.identify.echelon import Values
from taut.questions.drives import drive_regressor
from taut.questions.regressors import regressor
from taut.robot import Tree
from taut.spatial import Scalar

SEED = 41
"""Of the family of points."""

MARGIN = 3
"""States beyond those that give as many rows as columns."""

GROWTH = 1.5
"""More states at each step, until the rank reaches its bound or stays twice."""


def geometry_point(tree: Tree, seed: int = SEED) -> FieldPoint:
    """Return a random point for the symbols of the geometry at which its square roots exist."""
    nodes = _geometry(tree)
    for index in range(-1, -1000, -1):  # states count from zero upward
        point = FieldPoint(seed, index)
        point.values(nodes)
        if point.exact:
            break
    return point


class FieldRegressor:
    """The regressor of an exact robot at random states, for the chosen columns.

    Args:
        tree: exact geometry.
        graph: holds its symbols.
        values: of the geometry.
        columns: of the regressor followed by the drive regressor.
    """

    def __init__(self, tree: Tree, graph: Graph, values: Values, columns: Sequence[int]) -> None:
        q, self._spheres = _positions(tree, graph)
        qd = [graph.symbol(f"rate {k}", Stage.VELOCITY) for k in range(tree.nv)]
        qdd = [graph.symbol(f"acceleration {k}", Stage.ACCELERATION) for k in range(tree.nv)]
        rigid = regressor(tree, q, qd, qdd)
        drives = drive_regressor(tree, qd, qdd) if any(k >= len(rigid[0]) for k in columns) else [[]] * tree.nv
        rows = [[*a, *b] for a, b in zip(rigid, drives, strict=True)]
        self._entries: list[list[Scalar]] = [[row[k] for k in columns] for row in rows]
        self._nodes = [x for row in self._entries for x in row if isinstance(x, Node)]
        constant = [node for node in topological(self._nodes) if node.stage <= Stage.PARAMETER]
        self._geometry = {node: values.of(node) for node in constant}
        self._rows: list[list[int]] = []
        self._roots = [node for node in topological(self._nodes) if node.function == "sqrt"]
        self._states = self._point = 0
        self.width = len(columns)

    def rank(self, bound: int) -> int:
        """Return the rank; the search ends early where it reaches ``bound``, which it cannot exceed."""
        wanted = -(-self.width // len(self._entries)) + MARGIN
        last, same = -1, 0
        while True:
            found = self.stacked(wanted).rank()
            same = same + 1 if found == last else 0
            if found >= bound or same == 2:
                return found
            last, wanted = found, int(GROWTH * wanted) + 1

    def stacked(self, states: int | None = None) -> nmod_mat:
        """Return the regressor at (at least) so many states, one below the other."""
        while self._states < (states or 0):
            self._rows.extend(self._next())
            self._states += 1
        entries = [x for row in self._rows for x in row]
        return nmod_mat(len(self._rows), self.width, entries, PRIME)

    def kills(self, vectors: Sequence[dict[int, int]]) -> bool:
        """Whether the regressor at every state so far takes each vector {column: value} to zero."""
        if not vectors:
            return True
        dense = [vector.get(k, 0) for k in range(self.width) for vector in vectors]
        product = self.stacked() * nmod_mat(self.width, len(vectors), dense, PRIME)
        return not any(int(x) for x in product.entries())

    def null_space(self, order: Sequence[int]) -> dict[int, dict[int, int]]:
        """Return the null space of what is stacked: {pivot: vector}, pivots as early in ``order`` as they go."""
        basis, dimension = self.stacked().nullspace()
        permuted = [int(basis[order[k], j]) for j in range(dimension) for k in range(self.width)]
        reduced, rank = nmod_mat(dimension, self.width, permuted, PRIME).rref()
        found: dict[int, dict[int, int]] = {}
        for j in range(rank):
            vector = {order[k]: value for k in range(self.width) if (value := int(reduced[j, k]))}
            pivot = next(iter(vector))
            found[pivot] = vector
        return found

    def _next(self) -> list[list[int]]:
        """Return the regressor at the next point at which all square roots exist."""
        while True:
            point = FieldPoint(SEED, self._point, self._spheres)
            self._point += 1
            value = point.values(self._roots, dict(self._geometry))
            if point.exact:
                break
        value = point.values(self._nodes, value)
        return [[value[x] if isinstance(x, Node) else int(x) % PRIME for x in row] for row in self._entries]


def _positions(tree: Tree, graph: Graph) -> tuple[list[Node], list[tuple[Node, ...]]]:
    """Return q as symbols, and the quaternions among them."""
    q = [graph.symbol(f"position {k}", Stage.CONFIGURATION) for k in range(tree.nq)]
    return q, [tuple(q[start : start + 4]) for start in tree.quaternions]


def _geometry(tree: Tree) -> list[Node]:
    found: list[Node] = []

    def note(x: Scalar) -> Scalar:
        found.extend(part for part in (x, getattr(x, "c", 0), getattr(x, "s", 0)) if isinstance(part, Node))
        return x

    tree.map(note)
    for joint in tree.joints:
        for component in getattr(joint.motion, "axis", ()):
            note(component)
    return found
