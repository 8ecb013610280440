"""Formulas in files: text to a float or a graph node, and back.

The grammar, all there is; nothing is ever executed::

    sum      = ["+"|"-"] product (("+"|"-") product)*
    product  = factor (("*"|"/") factor)*
    factor   = ("+"|"-")* atom ["**" ["-"] whole number]
    atom     = number ["deg"|"rad"] | "pi" | name | function "(" sum ")" | "(" sum ")"
    function = "sin" | "cos" | "sqrt" | "sign" | "atan"
    name     = letters, digits and _  |  `any text in backquotes`

A name is a symbol. A formula without symbols is a float. Whole numbers are exact, so ``a/3``
is a third of a; multiples of ``90 deg`` are the same floats as multiples of ``pi/2``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NoReturn

from taut.errors import InputError
from taut.graph.elementary import FUNCTIONS
from taut.graph.node import Graph, Node, Rational, is_number, topological
from taut.robot import TorqueFormula
from taut.robot.placement import right_angle
from taut.robot.torque_formula import ARGUMENTS
from taut.spatial import Scalar

LONGEST = 20_000
"""Characters of one formula beyond which it is taken for a mistake or an attack."""
DEEPEST = 64
"""Nested brackets."""
LONGEST_NUMBER = 2_000
"""Digits of one number."""
LARGEST_NUMBER_BITS = 20_000
"""Size of an exact number that a product may come to."""

LARGEST_NUMBER = 1e100
"""Size beyond which a number is none of a robot: larger than m r^2 of what the readers of XML accept."""

LARGEST_POWER = 64
"""Product of nested exponents: a short text must not make a number that fills the memory."""

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)|`(?P<quoted>[^`\x00-\x1f\x7f]+)`|(?P<mark>\*\*|[-+*/()])"
)
_NAME = re.compile(r"[^\W\d]\w*")
_NOT_NUMBERS = frozenset({"nan", "inf", "infinity"})
_UNITS = ("deg", "rad")
_RESERVED = frozenset({*FUNCTIONS, "pi", *_UNITS})
_NUMBER = Fraction | float


def parse(value: object, graph: Graph, place: str = "") -> float | Node:
    """Return a field's number: plain numbers and formulas become floats, formulas with names nodes.

    Args:
        value: a number, a formula, or a node (returned as it is).
        graph: owner of the symbols.
        place: where the field stands, for errors.

    >>> parse("90 deg", Graph()), parse("2*(1 + 3)/4", Graph())
    (1.5707963267948966, 2.0)
    >>> to_formula(parse("a2*cos(beta) - d3/2", Graph()))
    'a2*cos(beta)-0.5*d3'
    """
    if isinstance(value, Node):
        return value
    if isinstance(value, str):
        return _Parser(value, graph, place).formula()
    if isinstance(value, bool) or not is_number(value):
        raise InputError(f"found {_shown(value)}, expected a number or a formula", place, 'write e.g. 0.5 or "d2/2"')
    return _finite(value, place)


def parse_angle(value: object, graph: Graph, place: str = "") -> float | Node:
    """Return a field's angle in radians; a bare number beyond a full turn is taken for degrees and refused."""
    angle = parse(value, graph, place)
    spelled = isinstance(value, str) and re.search("deg|rad|pi", value)
    if isinstance(angle, float) and abs(angle) > 2 * math.pi * (1 + 1e-9) and not spelled:
        raise InputError(f"{angle:g} is more than a full turn; radians are expected", place, f'write "{angle:g} deg"')
    return angle


def parse_constant(value: object, place: str = "") -> float:
    """Return a field's number where a symbol makes no sense (limits, measured values)."""
    number = parse(value, Graph(), place)
    if isinstance(number, Node):
        raise InputError(f"found {_shown(value)} with free names, expected a number", place, "write a number")
    return number


