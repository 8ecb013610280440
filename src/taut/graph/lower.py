"""How many lines does a graph need?  From n-ary nodes to a three-address program.

* A sum of k terms is k - 1 additions; what is known off line is added up first, off line.
* A coefficient of -1 is free; any other costs one multiplication, unless it merges with a
  parameter-stage factor inside its term into one off-line constant.
* The parameter-stage factors of a product are one off-line constant; powers are by repeated squaring.
* A division is one line; a reciprocal that several products need is computed once.
* Sums of angles that only sines and cosines use are formed for free.

Early stages come first inside sums and products, so that as little as possible waits for the late ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from taut.graph.node import ODD, Node, Rational, topological
from taut.graph.program import Line, Program, Signed
from taut.graph.stage import Stage

COMMUTATIVE = ("add", "mul")


def lower(outputs: Sequence[Node]) -> Program:
    """Return the program that computes the outputs; the same lines for the same graph."""
    return _Lowering(outputs).program()


class _Lowering:
    def __init__(self, outputs: Sequence[Node]) -> None:
        self.outputs = outputs
        self.lines: list[Line] = []
        self.table: dict[Any, int] = {}
        self.ref: dict[Node, Signed] = {}
        self.one = self._constant(1)
        order = topological(outputs)
        self.valued, self.angles = _demands(order, outputs)
        live = [node for node in order if node in self.valued or node in self.angles]
        self.uses = _uses(live, outputs)
        self.shared_reciprocals = _shared_reciprocals(live)
        self.scale, self.relieved = self._merged_numbers(live)
        for node in live:
            self.ref[node] = self._node(node)

    def program(self) -> Program:
        """Return the lines that are needed, off-line ones first."""
        outputs = [self.ref[node] for node in self.outputs]
        needed = set()
        stack = [line for _, line in outputs]
        while stack:
            i = stack.pop()
            if i not in needed:
                needed.add(i)
                stack.extend(self.lines[i].args)
        order = sorted(needed, key=lambda i: (self.lines[i].stage > Stage.PARAMETER, i))
        place = {i: k for k, i in enumerate(order)}
        lines = [self._placed(self.lines[i], place) for i in order]
        return Program(tuple(lines), tuple(Signed(sign, place[line]) for sign, line in outputs))

    def _placed(self, line: Line, place: dict[int, int]) -> Line:
        args = [place[arg] for arg in line.args]
        return line._replace(args=tuple(sorted(args) if line.op in COMMUTATIVE else args))

    # -- nodes ----------------------------------------------------------------

    def _node(self, node: Node) -> Signed:
        if node.op == "constant":
            return self._constant(node.data)
        if node.op == "symbol":
            return Signed(1, self._line("input", (), node.stage, node.data))
        if node.op == "sum":
            return self._sum(node)
        if node.op == "product":
            return self._product(node)
        sign, line = self.ref[node.args[0]]
        if sign < 0 and node.op == "sqrt":
            line = self._line("neg", (line,))
        result = self._line(node.op, (line,))
        return Signed(sign if node.op in ODD else 1, result)

    def _sum(self, node: Node) -> Signed:
        free = node not in self.valued
        constant, coefficients = node.data
        terms = [] if constant == 0 else [self._constant(constant)]
        for arg, coefficient in zip(node.args, coefficients, strict=True):
            number = self._constant(_sign(coefficient) if arg in self.relieved else coefficient)
            terms.append(self._times(number, self.ref[arg]))
        return self._total(sorted(terms, key=self._stage), free)

    def _product(self, node: Node) -> Signed:
        coefficient, exponents = node.data
        number = (_sign(coefficient) if node in self.relieved else coefficient) * self.scale.get(node, 1)
        known: list[Signed] = []
        above: list[Signed] = []
        below: list[Signed] = []
        for arg, exponent in zip(node.args, exponents, strict=True):
            factor, size = self.ref[arg], abs(exponent)
            if exponent < 0 and (arg.stage <= Stage.PARAMETER or arg in self.shared_reciprocals):
                factor = self._divide(self.one, factor)
                exponent = size
            part = below if exponent < 0 else known if arg.stage <= Stage.PARAMETER else above
            part.append(self._power(factor, size))
        above.sort(key=self._stage)
        constant = self._multiplied([self._constant(number), *known])
        if constant.line == self.one.line or not (known or self._used_once(node)):
            result = self._multiplied([*above, constant])  # others may need the bare product: the number comes last
        else:  # the off-line constant meets the earliest factors, so that late stages have less to do
            early = [x for x in above if self._stage(x) == self._stage(above[0])]
            result = self._multiplied([self._multiplied(early), constant, *above[len(early) :]])
        return self._divide(result, self._multiplied(sorted(below, key=self._stage))) if below else result

    def _merged_numbers(self, live: Iterable[Node]) -> tuple[dict[Node, Rational], set[Node]]:
        """Return the number that each product takes into its off-line constant, and the nodes that give theirs away.

        The graph keeps numbers outermost; here they go back down to a parameter, through products
        that nothing else uses.
        """
        taker: dict[Node, Node] = {}
        scale: dict[Node, Rational] = {}
        relieved: set[Node] = set()

        def hand_down(giver: Node, coefficient: Rational) -> None:
            scale[taker[giver]] = coefficient * _sign(coefficient)
            relieved.add(giver)

        for node in live:
            if node.op == "sum":
                for arg, coefficient in zip(node.args, node.data[1], strict=True):
                    if abs(coefficient) != 1 and arg in taker and self._used_once(arg):
                        hand_down(arg, coefficient)
            elif node.op == "product" and node.stage > Stage.PARAMETER:
                coefficient, exponents = node.data
                if any(factor.stage <= Stage.PARAMETER for factor in node.args):
                    taker[node] = node
                    continue
                for factor, exponent in zip(node.args, exponents, strict=True):
                    if exponent == 1 and factor in taker and self._used_once(factor):
                        taker[node] = taker[factor]
                        if abs(coefficient) != 1:
                            hand_down(node, coefficient)
                        break
        return scale, relieved

    def _used_once(self, product: Node) -> bool:
        return self.uses[product.args, product.data[1]] == 1

    # -- operations -------------------------------------------------------------

    def _stage(self, x: Signed) -> Stage:
        return self.lines[x.line].stage

    def _constant(self, value: Rational) -> Signed:
        return Signed(_sign(value), self._line("constant", (), Stage.CONSTANT, abs(value)))

    def _total(self, terms: list[Signed], free: bool) -> Signed:
        total = terms[0]
        for term in terms[1:]:
            if total.sign == term.sign:
                total = Signed(total.sign, self._line("add", (total.line, term.line), free=free))
            else:
                plus, minus = (total, term) if total.sign > 0 else (term, total)
                total = self._subtract(plus.line, minus.line, free)
        return total

    def _subtract(self, a: int, b: int, free: bool) -> Signed:
        if ("sub", None, b, a) in self.table:
            return Signed(-1, self._line("sub", (b, a), free=free))
        return Signed(1, self._line("sub", (a, b), free=free))

    def _times(self, a: Signed, b: Signed) -> Signed:
        sign = a.sign * b.sign
        if a.line == self.one.line:
            return Signed(sign, b.line)
        if b.line == self.one.line:
            return Signed(sign, a.line)
        return Signed(sign, self._line("mul", (a.line, b.line)))

    def _multiplied(self, factors: Sequence[Signed]) -> Signed:
        result = self.one
        for factor in factors:
            result = self._times(result, factor)
        return result

    def _divide(self, a: Signed, b: Signed) -> Signed:
        return Signed(a.sign * b.sign, self._line("div", (a.line, b.line)))

    def _power(self, x: Signed, exponent: int) -> Signed:
        """Return x ** exponent, exponent > 0, by repeated squaring."""
        if exponent == 1:
            return x
        result = self.one
        while True:
            if exponent & 1:
                result = self._times(result, x)
            exponent >>= 1
            if not exponent:
                return result
            x = self._times(x, x)

    def _line(
        self, op: str, args: tuple[int, ...], stage: Stage | None = None, data: Any = None, free: bool = False
    ) -> int:
        if op in COMMUTATIVE:
            args = tuple(sorted(args))
        key = (op, data, *args)
        if key in self.table:
            i = self.table[key]
            if self.lines[i].free and not free:  # formed for an angle, but now needed as a value
                self.lines[i] = self.lines[i]._replace(free=False)
            return i
        if stage is None:
            stage = max(self.lines[arg].stage for arg in args)
        self.table[key] = len(self.lines)
        self.lines.append(Line(op, args, stage, data, free))
        return self.table[key]


def _sign(number: Rational) -> int:
    return -1 if number < 0 else 1


def _demands(order: Sequence[Node], outputs: Iterable[Node]) -> tuple[set[Node], set[Node]]:
    """Return the nodes needed as values, and those needed as angles of sines and cosines."""
    valued, angles = set(outputs), set[Node]()
    for node in reversed(order):
        if node not in valued and node not in angles:
            continue
        if node.op in ("sin", "cos"):
            angles.update(node.args)
        elif node.op == "sum" and node not in valued:
            for arg, coefficient in zip(node.args, node.data[1], strict=True):
                (angles if abs(coefficient) == 1 else valued).add(arg)
        else:
            valued.update(node.args)
    return valued, angles


def _uses(live: Iterable[Node], outputs: Iterable[Node]) -> Counter[Any]:
    """Count the uses of products, by factors and exponents: a coefficient alone makes no other product."""
    counted: Counter[Any] = Counter()
    for used in [*outputs, *(arg for node in live for arg in node.args)]:
        if used.op == "product":
            counted[used.args, used.data[1]] += 1
    return counted


def _shared_reciprocals(live: Iterable[Node]) -> set[Node]:
    dividing = Counter(
        arg for node in live if node.op == "product" for arg, e in zip(node.args, node.data[1], strict=True) if e < 0
    )
    return {node for node, count in dividing.items() if count > 1}
