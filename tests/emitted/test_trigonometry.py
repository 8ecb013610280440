"""Sines and cosines of emitted C against exact ones: random angles, the hardest ones, special values."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest

from taut.emit.c import Module
from taut.emit.c.run import run_c
from taut.emit.c.trigonometry import REDUCTIONS
from taut.emit.routine import Routine
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.questions.quantity import Quantity

BITS = 256
ULPS = {"double": 0.85, "float": 0.8}
"""The stated error, in units of the last place of the result."""

FLAG_SETS = [("-O2",), ("-O2", "-march=native"), ("-O2", "-march=native", "-ffp-contract=off")]


@lru_cache
def module(precision: str) -> Module:
    g = Graph()
    q = [g.symbol(f"q{k}", Stage.CONFIGURATION) for k in range(5)]
    program = lower([f for x in q for f in (x.sin(), x.cos())])
    names = tuple(f"q{k}" for k in range(5))
    routine = Routine("sines", program, {"q": names}, (10,), Quantity("y", "sines and cosines"))
    return Module("trig", [routine], precision=precision)


def sines(angles: np.ndarray, precision: str, flags: tuple[str, ...], batch: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return sines and cosines of any number of angles, computed five at a time."""
    padded = np.zeros(-(-len(angles) // 5) * 5)
    padded[: len(angles)] = angles
    found = run_c(module(precision), module(precision).routines[0], {"q": padded.reshape(-1, 5)}, [], flags, batch)
    pairs = found.reshape(-1, 2)[: len(angles)]
    return pairs[:, 0], pairs[:, 1]


@lru_cache
def half_pi() -> int:
    """Return pi/2 * 2^BITS by Machin's formula in integers."""

    def arctan_of_inverse(n: int) -> int:
        total = term = (1 << (BITS + 32)) // n
        k, sign = 3, -1
        while term:
            term //= n * n
            total += sign * (term // k)
            k, sign = k + 2, -sign
        return total

    return (2 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))) >> 32


def exact_sine_cosine(x: float) -> tuple[Fraction, Fraction]:
    """Return sine and cosine to some 200 bits, in integers alone."""
    scaled = Fraction(x) * (1 << BITS)
    assert scaled.denominator == 1
    k, r = divmod(scaled.numerator + half_pi() // 2, half_pi())
    r -= half_pi() // 2
    sine, cosine, term, n = 0, 0, 1 << BITS, 0
    while term:
        if n % 2:
            sine += term if n % 4 == 1 else -term
        else:
            cosine += term if n % 4 == 0 else -term
        n += 1
        term = term * r // (n << BITS) if term * r >= 0 else -(-term * r // (n << BITS))
    s, c = Fraction(sine, 1 << BITS), Fraction(cosine, 1 << BITS)
    return [(s, c), (c, -s), (-s, -c), (-c, s)][k % 4]


def hardest(limit: float, dtype: type, count: int) -> np.ndarray:
    """Return representable angles nearest to multiples of a quarter turn, where reduction cancels most."""
    most = int(limit / (math.pi / 2))
    k = np.unique(np.random.default_rng(1).integers(1, most, count))
    return np.array([float(dtype(float(Fraction(int(n) * half_pi(), 1 << BITS)))) for n in k])


def ulps(found: float, exact: Fraction, precision: str) -> float:
    digits, least = (53, -1074) if precision == "double" else (24, -149)
    exponent = math.frexp(float(exact))[1] if exact else least
    return float(abs(Fraction(found) - exact) / Fraction(2) ** max(exponent - digits, least))


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("flags", FLAG_SETS, ids=["portable", "native", "unfused"])
def test_error_against_exact_values(precision: str, flags: tuple[str, ...]) -> None:
    limit, dtype = REDUCTIONS[precision].limit, np.float64 if precision == "double" else np.float32
    draw = np.random.default_rng(2)
    angles = np.concatenate([
        hardest(limit, dtype, 400),
        draw.uniform(-limit, limit, 300),
        draw.uniform(-4, 4, 500),
        np.ldexp(1.0, -np.arange(60)),
        [0.0, limit, -limit, math.pi / 4, math.pi / 2, math.pi, 1e-300 if precision == "double" else 1e-30],
    ]).astype(dtype).astype(float)  # fmt: skip
    angles = angles[np.abs(angles) <= limit]
    angles = angles[(np.abs(angles) > 2.0**-120) | (angles == 0)]  # exact integers hold these
    for batch in (False, True):
        s, c = sines(angles, precision, flags, batch)
        for x, sine, cosine in zip(angles, s, c, strict=True):
            exact = exact_sine_cosine(float(x))
            assert ulps(float(sine), exact[0], precision) < ULPS[precision], x
            assert ulps(float(cosine), exact[1], precision) < ULPS[precision], x


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double has no more digits than double here")
@pytest.mark.parametrize("flags", FLAG_SETS, ids="_".join)
def test_error_over_a_million_angles(flags: tuple[str, ...]) -> None:
    draw = np.random.default_rng(4)
    angles = np.concatenate([draw.uniform(-limit, limit, 400_000) for limit in (1e6, 8, 0.8)])
    s, c = sines(angles, "double", flags, batch=True)
    for found, exact in ((s, np.sin(angles.astype(np.longdouble))), (c, np.cos(angles.astype(np.longdouble)))):
        error = np.abs(found - exact) / np.spacing(np.abs(exact).astype(float))
        assert float(error.max()) < ULPS["double"]


@pytest.mark.parametrize("precision", ["double", "float"])
def test_far_angles_go_to_the_library_and_special_values_stay_special(precision: str) -> None:
    dtype = np.float64 if precision == "double" else np.float32
    angles = np.array([1.0, 2e6, -3e9, 1e22, 0.5, 7e6, 1.0], dtype).astype(float)
    for batch in (False, True):
        s, c = sines(np.tile(angles, 10), precision, ("-O2",), batch)
        assert np.allclose(s, np.sin(np.tile(angles, 10)), rtol=0, atol=1e-7 if precision == "float" else 1e-15)
        assert np.allclose(c, np.cos(np.tile(angles, 10)), rtol=0, atol=1e-7 if precision == "float" else 1e-15)
        s, c = sines(np.array([np.nan, np.inf, -np.inf, 0.0, 1e-40]), precision, ("-O2",), batch)
        assert np.isnan(s[:3]).all() and np.isnan(c[:3]).all()
        assert s[3] == 0 and c[3] == 1 and c[4] == 1