def torque_formula(text: object, place: str = "") -> TorqueFormula:
    """Return a torque as a formula of a joint's position q and rate qd.

    >>> torque_formula("0.3*sin(2*q)*qd")(0.0, 1.0)
    0.0
    """
    graph = Graph()
    value = parse(text, graph, place)
    node = graph.lift(value)
    names = {str(n.data) for n in topological([node]) if n.op == "symbol"} - set(ARGUMENTS)
    if names or not isinstance(text, str):
        found = f"'{min(names)}'" if names else _shown(text)
        raise InputError(
            f"found {found}, expected a formula of q and qd with numbers", place, 'write e.g. "0.3*sin(2*q)"'
        )
    return TorqueFormula(node)


def plain(value: Scalar) -> Scalar:
    """Return a constant node as a float, anything else unchanged."""
    return float(Fraction(value.data)) if isinstance(value, Node) and value.op == "constant" else value


def to_formula(value: Scalar) -> str:
    """Return a node (or number) as a formula that :func:`parse` reads back to the same value."""
    if not isinstance(value, Node):
        return _rational(Fraction(float(value)))[0]
    texts: dict[Node, tuple[str, int]] = {}
    for node in topological([value]):
        texts[node] = _text(node, [texts[arg] for arg in node.args])
        if len(texts[node][0]) > LONGEST:
            raise InputError(
                f"an expression is longer than {LONGEST} characters as a formula",
                advice="give the symbols their values first (numeric) and write the numbers",
            )
    return texts[value][0]


# -- reading ------------------------------------------------------------------


