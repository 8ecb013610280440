"""The search of kernel.c in plain Python: the same moves in the same order, some two hundred times as slow.

It serves where there is no C compiler, and it is what the kernel is held against. See kernel.c for the why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from taut.graph.field import PRIME
from taut.search.flat import LEAF, OPAQUE, POINTS, PRODUCT, QUOTIENT, SUM, Flat, Rows

PLUS, MINUS, TIMES, OVER = range(4)
NOISE_ABOVE_BEST = 2
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
        """Nodes it needs."""
        return [literal >> 1 for literal in (self.a, self.b) if literal >= 0]

    def signed(self, negative: bool) -> Definition:
        """Return the definition of the negative value if asked for."""
        return self._replace(a=self.a ^ negative, b=self.b ^ (negative and self.op == SUM))


class Candidate(NamedTuple):
    """``x outer (a kind b)``, the pair negated where ``flip``; x < 0: the pair alone."""

    kind: int
    a: int
    b: int
    flip: bool
    outer: int = -1
    x: int = -1


class PlainSearch:
    """A search in progress; see :class:`taut.search.native.NativeSearch`."""

    def __init__(self, flat: Flat, seed: int) -> None:
        self._leaves = len(flat.leaves)
        self._room = len(flat.rows) + 64 + len(flat.rows) // 2
        self._random = seed % 2**64
        self._fixed_leaves = [bool(x) for x in flat.fixed]
        self._out = [int(x) for x in flat.outputs]
        self._load([Definition(*row) for row in flat.rows.tolist()], [tuple(v) for v in flat.values.tolist()])
        self._keep_best()

    def run(self, steps: int, noise: int = 0) -> int:
        """Try ``steps`` nodes and return the best cost so far; ``noise`` in a thousand may cost one operation."""
        for _ in range(steps):
            if self._cost == 0:
                break
            if len(self._def) == self._room:
                self._rebuild()
                if len(self._def) == self._room:
                    break
            t = self._leaves + self._draw(len(self._def) - self._leaves)
            while not (self._priced(t) and self._refs[t]):
                t = self._leaves + self._draw(len(self._def) - self._leaves)
            noisy = noise > 0 and self._draw(1000) < noise and self._cost < self._best_cost + NOISE_ABOVE_BEST
            self._try_node(t, int(noisy))
            if self._cost < self._best_cost:
                self._keep_best()
        return self._best_cost

    def best(self) -> tuple[Rows, Rows]:
        """Return the operations and the outputs of the best program so far."""
        rows, outputs = self._best
        return np.array(rows, np.int32).reshape(-1, 4), np.array(outputs, np.int32)

    # -- building and telling ---------------------------------------------------------

    def _load(self, rows: list[Definition], given: list[Value]) -> None:
        self._def: list[Definition] = []
        self._value: list[Value] = []
        self._inverse: list[Value] = []
        self._refs: list[int] = []
        self._users: list[dict[int, None]] = []
        self._divisor: list[bool] = []
        self._twins: set[int] = set()
        self._same: dict[Value, int] = {}
        self._pairs: dict[int, list[tuple[int, int, int]]] = {}
        place: list[int] = []
        for i, d in enumerate(rows):
            a, b = (place[x >> 1] ^ (x & 1) if x >= 0 else -1 for x in (d.a, d.b))
            d = d._replace(a=a, b=b)
            v = given[i] if d.op in (LEAF, OPAQUE) else self._value_of(d)
            n, flip = self._find(v)
            if n < 0 or i < self._leaves:
                self._put_node(d, v)
                if n < 0:
                    n = len(self._def) - 1
                    self._same[_unsigned(v)] = n
                else:
                    self._twins.add(i)
            place.append(2 * n + flip)
            if d.op == QUOTIENT:
                self._divisor[d.b >> 1] = True
        self._out = [place[x >> 1] ^ (x & 1) for x in self._out]
        self._cost = sum(self._retain(x >> 1) for x in self._out)
        for n in range(len(self._def)):
            if n not in self._twins:
                self._put_pairs(n)

    def _put_node(self, d: Definition, v: Value) -> None:
        n = len(self._def)
        self._def.append(Definition(LEAF, -1, -1))
        self._value.append(v)
        self._inverse.append(tuple(pow(x, PRIME - 2, PRIME) for x in v))
        self._refs.append(0)
        self._users.append({})
        self._divisor.append(False)
        self._define(n, d)

    def _tell(self) -> tuple[list[Definition], list[int], list[int]]:
        """Return the rows of the live operations, operands first, the outputs, and the nodes of the rows."""
        place = {n: n for n in range(self._leaves)}
        opened: set[int] = set()
        rows: list[Definition] = []
        order: list[int] = []
        for out in self._out:
            stack = [out >> 1]
            while stack:
                n = stack[-1]
                if n not in place and n not in opened:
                    opened.add(n)
                    stack.extend(self._def[n].operands)
                    continue
                stack.pop()
                if n in place:
                    continue
                d = self._def[n]
                a, b = (2 * place[x >> 1] + (x & 1) if x >= 0 else -1 for x in (d.a, d.b))
                place[n] = self._leaves + len(rows)
                rows.append(d._replace(a=a, b=b))
                order.append(n)
        return rows, [2 * place[x >> 1] + (x & 1) for x in self._out], order

    def _keep_best(self) -> None:
        rows, outputs, _ = self._tell()
        self._best, self._best_cost = (rows, outputs), self._cost

    def _rebuild(self) -> None:
        rows, self._out, order = self._tell()
        nodes = [*range(self._leaves), *order]
        self._load(self._def[: self._leaves] + rows, [self._value[n] for n in nodes])

    # -- values and pairs -----------------------------------------------------------------

    def _draw(self, below: int) -> int:
        self._random = z = (self._random + 0x9E3779B97F4A7C15) & WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        return (z ^ z >> 31) % below

    def _value_of(self, d: Definition) -> Value:
        x = self._value[d.a >> 1]
        y = (self._inverse if d.op == QUOTIENT else self._value)[d.b >> 1]
        if d.a & 1:
            x = tuple(-u for u in x)
        if d.b & 1:
            y = tuple(-u for u in y)
        if d.op == SUM:
            return tuple((u + w) % PRIME for u, w in zip(x, y, strict=True))
        return tuple(u * w % PRIME for u, w in zip(x, y, strict=True))

    def _find(self, v: Value) -> tuple[int, bool]:
        n = self._same.get(_unsigned(v), -1)
        return n, n >= 0 and self._value[n] != v

    def _is_fixed(self, n: int) -> bool:
        return n < self._leaves and self._fixed_leaves[n]

    def _put_pairs(self, n: int) -> None:
        v, inverse, fixed = self._value[n][0], self._inverse[n][0], self._is_fixed(n)
        pairs = self._pairs

        def put(value: int, kind: int, a: int, b: int) -> None:
            value %= PRIME
            pairs.setdefault(min(value, PRIME - value), []).append((kind, a, b))

        for m in range(n):
            if m in self._twins or (fixed and self._is_fixed(m)):
                continue
            w = self._value[m][0]
            put(v + w, PLUS, n, m)
            put(v - w, MINUS, n, m)
            put(v * w, TIMES, n, m)
            if self._divisor[m]:
                put(v * self._inverse[m][0], OVER, n, m)
            if self._divisor[n]:
                put(w * inverse, OVER, m, n)
        if not fixed:
            put(v + v, PLUS, n, n)
            put(v * v, TIMES, n, n)

    # -- uses ---------------------------------------------------------------------------------

    def _priced(self, n: int) -> bool:
        return self._def[n].op in (SUM, PRODUCT, QUOTIENT)

    def _define(self, n: int, d: Definition) -> None:
        for x in self._def[n].operands:
            self._users[x].pop(n, None)
        self._def[n] = d
        for x in d.operands:
            self._users[x][n] = None

    def _retain(self, n: int) -> int:
        born, stack = 0, [n]
        while stack:
            m = stack.pop()
            self._refs[m] += 1
            if self._refs[m] == 1:
                born += self._priced(m)
                stack.extend(self._def[m].operands)
        return born

    def _release(self, n: int) -> int:
        dead, stack = 0, [n]
        while stack:
            m = stack.pop()
            self._refs[m] -= 1
            if self._refs[m] == 0:
                dead += self._priced(m)
                stack.extend(self._def[m].operands)
        return dead

    def _redefine(self, t: int, d: Definition) -> None:
        old = self._def[t]
        self._define(t, d)
        self._cost += sum(self._retain(x) for x in d.operands)
        self._cost -= sum(self._release(x) for x in old.operands)

    def _alive(self, n: int) -> bool:
        return n not in self._twins if n < self._leaves else self._refs[n] > 0

    def _dependents(self, t: int) -> set[int]:
        found, stack = {t}, [t]
        while stack:
            new = self._users[stack.pop()].keys() - found
            found |= new
            stack.extend(new)
        return found

    # -- moves ----------------------------------------------------------------------------------

    def _try_node(self, t: int, tolerance: int) -> None:
        blocked = self._dependents(t)
        usable = [self._alive(n) and n not in blocked for n in range(len(self._def))]
        best, best_gain, ties = None, -tolerance - 1, 0
        for stage in (self._one_operation, self._two_operations):
            if stage == self._two_operations:
                most = self._dying(t, []) - 2
                if most < -tolerance or most < best_gain:
                    break
            for found, gain in stage(t, usable):
                if gain < best_gain or (gain == best_gain and not ties):
                    continue
                ties = 1 if gain > best_gain else ties + 1
                best_gain = gain
                if self._draw(ties) == 0:
                    best = found
        if best is not None:
            self._make_move(t, best)

    def _dying(self, t: int, operands: list[int]) -> int:
        own = self._def[t].operands
        for x in operands:
            self._retain(x)
        dead = 1 + sum(self._release(x) for x in own)
        for x in own:
            self._retain(x)
        for x in operands:
            self._release(x)
        return dead

    def _matches(self, v: Value, usable: list[bool]) -> Iterator[tuple[int, int, int, bool]]:
        """Yield the usable pairs of a value up to sign, latest first."""
        for kind, a, b in reversed(self._pairs.get(_unsigned_residue(v[0]), ())):
            if usable[a] and usable[b]:
                w = self._value_of(_pair(kind, a, b))
                if w == v or _opposite(w, v):
                    yield kind, a, b, w != v

    def _one_operation(self, t: int, usable: list[bool]) -> Iterator[tuple[Candidate, int]]:
        old = self._def[t]
        for kind, a, b, flip in self._matches(self._value[t], usable):
            d = _pair(kind, a, b)
            if d.op != old.op or sorted(d.operands) != sorted(old.operands):
                yield Candidate(kind, a, b, flip), self._dying(t, [a, b]) - 1

    def _two_operations(self, t: int, usable: list[bool]) -> Iterator[tuple[Candidate, int]]:
        v = self._value[t]
        for x in range(len(self._def)):
            if not usable[x]:
                continue
            y, inverse = self._value[x], self._inverse[x]
            rests = [tuple((v[k] - y[k]) % PRIME for k in range(POINTS))]
            rests.append(tuple((v[k] + y[k]) % PRIME for k in range(POINTS)))
            rests.append(tuple(v[k] * inverse[k] % PRIME for k in range(POINTS)))
            if self._divisor[x]:
                rests.append(tuple(v[k] * y[k] % PRIME for k in range(POINTS)))
            for outer, r in enumerate(rests):
                if outer == TIMES and y[0] == 0:
                    continue
                known, _ = self._find(r)
                if known >= 0 and self._alive(known):
                    continue
                for kind, a, b, flip in self._matches(r, usable):
                    yield Candidate(kind, a, b, flip, outer, x), self._dying(t, [x, a, b]) - 2

    def _literal_of(self, d: Definition) -> int:
        v = self._value_of(d)
        n, flip = self._find(v)
        if n < 0:
            n = len(self._def)
            self._put_node(d, v)
            self._same[_unsigned(v)] = n
            self._put_pairs(n)
        else:
            self._define(n, d.signed(flip))
        return 2 * n + flip

    def _make_move(self, t: int, c: Candidate) -> None:
        d = _pair(c.kind, c.a, c.b)
        if c.x < 0:
            self._redefine(t, d.signed(c.flip))
            return
        inner = self._literal_of(d) ^ c.flip
        if c.outer == OVER:
            outer = Definition(QUOTIENT, inner, 2 * c.x)
        else:
            outer = Definition(PRODUCT if c.outer == TIMES else SUM, 2 * c.x + (c.outer == MINUS), inner)
        self._redefine(t, outer)


def _pair(kind: int, a: int, b: int) -> Definition:
    return Definition((SUM, SUM, PRODUCT, QUOTIENT)[kind], 2 * a, 2 * b + (kind == MINUS))


def _unsigned_residue(x: int) -> int:
    return min(x, PRIME - x)


def _unsigned(v: Value) -> Value:
    return min(v, tuple(-x % PRIME for x in v))


def _opposite(v: Value, w: Value) -> bool:
    return all((x + y) % PRIME == 0 for x, y in zip(v, w, strict=True))
