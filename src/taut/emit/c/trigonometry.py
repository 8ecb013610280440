"""Sines and cosines in C: all at once, by polynomials on vectors of angles.

The angle is reduced by k quarter turns, ``r + e = x - k pi/2``, with pi/2 in parts so short that their products
with k are exact [Cody, Waite 1980]; the part e that does not fit into r is carried into the polynomials:

.. math:: \\sin x = r + (e (1 - z/2 + z^2 Q(0)) + r z P(z)), \\quad z = r^2, \\quad
    \\cos x = 1 - z/2 + (z^2 Q(z) - e (r + r z P(0)))

The factors of e, a few units in the last place at most, are cut short, so that no polynomial waits for the other.
P and Q are near-minimax on a little more than an eighth of a turn (2^-58 and 2^-64 in double, 2^-28 and
2^-33 in float). The last two bits of k swap and negate. Angles beyond the limit, infinities too, go to the
mathematics library; a NaN stays one. Measured against exact values: below 0.85 units in the last place.

Microcontrollers (Cortex-M with a float unit) take one float at a time by the same polynomials and fused operations: no
branch, no library, angles up to 1000 rad; a continuous joint's whole turns are taken off by the caller.

Compilers without vector types, and those that keep more digits than asked for, use the mathematics library.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template

import numpy as np

from taut.emit.c.precision import Precision


@dataclass(frozen=True)
class Reduction:
    """Numbers of the reduction and the polynomials.

    Attributes:
        limit: angles up to here are reduced exactly [rad].
        big: adding and subtracting it rounds to a whole number.
        quarter: pi/2 in parts, largest first.
        sine: coefficients of P, lowest first.
        cosine: coefficients of Q.
    """

    limit: float
    big: float
    quarter: Sequence[float]
    sine: Sequence[float]
    cosine: Sequence[float]


REDUCTIONS = {
    "double": Reduction(
        limit=1e6,
        big=1.5 * 2.0**52,
        quarter=(1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21),
        sine=(
            *(-0.16666666666666632, 0.008333333333322476, -0.00019841269829839296),
            *(2.755731369866771e-06, -2.5050758696246315e-08, 1.589680798622745e-10),
        ),
        cosine=(
            *(0.0416666666666666, -0.0013888888888874457, 2.4801587289652838e-05),
            *(-2.7557314393860615e-07, 2.0875728110395604e-09, -1.1359865029785218e-11),
        ),
    ),
    "float": Reduction(
        limit=3000.0,
        big=1.5 * 2.0**23,
        quarter=(1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5633440682570896e-12),
        sine=(-0.16666655242443085, 0.008332191035151482, -0.00019518598855938762),
        cosine=(0.04166664555668831, -0.00138873013202101, 2.443066841806285e-05),
    ),
}
TWO_OVER_PI = 0.6366197723675814

SMALL_LIMIT = 1000.0
"""Angles up to here are reduced within a unit in the last place by two parts of pi/2 and fused operations [rad]."""


def support(prefix: str, precision: Precision, poly: bool) -> str:
    """Return the vector type and the functions on it that the emitted routines call."""
    lanes = precision.group
    names = {
        "R": prefix,
        "real": precision.real,
        "word": precision.word,
        "f": precision.suffix,
        "group": str(lanes),
        "half": str(lanes // 2),
        "wide_list": _listed(range(lanes)),
        "low_list": _listed(range(lanes // 2)),
        "high_list": _listed(range(lanes // 2, lanes)),
    }
    text = _NEEDS_ROUNDING + _VECTORS + _LIBM + _vector_code(precision) if poly else _VECTORS + _LIBM
    return Template(text).substitute(names)


def sums(prefix: str, _: Precision) -> str:
    """Return the macros for sines of sums and differences of angles; on numbers and vectors alike."""
    return Template(_SUMS).substitute(R=prefix)


def _listed(lanes: range) -> str:
    return ", ".join(f"x[{k}]" for k in lanes)


_NEEDS_ROUNDING = """\
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#error "-ffast-math and -Ofast break the sines of this file: leave them out, or generate with --trig libm"
#endif

"""

_VECTORS = """\
/* Vectors of the compiler where there are any: sines of several joints, or several states, at once. Where a processor
 * has half-precision arithmetic, gcc says 16: float and double are evaluated in their own precision there, too. */
#if defined(__GNUC__) && defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16)
#define ${R}_VECTORS 1
#if defined(__AVX__)
#define ${R}_LANES ${group}
#else
#define ${R}_LANES ${half}
#endif
#define ${R}_INLINE static inline __attribute__((always_inline, unused))
#define ${R}_RARE static __attribute__((noinline, cold, unused))
typedef ${real} ${R}_vector __attribute__((vector_size(${R}_LANES * sizeof(${real}))));
typedef ${word} ${R}_bits __attribute__((vector_size(${R}_LANES * sizeof(${real}))));
#else
#define ${R}_VECTORS 0
#endif