class _Parser:
    """Precedence climbing over the tokens of one formula."""

    def __init__(self, text: str, graph: Graph, place: str) -> None:
        self.text, self.graph, self.place = text, graph, place
        self.depth = 0
        self.degree = 1  # of what was read last: the largest product of nested exponents
        if len(text) > LONGEST:
            self.fail(f"a formula of {len(text)} characters", f"keep it below {LONGEST}")
        self.tokens = [*self._split(), ("end", "", len(text))]
        self.next = 0

    def fail(self, message: str, advice: str = "correct the formula") -> NoReturn:
        raise InputError(f"{message} in formula {_shown(self.text)}", self.place, advice)

    def _split(self) -> Iterator[tuple[str, str, int]]:
        position = 0
        while position < len(self.text):
            if self.text[position].isspace():
                position += 1
                continue
            match = _TOKEN.match(self.text, position)
            if match is None:
                self.fail(f"unexpected {self.text[position]!r}", "use numbers, names, + - * / ** ( )")
            kind = str(match.lastgroup)
            yield kind, match[kind], position
            position = match.end()

    def peek(self, *marks: str) -> bool:
        kind, text, _ = self.tokens[self.next]
        return kind == "mark" and text in marks

    def take(self) -> tuple[str, str]:
        kind, text, _ = self.tokens[self.next]
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return kind, text

    def formula(self) -> float | Node:
        value = self.guarded_sum()
        kind, text, position = self.tokens[self.next]
        if kind != "end":
            self.fail(f"unexpected '{text}' at character {position + 1}", "put an operator between numbers and names")
        result = plain(value)
        return result if isinstance(result, Node) else _finite(result, self.place)

    def guarded_sum(self) -> Any:
        """Read a sum; what arithmetic refuses becomes an error that names the formula."""
        try:
            return self.sum()
        except ZeroDivisionError:
            self.fail("division by zero", "correct the divisor")
        except OverflowError:
            self.fail("a number out of range", "keep numbers below 1e308")

    def sum(self) -> Any:
        terms, degree = [self.product()], self.degree
        while self.peek("+", "-"):
            _, mark = self.take()
            term = self.product()
            degree = max(degree, self.degree)
            terms.append(term if mark == "+" else -term)
        self.degree = degree
        if not any(isinstance(term, Node) for term in terms):
            return _bounded(sum(terms[1:], terms[0]))
        return self.graph.linear(0, [(1, self.graph.lift(term)) for term in terms])

    def product(self) -> Any:
        factors, degree = [self.factor()], self.degree
        while self.peek("*", "/"):
            _, mark = self.take()
            value, exponent = self.factor()
            degree = max(degree, self.degree)
            factors.append((value, exponent if mark == "*" else -exponent))
        self.degree = degree
        if sum(abs(exponent) * _bits(value) for value, exponent in factors) > LARGEST_NUMBER_BITS:
            self.fail("a product whose number has thousands of digits", "write the number it comes to")
        if not any(isinstance(value, Node) for value, _ in factors):
            result: Any = Fraction(1)
            for value, exponent in factors:
                result = result * value**exponent if exponent > 0 else result / value**-exponent
            return _bounded(result)
        return self.graph.product(1, [(self.graph.lift(value), exponent) for value, exponent in factors if exponent])

    def factor(self) -> tuple[Any, int]:
        negative = False
        while self.peek("+", "-"):
            negative ^= self.take()[1] == "-"
        value, exponent = self.atom(), 1
        if self.peek("**"):
            self.take()
            exponent = self.exponent()
        if not negative:
            return value, exponent
        return (-value, 1) if exponent == 1 else (-self.raised(value, exponent), 1)

    def raised(self, value: Any, exponent: int) -> Any:
        if isinstance(value, Node):
            return self.graph.power(value, exponent)
        return value**exponent

    def exponent(self) -> int:
        negative = self.peek("-")
        if negative:
            self.take()
        kind, text = self.take()
        if kind != "number" or not text.isdigit() or len(text) > 4 or int(text) > LARGEST_POWER:
            self.fail(f"exponent '{text}'", f"an exponent is a whole number up to {LARGEST_POWER}")
        self.degree *= max(1, int(text))
        if self.degree > LARGEST_POWER:
            self.fail("powers of powers", f"keep the product of nested exponents within {LARGEST_POWER}")
        return -int(text) if negative else int(text)

    def atom(self) -> Any:
        kind, text = self.take()
        self.degree = 1
        if kind == "number":
            return self.number(text)
        if kind == "quoted":
            return self.graph.symbol(text)
        if kind == "name":
            return self.named(text)
        if text == "(":
            return self.bracket()
        self.fail("an end where a number or a name is missing" if kind == "end" else f"unexpected '{text}'")

    def number(self, text: str) -> _NUMBER:
        if len(text) > LONGEST_NUMBER:
            self.fail(f"a number of {len(text)} digits", f"keep it below {LONGEST_NUMBER}")
        value: _NUMBER = Fraction(int(text)) if text.isdigit() else float(text)
        if isinstance(value, float) and math.isinf(value):
            raise OverflowError
        kind, unit, _ = self.tokens[self.next]
        if kind != "name" or unit not in _UNITS:
            return value
        self.take()
        if unit == "rad":
            return value
        return _finite(value / 90, self.place) * (math.pi / 2) if value % 90 == 0 else math.radians(value)

    def named(self, name: str) -> Any:
        if self.peek("("):
            known = [function.name for function in FUNCTIONS.values() if function.arity == 1]
            if name not in known:
                self.fail(f"unknown function '{name}'", f"known: {', '.join(known)}")
            self.take()
            value = self.function(name, self.bracket())
            self.degree = 1
            return value
        if name == "pi":
            return math.pi
        if name in _RESERVED:
            self.fail(f"'{name}' in the wrong place", "a unit follows a number, a function needs brackets")
        if name.lower() in _NOT_NUMBERS:
            self.fail(f"'{name}' is no finite number", "give a finite number")
        return self.graph.symbol(name)

    def bracket(self) -> Any:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"more than {DEEPEST} nested brackets", "write it flatter")
        value = self.sum()
        if not self.peek(")"):
            self.fail("a ')' is missing", "close every bracket")
        self.take()
        self.depth -= 1
        return value

    def function(self, name: str, value: Any) -> Any:
        if isinstance(value, Node):
            return self.graph.function(name, value)
        if name == "sqrt" and value < 0:
            self.fail(f"the square root of {float(value):g}", "its argument must not be negative")
        argument, known = float(value), FUNCTIONS[name]
        return float(known.real(right_angle(argument) if known.trigonometric else argument))


