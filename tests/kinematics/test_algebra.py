"""The algebra under the closed forms: blocks of a pattern, bases of angle sums, trigonometric factors."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import taut
from taut.closed_form.chain import Chain
from taut.closed_form.factor import HalfAngles
from taut.closed_form.structure import blocks
from taut.closed_form.writing import LATEX, TEXT, written
from taut.polynomials.stretches import Run


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
@settings(max_examples=150, deadline=None)
def test_blocks_are_triangular_and_solvable_in_order(pattern):
    found = blocks(pattern)
    n = len(pattern)
    rng = np.random.default_rng(0)
    solvable = np.linalg.matrix_rank(np.where(pattern, rng.uniform(1, 2, (n, n)), 0)) == n
    if found is None:
        assert not solvable
        return
    assert sorted(r for b in found for r in b.rows) == list(range(n))
    assert sorted(c for b in found for c in b.columns) == list(range(n))
    known: set[int] = set()
    for block in found:
        known |= set(block.columns)
        assert {c for r in block.rows for c in range(n) if pattern[r][c]} <= known
    assert solvable


@pytest.mark.parametrize(("n", "trees"), [(1, 1), (2, 3), (3, 16)])
def test_bases_of_a_run_are_spanning_trees(n, trees):
    """Cayley: n + 1 nodes have (n + 1)^(n - 1) trees; every one gives back each joint's angle."""
    run = Run(tuple((k, 1) for k in range(n)))
    bases = list(run.bases())
    assert len(bases) == trees
    for basis, joint in product(bases, range(n)):
        total = np.zeros(n)
        for (i, j), sign in run.joint_in(basis, joint):
            total[i : j + 1] += sign
        assert list(total) == [float(k == joint) for k in range(n)]


@pytest.fixture(scope="module")
def ring():
    return Chain(taut.load("puma560").tree).ring


def sum_of_three(ring, a, b, c):
    """a2*C2 + a3*C23 + d4*S23 with other numbers in front, in single angles."""
    a2, a3, d4 = ring.plain[1], ring.plain[3], ring.plain[4]
    (c2, s2), (c3, s3) = ring.cos_sin(1), ring.cos_sin(2)
    return ring.reduced(a * a2 * c2 + b * a3 * (c2 * c3 - s2 * s3) + c * d4 * (s2 * c3 + c2 * s3))


NUMBERS = st.integers(-4, 4).filter(bool)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.booleans())
@settings(max_examples=25, deadline=None)
def test_a_product_is_taken_apart_again(ring, a, b, c, d, squared):
    half = HalfAngles(ring)
    long = sum_of_three(ring, a, b, c)
    s5, c5 = ring.cos_sin(4)[1], ring.cos_sin(4)[0]
    (c3, s3), a3, d4 = ring.cos_sin(2), ring.plain[3], ring.plain[4]
    elbow = a3 * s3 - d * d4 * c3
    whole = ring.reduced(long * elbow * s5 ** (2 if squared else 1) * c5)
    found = half.factored(whole)
    texts = {written(ring, f): power for f, power in found.factors}
    assert texts.pop("S5", 0) == (2 if squared else 1) or squared  # S5^2 may also read 1 - C5^2
    assert texts.pop("C5") == 1
    assert len(found.factors) >= 4
    back = ring.one * int(found.number.numerator)
    for f, power in found.factors:
        back *= half.in_single(f) ** power
    assert ring.reduced(back) == whole * int(found.number.denominator)


def test_a_sum_that_is_no_product_stays_whole(ring):
    half = HalfAngles(ring)
    [(factor, power)] = half.factored(sum_of_three(ring, 1, 1, 1)).factors
    assert power == 1
    assert written(ring, factor) == "a2*C2 + a3*C23 + d4*S23"
    assert written(ring, factor, LATEX) == r"a_{2}\,C_{2} + a_{3}\,C_{23} + d_{4}\,S_{23}"


def test_squares_are_written_as_they_are_shortest(ring):
    c4, s4 = ring.cos_sin(3)
    assert written(ring, 1 - s4 * s4, TEXT) == "C4^2"
    assert written(ring, c4 * c4, TEXT) == "C4^2"
    assert written(ring, s4 * s4 + c4 * c4) == "1"
