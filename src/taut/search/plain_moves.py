"""The moves of kernel.c in plain Python; see candidate.h and scan.h."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from taut.graph.field import PRIME
from taut.search.flat import HOME, POINTS, PRODUCT, QUOTIENT, SCALE, SHIFT, SUM, Flat
from taut.search.lift import Found
from taut.search.native import PRICES
from taut.search.origins import PENCIL, SLOPE
from taut.search.plain import (
    MINUS,
    NEW_NODES,
    NODE,
    OVER,
    PLUS,
    TIMES,
    Definition,
    State,
    Table,
    Term,
    Value,
    affine_key,
    difference_key,
    inverted,
    is_constant,
    ratio_key,
    unsigned,
)
from taut.search.plain_trials import NEARBY, Trials

EXACT, SCALED, SHIFTED, AFFINE, LINEAR = range(5)

BETWEEN = 100
"""Steps after which a program as good as the best one takes its place, as in kernel.c."""

Outer = tuple[int, Term]
"""An operation and the operand that it takes off."""


class Candidate(NamedTuple):
    """``x1 o1 (x2 o2 core)``; the core is the inner term, a multiple of it, or with a constant added."""

    outers: tuple[Outer, ...]
    core: int
    inner: Term


class PlainSearch:
    """A search in progress; see :class:`taut.search.native.NativeSearch`."""

    def __init__(self, flat: Flat, seed: int, prices: Sequence[int] = PRICES, deep: int = 0, trial: int = 0) -> None:
        self._s = State(flat, seed, prices, brief=trial > 0)
        self._deep, self._trial, self._done = deep, trial, 0
        self._trials = Trials(
            self._s, lambda u, tolerance, n: _Target(self._s, u, tolerance, without=n).move(deep=False)
        )

    def run(self, steps: int) -> int:
        """Try ``steps`` nodes and return the best cost so far."""
        s, trials = self._s, self._trials
        for _ in range(steps):
            if s.cost <= 0:
                break
            full = len(s.definition) + NEW_NODES > s.room
            if self._trial and (full or trials.left == 0):
                if not trials.begin(self._trial):
                    break
            elif full:
                s.rebuild()
            if len(s.definition) + NEW_NODES > s.room:
                break
            t = trials.near_node() if self._trial and trials.touched and s.draw(NEARBY) else trials.any_node()
            deep = self._deep > 0 and s.draw(1000) < self._deep
            if _Target(s, t, 0).move(deep) and self._trial:
                trials.touch(t)
            if self._trial:
                trials.left -= 1
            self._done += 1
            if s.cost < s.best_cost or (s.cost == s.best_cost and self._done % BETWEEN == 0):
                s.keep_best()
        return s.best_cost

    def best(self) -> Found:
        """Return the best program so far."""
        return self._s.found()


class _Target:
    """The node that is to get another definition."""

    def __init__(self, s: State, t: int, tolerance: int, without: int = -1) -> None:
        self._s, self._t, self._tolerance = s, t, tolerance
        self._usable = s.usable(t, without)
        self._allowed = set(self._usable)
        self._best: Candidate | None = None
        self._gain, self._ties = -tolerance - 1, 0
        self._most = self._dying([])

    def move(self, deep: bool) -> bool:
        """Find the best definition and take it; return whether there is one."""
        self._take(self._alone())
        two = self._most - 2 * self._s.cheapest
        three = two - self._s.cheapest
        if two >= max(-self._tolerance, self._gain):
            self._take(self._with_nodes(three >= max(-self._tolerance, self._gain)))
            for scan in (self._linear, self._with_pairs, self._with_two_nodes):
                if three >= max(-self._tolerance, self._gain) and (deep or scan == self._linear):
                    self._take(scan())
        if self._best is not None:
            self._make(self._best)
        return self._best is not None

    # -- candidates ---------------------------------------------------------------------------

    def _look(self, outers: tuple[Outer, ...], core: int, table: Table, key: int, pairs: bool) -> Iterator[Candidate]:
        """Yield the usable entries of a key, latest first."""
        for term in reversed(table.get(key, ())):
            if (term.kind == NODE or pairs) and term.a in self._allowed and (term.b < 0 or term.b in self._allowed):
                yield Candidate(outers, core, term)

    def _exact(self, outers: tuple[Outer, ...], r: Value) -> Iterator[Candidate]:
        return self._look(outers, EXACT, self._s.exact, unsigned(r[0]), True)

    def _alone(self) -> Iterator[Candidate]:
        v, pairs = self._s.value[self._t], self._most >= 2
        yield from self._exact((), v)
        yield from self._look((), SCALED, self._s.ratio, ratio_key(v), pairs)
        yield from self._look((), SHIFTED, self._s.difference, difference_key(v), pairs)
        if pairs:
            yield from self._look((), AFFINE, self._s.affine, affine_key(v), False)

    def _with_nodes(self, three: bool) -> Iterator[Candidate]:
        s, v = self._s, self._s.value[self._t][:HOME]
        for x in self._usable:
            w = s.value[x][:HOME]
            for outer in (PLUS, MINUS):
                outers = ((outer, Term(NODE, x)),)
                r = _rest(outer, v, w)
                yield from self._exact(outers, r)
                yield from self._look(outers, SCALED, s.ratio, ratio_key(r), three)
                if three:
                    yield from self._look(outers, AFFINE, s.affine, affine_key(r), False)
            outers = ((TIMES, Term(NODE, x)),)
            r = _rest(OVER, v, s.inverse[x][:HOME])
            yield from self._exact(outers, r)
            yield from self._look(outers, SHIFTED, s.difference, difference_key(r), three)
            if three:
                yield from self._look(outers, AFFINE, s.affine, affine_key(r), False)
            if s.divisor[x]:
                yield from self._exact(((OVER, Term(NODE, x)),), _rest(OVER, v, w))

    def _linear(self) -> Iterator[Candidate]:
        s, v = self._s, self._s.value[self._t]
        inverse = inverted(v[0])
        seen: dict[int, list[int]] = {}
        for x in self._usable:
            w = s.value[x]
            low, high = ((w[k] - w[0] * v[k] * inverse) % PRIME for k in (1, 2))
            if low:
                others = seen.setdefault(high * inverted(low) % PRIME, [])
                for y in reversed(others):
                    yield Candidate((), LINEAR, Term(PLUS, x, y))
                others.append(x)

    def _with_pairs(self) -> Iterator[Candidate]:
        s, v = self._s, self._s.value[self._t][:2]
        for pair in list(s.pairs):
            if pair.a not in self._allowed or pair.b not in self._allowed:
                continue
            p = s.value_of(pair.definition)[:2]
            rests = [_rest(outer, v, p) for outer in (PLUS, MINUS, TIMES)]
            for outer, r in enumerate(rests):
                yield from self._exact(((outer, pair),), r)
            for outer in (PLUS, MINUS):
                yield from self._look(((outer, pair),), SCALED, s.ratio, ratio_key(rests[outer]), False)
            yield from self._look(((TIMES, pair),), SHIFTED, s.difference, difference_key(rests[TIMES]), False)

    def _with_two_nodes(self) -> Iterator[Candidate]:
        s, v = self._s, self._s.value[self._t][:2]
        for x in self._usable:
            for first in (PLUS, MINUS):
                rest = _rest(first, v, s.value[x][:2])
                for y in self._usable:
                    outers = ((first, Term(NODE, x)), (TIMES, Term(NODE, y)))
                    r = _rest(OVER, rest, s.inverse[y][:2])
                    yield from self._exact(outers, r)
                    yield from self._look(outers, SHIFTED, s.difference, difference_key(r), False)
            rest = _rest(OVER, v, s.inverse[x][:2])
            for second in (PLUS, MINUS):
                for y in self._usable:
                    outers = ((TIMES, Term(NODE, x)), (second, Term(NODE, y)))
                    r = _rest(second, rest, s.value[y][:2])
                    yield from self._exact(outers, r)
                    yield from self._look(outers, SCALED, s.ratio, ratio_key(r), False)

    # -- their gain ------------------------------------------------------------------------------

    def _take(self, candidates: Iterator[Candidate]) -> None:
        for c in candidates:
            cost = self._price(c)
            most = self._most - cost
            if most < self._gain or (most == self._gain and not self._ties) or not self._holds(c):
                continue
            gain = self._dying(_operands(c)) - cost
            if gain < self._gain or (gain == self._gain and not self._ties):
                continue
            self._ties = 1 if gain > self._gain else self._ties + 1
            self._gain = gain
            if self._s.draw(self._ties) == 0:
                self._best = c

    def _price(self, c: Candidate) -> int:
        weight = self._s.weight
        kinds = [kind for outer, x in c.outers for kind in (outer, x.kind)]
        own = {AFFINE: (SCALE, SHIFT), LINEAR: (SCALE, SCALE, SUM), SCALED: (SCALE,), SHIFTED: (SHIFT,), EXACT: ()}
        if c.core in (EXACT, SCALED, SHIFTED):
            kinds.append(c.inner.kind)
        prices = [weight[(SUM, SUM, PRODUCT, QUOTIENT)[kind]] for kind in kinds if kind != NODE]
        return sum(prices) + sum(weight[op] for op in own[c.core])

    def _holds(self, c: Candidate) -> bool:
        """Whether this is another definition of the target, and what it makes is new."""
        s = self._s
        r = s.value[self._t]
        for outer, x in c.outers:
            w = self._value(x)
            if x.kind != NODE and not self._is_new(w):
                return False
            if c.core != EXACT and outer == TIMES and 0 in w[HOME:POINTS]:
                return False
            r = _rest(outer, r, w)
            if not self._is_new(r):
                return False
        if not self._matches(c, r) or self._is_old(c):
            return False
        if c.core in (AFFINE, LINEAR):
            new = all(self._is_new(part) for part in self._solved(c, r)[: 1 + (c.core == LINEAR)])
        else:
            new = c.core == EXACT or c.inner.kind == NODE or self._is_new(self._value(c.inner))
        return new and (c.core == EXACT or self._is_polynomial(c, r))

    def _is_polynomial(self, c: Candidate, r: Value) -> bool:
        """Whether the constants of a candidate are polynomials of the parameters, where they have to be."""
        weights = self._s.line_weights
        w = self._value(c.inner) if c.core in (SCALED, SHIFTED) else self._s.value[c.inner.a]
        if c.core == SCALED:
            constants = [[x * inverted(y) for x, y in zip(r, w, strict=True)]]
        elif c.core == SHIFTED:
            sign = 1 if (r[1] - r[0] - w[1] + w[0]) % PRIME else -1
            constants = [[x + sign * y for x, y in zip(r, w, strict=True)]]
        else:
            z = self._s.value[c.inner.b] if c.core == LINEAR else (1,) * len(w)
            parts = zip(self._solved(c, r), (w, z), strict=True)
            constants = [[x * inverted(y) for x, y in zip(part, of, strict=True)] for part, of in parts]
        return not any(sum(k * x for k, x in zip(weights, row[POINTS::2], strict=True)) % PRIME for row in constants)

    def _is_new(self, v: Value) -> bool:
        n, _ = self._s.find(v)
        return not is_constant(v) and (n < 0 or not self._s.alive(n))

    def _matches(self, c: Candidate, r: Value) -> bool:
        if c.core == LINEAR:
            w, z = self._s.value[c.inner.a], self._s.value[c.inner.b]
            det = r[0] * _cross(w, z, 1, 2) - r[1] * _cross(w, z, 0, 2) + r[2] * _cross(w, z, 0, 1)
            sides = (_cross(w, z, 0, 1), _cross(r, z, 0, 1), _cross(w, r, 0, 1), _cross(w, z, HOME, HOME + 1))
            return det % PRIME == 0 and all(sides)
        w = self._value(c.inner)
        equal = w[:HOME] == r[:HOME] or all((x + y) % PRIME == 0 for x, y in zip(w[:HOME], r[:HOME], strict=True))
        if equal or c.core == EXACT:
            return equal and c.core == EXACT
        if c.core == SCALED:
            return bool(w[0] and r[0] and w[HOME]) and not (_cross(r, w, 0, 1) or _cross(r, w, 0, 2))
        of_r, of_w = ([(x[k] - x[0]) % PRIME for k in (1, 2)] for x in (r, w))
        if not of_r[0] or not of_w[0]:
            return False
        if c.core == AFFINE:
            shifted = _cross(w, r, 0, 1) and w[HOME] - w[HOME + 1]
            return (of_r[0] * of_w[1] - of_r[1] * of_w[0]) % PRIME == 0 and bool(shifted)
        return of_r == of_w or of_r == [-x % PRIME for x in of_w]

    def _is_old(self, c: Candidate) -> bool:
        old = self._s.definition[self._t]
        if c.outers:
            return False
        if c.inner.kind == NODE:
            return old.op == {SCALED: SCALE, SHIFTED: SHIFT}.get(c.core, -1) and old.a >> 1 == c.inner.a
        same = c.core == EXACT and c.inner.definition.op == old.op
        return same and sorted(old.operands) == sorted((c.inner.a, c.inner.b))

    def _dying(self, operands: list[int]) -> int:
        s = self._s
        own = s.definition[self._t].operands
        for x in operands:
            s.retain(x)
        dead = s.price(self._t) + sum(s.release(x) for x in own)
        for x in own:
            s.retain(x)
        for x in operands:
            s.release(x)
        return dead

    def _value(self, x: Term) -> Value:
        return self._s.value[x.a] if x.kind == NODE else self._s.value_of(x.definition)

    def _solved(self, c: Candidate, r: Value) -> tuple[Value, Value]:
        """Return the terms of ``r = k a + l`` or ``r = k a + l b``."""
        w = self._s.value[c.inner.a]
        z = self._s.value[c.inner.b] if c.core == LINEAR else (1,) * len(w)
        parts: tuple[list[int], list[int]] = ([], [])
        for first, end in ((0, HOME), *((k, k + 2) for k in range(HOME, len(w), 2))):
            scale = inverted(_cross(w, z, first, first + 1))
            of_a, of_b = _cross(r, z, first, first + 1) * scale, _cross(w, r, first, first + 1) * scale
            parts[0].extend(of_a * x % PRIME for x in w[first:end])
            parts[1].extend(of_b * x % PRIME for x in z[first:end])
        return tuple(parts[0]), tuple(parts[1])

    # -- making it ------------------------------------------------------------------------------------

    def _known_by(self, literal: int) -> int:
        return 2 * self._s.known_by[literal >> 1] + (literal & 1)

    def _literal(self, x: Term) -> int:
        if x.kind == NODE:
            return 2 * x.a
        d = x.definition
        return self._s.literal_of(
            self._s.value_of(d), d, self._s.new_origin(d.op, self._known_by(d.a), self._known_by(d.b))
        )

    def _make(self, c: Candidate) -> None:
        s = self._s
        rests, known_by, xs = [s.value[self._t]], [s.known_by[self._t]], []
        for outer, term in c.outers:
            x = self._literal(term)
            w = s.value[x >> 1] if not x & 1 else tuple(-u % PRIME for u in s.value[x >> 1])
            rests.append(_rest(outer, rests[-1], w))
            op = SUM if outer in (PLUS, MINUS) else QUOTIENT if outer == TIMES else PRODUCT
            known_by.append(s.new_origin(op, 2 * known_by[-1], self._known_by(x) ^ (outer == PLUS)))
            xs.append(x)
        d = self._core(c, rests[-1], known_by[-1])
        for i in reversed(range(len(xs))):
            how = s.new_origin(d.op, self._known_by(d.a), self._known_by(d.b)) if c.core == EXACT else known_by[i + 1]
            d = _outer(c.outers[i][0], xs[i], s.literal_of(rests[i + 1], d, how))
        s.redefine(self._t, d)

    def _core(self, c: Candidate, r: Value, known_by: int) -> Definition:
        s = self._s
        if c.core == EXACT:
            d = c.inner.definition
            return d.signed(s.value_of(d)[:HOME] != r[:HOME])
        if c.core == SCALED:
            return Definition(SCALE, self._literal(c.inner) & ~1, -1)
        if c.core == SHIFTED:
            x = self._literal(c.inner)
            w = self._value(c.inner)
            return Definition(SHIFT, x ^ ((r[1] - r[0] - w[1] + w[0]) % PRIME != 0), -1)
        of_a, of_b = 2 * s.known_by[c.inner.a], 2 * s.known_by[c.inner.b] if c.core == LINEAR else -1
        v, w = self._solved(c, r)
        how = s.new_origin(PENCIL if c.core == LINEAR else SLOPE, 2 * known_by, of_a, of_b)
        ka = s.literal_of(v, Definition(SCALE, 2 * c.inner.a, -1), how)
        if c.core == AFFINE:
            return Definition(SHIFT, ka, -1)
        how = s.new_origin(PENCIL, 2 * known_by, of_b, of_a)
        return Definition(SUM, ka, s.literal_of(w, Definition(SCALE, 2 * c.inner.b, -1), how))


def _rest(outer: int, v: Value, x: Value) -> Value:
    """Return what is left of v when x is taken off."""
    if outer in (PLUS, MINUS):
        sign = -1 if outer == PLUS else 1
        return tuple((u + sign * w) % PRIME for u, w in zip(v, x, strict=True))
    return tuple(u * (inverted(w) if outer == TIMES else w) % PRIME for u, w in zip(v, x, strict=True))


def _outer(kind: int, x: int, rest: int) -> Definition:
    if kind == OVER:
        return Definition(QUOTIENT, rest, x)
    return Definition(PRODUCT if kind == TIMES else SUM, x ^ (kind == MINUS), rest)


def _operands(c: Candidate) -> list[int]:
    nodes: list[int] = []
    for x in (*(x for _, x in c.outers), c.inner):
        nodes += [x.a] if x.b < 0 else [x.a, x.b]
    return nodes


def _cross(x: Value, y: Value, i: int, k: int) -> int:
    return (x[i] * y[k] - x[k] * y[i]) % PRIME
