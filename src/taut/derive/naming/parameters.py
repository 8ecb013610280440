"""Which numbers of a robot are symbols: the four ways to treat inertial parameters.

* ``symbolic``: the ten parameters of every link are free.
* ``pattern``: zeros and ties of the robot file are kept, every other inertial number is free.
* ``numeric``: as the file has it, and numbers that are equal are one constant.
* ``base``: the free constants are what is left after regrouping.

Lengths stay as the file has them. A float becomes a named symbol with a value: what enters the graph is
exact. What a written angle means is decided before (:mod:`taut.robot.meaning`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from taut.derive.naming.run_time import with_kept_symbols, with_run_time_symbols
from taut.errors import refuse_unknown
from taut.graph import Graph, Node, Stage
from taut.graph.evaluate import evaluate
from taut.graph.node import topological
from taut.graph.operation import Op
from taut.robot import Tree
from taut.robot.edit import symbols
from taut.robot.meaning import Meaning, decided
from taut.robot.placement import QuarterTurns, right_angle
from taut.robot.places import Place, places
from taut.robot.records import Record
from taut.spatial import Scalar

MODES = ("symbolic", "pattern", "numeric", "base")

SNAP: float | None = None
"""What written angles mean: None goes by their digits, see :func:`taut.robot.meaning.decided`."""

DUST = 1e-13
"""Rounding noise of right angles [rad] and, as a part of the longest length, of zero lengths; not reported."""

SAME = 1e-12
"""Relative difference below which two numeric constants are one."""


def default_mode(tree: Tree) -> str:
    """Return ``numeric`` where every symbol has a value, else ``pattern``."""
    return "numeric" if symbols(tree) <= set(tree.values) else "pattern"


@dataclass
class Naming:
    """Names the numbers of one derivation: floats become symbols with values in one graph.

    Attributes:
        graph: where the symbols live.
        values: {symbol: value} of the symbols that have one.
        snap: what written angles mean, see :func:`taut.robot.meaning.decided`.
        meaning: the robot with its angles decided, once :func:`prepared` has decided them.
        smallest: lengths of the file's frames up to this are rounding of zero [m].
        notes: what was decided, in words.
        formulas: {symbol: what it stands for} of base parameters.
        records: {symbol: its record} of the symbols that have one.
    """

    graph: Graph
    snap: float | None = SNAP
    meaning: Meaning | None = None
    smallest: float = DUST
    values: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    formulas: dict[str, Node] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    _named: dict[tuple[str, float], Node] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _own: dict[tuple[str, float], str] = field(default_factory=dict)

    def reserve(self, names: set[str]) -> None:
        """Keep names that the robot file uses from being given again."""
        self._taken |= names

    def record(self, record: Record) -> None:
        """Take the record of a symbol; its name is not given again."""
        self.records[record.symbol] = record
        self._taken.add(record.symbol)
        if record.value is not None:
            self.values[record.symbol] = record.value

    def length(self, x: Scalar, hint: str, smallest: float = 0.0) -> Scalar:
        """Return a length or another geometric number as 0 (up to ``smallest``), an exact whole number or a symbol."""
        return self._number(x, hint, "length", smallest)

    def inertial(self, x: Scalar, hint: str) -> Scalar:
        """Return an inertial number as 0 or a symbol."""
        return self._number(x, hint, "inertia", 0.0)

    def drive(self, x: Scalar, hint: str, field: str) -> Scalar:
        """Return a number of a drive; only a rotor's inertia is added to others, and shares their symbols."""
        return self._number(x, hint, "inertia" if field == "rotor_inertia" else field, 0.0)

    def _number(self, x: Scalar, hint: str, family: str, smallest: float) -> Scalar:
        if isinstance(x, Node):
            return self.graph.lift(x)
        if abs(x) <= smallest:
            return 0
        if float(x).is_integer() and family == "length" and abs(x) == 1:
            return int(x)
        size = abs(float(x))
        key = (family, _rounded(size))
        return self._shared(key, size, hint) if x > 0 else -self._shared(key, size, hint)

    def _shared(self, key: tuple[str, float], size: float, hint: str) -> Node:
        """Return the one symbol of all numbers of this size; the file's own where a symbol of it has the value."""
        if key not in self._named:
            if key in self._own:
                self._named[key] = self.graph.symbol(self._own[key])
                self.values[self._own[key]] = size
            else:
                self._named[key] = self.free(hint, size)
        return self._named[key]

    def prefer(self, place: Place, symbol: str, value: float) -> None:
        """Name a number by the symbol that stands for it in the file; symbols of sizes are positive."""
        if value > 0:
            self._own.setdefault((_family(place), _rounded(value)), symbol)

    def angle(self, x: Scalar, hint: str) -> Scalar:
        """Return an angle as 0, whole quarter turns or a symbol; equal and opposite angles share one."""
        if isinstance(x, Node):
            return self.graph.lift(x)
        x = right_angle(x, within=DUST)
        if isinstance(x, QuarterTurns):
            return x if x.count % 4 else 0
        if x == 0:
            return 0
        symbol = self._shared(("angle", _rounded(abs(x))), abs(x), hint)
        return symbol if x > 0 else -symbol

    def free(self, hint: str, value: float | None = None) -> Node:
        """Return a symbol of its own, with or without a value."""
        node = self.graph.symbol(self._name(hint), Stage.PARAMETER)
        if value is not None:
            self.values[node.name] = value
        return node

    def standing_for(self, formula: Scalar, hint: str) -> Node:
        """Return a symbol that stands for a formula, with its value where that is known."""
        node = self.graph.lift(formula)
        symbol = self.free(hint, self.known(node))
        self.formulas[symbol.name] = node
        return symbol

    def known(self, x: Scalar) -> float | None:
        """Return the value of a number or formula, None where a symbol has none."""
        return self.all_known([x])[0]

    def all_known(self, formulas: Sequence[Scalar]) -> list[float | None]:
        """Return the value of each number or formula, None where a symbol has none; shared parts once."""
        nodes = [x for x in formulas if isinstance(x, Node)]
        free = set[Node]()
        for node in topological(nodes):
            if node.name not in self.values if node.op is Op.SYMBOL else any(arg in free for arg in node.args):
                free.add(node)
        values = iter(evaluate([node for node in nodes if node not in free], self.values))
        return [None if x in free else float(next(values) if isinstance(x, Node) else x) for x in formulas]

    def _name(self, hint: str) -> str:
        name, k = hint, 2
        while name in self._taken:
            name, k = f"{hint}_{k}", k + 1
        self._taken.add(name)
        return name


