"""The structure of a robot that a search sees: joints, right angles, zeros and ties, constants numbered by place.

Two robots whose regrouped constants are zero, equal or free in the same places have the same programs, whatever
their links, symbols and numbers are. The structural robot has one symbol for each constant that is free, named
after its place (``a3``, ``Jxx4``); a constant that follows from others is a formula in theirs. Searching on it makes a
result independent of names, and what is found there serves every robot of the structure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

from taut.derive.naming.constants import Constants
from taut.derive.naming.model import MOMENTS, DerivedRobot, tree_of
from taut.derive.naming.parameters import Naming
from taut.graph import Graph, Node, Stage, topological
from taut.graph.independent import independent
from taut.graph.operation import Op
from taut.graph.text import to_text
from taut.graph.walk import symbols_of
from taut.robot import Drive
from taut.robot.placement import QuarterTurns
from taut.robot.screws import Screw
from taut.spatial import PseudoInertia, Scalar, Vec3, is_exactly

ANGLES, LENGTHS = ("phi", "alpha", "theta"), ("r", "a", "d")
GRAVITY = ("gx", "gy", "gz")
ROTOR = "Im"
HIDDEN = "x"
"""Prefix of auxiliary symbols, which stand for no constant; a number follows."""


@dataclass(frozen=True)
class Structure:
    """A robot as its structure.

    Attributes:
        model: the structural robot, in a graph of its own.
        places: {name of a constant's place: its value there, a number, a symbol or a formula}.
        meaning: {symbol of the structural robot: what it is in the robot at hand}.
        given: {name of a constant's place: its value in the robot at hand}.
    """

    model: DerivedRobot
    places: Mapping[str, Scalar]
    meaning: Mapping[str, Node]
    given: Mapping[str, Scalar]

    @cached_property
    def skeleton(self) -> str:
        """Joint kinds, what carries what, and the right angles: what a program cannot be adapted to."""
        return _digest([*self._joints(), *(f"{name} {_angle(x)}" for name, x in self.places.items() if _turns(name))])

    @cached_property
    def key(self) -> str:
        """The whole structure, zeros and ties included, as a short text: equal for equal structures."""
        return _digest([*self._joints(), *(f"{name} {_text(x)}" for name, x in self.places.items())])

    @property
    def name(self) -> str:
        """Skeleton and key, as files are named by."""
        return f"{self.skeleton}.{self.key}"

    def _joints(self) -> Iterator[str]:
        for body in self.model.screws or ():
            pitch = f" of pitch {body.pitch!r}" if body.turns and not body.pure_turn else ""
            yield f"{body.kind} on {body.parent}{pitch}"


def structure(model: DerivedRobot) -> Structure | None:
    """Return the structure of a robot; None where it has no screw form, or joints that follow others."""
    bodies = model.regrouped
    if bodies is None or model.tree.tied or model.tree.coupling:
        return None
    given = dict(_places(bodies, model.gravity))
    graph = Graph()
    places, meaning = _structural(given, model.graph, graph)
    naming = Naming(graph, snap=model.naming.snap)
    known = dict(zip(meaning, model.naming.all_known(list(meaning.values())), strict=True))
    naming.values.update({name: value for name, value in known.items() if value is not None})
    screws = tuple(_placed(body, i + 1, places) for i, body in enumerate(bodies))
    gravity = Vec3(*(places[name] for name in GRAVITY))
    tree = replace(tree_of(model.tree, screws), gravity_acceleration=gravity)
    found = replace(model, graph=graph, tree=tree, screws=screws, gravity=gravity, naming=naming)
    return Structure(found, places, meaning, given)


def _places(bodies: Sequence[Screw], gravity: Vec3) -> Iterator[tuple[str, Scalar]]:
    """Yield the constants that joint torques depend on, by the name of their place."""
    yield from zip(GRAVITY, gravity, strict=True)
    for n, body in enumerate(bodies, 1):
        yield from ((f"{name}{n}", getattr(body, name)) for name in (*ANGLES, *LENGTHS))
        yield f"{ROTOR}{n}", body.drive.rotor_inertia
        yield from ((f"{name}{n}", x) for name, x in zip(MOMENTS, body.moments.moments, strict=True))


def _placed(body: Screw, n: int, places: Mapping[str, Scalar]) -> Screw:
    plain = {f.name: 0 for f in fields(Drive)} | {"gear_ratio": 1}
    return replace(
        body,
        moments=PseudoInertia.from_moments(tuple(places[f"{name}{n}"] for name in MOMENTS)),
        drive=Drive(**plain | {"rotor_inertia": places[f"{ROTOR}{n}"]}),
        **{name: places[f"{name}{n}"] for name in (*ANGLES, *LENGTHS)},
    )


def _structural(given: Mapping[str, Scalar], source: Graph, target: Graph) -> tuple[dict[str, Scalar], dict[str, Node]]:
    """Return each constant in a graph of its own, and what the symbols there stand for."""
    constants = Constants(source)
    for x in given.values():  # a simpler formula of the same value may come later
        constants.canonical(x)
    nodes = {name: constants.canonical(x) for name, x in given.items()}
    first: dict[Node, str] = {}
    for name, x in nodes.items():
        if isinstance(x, Node) and x.op is not Op.CONSTANT and x not in first and -x not in first:
            first[x] = name
    free = independent(list(first))
    own = {_symbol(x): name for x, name in first.items() if x in free and _symbol(x) is not None}
    hidden, raw = _hidden([x for x in first if x not in free], [x for x in free if _symbol(x) is None], own)
    meaning: dict[str, Node] = {first[x]: x for x in first if x in free and x not in raw}
    meaning |= {f"{HIDDEN}{k}": symbol for k, symbol in enumerate(hidden, 1)}
    stands: dict[Node, Node] = {}
    for name, node in meaning.items():
        symbol, factor = (node, Fraction(1)) if node.op is Op.SYMBOL else (_symbol(node), _factor(node))
        if symbol is not None:
            stands[symbol] = target.scale(1 / factor, target.symbol(name, Stage.PARAMETER))

    def value(x: Scalar) -> Scalar:
        if not isinstance(x, Node) or x.op is Op.CONSTANT:
            return x if not isinstance(x, Node) else x.value
        for sign, node in ((1, x), (-1, -x)):
            if node in first:
                if first[node] in meaning:
                    return sign * target.symbol(first[node], Stage.PARAMETER)
                return sign * target.lift(_renamed(node, stands, target))
        raise AssertionError("every constant is first or tied to a first one")

    return {name: value(x) for name, x in nodes.items()}, meaning


def _hidden(
    dependent: Sequence[Node], compound: Sequence[Node], own: Mapping[Node | None, str]
) -> tuple[list[Node], set[Node]]:
    """Return the symbols that formulas of dependent constants need, and the constants that become formulas in them."""
    hidden: dict[Node, None] = {}
    raw: set[Node] = set()
    waiting = list(dependent)
    while waiting:
        for node in waiting:
            hidden.update({x: None for x in symbols_of([node]) if x not in own})
        waiting = [x for x in compound if x not in raw and any(s in hidden for s in topological([x]))]
        raw.update(waiting)
    return sorted(hidden, key=lambda symbol: symbol.serial), raw


def _renamed(node: Node, stands: Mapping[Node, Node], target: Graph) -> Node:
    """Return a formula in the symbols of another graph."""
    new: dict[Node, Node] = dict(stands)
    for inner in topological([node], new):
        new[inner] = target.rebuild(inner, [new[arg] for arg in inner.args])
    return new[node]


def _symbol(node: Node) -> Node | None:
    """Return the symbol of a constant that is a symbol, or a number times one."""
    if node.op is Op.SYMBOL:
        return node
    single = node.is_multiple and node.args[0].op is Op.SYMBOL
    return node.args[0] if single else None


def _factor(node: Node) -> Fraction:
    return Fraction(1) if node.op is not Op.PRODUCT else Fraction(node.powers.coefficient)


def _turns(name: str) -> bool:
    return name.rstrip("0123456789") in ANGLES


def _angle(x: Scalar) -> str:
    return "free" if isinstance(x, Node) else _text(x)


def _text(x: Scalar) -> str:
    if isinstance(x, Node):
        return to_text(x)
    return f"{x.count % 4} quarters" if isinstance(x, QuarterTurns) else "0" if is_exactly(x, 0) else str(Fraction(x))


def _digest(rows: Sequence[str]) -> str:
    return blake2b("\n".join(rows).encode(), digest_size=8).hexdigest()
