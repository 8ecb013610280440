"""Reorders long sums and products by what is ready first: less depth with no operation more.

A sum of several terms may be formed in any order. Where its partial sums serve nothing else, the two terms that are
ready first are added first, and so on; products likewise. Chains of dependent operations get shorter. Terms of an early
stage stay together, so that no more has to wait for a late one; constants meet off line, where they cost nothing.
Two terms of a sum that are opposite to each other are left out.
"""

from __future__ import annotations

from collections import Counter
from heapq import heapify, heappop, heappush

from taut.graph.assembly import Assembly, negative
from taut.graph.program import Line, Program, Signed
from taut.graph.stage import Stage

FAMILY = {"add": "sum", "sub": "sum", "mul": "product"}


def balanced(program: Program) -> Program:
    """Return the same program with no operation more and chains that are not longer."""
    return _Balance(program).result()


class _Balance:
    def __init__(self, program: Program) -> None:
        self.program = program
        uses = Counter(arg for line in program.lines for arg in line.args)
        uses.update(i for _, i in program.outputs)
        family = [FAMILY.get(line.op) if line.counted else None for line in program.lines]
        self.inner = [False] * len(program.lines)  # partial results of a longer sum or product
        for i, line in enumerate(program.lines):
            for arg in set(line.args):
                if family[i] is not None and family[i] == family[arg] and uses[arg] == 1:
                    self.inner[arg] = True
        self.assembly = Assembly()
        self.ready: dict[int, int] = {}
        self.value: dict[int, Signed] = {}

    def result(self) -> Program:
        for i, line in enumerate(self.program.lines):
            if not self.inner[i]:
                self.value[i] = self._formed(i, line)
        outputs = [self._signed(sign, i) for sign, i in self.program.outputs]
        return self.assembly.program(outputs)

    def _signed(self, sign: int, i: int) -> Signed:
        return self.value[i] if sign > 0 else negative(self.value[i])

    def _formed(self, i: int, line: Line) -> Signed:
        family = FAMILY.get(line.op) if line.counted else None
        if family is None or not any(self.inner[arg] for arg in line.args):
            args = [self.value[arg] for arg in line.args]
            return self._noted(self.assembly.copy(line, args), args, line.counted)
        terms = self._terms(1, i)
        if family == "sum":
            terms = _without_opposites(terms) or terms
        by_stage: dict[Stage, list[Signed]] = {}
        for term in terms:
            by_stage.setdefault(self.assembly.stage(term), []).append(term)
        total: Signed | None = None
        for stage in sorted(by_stage):
            part = self._joined(by_stage[stage], family)
            total = part if total is None else self._pair(total, part, family)
        assert total is not None
        return total

    def _terms(self, sign: int, i: int) -> list[Signed]:
        """Return the terms of a sum, or the factors of a product, with their signs."""
        line, found = self.program.lines[i], list[Signed]()
        for k, arg in enumerate(line.args):
            own = -sign if line.op == "sub" and k else sign if line.op != "mul" or k == 0 else 1
            found += self._terms(own, arg) if self.inner[arg] else [self._signed(own, arg)]
        return found

    def _joined(self, terms: list[Signed], family: str) -> Signed:
        """Join terms in pairs, those that are available first before the others."""
        queue = [(self.ready.get(term.line, 0), k, term) for k, term in enumerate(terms)]
        heapify(queue)
        while len(queue) > 1:
            (_, k, a), (_, _, b) = heappop(queue), heappop(queue)
            both = self._pair(a, b, family)
            heappush(queue, (self.ready[both.line], k, both))
        return queue[0][2]

    def _pair(self, a: Signed, b: Signed, family: str) -> Signed:
        both = self.assembly.add(a, b) if family == "sum" else self.assembly.multiply(a, b)
        return self._noted(both, [a, b], True)

    def _noted(self, x: Signed, args: list[Signed], counted: bool) -> Signed:
        then = max((self.ready.get(arg.line, 0) for arg in args), default=0) + counted
        self.ready[x.line] = min(then, self.ready.get(x.line, then))
        return x


def _without_opposites(terms: list[Signed]) -> list[Signed]:
    """Return the terms of a sum without pairs that add up to zero."""
    left: list[Signed] = []
    for term in terms:
        if negative(term) in left:
            left.remove(negative(term))
        else:
            left.append(term)
    return left
