"""The grammar of formulas in files; nothing is ever executed.

All there is::

    sum      = ["+"|"-"] product (("+"|"-") product)*
    product  = factor (("*"|"/") factor)*
    factor   = ("+"|"-")* atom ["**" ["-"] whole number]
    atom     = number ["deg"|"rad"] | "pi" | name | function "(" sum ")" | "(" sum ")"
    function = a function of one argument of the table of elementary functions
    name     = letters, digits and _  |  `any text in backquotes`

A name is a symbol. A formula without symbols is a float. Whole numbers are exact, so ``a/3``
is a third of a; multiples of ``90 deg`` are the same floats as multiples of ``pi/2``.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NoReturn

from taut.errors import InputError
from taut.graph.elementary import FUNCTIONS
from taut.graph.node import Graph, Node
from taut.graph.operation import Op
from taut.graph.walk import numbers_of, topological
from taut.robot.placement import right_angle
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

TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)|`(?P<quoted>[^`\x00-\x1f\x7f]+)`|(?P<mark>\*\*|[-+*/()])"
)
NAME = re.compile(r"[^\W\d]\w*")
NOT_NUMBERS = frozenset({"nan", "inf", "infinity"})
_UNITS = ("deg", "rad")
RESERVED = frozenset({*FUNCTIONS, "pi", *_UNITS})
_NUMBER = Fraction | float


def read_formula(text: str, graph: Graph, place: str) -> float | Node:
    """Return the value of a formula: a float, or a node where it has symbols.

    Args:
        text: the formula.
        graph: owner of the symbols.
        place: where it stands, for errors.
    """
    return _Reader(text, graph, place).formula()


class _Reader:
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
        raise InputError(f"{message} in formula {shown_value(self.text)}", self.place, advice)

    def _split(self) -> Iterator[tuple[str, str, int]]:
        position = 0
        while position < len(self.text):
            if self.text[position].isspace():
                position += 1
                continue
            match = TOKEN.match(self.text, position)
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
        if not isinstance(result, Node):
            return finite(result, self.place)
        most = sys.float_info.max
        if not all(-most <= x <= most for node in topological([result]) for x in numbers_of(node)):
            self.fail("a number out of range", "keep numbers below 1e308")
        return result

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
        return finite(value / 90, self.place) * (math.pi / 2) if value % 90 == 0 else math.radians(value)

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
        if name in RESERVED:
            self.fail(f"'{name}' in the wrong place", "a unit follows a number, a function needs brackets")
        if name.lower() in NOT_NUMBERS:
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
        value = value.value if value.op is Op.CONSTANT else value.powers.coefficient if value.op is Op.PRODUCT else 1
    number = Fraction(value)
    return number.numerator.bit_length() + number.denominator.bit_length()


def finite(value: Any, place: str) -> float:
    """Return a number as a float that a robot may have."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{shown_value(value)} is no finite number", place, "give a finite number")
    if abs(number) > LARGEST_NUMBER:
        raise InputError(f"{number:g} is larger than any real length, mass or angle", place, "correct it")
    return number


def shown_value(value: object) -> str:
    """Return a value for an error, short."""
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python prints
        text = "a huge number"
    return text if len(text) <= 60 else f"{text[:57]}..."


def plain(value: Scalar) -> Scalar:
    """Return a constant node as a float, anything else unchanged."""
    return float(Fraction(value.value)) if isinstance(value, Node) and value.op is Op.CONSTANT else value
