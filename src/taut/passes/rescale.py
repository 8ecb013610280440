r"""Drops multiplications by constants by computing multiples of intermediate values.

Nobody sees the intermediate values: a program may compute :math:`s_n n` instead of :math:`n`, with
:math:`s_n` a product of powers of off-line constants, if the scales fit together:

.. math::
    n = a \pm b &: \quad \log s_n = \log s_a = \log s_b \\
    n = a \, b &: \quad \log s_n = \log s_a + \log s_b \\
    n = a / b &: \quad \log s_n = \log s_a - \log s_b

and are one for inputs, outputs and arguments of functions. A line :math:`n = c\,x` becomes
:math:`(c\,s_n / s_x)` times the scaled :math:`x`, and drops out where :math:`\log s_x - \log s_n = \log c`.
Each such equation that is independent of the others is one multiplication less. Scales that would need a
root are not taken.

The scales divide by constants of the program: where a parameter that had been left open later gets the
value zero, or one that makes such a constant zero, the program has to be made again for that value. Where that must not
be, only scales are taken that multiply constants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import gcd

from taut.graph.assembly import Assembly
from taut.graph.node import Graph
from taut.graph.program import Line, Program, Signed
from taut.graph.stage import Stage

Exponents = dict[int, int]
"""Integer multiples of unknowns, or exponents of constants, by number; no zeros among them."""


Items = tuple[tuple[int, int], ...]


def rescale(program: Program, polynomial: bool = False) -> Program:
    """Return a program of the same outputs with fewer multiplications by constants; equal if there are none to drop.

    Args:
        program: any.
        polynomial: whether constants may only be multiplied, never divided by others, so that the new program is right
            wherever the old one is.

    >>> from taut.graph.lower import lower
    >>> g = Graph()
    >>> a, b, c = (g.symbol(name) for name in "abc")
    >>> x, y = (g.symbol(name, Stage.VELOCITY) for name in "xy")
    >>> shared = a * (x * y)
    >>> program = lower([b * shared * x, c * shared * y])
    >>> [sum(line.counted for line in p.lines) for p in (program, rescale(program))]
    [6, 5]
    """
    scales = _scales(program, polynomial)
    return _rebuilt(program, scales) if any(scales) else program


def _known(line: Line) -> bool:
    return line.stage <= Stage.PARAMETER


# -- which scales -------------------------------------------------------------------


def _scales(program: Program, polynomial: bool) -> list[Exponents]:
    """Return for each line the exponents of the constants that its value is multiplied by."""
    lines = program.lines
    group = _groups(program)
    still = {group[i] for i in _unscaled(program)}
    if polynomial:
        still |= {group[line.args[1]] for line in lines if line.op == "div"}

    def unknowns(*terms: tuple[int, int]) -> Exponents:
        return _combined((coefficient, {group[i]: 1}) for coefficient, i in terms if group[i] not in still)

    system = _Scales()
    droppable: list[tuple[Exponents, Exponents]] = []
    vanishing = _vanishing(program)
    for n, line in enumerate(lines):
        if not line.counted or line.op not in ("mul", "div"):
            continue
        a, b = line.args
        sign = 1 if line.op == "mul" else -1
        if _known(lines[b]) or (_known(lines[a]) and line.op == "mul"):
            c, x = (b, a) if _known(lines[b]) else (a, b)
            if c not in vanishing:
                droppable.append((unknowns((1, x), (-1, n)), {c: sign}))
        elif not _known(lines[a]):  # the constant of c / x takes up any scale
            system.require(unknowns((1, n), (-1, a), (-sign, b)))
    if polynomial:
        system.satisfy_whole(droppable, _needed(program, unknowns))
    else:
        system.satisfy(droppable)
    return [{} if group[i] in still else system.solution(group[i]) for i in range(len(lines))]


def _needed(program: Program, unknowns: Callable[..., Exponents]) -> list[tuple[Exponents, Exponents]]:
    """Return each constant operand with the scales that it takes up."""
    lines = program.lines
    found = []
    for n, line in enumerate(lines):
        if not line.counted:
            continue
        a, b = line.args
        for c, x, second in ((a, b, False), (b, a, True)):
            if not _known(lines[c]):
                continue
            if line.op == "mul":
                taken = unknowns((1, n), (-1, x))
            elif line.op == "div":
                taken = unknowns((1, x), (-1, n)) if second else unknowns((1, n), (1, x))
            else:
                taken = unknowns((1, n))
            found.append((taken, {c: 1}))
    return found


def _groups(program: Program) -> list[int]:
    """Return a number for each line, the same for lines that sums tie to one scale."""
    above = list(range(len(program.lines)))

    def top(i: int) -> int:
        while above[i] != i:
            above[i] = above[above[i]]
            i = above[i]
        return i

    for i, line in enumerate(program.lines):
        if line.op in ("add", "sub", "neg") and not _known(line):
            for arg in line.args:
                if not _known(program.lines[arg]):
                    above[top(arg)] = top(i)
    return [top(i) for i in range(len(above))]


def _unscaled(program: Program) -> Iterable[int]:
    """Yield the lines whose values must stay as they are."""
    yield from (line for _, line in program.outputs)
    for i, line in enumerate(program.lines):
        if line.op not in ("add", "sub", "mul", "div", "neg") or _known(line):
            yield i
            yield from line.args
        elif line.free:  # an angle
            yield i


def _vanishing(program: Program) -> set[int]:
    """Return the off-line lines that are zero whatever the parameters are."""
    known = range(program.start)
    traced = Program(program.lines[: program.start], tuple(Signed(1, i) for i in known)).trace(Graph())
    return {i for i, node in zip(known, traced, strict=True) if node.is_zero}


class _Scales:
    """Linear equations between logarithms of scales, kept solved; all coefficients stay whole numbers.

    ``rows[u] = (v, c)`` means that unknown u is ``sum v[w] w + sum c[k] log k`` over free unknowns w.
    """

    def __init__(self) -> None:
        self.rows: dict[int, tuple[Exponents, Exponents]] = {}
        self.uses: dict[int, set[int]] = {}

    def solution(self, unknown: int) -> Exponents:
        """Return the exponents of an unknown where all free ones are zero."""
        return self.rows[unknown][1] if unknown in self.rows else {}

    def require(self, equation: Exponents) -> None:
        """Require ``sum equation[u] u`` to be zero; where that needs fractions, each of its unknowns."""
        rest, _ = self._reduced(equation)
        content = gcd(*rest.values())
        rest = {u: k // content for u, k in rest.items()}
        if not self._solve(rest, {}):
            for u in rest:
                self._solve(self._reduced({u: 1})[0], {})

    def satisfy(self, equations: Iterable[tuple[Exponents, Exponents]]) -> None:
        """Let many sums of unknowns be the logarithms of their constants, none that needs roots.

        Each choice settles other equations, too. The one that most of them have become comes first.
        """
        left = list(equations)
        while left:
            left = [self._with_constant(*equation) for equation in left]
            left = [(rest, constant) for rest, constant in left if any(abs(k) == 1 for k in rest.values())]
            alike = Counter(_canonical(*equation) for equation in left)
            for (equation, constant), _ in alike.most_common(1):
                self._solve(dict(equation), dict(constant))

    def satisfy_whole(
        self, equations: Iterable[tuple[Exponents, Exponents]], constants: Sequence[tuple[Exponents, Exponents]]
    ) -> None:
        """Let sums of unknowns be the logarithms of their constants where no scale divides a constant.

        Args:
            equations: as in :meth:`satisfy`.
            constants: (unknowns, exponents) of each constant that takes up scales; its exponents must stay positive.
        """
        left, refused = list(equations), set[tuple[Items, Items]]()
        while left:
            reduced = [self._with_constant(*equation) for equation in left]
            left = [one for one in reduced if one[0] and _canonical(*one) not in refused]
            if not left:
                return
            chosen = Counter(_canonical(*one) for one in left).most_common(1)[0][0]
            equation, constant = dict(chosen[0]), dict(chosen[1])
            kept = self.rows, self.uses
            for pivot in sorted(u for u, k in equation.items() if abs(k) == 1):
                self.rows, self.uses = dict(kept[0]), {u: set(users) for u, users in kept[1].items()}
                self._solve(equation, constant, pivot)
                if all(self._is_whole(*one) for one in constants):
                    break
            else:
                self.rows, self.uses = kept
                refused.add(chosen)

    def _is_whole(self, unknowns: Exponents, exponents: Exponents) -> bool:
        taken = _combined([(1, exponents), *((k, self.solution(u)) for u, k in unknowns.items())])
        return all(k > 0 for k in taken.values())

    def _with_constant(self, equation: Exponents, constant: Exponents) -> tuple[Exponents, Exponents]:
        rest, known = self._reduced(equation)
        return rest, _combined([(1, constant), (-1, known)])

    def _reduced(self, equation: Exponents) -> tuple[Exponents, Exponents]:
        rows = [(k, *self.rows.get(u, ({u: 1}, {}))) for u, k in equation.items()]
        return _combined((k, v) for k, v, _ in rows), _combined((k, c) for k, _, c in rows)

    def _solve(self, equation: Exponents, constant: Exponents, pivot: int | None = None) -> bool:
        """Solve for an unknown, by default the one that the fewest others depend on among those without a factor."""
        units = [u for u, k in equation.items() if abs(k) == 1]
        if not units:
            return False
        if pivot is None:
            pivot = min(units, key=lambda u: (len(self.uses.get(u, ())), u))
        sign = equation[pivot]
        row = {u: -sign * k for u, k in equation.items() if u != pivot}, {u: sign * k for u, k in constant.items()}
        for u in self.uses.pop(pivot, set()):
            old, c = self.rows[u]
            factor = old[pivot]
            v = {w: k for w, k in old.items() if w != pivot}
            self._set(u, _combined([(1, v), (factor, row[0])]), _combined([(1, c), (factor, row[1])]))
        self._set(pivot, *row)
        return True

    def _set(self, unknown: int, v: Exponents, c: Exponents) -> None:
        old = self.rows[unknown][0] if unknown in self.rows else {}
        for u in old.keys() - v.keys():
            self.uses.get(u, set()).discard(unknown)
        for u in v:
            self.uses.setdefault(u, set()).add(unknown)
        self.rows[unknown] = v, c


def _canonical(equation: Exponents, constant: Exponents) -> tuple[Items, Items]:
    """Return an equation in a form that does not depend on its sign."""
    sign = 1 if equation[min(equation)] > 0 else -1
    return _items(sign, equation), _items(sign, constant)


def _items(sign: int, exponents: Exponents) -> Items:
    return tuple((u, sign * exponents[u]) for u in sorted(exponents))


def _combined(terms: Iterable[tuple[int, Mapping[int, int]]]) -> Exponents:
    total: Exponents = {}
    for factor, exponents in terms:
        for u, k in exponents.items():
            total[u] = total.get(u, 0) + factor * k
    return {u: k for u, k in total.items() if k}


# -- the scaled program ---------------------------------------------------------------


def _rebuilt(program: Program, scales: Sequence[Exponents]) -> Program:
    assembly = Assembly()
    ref: list[Signed] = []

    def constant(exponents: Exponents) -> Signed:
        above = [assembly.power(ref[c], k) for c, k in sorted(exponents.items()) if k > 0]
        below = [assembly.power(ref[c], -k) for c, k in sorted(exponents.items()) if k < 0]
        return assembly.divide(assembly.product(above), assembly.product(below)) if below else assembly.product(above)

    def scaled(arg: int, *scale: tuple[int, Exponents]) -> Signed:
        """Return an operand: constants absorb the difference in scale, anything else has its scale already."""
        exponents = _combined(scale) if _known(program.lines[arg]) else {}
        return constant(_combined([(1, exponents), (1, {arg: 1})])) if exponents else ref[arg]

    for line, own in zip(program.lines, scales, strict=True):
        args = [ref[arg] for arg in line.args]
        if line.counted:
            a, b = line.args
            of_a, of_b = scales[a], scales[b]
            if line.op == "mul":
                args = [scaled(a, (1, own), (-1, of_b)), scaled(b, (1, own), (-1, of_a))]
            elif line.op == "div":
                args = [scaled(a, (1, own), (1, of_b)), scaled(b, (1, of_a), (-1, own))]
            else:
                args = [scaled(a, (1, own)), scaled(b, (1, own))]
        ref.append(assembly.copy(line, args))
    return assembly.program([Signed(sign * ref[line].sign, ref[line].line) for sign, line in program.outputs])
