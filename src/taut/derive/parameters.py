"""Which numbers of a robot are symbols?  The four ways to treat inertial parameters, and snapping.

* ``symbolic``: the ten parameters of every link are free.
* ``pattern``: zeros and ties of the robot file are kept, every other inertial number is free.
* ``numeric``: as the file has it, and numbers that are equal are one constant.
* ``base``: the free constants are what is left after regrouping.

Lengths stay as the file has them. A float becomes a named symbol with a value: what enters the graph is
exact, and a robot file's 4.9e-12 or 1.5707963 is taken for the 0 or the right angle it means only here,
within a stated tolerance, and told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction

from taut.errors import InputError
from taut.graph import Graph, Node, Stage, topological
from taut.graph.evaluate import evaluate
from taut.robot import PARAMETER_NAMES, Link, Tree
from taut.robot.edit import numeric, symbols
from taut.robot.placement import QuarterTurns, right_angle
from taut.spatial import Inertia, Scalar

MODES = ("symbolic", "pattern", "numeric", "base")

SNAP = 1e-7
"""Radians and metres within which a number of a robot file is taken for a right angle or for zero."""

DUST = 1e-14
"""Radians that rounding leaves of a right angle on the way from the file to here: not worth telling."""

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
        shared: whether equal inertial numbers are one symbol.
        snap: tolerance of snapping; 0 switches it off.
        notes: what was snapped, in words.
        formulas: {symbol: what it stands for} of base parameters.
    """

    graph: Graph
    shared: bool = True
    snap: float = SNAP
    values: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    formulas: dict[str, Node] = field(default_factory=dict)
    _named: dict[tuple[str, float], Node] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)

    def reserve(self, names: set[str]) -> None:
        """Keep names that the robot file uses from being given again."""
        self._taken |= names

    def length(self, x: Scalar, hint: str) -> Scalar:
        """Return a length or another geometric number as 0, an exact whole number or a symbol."""
        return self._number(x, hint, "length", self.snap, share=True)

    def inertial(self, x: Scalar, hint: str, size: float = 0.0) -> Scalar:
        """Return an inertial number; ``size`` is that of its neighbours, against which zero is judged."""
        return self._number(x, hint, "inertia", 1e-13 * size, share=self.shared)

    def _number(self, x: Scalar, hint: str, family: str, tolerance: float, share: bool) -> Scalar:
        if isinstance(x, Node):
            return self.graph.lift(x)
        if x == 0 or abs(x) <= tolerance:
            if x != 0 and abs(x) > 1e-15:
                self.notes.append(f"{hint} = {x:.3g} taken for 0")
            return 0
        if float(x).is_integer() and family == "length" and abs(x) == 1:
            return int(x)
        size = abs(float(x))
        key = (family, _rounded(size))
        if not share:
            return self.free(hint, float(x))
        if key not in self._named:
            self._named[key] = self.free(hint, size)
        return self._named[key] if x > 0 else -self._named[key]

    def angle(self, x: Scalar, hint: str) -> Scalar:
        """Return an angle as 0, whole quarter turns or a symbol; equal and opposite angles share one."""
        if isinstance(x, Node):
            return self.graph.lift(x)
        x = self.squared(x, hint)
        if isinstance(x, QuarterTurns):
            return x if x.count % 4 else 0
        if x == 0:
            return 0
        key = ("angle", _rounded(abs(x)))
        if key not in self._named:
            self._named[key] = self.free(hint, abs(x))
        return self._named[key] if x > 0 else -self._named[key]

    def squared(self, x: Scalar, hint: str) -> Scalar:
        """Return an angle that is nearly a right angle as the right angle it means."""
        exact = right_angle(x, within=max(self.snap, DUST))
        if exact != right_angle(x, within=DUST):
            note = f"{hint} = {x!r} taken for {math.degrees(float(exact)):.0f} degrees"
            if note not in self.notes:
                self.notes.append(note)
        return exact

    def free(self, hint: str, value: float | None = None) -> Node:
        """Return a symbol of its own, with or without a value."""
        node = self.graph.symbol(self._name(hint), Stage.PARAMETER)
        if value is not None:
            self.values[node.data] = value
        return node

    def standing_for(self, formula: Scalar, hint: str) -> Node:
        """Return a symbol that stands for a formula, with its value where that is known."""
        node = self.graph.lift(formula)
        symbol = self.free(hint, self.known(node))
        self.formulas[symbol.data] = node
        return symbol

    def known(self, x: Scalar) -> float | None:
        """Return the value of a number or formula, None where a symbol has none."""
        if not isinstance(x, Node):
            return float(x)
        needed = {node.data for node in topological([x]) if node.op == "symbol"}
        return float(evaluate([x], self.values)[0]) if needed <= set(self.values) else None

    def _name(self, hint: str) -> str:
        name, k = hint, 2
        while name in self._taken:
            name, k = f"{hint}_{k}", k + 1
        self._taken.add(name)
        return name


def _rounded(size: float) -> float:
    return float(f"{size:.12e}")


def prepared(tree: Tree, mode: str, naming: Naming) -> Tree:
    """Return the robot with inertial numbers as the mode wants them; geometry is left as it is.

    Angles within the snapping tolerance of right angles become exact. In mode ``symbolic`` each link
    gets ten symbols; in mode ``numeric`` symbols of the file are replaced by their values.
    """
    if mode not in MODES:
        raise InputError(f"parameters '{mode}'", "derive", f"choose one of {', '.join(MODES)}")
    naming.reserve(symbols(tree))  # a constant of its own must not look like one of the file's
    if mode == "numeric":
        tree = numeric(tree)
    else:
        naming.values.update({name: value.value for name, value in tree.values.items()})
    if naming.snap:
        tree = tree.map(lambda x: x, angle=lambda x: naming.squared(x, "an angle"))
    if mode in ("symbolic", "pattern"):
        own = _ten_symbols if mode == "symbolic" else _free_numbers
        joints = (replace(j, link=own(j.link, i + 1, naming)) for i, j in enumerate(tree.joints))
        tree = replace(tree, joints=tuple(joints))
    return tree


def _ten_symbols(link: Link, number: int, naming: Naming) -> Link:
    """Return a link with ten symbols of its own; those of the file keep their names."""
    own = [
        naming.graph.lift(x)
        if isinstance(x, Node) and x.op == "symbol"
        else naming.free(f"{name}{number}", naming.known(x))
        for name, x in zip(PARAMETER_NAMES, link.inertia.parameters, strict=True)
    ]
    return replace(link, inertia=Inertia.from_parameters(tuple(own)))


def _free_numbers(link: Link, number: int, naming: Naming) -> Link:
    """Return a link none of whose formulas mixes symbols with measured numbers: those become free.

    A file that gives masses as numbers and lengths as symbols leaves such formulas behind where an inertia
    was moved to the joint.
    """
    own = [
        naming.free(f"{name}{number}", naming.known(x)) if isinstance(x, Node) and _measured(x) else x
        for name, x in zip(PARAMETER_NAMES, link.inertia.parameters, strict=True)
    ]
    return replace(link, inertia=Inertia.from_parameters(tuple(own)))


def _measured(formula: Node) -> bool:
    """Whether a formula holds a number that is no small fraction."""
    for node in topological([formula]):
        if node.op == "sum":
            numbers = [node.data[0], *node.data[1]]
        else:
            numbers = [node.data] if node.op == "constant" else node.data[:1] if node.op == "product" else []
        if any(Fraction(x).denominator > 12 for x in numbers):
            return True
    return False
