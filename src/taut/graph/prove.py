"""Proves that two lists of expressions are the same functions.

They are when they agree at random points of GF(2^61 - 1), see :mod:`taut.graph.field`. One point
already settles it but for a chance below degree / 2^61; more are for the last doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from taut.errors import InputError
from taut.graph.field import FieldPoint
from taut.graph.node import Node, topological
from taut.graph.walk import names_of

ROOT_POINTS = 24
"""Points used when square roots may be dependent: a wrong branch, as in sqrt(x**2) = x, shows at every other one."""

ROOT_DRAWS = 1024
"""Points drawn in search of those where every square root exists, before taking any."""

MOST_ROOTS = 10
"""Roots beyond which their dependence is not looked at."""

REPAIRS = 400
"""Values drawn again in search of one such point: half of them give a root that was missing."""

REPAIRED_POINTS = 4
"""Points given up before none is looked for any more, as where sqrt(x) and sqrt(-x) are asked for."""

Spheres = Iterable[Sequence[Node | str]]


@dataclass(frozen=True)
class Disproof:
    """The first output that differs, and the point where it does.

    Attributes:
        output: index of the output.
        index: which point of the seed's family.
        left: its value there.
        right: the value it should have.
    """

    output: int
    index: int
    left: int
    right: int

    def __str__(self) -> str:
        return f"output {self.output} differs at point {self.index}: {self.left} instead of {self.right} mod 2^61 - 1"


def fingerprint(
    outputs: Sequence[Node], points: int = 2, seed: int = 0, spheres: Spheres = ()
) -> list[tuple[int, ...]]:
    """Return the values of each output at the first points of a seed's family.

    Equal expressions have equal fingerprints, in any graph and any process.
    """
    groups = [tuple(group) for group in spheres]
    rows = [FieldPoint(seed, index, groups).evaluate(outputs) for index in range(points)]
    return list(zip(*rows, strict=True)) if rows else [() for _ in outputs]


def equal(left: Sequence[Node], right: Sequence[Node], points: int = 3, seed: int = 0, spheres: Spheres = ()) -> bool:
    """Whether two lists of expressions are equal, symbols matched by name and stage.

    >>> from taut.graph import Graph
    >>> q = Graph().symbol("q")
    >>> equal([(2 * q).sin()], [2 * q.sin() * q.cos()]), equal([q.sin() ** 2], [q.cos() ** 2])
    (True, False)
    """
    return disproof(left, right, points, seed, spheres) is None


def disproof(
    left: Sequence[Node], right: Sequence[Node], points: int = 3, seed: int = 0, spheres: Spheres = ()
) -> Disproof | None:
    """Return where two lists of expressions differ first, None where they are equal.

    Args:
        left: expressions.
        right: as many expressions, of the same graph or of another.
        points: how many random points.
        seed: choose another for fresh points.
        spheres: groups of symbols that form unit vectors.
    """
    if len(left) != len(right):
        raise InputError(
            f"{len(left)} expressions are compared with {len(right)}", advice="compare lists of one length"
        )
    for index, values in samples([*left, *right], points, seed, [tuple(group) for group in spheres]):
        for output, (a, b) in enumerate(zip(left, right, strict=True)):
            if values[a] != values[b]:
                return Disproof(output, index, values[a], values[b])
    return None


def samples(
    nodes: Sequence[Node], points: int, seed: int, spheres: list[tuple[Node | str, ...]]
) -> Iterator[tuple[int, dict[Node, int]]]:
    """Yield values of the nodes at ``points`` points where every square root exists, if such are found."""
    order = topological(nodes)
    turned = any(node.is_turn for node in order)
    rooted = [node for node in order if node.function == "sqrt" or (turned and node.function in ("atan", "atan2"))]
    roots = [node if node.function == "sqrt" else node.sin() for node in rooted]
    wanted = points if _independent(roots, seed, spheres) else max(points, ROOT_POINTS)
    draws = ROOT_DRAWS if rooted else wanted
    looking = REPAIRED_POINTS
    for index in range(draws):
        if wanted == 0:
            return
        point, known = _with_roots(seed, index, spheres, [*rooted, *roots] if looking else [])
        if not looking:
            known = point.values([*rooted, *roots])  # few nodes tell whether the point is any good
        looking -= looking > 0 and not point.exact
        if point.exact or wanted >= draws - index or (not looking and len(rooted) > MOST_ROOTS):
            wanted -= 1
            yield index, point.values(nodes, known, order)


def _with_roots(
    seed: int, index: int, spheres: list[tuple[Node | str, ...]], roots: Sequence[Node]
) -> tuple[FieldPoint, dict[Node, int]]:
    """Return a point where every root exists, if one is found, and the values of the roots.

    As long as a root does not exist, another value is drawn for the one of its symbols that the fewest roots depend on
    [Moser, Tardos 2010].
    """
    on_sphere = {member.name if isinstance(member, Node) else member for group in spheres for member in group}
    support = [sorted(names_of([root]) - on_sphere) for root in roots]
    shared = Counter(name for names in support for name in names)
    again: dict[str, int] = {}
    for _ in range(REPAIRS):
        point, known = FieldPoint(seed, index, spheres, again=again), dict[Node, int]()
        missing = next((k for k, root in enumerate(roots) if not _exists(point, root, known)), None)
        if missing is None:
            return point, known
        if not support[missing]:
            break
        least = min(support[missing], key=lambda name: (shared[name], name))
        again[least] = again.get(least, 0) + 1
    point = FieldPoint(seed, index, spheres)
    return point, point.values(roots)


def _exists(point: FieldPoint, root: Node, known: dict[Node, int]) -> bool:
    """Return whether a root exists at a point, and enter its value."""
    point.values([root], known)
    return point.exact


def _independent(roots: Sequence[Node], seed: int, spheres: list[tuple[Node | str, ...]]) -> bool:
    """Whether each root doubles the field of functions that those before it generate, or is one of them.

    It doubles it if what it is the root of has none at a point where all roots before it exist. Then an expression in
    the roots is zero on all branches or, at a random point, on none but by chance: no branch needs points of its own.
    """
    if len(roots) > MOST_ROOTS:
        return False
    missing = set(range(len(roots)))
    for index in range(ROOT_DRAWS):
        if not missing:
            return True
        point, known = FieldPoint(seed, -1 - index, spheres), dict[Node, int]()
        for k, root in enumerate(roots):
            before = len(point.radicands)
            point.values([root], known)
            if not point.exact or len(point.radicands) == before:
                missing.discard(k)
            if not point.exact:
                break
    return False