def _bounded(value: _NUMBER) -> _NUMBER:
    """Return a number unless arithmetic on floats has left their range."""
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    return value


def _bits(value: Any) -> int:
    """Return the size of the exact number in front of a value."""
    if isinstance(value, Node):
        value = value.data if value.op == "constant" else value.data[0] if value.op == "product" else 1
    number = Fraction(value)
    return number.numerator.bit_length() + number.denominator.bit_length()


def _finite(value: Any, place: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{_shown(value)} is no finite number", place, "give a finite number")
    if abs(number) > LARGEST_NUMBER:
        raise InputError(f"{number:g} is larger than any real length, mass or angle", place, "correct it")
    return number


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python prints
        text = "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


# -- writing ------------------------------------------------------------------

_SUM, _PRODUCT, _ATOM = 1, 2, 3


def _text(node: Node, args: list[tuple[str, int]]) -> tuple[str, int]:
    """Return the text of one node and how tightly it binds."""
    if node.op == "constant":
        return _rational(Fraction(node.data))
    if node.op == "symbol":
        return _symbol(node.data), _ATOM
    if node.op == "sum":
        constant, coefficients = node.data
        terms = [_term(c, _within(arg, _PRODUCT)) for c, arg in zip(coefficients, args, strict=True)]
        if constant:
            terms.append(_rational(Fraction(constant))[0])
        return terms[0] + "".join(t if t.startswith("-") else f"+{t}" for t in terms[1:]), _SUM
    if node.op == "product":
        coefficient, exponents = node.data
        powers = [(_within(arg, _ATOM), e) for arg, e in zip(args, exponents, strict=True)]
        above = "*".join(base if e == 1 else f"{base}**{e}" for base, e in powers if e > 0)
        below = "".join(f"/{base}" if e == -1 else f"/{base}**{-e}" for base, e in powers if e < 0)
        text = _term(coefficient, above) if above else _rational(Fraction(coefficient))[0]
        return text + below, _SUM if text.startswith("-") else _PRODUCT
    return f"{node.op}({args[0][0]})", _ATOM


def _within(arg: tuple[str, int], level: int) -> str:
    text, binds = arg
    return text if binds >= level else f"({text})"


def _term(coefficient: Rational, text: str) -> str:
    if coefficient == 1:
        return text
    if coefficient == -1:
        return f"-{text}"
    top, *below = _rational(Fraction(coefficient))[0].split("/")
    if below and top in ("1", "-1"):
        return f"{top[:-1]}{text}/{below[0]}"
    return f"{top}*{text}" + "".join(f"/{b}" for b in below)


def _rational(value: Fraction) -> tuple[str, int]:
    """Return an exact number: whole, as the shortest float equal to it, or as a fraction."""
    binds = _SUM if value < 0 else _ATOM
    if value.denominator == 1 and abs(value) < 10**15:
        return str(value.numerator), binds
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isfinite(number) and Fraction(number) == value:
        return repr(number), binds
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 3 * LONGEST_NUMBER:
        raise InputError(f"an exact number has more than {LONGEST_NUMBER} digits", advice="write it as a float first")
    return f"{value.numerator}/{value.denominator}", min(binds, _PRODUCT)


def _symbol(name: str) -> str:
    if _NAME.fullmatch(name) and name not in _RESERVED and name.lower() not in _NOT_NUMBERS:
        return name
    quoted = f"`{name}`"
    if not _TOKEN.fullmatch(quoted):
        advice = "rename it without backquotes and control characters"
        raise InputError(f"symbol {name!r} cannot stand in a formula", advice=advice)
    return quoted
