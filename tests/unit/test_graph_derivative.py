"""Derivatives against dual numbers (exactly) and complex steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given

from taut.errors import InputError
from taut.graph import Graph, Stage
from taut.graph.derivative import gradient, jacobian, tangent
from taut.graph.evaluate import Arithmetic, evaluate
from taut.graph.prove import equal
from unit.random_expressions import MODULAR, SYMBOLS, Mod, defined, expressions, modular, modular_point

HALF = Mod(2) ** -1


@dataclass(frozen=True)
class Dual:
    """x + x' e with e^2 = 0: carries a derivative by the rules of arithmetic alone."""

    x: Mod
    d: Mod

    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(Mod(o), Mod(0))
        return Dual(self.x + o.x, self.d + o.d)

    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(Mod(o), Mod(0))
        return Dual(self.x * o.x, self.d * o.x + self.x * o.d)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, e):
        return Dual(self.x**e, modular(e) * self.x ** (e - 1) * self.d)


def _function(name, slope):
    return lambda a: Dual(MODULAR.functions[name](a.x), slope(a.x) * a.d)


DUAL = Arithmetic(
    lambda r: Dual(modular(r), Mod(0)),
    pow,
    {
        "sin": _function("sin", MODULAR.functions["cos"]),
        "cos": _function("cos", lambda x: -MODULAR.functions["sin"](x)),
        "sign": _function("sign", lambda x: Mod(0)),
        "sqrt": _function("sqrt", lambda x: HALF / MODULAR.functions["sqrt"](x)),
    },
)


@given(expressions())
def test_jacobian_agrees_with_dual_numbers_exactly(outputs):
    graph = outputs[0].graph
    symbols = [graph.symbol(name, stage) for name, stage in SYMBOLS.items()]
    point = modular_point()
    try:
        rows = [evaluate(row, point, MODULAR) for row in jacobian(outputs, symbols)]
        columns = [evaluate(outputs, {n: Dual(v, Mod(n == name)) for n, v in point.items()}, DUAL) for name in SYMBOLS]
    except ValueError:  # a division by zero
        assume(False)
    assert [list(row) for row in zip(*([y.d for y in column] for column in columns), strict=True)] == rows


@given(expressions())
def test_forward_and_reverse_agree(outputs):
    graph = outputs[0].graph
    symbols = [graph.symbol(name, stage) for name, stage in SYMBOLS.items()]
    assume(defined(outputs))
    forward = [tangent(outputs, {symbol: 1}) for symbol in symbols]
    reverse = [gradient(output, symbols) for output in outputs]
    left = [x for column in forward for x in column]
    right = [reverse[i][j] for j in range(len(symbols)) for i in range(len(outputs))]
    assume(defined([*left, *right]))
    assert equal(left, right)


def test_complex_step():
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    f = (x * y + 0.3).sin() * (x**2 + y**4).sqrt() / (2 + x.cos()) ** 3 - x**-2 * y
    [[dx, dy]] = jacobian([f], [x, y])
    for a, b in np.random.default_rng(3).uniform(0.5, 1.5, (20, 2)):
        exact = evaluate([dx, dy], {"x": a, "y": b})
        steps = [(1e-20j, 0), (0, 1e-20j)]
        stepped = [
            evaluate([f], {"x": np.complex128(a + h), "y": np.complex128(b + k)})[0].imag / 1e-20 for h, k in steps
        ]
        # Some thirty roundings of numbers below 20.
        assert np.allclose(exact, stepped, rtol=0, atol=30 * 20 * 2.0**-52)


def test_structure():
    graph = Graph()
    q, qd, m = graph.symbol("q", Stage.CONFIGURATION), graph.symbol("qd", Stage.VELOCITY), graph.symbol("m")
    assert gradient(m * q.sin(), [q, qd, m]) == [m * q.cos(), graph.constant(0), q.sin()]
    assert gradient(q.sign() * q, [q]) == [q.sign()]
    assert gradient(q, [q]) == [graph.constant(1)]
    assert gradient(graph.constant(3), [q]) == [graph.constant(0)]
    assert tangent([q**3], {q: qd}) == [3 * q**2 * qd]
    assert jacobian([q, m], []) == [[], []]
    assert jacobian([], [q]) == []


def test_deep_chain():
    graph = Graph()
    x = graph.symbol("x")
    node = x
    for _ in range(5000):
        node = (node * x).sin()
    assert not gradient(node, [x])[0].is_zero


def test_only_symbols():
    graph = Graph()
    with pytest.raises(InputError, match="cannot differentiate by"):
        gradient(graph.symbol("x"), [graph.symbol("x").sin()])
