"""Expressions as text: infix formulas for people, and a form that reads back to the same graph.

The text form has a line for every shared node, arguments first::

    taut graph 1
    %0 = symbol configuration "q1"
    %1 = sin %0
    %2 = sum 1/2 2*%0 -1*%1          (constant, then coefficient*term)
    %3 = product -1 %1^2 %2^-1       (coefficient, then factor^exponent)
    outputs %3 %2

A number with a point or an exponent is the double nearest to it, any other an exact fraction.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from taut.errors import InputError
from taut.graph.elementary import FUNCTIONS
from taut.graph.infix import ATOM, PRODUCT, SUM, Infix, Part
from taut.graph.mapper import Mapper
from taut.graph.node import Graph, Node, Rational, exact, topological
from taut.graph.number import magnitude
from taut.graph.stage import Stage

HEADER = "taut graph 1"
READABLE_DENOMINATOR = 1000
"""Fractions up to this denominator are written as such even where a double would do."""

_DIGITS = r"\d{1,4000}"  # the longest whole numbers Python reads
_NUMBER = rf"[-+]?(?:{_DIGITS}/{_DIGITS}|{_DIGITS}(?:\.\d*)?(?:[eE][-+]?\d+)?)"
_NODE_LINE = re.compile(r"%(\d+) = (\w+) (.*)")
_TERM = re.compile(rf"({_NUMBER})\*%(\d+)")
_FACTOR = re.compile(r"%(\d+)\^([-+]?\d{1,4})")
_REFERENCE = re.compile(r"%(\d+)")


def number_text(value: Rational) -> str:
    """Return a rational number exactly: 2, -2/3, or the shortest decimal of a double.

    >>> number_text(Fraction(1, 3)), number_text(exact(0.1))
    ('1/3', '0.1')
    """
    value = Fraction(value)
    if value.denominator > READABLE_DENOMINATOR and abs(value) < 2**1000:
        nearest = float(value)
        if Fraction(nearest) == value:
            return repr(nearest)
    return str(value)


def to_text(node: Node, limit: int = 1_000_000) -> str:
    """Return one expression as an infix formula; shared parts are written out wherever they occur.

    Args:
        node: the expression.
        limit: most characters; a longer formula is refused before it fills the memory.

    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> to_text((x - 2 * y) ** 2 / (3 * x.sin()))
    '1/3*(x - 2*y)^2/sin(x)'
    """
    [(text, _)] = _Formula(limit)([node])
    return text


class _Formula(Infix):
    """Infix formulas of limited length."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def visit(self, node: Node, args: list[Part]) -> Part:
        text, precedence = super().visit(node, args)
        if len(text) > self._limit:
            raise InputError(f"the formula is longer than {self._limit} characters", advice="use the text form, dump()")
        return text, precedence

    def constant(self, value: Rational) -> Part:
        return number_text(value), ATOM if value >= 0 and Fraction(value).denominator == 1 else SUM

    def symbol(self, name: str, stage: Stage) -> Part:
        return name, ATOM

    def number(self, value: Rational) -> str:
        return number_text(value)

    def term(self, term: Part, coefficient: Rational) -> str:
        if coefficient == 1:
            return term[0]
        scale = "" if coefficient == -1 else number_text(magnitude(coefficient)) + "*"
        return scale + _wrapped(term, PRODUCT)

    def power(self, factor: Part, exponent: int) -> str:
        if exponent == 1:
            return _wrapped(factor, PRODUCT)
        return _wrapped(factor, ATOM) + (f"^{abs(exponent)}" if abs(exponent) > 1 else "")

    def fraction(self, above: Sequence[str], below: Sequence[str]) -> str:
        text = "*".join(above)
        if not below:
            return text
        return text + "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")

    def function(self, name: str, args: list[Part]) -> Part:
        return f"{name}({', '.join(text for text, _ in args)})", ATOM


def _wrapped(part: Part, least: int) -> str:
    text, precedence = part
    return text if precedence >= least else f"({text})"


def dump(outputs: Sequence[Node]) -> str:
    """Return the graph under the outputs as text that :func:`parse` reads back; the same bytes for the same graph."""
    if any(node.graph is not outputs[0].graph for node in outputs):
        raise InputError("the outputs belong to different graphs", "dump", "lift them into one")
    order = topological(outputs)
    name = {node: f"%{i}" for i, node in enumerate(order)}
    lines = _Lines()
    rows = [HEADER, *(f"{name[node]} = {lines.visit(node, [name[arg] for arg in node.args])}" for node in order)]
    rows.append(" ".join(["outputs", *(name[node] for node in outputs)]))
    return "\n".join(rows) + "\n"