"""

_LIBM = """\
#if ${R}_VECTORS
/* Sines and cosines of a vector by the mathematics library. */
${R}_RARE void ${R}_libm(const ${R}_vector *x, ${R}_vector *s, ${R}_vector *c)
{
    for (int i = 0; i < ${R}_LANES; ++i) {
        (*s)[i] = sin${f}((*x)[i]);
        (*c)[i] = cos${f}((*x)[i]);
    }
}
#endif

"""


def _vector_code(precision: Precision) -> str:
    """Return the template of the polynomial on one vector, and of its use on a group of single angles."""
    r, lit = REDUCTIONS[precision.real], precision.literal
    exact, last = r.quarter[:-1], r.quarter[-1]
    rows = [f"const ${{R}}_vector a{k + 1} = a{k} - k * {lit(part)};" for k, part in enumerate(exact[:-1])]
    top = f"a{len(rows)}"
    reduction = "\n    ".join(["const ${R}_vector a0 = *x;", *rows])
    return f"""\
#if ${{R}}_VECTORS
/* Mark angles beyond {r.limit:g} rad, where the reduction below is not exact. */
${{R}}_INLINE void ${{R}}_mark(const ${{R}}_vector *x, ${{R}}_bits *far)
{{
    *far |= (${{R}}_bits)(*x > {lit(r.limit)}) | (${{R}}_bits)(*x < {lit(-r.limit)});
}}

/* Whether any is marked. */
${{R}}_INLINE int ${{R}}_any(const ${{R}}_bits *far)
{{
    ${{word}} any = 0;
    for (int i = 0; i < ${{R}}_LANES; ++i)
        any |= (*far)[i];
    return any != 0;
}}

/* Sines and cosines of a vector: exact reduction by quarter turns, then polynomials; error below 0.85 ulp. */
${{R}}_INLINE void ${{R}}_sincos(const ${{R}}_vector *x, ${{R}}_vector *s, ${{R}}_vector *c)
{{
    const ${{R}}_vector rounded = *x * {lit(TWO_OVER_PI)} + {lit(r.big)};
    const ${{R}}_vector k = rounded - {lit(r.big)};
    const ${{R}}_bits quadrant = (${{R}}_bits)rounded;
    {reduction}
    const ${{R}}_vector b = k * {lit(exact[-1])};
    const ${{R}}_vector r = {top} - b;
    const ${{R}}_vector e = (({top} - r) - b) - k * {lit(last)};
    const ${{R}}_vector z = r * r;
    const ${{R}}_vector y = z * z;
    const ${{R}}_vector h = z * {lit(0.5)};
    const ${{R}}_vector w = {lit(1.0)} - h;
    const ${{R}}_vector g = r * z;
    const ${{R}}_bits sine = (${{R}}_bits)(r + (g * {_by_pairs(r.sine, precision)} + e * (w + y * {lit(r.cosine[0])})));
    const ${{R}}_vector rest = (({lit(1.0)} - w) - h) - e * (r + g * {lit(r.sine[0])});
    const ${{R}}_bits cosine = (${{R}}_bits)(w + (rest + y * {_by_pairs(r.cosine, precision)}));
    const ${{R}}_bits swap = (sine ^ cosine) & (0 - (quadrant & 1));
    *s = (${{R}}_vector)(sine ^ swap ^ ((quadrant & 2) << {precision.bits - 2}));
    *c = (${{R}}_vector)(cosine ^ swap ^ (((quadrant + 1) & 2) << {precision.bits - 2}));
}}

/* The same for ${{group}} single angles, which stay in registers. */
{_one_by_one(precision) if precision.real == "float" else _group_functions(precision)}#endif

"""


def _one_by_one(precision: Precision) -> str:
    """Return the template of the polynomial for one float, for processors without vectors, by fused operations."""
    r, lit = REDUCTIONS[precision.real], precision.literal
    quarter = [float(np.float32(math.pi / 2))]
    quarter.append(math.pi / 2 - quarter[0])
    listed = "\n".join(f"    ${{R}}_sincos_one(x[{k}], s + {k}, c + {k});" for k in range(precision.group))
    return f"""\
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && defined(__ARM_FEATURE_FMA) && (__ARM_FP & 4)
/* A microcontroller that multiplies and adds floats in one instruction: one angle at a time, no branch, no library.
 * Sine and cosine of one angle up to {SMALL_LIMIT:g} rad; beyond, digits are lost: the caller takes off whole turns. */
