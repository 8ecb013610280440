"""Formulas of constants by value: equal constants are one, and short formulas win.

A constant is an entry: its values at two points of GF(2^61 - 1), where nothing differs that is equal for all
parameters, and the shortest formula met so far, an operation on other entries or an atom of the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from taut.graph.assembly import Assembly, negative
from taut.graph.field import PRIME, residue
from taut.graph.program import Signed

Residues = tuple[int, int]
"""Values at the two points."""

QUOTIENT_SIZE = 10_000
"""Size of a division where formulas should have none: any formula without one is shorter."""


class Constant(NamedTuple):
    """An entry of the table or its negative."""

    entry: int
    negated: bool = False

    def __neg__(self) -> Constant:
        return Constant(self.entry, not self.negated)


class Formula(NamedTuple):
    """How an entry is computed: ``op`` is ``number``, ``atom``, ``add``, ``mul`` or ``div``.

    Attributes:
        op: the operation.
        data: a number, an atom, or two constants.
        size: operations of the formula written out.
    """

    op: str
    data: Any
    size: int


class KnownConstants:
    """Constants so far; sums, products and quotients of them are found by value.

    Args:
        atoms: values of the constants that the caller can compute, by what it calls them.
        polynomial: whether formulas should not divide but by numbers.
    """

    def __init__(self, atoms: Sequence[tuple[Any, Residues]] = (), polynomial: bool = False) -> None:
        self._polynomial = polynomial
        self._values: list[Residues] = []
        self._formulas: list[Formula] = []
        self._by_value: dict[Residues, Constant] = {}
        self._pairs: dict[int, tuple[str, Constant, Constant]] = {}
        self.zero, self.one = self.number(0), self.number(1)
        known = dict.fromkeys(self.atom(name, value) for name, value in atoms)
        first = [(x, self.value(x)[0]) for x in known if 0 not in self.value(x)]
        inverse = [pow(v, -1, PRIME) for _, v in first]
        for ((a, v), v_inverse), ((b, w), w_inverse) in combinations_with_replacement(
            zip(first, inverse, strict=True), 2
        ):
            for key, pair in (
                (v + w, ("add", a, b)),
                (v - w, ("add", a, -b)),
                (v * w, ("mul", a, b)),
                (v * w_inverse, ("div", a, b)),
                (w * v_inverse, ("div", b, a)),
            ):
                if polynomial and pair[0] == "div":
                    continue
                key %= PRIME
                self._pairs.setdefault(min(key, PRIME - key), pair)

    def value(self, x: Constant) -> Residues:
        """Return the values of a constant."""
        v = self._values[x.entry]
        return _negative(v) if x.negated else v

    def size(self, x: Constant) -> int:
        """Return the operations of its formula."""
        return self._formulas[x.entry].size

    def number(self, x: int | Fraction) -> Constant:
        """Return a rational number."""
        r = residue(x) % PRIME
        return self._put((r, r), Formula("number", Fraction(x), 0))

    def atom(self, name: Any, value: Residues) -> Constant:
        """Return a constant that the caller can compute."""
        return self._put(value, Formula("atom", name, 0))

    def add(self, a: Constant, b: Constant) -> Constant:
        """Return ``a + b``."""
        if self.zero in (a, b):
            return b if a == self.zero else a
        return self._operation("add", a, b)

    def multiply(self, a: Constant, b: Constant) -> Constant:
        """Return ``a * b``."""
        if self.zero in (a, b):
            return self.zero
        if a.entry == self.one.entry or b.entry == self.one.entry:
            rest, one = (b, a) if a.entry == self.one.entry else (a, b)
            return -rest if one.negated != self.one.negated else rest
        return self._operation("mul", a, b)

    def divide(self, a: Constant, b: Constant) -> Constant | None:
        """Return ``a / b``, None where b vanishes."""
        if b == self.zero or 0 in self.value(b):
            return None
        if b.entry == self.one.entry:
            return -a if b.negated != self.one.negated else a
        return self.zero if a == self.zero else self._operation("div", a, b)

    def divides(self, x: Constant) -> bool:
        """Whether the formula divides by something other than a number; only where it should not."""
        return self.size(x) >= QUOTIENT_SIZE

    def assembled(self, x: Constant, assembly: Assembly, atom: Callable[[Any], Signed]) -> Signed:
        """Return the value of a constant in a program, its formula's lines added as needed."""
        make = {"add": assembly.add, "mul": assembly.multiply, "div": assembly.divide}
        return self.folded(x, {"number": assembly.constant, "atom": atom, **make}, negative)

    def folded(self, x: Constant, make: Mapping[str, Callable[..., Any]], negated: Callable[[Any], Any]) -> Any:
        """Return the value of a constant in any arithmetic.

        Args:
            x: the constant.
            make: how ``number``, ``atom``, ``add``, ``mul`` and ``div`` are computed there.
            negated: how a sign is changed.
        """
        done: dict[int, Any] = {}
        stack = [x.entry]
        while stack:
            entry = stack[-1]
            op, data, _ = self._formulas[entry]
            if op in ("atom", "number"):
                done[entry] = make[op](data)
            else:
                missing = [y.entry for y in data if y.entry not in done]
                if missing:
                    stack += missing
                    continue
                a, b = (negated(done[y.entry]) if y.negated else done[y.entry] for y in data)
                done[entry] = make[op](a, b)
            stack.pop()
        return negated(done[x.entry]) if x.negated else done[x.entry]

    def _operation(self, op: str, a: Constant, b: Constant) -> Constant:
        value = _operation(op, self.value(a), self.value(b))
        size = self.size(a) + self.size(b) + 1
        if self._polynomial and op == "div" and self._formulas[b.entry].op != "number":
            size += QUOTIENT_SIZE
        short = self._pairs.get(min(value[0], PRIME - value[0])) if size > 1 else None
        if short is not None:
            found = _operation(short[0], *(self.value(x) for x in short[1:]))
            if found in (value, _negative(value)):
                known = self._put(found, Formula(short[0], short[1:], 1))
                return known if found == value else -known
        return self._put(value, Formula(op, (a, b), size))

    def _put(self, value: Residues, formula: Formula) -> Constant:
        known = self._by_value.get(value)
        if known is None:
            known = Constant(len(self._values))
            self._by_value[value] = known
            self._by_value.setdefault(_negative(value), -known)
            self._values.append(value)
            self._formulas.append(formula)
        elif formula.size < self.size(known) and not (known.negated and formula.op == "atom"):
            # operands are always shorter than what is made of them: no circles
            self._formulas[known.entry] = _negated(formula) if known.negated else formula
        return known


def _negated(formula: Formula) -> Formula:
    """Return the formula of the negative of a number, sum, product or quotient."""
    if formula.op == "number":
        return formula._replace(data=-formula.data)
    a, b = formula.data
    return formula._replace(data=(-a, -b if formula.op == "add" else b))


def _negative(v: Residues) -> Residues:
    return (PRIME - v[0]) % PRIME, (PRIME - v[1]) % PRIME


def _operation(op: str, v: Residues, w: Residues) -> Residues:
    if op == "add":
        return (v[0] + w[0]) % PRIME, (v[1] + w[1]) % PRIME
    if op == "mul":
        return v[0] * w[0] % PRIME, v[1] * w[1] % PRIME
    return v[0] * pow(w[0], -1, PRIME) % PRIME, v[1] * pow(w[1], -1, PRIME) % PRIME