class _Lines(Mapper[str]):
    """The line of a node, from the names of its arguments."""

    def constant(self, value: Rational) -> str:
        return f"constant {number_text(value)}"

    def symbol(self, name: str, stage: Stage) -> str:
        return f"symbol {stage.label} {json.dumps(name, ensure_ascii=not name.isprintable())}"

    def sum(self, constant: Rational, terms: Iterable[tuple[Rational, str]]) -> str:
        return " ".join(["sum", number_text(constant), *(f"{number_text(c)}*{term}" for c, term in terms)])

    def product(self, coefficient: Rational, factors: Iterable[tuple[str, int]]) -> str:
        return " ".join(["product", number_text(coefficient), *(f"{factor}^{e}" for factor, e in factors)])

    def function(self, name: str, args: list[str]) -> str:
        return " ".join([name, *args])


def parse(text: str) -> tuple[Graph, list[Node]]:
    """Return a new graph and the outputs that a text form describes."""
    rows = text.removesuffix("\n").split("\n")
    if rows[0] != HEADER:
        raise InputError(f"begins with {rows[0][:40]!r}, expected {HEADER!r}", "line 1")
    graph = Graph()
    nodes: dict[str, Node] = {}
    outputs: list[Node] | None = None
    for number, row in enumerate(rows[1:], start=2):
        try:
            if outputs is not None:
                raise InputError("nothing may follow the outputs")
            if row == "outputs" or row.startswith("outputs "):
                outputs = [_reference(word, nodes) for word in row.split()[1:]]
            else:
                match = _matched(_NODE_LINE, row, "a line such as '%2 = sin %1'")
                nodes[match[1]] = _read(graph, match[2], match[3], nodes)
        except ZeroDivisionError:
            raise InputError("divides by zero", f"line {number}") from None
        except InputError as error:
            raise error.at(f"line {number}") from None
    if outputs is None:
        raise InputError("no outputs", f"line {len(rows)}", "end with a line 'outputs %...'")
    return graph, outputs


def _read(graph: Graph, op: str, rest: str, nodes: dict[str, Node]) -> Node:
    if op == "constant":
        return graph.constant(_number(rest))
    if op == "symbol":
        return _read_symbol(graph, rest)
    if op in FUNCTIONS:
        return graph.function(op, *_arguments(op, rest, nodes))
    first, *words = rest.split(" ")
    if op == "sum":
        terms = [_matched(_TERM, word, "coefficient*%node") for word in words]
        return graph.linear(_number(first), [(_number(m[1]), _known(m[2], nodes)) for m in terms])
    if op == "product":
        factors = [_matched(_FACTOR, word, "%node^exponent") for word in words]
        return graph.product(_number(first), [(_known(m[1], nodes), int(m[2])) for m in factors])
    raise InputError(f"unknown operation '{op}'")


def _read_symbol(graph: Graph, rest: str) -> Node:
    label, _, quoted = rest.partition(" ")
    stages = {stage.label: stage for stage in Stage}
    try:
        name = json.loads(quoted)
    except ValueError:
        name = None
    if not isinstance(name, str) or label not in stages:
        raise InputError(f"found {rest!r}, expected a stage and a quoted name")
    return graph.symbol(name, stages[label])


def _number(word: str) -> Rational:
    _matched(re.compile(_NUMBER), word, "a number")
    return exact(float(word)) if any(c in word for c in ".eE") else exact(Fraction(word))


def _arguments(op: str, rest: str, nodes: dict[str, Node]) -> list[Node]:
    words = rest.split(" ")
    if len(words) != FUNCTIONS[op].arity:
        raise InputError(f"{op} of {len(words)} nodes, expected {FUNCTIONS[op].arity}")
    return [_reference(word, nodes) for word in words]


def _reference(word: str, nodes: dict[str, Node]) -> Node:
    return _known(_matched(_REFERENCE, word, "%node")[1], nodes)


def _known(name: str, nodes: dict[str, Node]) -> Node:
    if name not in nodes:
        raise InputError(f"%{name} is not defined before its use")
    return nodes[name]


def _matched(pattern: re.Pattern[str], text: str, expected: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise InputError(f"found {text[:60]!r}, expected {expected}")
    return match
