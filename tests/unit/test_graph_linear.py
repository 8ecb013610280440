"""Affine dependence, found and proved."""

from __future__ import annotations

import pytest

from taut.graph import Graph, Stage
from taut.graph.linear import linear_in
from taut.graph.prove import equal


@pytest.fixture
def symbols():
    graph = Graph()
    return [graph.symbol(n) for n in ("m", "h", "i")] + [graph.symbol("q", Stage.CONFIGURATION)]


def test_coefficients_rebuild_the_expression(symbols):
    m, h, i, q = symbols
    outputs = [m * q.sin() * 2 + (h - m) * (q.cos() + 1) - q, 3 * i, q * 0 + 5]
    form = linear_in(outputs, [m, h, i])
    assert form is not None
    rebuilt = [
        sum((c * x for c, x in zip(row, (m, h, i), strict=True)), start=rest)
        for row, rest in zip(form.matrix, form.rest, strict=True)
    ]
    assert equal(outputs, rebuilt)
    assert [x.is_zero for x in form.matrix[1]] == [True, True, False]
    assert form.rest[0] is -q


def test_dependence_that_cancels_is_seen_through(symbols):
    m, h, _, q = symbols
    square = (m + q) * (m + q) - m * m  # q^2 + 2 m q, not folded
    form = linear_in(square, [m])
    assert form is not None
    assert equal(form.matrix[0], [2 * q])
    assert equal(form.rest, [q * q])
    assert linear_in((m * m + m * h) / m, [m]) is not None


@pytest.mark.parametrize(
    "build",
    [
        lambda m, h: m * m,
        lambda m, h: m * h,
        lambda m, h: m.sin(),
        lambda m, h: m.sign() * m,
        lambda m, h: 1 / m,
        lambda m, h: (m * m + h).sqrt(),
    ],
)
def test_what_is_not_affine(symbols, build):
    m, h, *_ = symbols
    assert linear_in(build(m, h), [m, h]) is None


def test_one_symbol_may_be_a_coefficient_of_the_other(symbols):
    m, h, *_ = symbols
    form = linear_in(m * h, [m])
    assert form is not None
    assert form.matrix == [[h]]


def test_nothing_to_ask():
    form = linear_in([], [])
    assert form is not None
    assert form.matrix == []
