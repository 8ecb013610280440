"""The expression graph: hash-consed immutable nodes with folding constructors.

A :class:`Graph` owns its nodes; equal expressions are one node, so equality is
identity and sharing is the default. Nodes are numbered by creation, never ordered by
hash or address: the same calls give the same graph in every process.

The kinds of node, all there is::

    constant   rational number
    symbol     name, stage
    sum        constant + sum of coefficient * term        (coefficients rational)
    product    coefficient * product of factor ** exponent (exponents integer)
    sin, ...   a function of the table of elementary functions, of one node or two

Sums and products keep the association they were built with: flattening is a pass, since
it forgets what an algorithm chose to share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any

from taut.errors import InputError
from taut.graph.angles import turned
from taut.graph.elementary import FUNCTIONS, Parity
from taut.graph.elementary import Rational as Rational
from taut.graph.folding import content_of, merge_nested, without_content
from taut.graph.number import exact as exact
from taut.graph.number import is_number as is_number
from taut.graph.operation import CONSTANT, FUNCTION, PRODUCT, SUM, SYMBOL, Data, Op, Powers, Weights
from taut.graph.stage import Stage
from taut.graph.walk import topological as topological


class Node:
    """One value of a :class:`Graph`. Built by the graph's constructors and by operators.

    Each operation has its own view of the data: ``value`` of a constant, ``name`` of a symbol or function,
    ``weights`` of a sum, ``powers`` of a product.
    """

    __slots__ = ("args", "data", "graph", "op", "serial", "stage")

    graph: Graph
    op: Op
    args: tuple[Node, ...]
    data: Data
    value: Rational
    name: str
    weights: Weights
    powers: Powers
    serial: int
    stage: Stage

    def __add__(self, other: Any) -> Node:
        return self.graph.add(self, other) if _scalar(other) else NotImplemented

    def __radd__(self, other: Any) -> Node:
        return self.graph.add(other, self) if _scalar(other) else NotImplemented

    def __sub__(self, other: Any) -> Node:
        return self.graph.add(self, self.graph.scale(-1, other)) if _scalar(other) else NotImplemented

    def __rsub__(self, other: Any) -> Node:
        return self.graph.add(other, self.graph.scale(-1, self)) if _scalar(other) else NotImplemented

    def __mul__(self, other: Any) -> Node:
        return self.graph.multiply(self, other) if _scalar(other) else NotImplemented

    def __rmul__(self, other: Any) -> Node:
        return self.graph.multiply(other, self) if _scalar(other) else NotImplemented

    def __truediv__(self, other: Any) -> Node:
        return self.graph.multiply(self, self.graph.power(other, -1)) if _scalar(other) else NotImplemented

    def __rtruediv__(self, other: Any) -> Node:
        return self.graph.multiply(other, self.graph.power(self, -1)) if _scalar(other) else NotImplemented

    def __pow__(self, exponent: int) -> Node:
        return self.graph.power(self, exponent)

    def __neg__(self) -> Node:
        return self.graph.scale(-1, self)

    def __pos__(self) -> Node:
        return self

    def sin(self) -> Node:
        """Sine of this angle."""
        return self.graph.function("sin", self)

    def cos(self) -> Node:
        """Cosine of this angle."""
        return self.graph.function("cos", self)

    def sqrt(self) -> Node:
        """Principal square root."""
        return self.graph.function("sqrt", self)

    def atan(self) -> Node:
        """The angle with this tangent."""
        return self.graph.function("atan", self)

    def sign(self) -> Node:
        """-1, 0 or 1."""
        return self.graph.function("sign", self)

    def elementary(self, name: str) -> Node:
        """Return the function ``name`` of the table of elementary functions, of this value."""
        return self.graph.function(name, self)

    def __bool__(self) -> bool:
        raise TypeError(
            "a symbolic value is neither true nor false; decide on structure (joint kind, 'is zero') "
            "instead of on values"
        )

    @property
    def terms(self) -> list[tuple[Rational, Node]]:
        """Coefficients and terms of a sum, without its constant."""
        return list(zip(self.weights.coefficients, self.args, strict=True))

    @property
    def factors(self) -> list[tuple[Node, int]]:
        """Factors and exponents of a product, without its coefficient; any other node is its only factor."""
        return list(zip(self.args, self.powers.exponents, strict=True)) if self.op is PRODUCT else [(self, 1)]

    @property
    def function(self) -> str | None:
        """The name of the elementary function that this is; None for other operations."""
        return self.name if self.op is FUNCTION else None

    @property
    def is_turn(self) -> bool:
        """Whether this is a sine or a cosine."""
        return self.op is FUNCTION and self.data in ("sin", "cos")

    @property
    def is_multiple(self) -> bool:
        """Whether this is a number times one other node."""
        return self.op is PRODUCT and self.powers.exponents == (1,)

    @property
    def is_zero(self) -> bool:
        """Whether this is the constant 0 (structure, not a numeric test)."""
        return self.op is CONSTANT and self.data == 0

    def is_exactly(self, value: int) -> bool:
        """Whether this is the constant ``value``."""
        return self.op is CONSTANT and self.data == value

    def __reduce__(self) -> Any:
        raise TypeError("nodes belong to their graph and are not pickled; pass the text form instead")

    def __repr__(self) -> str:
        if self.op in (CONSTANT, SYMBOL):
            return str(self.data)
        return f"<{self.function or self.op.name.lower()} {self.serial}>"


for _view in ("value", "name", "weights", "powers"):  # the slot of the data, under the type that an operation gives it
    setattr(Node, _view, vars(Node)["data"])


def _scalar(value: object) -> bool:
    return isinstance(value, Node) or is_number(value)


class Graph:
    """A table of hash-consed nodes and their folding constructors.

    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> (x + y) is (y + x), (x - x).is_zero, (2 * x - y) is -(y - 2 * x)
    (True, True, True)
    """

    def __init__(self) -> None:
        self._table: dict[Any, Node] = {}
        self._adopted: dict[Node, Node] = {}
        self._turns: dict[Node, tuple[Node, Node]] = {}
        self.nodes: list[Node] = []

    # -- leaves ---------------------------------------------------------------

    def constant(self, value: Any) -> Node:
        """Return the constant node of a finite number, held exactly."""
        return self._node(CONSTANT, (), exact(value), Stage.CONSTANT)

    def symbol(self, name: str, stage: Stage = Stage.PARAMETER) -> Node:
        """Return the symbol ``name``; asking again must name the same stage."""
        node = self._node(SYMBOL, (), name, stage)
        if node.stage is not stage:
            raise InputError(
                f"symbol '{name}' is used as {node.stage.label} and as {stage.label}",
                advice="rename the parameter in the robot file",
            )
        return node

    def lift(self, value: Any) -> Node:
        """Return ``value`` as a node of this graph; nodes of other graphs are rebuilt here."""
        if not isinstance(value, Node):
            return self.constant(value)
        return value if value.graph is self else self._adopt(value)

    # -- constructors ---------------------------------------------------------

    def add(self, a: Any, b: Any) -> Node:
        """Return ``a + b``."""
        return self.linear(0, ((1, self.lift(a)), (1, self.lift(b))))

    def scale(self, coefficient: Rational, value: Any) -> Node:
        """Return ``coefficient * value`` for a rational coefficient."""
        value = self.lift(value)
        if coefficient == 1:
            return value
        if coefficient == 0:
            return self.constant(0)
        inner, node = _split(value)
        if node is None:
            return self.constant(coefficient * inner)
        return self._product(coefficient * inner, node.factors)

    def linear(self, constant: Rational, terms: Iterable[tuple[Rational, Node]]) -> Node:
        """Return ``constant + sum(c * t)``: like terms collected, common content taken out.

        A term that already occurs inside a sum of the list is merged with it, so that
        ``(a + b) - b`` is ``a``; otherwise nested sums keep their identity.
        """
        collected: dict[Node, Rational] = {}
        for coefficient, term in terms:
            inner, node = _split(term)
            if node is None:
                constant += coefficient * inner
            else:
                collected[node] = collected.get(node, 0) + coefficient * inner
        if 0 in collected.values():
            collected = {node: c for node, c in collected.items() if c != 0}
        constant, collected = merge_nested(constant, collected)
        if not collected:
            return self.constant(constant)
        if len(collected) == 1 and constant == 0:
            [(node, coefficient)] = collected.items()
            return self.scale(coefficient, node)
        nodes = tuple(sorted(collected, key=_serial))
        found = [collected[node] for node in nodes]
        content = content_of([*found, constant] if constant else found)
        coefficients = tuple(found) if content == 1 else tuple([without_content(c, content) for c in found])
        stage = max([node.stage for node in nodes])
        total = self._node(SUM, nodes, Weights(without_content(constant, content), coefficients), stage)
        return self.scale(content, total)

    def multiply(self, a: Any, b: Any) -> Node:
        """Return ``a * b``: rational coefficients are taken out, equal factors collected."""
        (ca, na), (cb, nb) = _split(self.lift(a)), _split(self.lift(b))
        if na is None or nb is None:
            return self.scale(ca, b) if na is None else self.scale(cb, a)
        factors: dict[Node, int] = {}
        for node in (na, nb):
            # A power is opened so that x * x**2 is x**3; other products stay shared.
            for base, exponent in node.factors if _is_power(node) else ((node, 1),):
                factors[base] = factors.get(base, 0) + exponent
        return self._product(ca * cb, [(base, e) for base, e in factors.items() if e])

    def product(self, coefficient: Rational, factors: Iterable[tuple[Node, int]]) -> Node:
        """Return ``coefficient * prod(factor ** exponent)``, equal factors collected."""
        collected: dict[Node, int] = {}
        for node, exponent in factors:
            inner, base = _split(node)
            if inner != 1:
                coefficient = exact(Fraction(coefficient) * Fraction(inner) ** exponent)
            if base is not None:
                collected[base] = collected.get(base, 0) + exponent
        return self._product(coefficient, [(base, e) for base, e in collected.items() if e])

    def power(self, value: Any, exponent: int) -> Node:
        """Return ``value ** exponent`` for an integer exponent."""
        value = self.lift(value)
        coefficient, node = _split(value)
        if exponent == 0:
            return self.constant(1)
        if coefficient == 0:
            if exponent < 0:
                raise ZeroDivisionError("division by a value that is exactly zero")
            return self.constant(0)
        scale = coefficient if coefficient == 1 else exact(Fraction(coefficient) ** exponent)
        if node is None:
            return self.constant(scale)
        opened = node.factors if _is_power(node) else ((node, 1),)
        return self._product(scale, [(base, e * exponent) for base, e in opened])

    def function(self, name: str, *arguments: Any) -> Node:
        """Return an elementary function; a minus sign of the first argument is taken out where it has a parity."""
        first, *others = args = [self.lift(argument) for argument in arguments]
        known = FUNCTIONS[name]
        if all(x.op is CONSTANT for x in args) and (value := known.exact(*(x.value for x in args))) is not None:
            return self.constant(value)
        if self._turns and known.trigonometric and (point := turned(first, self._turns)) is not None:
            return point[name == "sin"]
        if known.parity is not Parity.NONE:
            coefficient, node = _split(first)
            if node is not None and coefficient < 0:
                positive = self.function(name, self.scale(-1, first), *others)
                return self.scale(-1, positive) if known.parity is Parity.ODD else positive
        return self._node(FUNCTION, tuple(args), name, max(x.stage for x in args))

    def angle(self, sine: Any, cosine: Any) -> Node:
        """Return the angle with a sine and a cosine, whose squares add up to one; its own sine and cosine are these."""
        s, c = self.lift(sine), self.lift(cosine)
        angle = self.function("atan2", s, c)
        coefficient, node = _split(angle)
        if node is not None:
            self._turns[node] = (c, self.scale(coefficient, s))
        return angle

    # -- inside ---------------------------------------------------------------

    def _product(self, coefficient: Rational, factors: Sequence[tuple[Node, int]]) -> Node:
        if coefficient == 0 or not factors:
            return self.constant(coefficient)
        if len(factors) == 1:
            [(node, exponent)] = factors
            if coefficient == 1 == exponent:
                return node
            return self._node(PRODUCT, (node,), Powers(coefficient, (exponent,)), node.stage)
        nodes, exponents = zip(*sorted(factors, key=_first_serial), strict=True)
        stage = max([node.stage for node in nodes])
        return self._node(PRODUCT, nodes, Powers(coefficient, exponents), stage)

    def _node(self, op: Op, args: tuple[Node, ...], data: Data, stage: Stage) -> Node:
        key = (op, data, args)
        node = self._table.get(key)
        if node is None:
            node = Node()
            node.graph, node.op, node.args, node.data, node.stage = self, op, args, data, stage
            node.serial = len(self.nodes)
            self._table[key] = node
            self.nodes.append(node)
        return node

    def forget(self, size: int) -> None:
        """Remove all nodes but the first ``size``; the others must not be used any more."""
        for node in self.nodes[size:]:
            del self._table[node.op, node.data, node.args]
        del self.nodes[size:]
        self._adopted = {foreign: node for foreign, node in self._adopted.items() if node.serial < size}

    def _adopt(self, foreign: Node) -> Node:
        for node in topological([foreign], self._adopted):
            self._adopted[node] = self.rebuild(node, [self._adopted[a] for a in node.args])
        return self._adopted[foreign]

    def rebuild(self, node: Node, args: list[Node]) -> Node:
        """Return ``node`` built again in this graph on new arguments, folding anew."""
        if node.op is SUM:
            constant, coefficients = node.weights
            return self.linear(constant, zip(coefficients, args, strict=True))
        if node.op is PRODUCT:
            coefficient, exponents = node.powers
            return self.product(coefficient, zip(args, exponents, strict=True))
        if node.op is SYMBOL:
            return self.symbol(node.name, node.stage)
        return self.constant(node.value) if node.op is CONSTANT else self.function(node.name, *args)


def _split(node: Node) -> tuple[Rational, Node | None]:
    """Return (coefficient, rest) with ``node = coefficient * rest``; rest is None for a constant."""
    if node.op is CONSTANT:
        return node.value, None
    if node.op is PRODUCT:
        coefficient, exponents = node.powers
        if coefficient != 1:
            if exponents == (1,):
                return coefficient, node.args[0]
            return coefficient, node.graph._node(PRODUCT, node.args, Powers(1, exponents), node.stage)
    return 1, node


def _is_power(node: Node) -> bool:
    return node.op is PRODUCT and len(node.args) == 1


_serial = attrgetter("serial")


def _first_serial(item: tuple[Node, int]) -> int:
    return item[0].serial
