"""The search of kernel.c in plain Python: the same moves in the same order, some hundred times as slow.

It serves where there is no C compiler, and it is what the kernel is held against. See kernel.c for the why. This
file has the program under search, as state.h; :mod:`taut.search.plain_moves` looks for other definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from taut.graph.field import PRIME
from taut.search.flat import FIXED, HOME, INVERSE, LEAF, PRODUCT, QUOTIENT, SCALE, SHIFT, SUM, Flat
from taut.search.lift import Found

PLUS, MINUS, TIMES, OVER, NODE = range(5)
NEW_NODES, TRIAL_NODES = 8, 64
WORD = 2**64 - 1

Value = tuple[int, ...]


class Definition(NamedTuple):
    """An operation on literals, -1 for none."""

    op: int
    a: int
    b: int
    label: int = 0

    @property
    def operands(self) -> list[int]:
        """The nodes it reads."""
        return [literal >> 1 for literal in (self.a, self.b) if literal >= 0]

    def signed(self, negative: bool) -> Definition:
        """Return the definition of the negative value if asked for."""
        if self.op in (SCALE, INVERSE, FIXED):
            return self
        return self._replace(a=self.a ^ negative, b=self.b ^ (negative and self.op == SUM))


class Term(NamedTuple):
    """A pair of nodes, or a node alone: kind NODE, b = -1."""

    kind: int
    a: int
    b: int = -1

    @property
    def definition(self) -> Definition:
        """What the pair is."""
        return Definition((SUM, SUM, PRODUCT, QUOTIENT)[self.kind], 2 * self.a, 2 * self.b + (self.kind == MINUS))


Table = dict[int, list[Term]]


class State:
    """Nodes, their values, who uses them, their pairs by key, and the log of origins."""

    def __init__(self, flat: Flat, seed: int, prices: Sequence[int], brief: bool) -> None:
        count = len(flat.rows)
        self.leaves = len(flat.leaves)
        self.room = count + (3 if brief else 1) * TRIAL_NODES + (count // 2 if count < 1000 else 500)
        self.random = seed % 2**64
        self.brief = brief  # new nodes get pairs by value only, with nodes in use: most are removed with a trial
        self.weight = list(prices)
        self.cheapest = min(self.weight[SUM], self.weight[PRODUCT])
        self.origins = [(op, a, b, -1) for op, a, b, _ in flat.rows.tolist()]
        self.line_weights = flat.line_weights
        self._out = [int(x) for x in flat.outputs]
        rows = [Definition(*row) for row in flat.rows.tolist()]
        self._load(rows, [tuple(v) for v in flat.values.tolist()], list(range(count)))
        self.keep_best()

    # -- building and telling ---------------------------------------------------------

    def _load(self, rows: list[Definition], given: list[Value], known_by: list[int]) -> None:
        self.definition: list[Definition] = []
        self.value: list[Value] = []
        self.inverse: list[Value] = []
        self.refs: list[int] = []
        self.users: list[dict[int, None]] = []
        self.divisor: list[bool] = []
        self.fixed: list[bool] = []
        self.known_by: list[int] = []
        self._twins: set[int] = set()
        self._same: dict[Value, int] = {}
        self.exact: Table = {}
        self.ratio: Table = {}
        self.difference: Table = {}
        self.affine: Table = {}
        self.pairs: list[Term] = []
        place: list[int] = []
        for i, row in enumerate(rows):
            a, b = (place[x >> 1] ^ (x & 1) if x >= 0 else -1 for x in (row.a, row.b))
            d = self._without_constants(row._replace(a=a, b=b), given[i])
            n, flip = self.find(given[i])
            if n < 0 or i < self.leaves:
                if n >= 0:
                    self._twins.add(i)
                self._put_node(d, given[i], known_by[i])
                n = n if n >= 0 else len(self.definition) - 1
            place.append(2 * n + flip)
            if d.op in (QUOTIENT, INVERSE):
                self.divisor[(d.b if d.op == QUOTIENT else d.a) >> 1] = True
        self._out = [place[x >> 1] ^ (x & 1) for x in self._out]
        self.cost = sum(self.retain(x >> 1) for x in self._out)
        for n in range(len(self.definition)):
            if n not in self._twins:
                self._put_pairs(n, brief=False)

    def _without_constants(self, d: Definition, v: Value) -> Definition:
        if not self.weight[d.op]:
            return d
        if is_constant(v):
            return Definition(FIXED, -1, -1)
        fixed = [self.fixed[x] for x in d.operands]
        if not any(fixed):
            return d
        other = d.b if fixed[0] else d.a
        if d.op == SUM:
            return Definition(SHIFT, other, -1)
        if d.op in (PRODUCT, QUOTIENT):
            return Definition(INVERSE if d.op == QUOTIENT and fixed[0] else SCALE, other & ~1, -1)
        return d

    def _put_node(self, d: Definition, v: Value, known_by: int) -> None:
        n = len(self.definition)
        self.definition.append(Definition(LEAF, -1, -1))
        self.value.append(v)
        self.inverse.append(tuple(inverted(x) for x in v))
        self.refs.append(0)
        self.users.append({})
        self.divisor.append(False)
        self.fixed.append(is_constant(v))
        self.known_by.append(known_by)
        self.define(n, d)
        self._same.setdefault(_unsigned(v), n)

    def _tell(self) -> tuple[list[Definition], list[int], list[int]]:
        """Return the rows of the live operations, operands first, the outputs, and the nodes of the rows."""
        place = {n: n for n in range(self.leaves)}
        opened: set[int] = set()
        rows: list[Definition] = []
        order: list[int] = []
        for out in self._out:
            stack = [out >> 1]
            while stack:
                n = stack[-1]
                if n not in place and n not in opened:
                    opened.add(n)
                    stack.extend(self.definition[n].operands)
                    continue
                stack.pop()
                if n in place:
                    continue
                d = self.definition[n]
                a, b = (2 * place[x >> 1] + (x & 1) if x >= 0 else -1 for x in (d.a, d.b))
                place[n] = self.leaves + len(rows)
                rows.append(d._replace(a=a, b=b))
                order.append(n)
        return rows, [2 * place[x >> 1] + (x & 1) for x in self._out], order

    @property
    def output_nodes(self) -> set[int]:
        """Nodes that are outputs."""
        return {x >> 1 for x in self._out}

    def keep_best(self) -> None:
        """Remember the program as it is."""
        rows, outputs, order = self._tell()
        self.best_cost = self.cost
        self.best = rows, outputs, [*range(self.leaves), *(self.known_by[n] for n in order)]

    def rebuild(self) -> None:
        """Remove nodes that nothing uses."""
        rows, self._out, order = self._tell()
        nodes = [*range(self.leaves), *order]
        values, known_by = [self.value[n] for n in nodes], [self.known_by[n] for n in nodes]
        self._load(self.definition[: self.leaves] + rows, values, known_by)

    def found(self) -> Found:
        """Return the best program so far."""
        rows, outputs, known_by = self.best
        arrays = (np.reshape(rows, (-1, 4)), outputs, known_by, np.reshape(self.origins, (-1, 4)))
        return Found(*(np.array(x, np.int32) for x in arrays))

    # -- values and pairs -----------------------------------------------------------------

    def draw(self, below: int) -> int:
        """Return a random number: splitmix64."""
        self.random = z = (self.random + 0x9E3779B97F4A7C15) & WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        return (z ^ z >> 31) % below

    def value_of(self, d: Definition) -> Value:
        """Return the value of an operation on two operands."""
        x = self.value[d.a >> 1]
        y = (self.inverse if d.op == QUOTIENT else self.value)[d.b >> 1]
        if d.a & 1:
            x = tuple(-u for u in x)
        if d.b & 1:
            y = tuple(-u for u in y)
        if d.op == SUM:
            return tuple((u + w) % PRIME for u, w in zip(x, y, strict=True))
        return tuple(u * w % PRIME for u, w in zip(x, y, strict=True))

    def find(self, v: Value) -> tuple[int, bool]:
        """Return the node of a value up to sign, -1 for none, and whether the sign differs."""
        n = self._same.get(_unsigned(v), -1)
        return n, n >= 0 and self.value[n][:HOME] != v[:HOME]

    def _put_pairs(self, n: int, brief: bool) -> None:
        if self.fixed[n]:
            return
        v = self.value[n]
        self.ratio.setdefault(ratio_key(v), []).append(Term(NODE, n))
        self.difference.setdefault(difference_key(v), []).append(Term(NODE, n))
        self.affine.setdefault(affine_key(v), []).append(Term(NODE, n))
        for m in range(n + 1):
            if m in self._twins or self.fixed[m] or (brief and m != n and not self.alive(m)):
                continue
            for kind in (PLUS, MINUS, TIMES):
                if m == n and kind == MINUS:
                    continue
                pair = Term(kind, n, m)
                w = self.value_of(pair.definition)
                self._put_exact(pair, w)
                if not brief and (m != n or kind != PLUS):
                    self.ratio.setdefault(ratio_key(w), []).append(pair)
                    self.difference.setdefault(difference_key(w), []).append(pair)
            for a, b in ((n, m), (m, n)):
                if self.divisor[b] and m != n:
                    self._put_exact(Term(OVER, a, b), self.value_of(Term(OVER, a, b).definition))

    def _put_exact(self, pair: Term, v: Value) -> None:
        self.exact.setdefault(unsigned(v[0]), []).append(pair)
        self.pairs.append(pair)

    def literal_of(self, v: Value, d: Definition, known_by: int) -> int:
        """Return the literal of a value that no live node has, with the given definition."""
        n, flip = self.find(v)
        if n < 0:
            n = len(self.definition)
            self._put_node(d, v, known_by)
            self._put_pairs(n, self.brief)
        else:
            self.define(n, d.signed(flip))
        return 2 * n + flip

    def new_origin(self, op: int, a: int, b: int, c: int = -1) -> int:
        """Add to the log."""
        self.origins.append((op, a, b, c))
        return len(self.origins) - 1

    # -- uses ---------------------------------------------------------------------------------

    def price(self, n: int) -> int:
        """Return what a node costs."""
        return self.weight[self.definition[n].op]

    def define(self, n: int, d: Definition) -> None:
        """Give a node a definition and count nothing."""
        for x in self.definition[n].operands:
            self.users[x].pop(n, None)
        self.definition[n] = d
        self.link(n)

    def link(self, n: int) -> None:
        """Enter a node as a user of its operands."""
        for x in self.definition[n].operands:
            self.users[x][n] = None

    def retain(self, n: int) -> int:
        """Count one more use of a node, and of the operands it needs where it had none; return what that costs."""
        cost, stack = 0, [n]
        while stack:
            m = stack.pop()
            self.refs[m] += 1
            if self.refs[m] == 1:
                cost += self.price(m)
                stack.extend(self.definition[m].operands)
        return cost

    def release(self, n: int) -> int:
        """Count one use of a node less, and of its operands where none is left; return what that saves."""
        cost, stack = 0, [n]
        while stack:
            m = stack.pop()
            self.refs[m] -= 1
            if self.refs[m] == 0:
                cost += self.price(m)
                stack.extend(self.definition[m].operands)
        return cost

    def redefine(self, t: int, d: Definition) -> None:
        """Give a live node another definition."""
        old = self.definition[t]
        self.cost -= self.price(t)
        self.define(t, d)
        self.cost += self.price(t) + sum(self.retain(x) for x in d.operands)
        self.cost -= sum(self.release(x) for x in old.operands)

    def alive(self, n: int) -> bool:
        """Whether a node is part of the program, or a leaf."""
        return n not in self._twins if n < self.leaves else self.refs[n] > 0

    def usable(self, t: int, without: int = -1) -> list[int]:
        """Return the nodes that a definition of t may use, one left out."""
        blocked, stack = {t, without}, [t]
        while stack:
            new = self.users[stack.pop()].keys() - blocked
            blocked |= new
            stack.extend(new)
        return [n for n in range(len(self.definition)) if self.alive(n) and not self.fixed[n] and n not in blocked]


# -- keys ---------------------------------------------------------------------------------------


def inverted(x: int) -> int:
    """Return 1 / x in the field, 0 for 0."""
    return pow(x, -1, PRIME) if x else 0


def unsigned(x: int) -> int:
    """Return what x and -x have in common."""
    x %= PRIME
    return min(x, PRIME - x)


def is_constant(v: Value) -> bool:
    """Whether a value does not depend on the state."""
    return v[0] == v[1] == v[2]


def ratio_key(v: Value) -> int:
    """Return what multiples of a value have in common."""
    return v[1] * inverted(v[0]) % PRIME


def difference_key(v: Value) -> int:
    """Return what a value and its negative have in common with their sums with constants."""
    return unsigned(v[1] - v[0])


def affine_key(v: Value) -> int:
    """Return what k v + l have in common."""
    return (v[2] - v[0]) * inverted((v[1] - v[0]) % PRIME) % PRIME


def _unsigned(v: Value) -> Value:
    return min(v[:HOME], tuple(-x % PRIME for x in v[:HOME]))