def _family(place: Place) -> str:
    """Return the numbers among which equal ones share a symbol where they are written into the code."""
    if place.kind == "drive":
        return "inertia" if place.field == "rotor_inertia" else place.field
    return {"inertial": "inertia", "angle": "angle"}.get(place.kind, "length")


def _rounded(size: float) -> float:
    return float(f"{size:.12e}")


def prepared(
    tree: Tree, mode: str, naming: Naming, keep: Collection[str] = (), frames: Callable[[Tree], Tree] | None = None
) -> Tree:
    """Return the robot with symbols for what can change at run time, as the mode requires.

    Angles become what their digits mean. In mode ``numeric`` symbols of the file are replaced by their values, those
    to be kept excepted.

    Args:
        tree: the robot.
        mode: one of ``MODES``.
        naming: takes names, values and notes.
        keep: symbols that stay in mode ``numeric``.
        frames: puts the robot on other frames before its numbers are named; it then needs no screw form.
    """
    refuse_unknown("treatment of parameters", mode, MODES, "derive")
    naming.reserve(symbols(tree))  # a constant of its own must not look like one of the file's
    meaning = decided(tree, naming.snap)
    tree = meaning.tree
    if mode == "numeric":
        for place, x in places(tree):
            for symbol in (x, -x) if isinstance(x, Node) else ():
                if symbol.op is Op.SYMBOL and symbol.name in tree.values and symbol.name not in keep:
                    naming.prefer(place, symbol.name, tree.values[symbol.name].value)
        if keep or symbols(tree):
            again = decided(with_kept_symbols(tree, naming, keep), naming.snap)  # values of symbols, as written
            meaning, tree = _both(meaning, again), again.tree
    else:
        naming.values.update({name: value.value for name, value in tree.values.items()})
    naming.meaning = meaning
    naming.smallest = DUST * longest(tree)
    if frames is not None:
        tree = frames(tree)
    return tree if mode == "numeric" else with_run_time_symbols(tree, mode, naming, on_screws=frames is None)


def _both(first: Meaning, second: Meaning) -> Meaning:
    """Return one decision that stands for two in a row."""
    return replace(second, taken=first.taken + second.taken, turned=first.turned + second.turned)


def longest(tree: Tree) -> float:
    """Return the largest numeric coordinate of a placement, 1 where all are symbols or zero [m]."""
    lengths = [abs(float(x)) for j in tree.joints for x in j.placement.p if not isinstance(x, Node)]
    return max(lengths, default=0.0) or 1.0
