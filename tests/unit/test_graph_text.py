"""Formulas evaluate to what they say; the text form reads back to the same graph."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from taut.errors import InputError
from taut.graph import Graph, Stage
from taut.graph.evaluate import evaluate
from taut.graph.prove import equal
from taut.graph.text import dump, number_text, parse, to_text
from unit.random_expressions import ROUNDING, SMOOTH, SYMBOLS, Rounding, defined, expressions

VALUES = {"m": 1.3, "a": -0.7, "q1": 0.4, "q2": -1.1, "qd": 0.9, "qdd": -0.3}


@given(expressions())
def test_the_text_form_reads_back_to_the_same_graph(outputs):
    text = dump(outputs)
    _, again = parse(text)
    assert dump(again) == text
    assume(defined(outputs))
    assert equal(outputs, again)


@given(expressions(SMOOTH))
def test_a_formula_has_the_value_of_its_node(outputs):
    node = outputs[-1]
    text = to_text(node)
    value = eval(text.replace("^", "**"), {"sin": math.sin, "cos": math.cos, **VALUES})
    [bound] = evaluate([node], {name: Rounding(abs(x)) for name, x in VALUES.items()}, ROUNDING)
    assert abs(value - evaluate([node], VALUES)[0]) <= 4 * bound.bound


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (lambda x, y: x - (y - 2 * x * y), "x - (y - 2*x*y)"),
        (lambda x, y: -((x + y) ** 2), "-(x + y)^2"),
        (lambda x, y: (x / y) ** 3, "(x/y)^3"),
        (lambda x, y: 1 / (x * y), "1/(x*y)"),
        (lambda x, y: x / y**2 / 3, "1/3*x/y^2"),
        (lambda x, y: x / (y * (x + 1)), "x/(y*(x + 1))"),
        (lambda x, y: (0.1 * x - y).sin() * -2, "-2*sin(0.1*x - y)"),
        (lambda x, y: (x + y).sqrt() + x.sign() - 0.5, "sqrt(x + y) + sign(x) - 1/2"),
        (lambda x, y: x - x - 3, "-3"),
    ],
)
def test_formulas(build, text):
    graph = Graph()
    assert to_text(build(graph.symbol("x"), graph.symbol("y"))) == text


@pytest.mark.parametrize("name", ['a "b"', "x y", "q̈₁", "", "\n", "\\", "%1", "\ud800", "\u2028", "a\tb", "'"])
def test_any_symbol_name_survives(name):
    graph = Graph()
    node = graph.symbol(name, Stage.APPLIED) + graph.symbol("other")
    text = dump([node])
    assert len(text.split("\n")) == 6
    _, [again] = parse(text)
    assert [(arg.name, arg.stage) for arg in again.args] == [(name, Stage.APPLIED), ("other", Stage.PARAMETER)]
    assert dump([again]) == text


@given(st.one_of(st.fractions(), st.floats(allow_nan=False, allow_infinity=False), st.integers()))
def test_numbers_are_exact(value):
    graph = Graph()
    node = graph.constant(value)
    _, [again] = parse(dump([node]))
    assert again.value == Fraction(value)


def test_a_double_is_written_short():
    assert number_text(Fraction(9.81)) == "9.81"
    assert number_text(Fraction(1, 3)) == "1/3"
    assert number_text(Fraction(2.0**-1074)) == "5e-324"


def test_deep_chains_need_no_recursion():
    graph = Graph()
    x = graph.symbol("x")
    node = x
    for i in range(20_000):
        node = (node * x + i).sin() if i % 2 else node + x.cos() * node
    text = dump([node])
    assert dump(parse(text)[1]) == text
    with pytest.raises(InputError, match="longer than 5000"):
        to_text(node, limit=5000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: begins with ''"),
        ("taut graph 1\n", "no outputs"),
        ("taut graph 1\n%0 = sin %1\noutputs %0", "line 2: %1 is not defined before its use"),
        ("taut graph 1\n%0 = tan %1\noutputs %0", "line 2: unknown operation 'tan'"),
        ("taut graph 1\n%0 = constant x\noutputs %0", "line 2: found 'x', expected a number"),
        ("taut graph 1\n%0 = constant 1/0\noutputs %0", "line 2: divides by zero"),
        ("taut graph 1\n%0 = constant 1e999\noutputs %0", "line 2: inf is not a finite number"),
        ("taut graph 1\n%0 = constant 0\n%1 = product 1 %0^-1\noutputs %1", "line 3: divides by zero"),
        ("taut graph 1\n%0 = symbol parameter x\noutputs %0", "line 2: found 'parameter x', expected a stage"),
        ('taut graph 1\n%0 = symbol slow "x"\noutputs %0', "expected a stage"),
        ("taut graph 1\nhello\noutputs", "line 2: found 'hello'"),
        ("taut graph 1\noutputs\noutputs", "line 3: nothing may follow"),
        ("taut graph 1\n%0 = constant " + "9" * 5000 + "\noutputs %0", "expected a number"),
    ],
)
def test_bad_text_is_one_sentence(text, message):
    with pytest.raises(InputError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_outputs_of_two_graphs_are_refused():
    with pytest.raises(InputError, match="different graphs"):
        dump([Graph().symbol("x"), Graph().symbol("x")])


SCRIPT = """
from unit.random_expressions import SYMBOLS
from taut.graph import Graph
from taut.graph.derivative import jacobian
from taut.graph.lower import lower
from taut.graph.prove import fingerprint
from taut.graph.text import dump
g = Graph()
m, a, q1, q2, qd, qdd = (g.symbol(name, SYMBOLS[name]) for name in ("m", "a", "q1", "q2", "qd", "qdd"))
y = [(q1 + 2 * q2).sin() * m * qd**3 / (a + q2.cos()), (qd - qdd) * (q1 + q2).cos().sqrt() * 2.5 - m * 3 * q1]
y += [x for row in jacobian(y, [q1, q2, qd, m]) for x in row]
print(dump(y), lower(y).to_text(), fingerprint(y))
"""


def test_two_processes_with_different_hash_seeds_write_the_same_bytes():
    texts = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        texts.add(run.stdout)
    assert len(texts) == 1
    assert all(f'"{name}"' in min(texts) for name in SYMBOLS)