typedef union {{
    float real;
    unsigned int bits;
}} ${{R}}_float;
${{R}}_INLINE void ${{R}}_sincos_one(float x, float *s, float *c)
{{
    ${{R}}_float rounded = {{__builtin_fmaf(x, {lit(TWO_OVER_PI)}, {lit(r.big)})}};
    const float k = rounded.real - {lit(r.big)};
    const float r = __builtin_fmaf(-k, {lit(quarter[1])}, __builtin_fmaf(-k, {lit(quarter[0])}, x));
    const float z = r * r;
    ${{R}}_float sine = {{__builtin_fmaf(r * z, {_nested(r.sine, precision)}, r)}};
    ${{R}}_float cosine = {{__builtin_fmaf(z, {_nested((-0.5, *r.cosine), precision)}, {lit(1.0)})}};
    const unsigned int quadrant = rounded.bits, swap = (sine.bits ^ cosine.bits) & (0 - (quadrant & 1));
    sine.bits ^= swap ^ ((quadrant & 2) << 30);
    cosine.bits ^= swap ^ (((quadrant + 1) & 2) << 30);
    *s = sine.real, *c = cosine.real;
}}

${{R}}_INLINE void ${{R}}_mark_group(const ${{real}} *x, ${{R}}_bits *far)
{{
    (void)x, (void)far; /* none is far: see above */
}}

${{R}}_INLINE void ${{R}}_sincos_group(const ${{real}} *x, ${{real}} *s, ${{real}} *c)
{{
{listed}
}}
#else
{_group_functions(precision).rstrip()}
#endif

"""


def _nested(coefficients: Sequence[float], precision: Precision) -> str:
    """Return the polynomial in z, lowest coefficient first, by nested multiplication."""
    text = precision.literal(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        text = f"__builtin_fmaf(z, {text}, {precision.literal(c)})"
    return text


def _by_pairs(coefficients: Sequence[float], precision: Precision) -> str:
    """Return the polynomial in z, lowest coefficient first, as one in y = z^2 of pairs: a chain half as long."""
    c = [precision.literal(x) for x in coefficients]
    pairs = [f"({a} + z * {b})" for a, b in zip(c[::2], c[1::2], strict=False)] + c[len(c) - len(c) % 2 :]
    text = pairs[-1]
    for pair in reversed(pairs[:-1]):
        text = f"({pair} + y * {text})"
    return text


def _group_functions(precision: Precision) -> str:
    def pieces(whole: bool) -> list[tuple[str, range]]:
        half = precision.group // 2
        return [("a", range(precision.group))] if whole else [("a", range(half)), ("b", range(half, precision.group))]

    def mark(whole: bool) -> str:
        parts = pieces(whole)
        rows = [f"    const ${{R}}_vector {name} = {{{_listed(lanes)}}};" for name, lanes in parts]
        return "\n".join([*rows, *(f"    ${{R}}_mark(&{name}, far);" for name, _ in parts)])

    def sincos(whole: bool) -> str:
        rows = []
        for name, lanes in pieces(whole):
            rows.append(f"    const ${{R}}_vector {name} = {{{_listed(lanes)}}};")
            rows.append(f"    ${{R}}_vector s{name}, c{name};")
            rows.append(f"    ${{R}}_sincos(&{name}, &s{name}, &c{name});")
            rows += [f"    s[{k}] = s{name}[{i}], c[{k}] = c{name}[{i}];" for i, k in enumerate(lanes)]
        return "\n".join(rows)

    def both(head: str, body: str, other: str) -> str:
        return f"{head}\n{{\n#if ${{R}}_LANES == ${{group}}\n{body}\n#else\n{other}\n#endif\n}}\n\n"

    real = "const ${real} *x"
    return both(f"${{R}}_INLINE void ${{R}}_mark_group({real}, ${{R}}_bits *far)", mark(True), mark(False)) + both(
        f"${{R}}_INLINE void ${{R}}_sincos_group({real}, ${{real}} *s, ${{real}} *c)", sincos(True), sincos(False)
    )


_SUMS = """\
/* Of a sum or difference of two angles whose sines and cosines are known. */
#define ${R}_SIN_SUM(sa, ca, sb, cb) ((sa) * (cb) + (ca) * (sb))
#define ${R}_COS_SUM(sa, ca, sb, cb) ((ca) * (cb) - (sa) * (sb))
#define ${R}_SIN_DIFFERENCE(sa, ca, sb, cb) ((sa) * (cb) - (ca) * (sb))
#define ${R}_COS_DIFFERENCE(sa, ca, sb, cb) ((ca) * (cb) + (sa) * (sb))
"""
