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


def support(prefix: str, precision: Precision, poly: bool, batch: bool) -> str:
    """Return the vector types and the functions on them that the emitted routines call.

    Args:
        prefix: that names begin with.
        precision: of the numbers.
        poly: whether sines are computed by polynomials, else by the mathematics library.
        batch: whether there are functions of several states.
    """
    of_states = _LANES + _types(STATES) + _LIBM + (_vector_code(precision, STATES) if poly else "") + _END
    of_angles = _ANGLES + _types(ANGLES) + _vector_code(precision, ANGLES) + _groups(precision) + _END
    text = (_NEEDS_ROUNDING if poly else "") + _VECTORS + (of_angles if poly else "") + (of_states if batch else "")
    names = {
        "R": prefix,
        "real": precision.real,
        "word": precision.word,
        "f": precision.suffix,
        "twice": str(2 * precision.group),
        "group": str(precision.group),
        "half": str(precision.group // 2),
    }
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
#define ${R}_INLINE static inline __attribute__((always_inline, unused))
#define ${R}_RARE static __attribute__((noinline, cold, unused))
#else
#define ${R}_VECTORS 0
#endif

"""

_ANGLES = """\
#if ${R}_VECTORS
/* Angles of one state: as many as fill a register. */
#if defined(__AVX__)
#define ${R}_ANGLES ${group}
#else
#define ${R}_ANGLES ${half}
#endif
"""

_LANES = """\
#if ${R}_VECTORS
/* States at a time: as many as fill a register, clang's widest aside; -D${R}_LANES=${half}, ${group}, ${twice}. */
#if !defined(${R}_LANES)
#if defined(__AVX512F__) && !defined(__clang__)
#define ${R}_LANES ${twice}
#elif defined(__AVX__)
#define ${R}_LANES ${group}
#else
#define ${R}_LANES ${half}
#endif
#elif ${R}_LANES != ${half} && ${R}_LANES != ${group} && ${R}_LANES != ${twice}
#error "${R}_LANES is ${half}, ${group} or ${twice}"
#endif
"""

_LIBM = """\
/* Sines and cosines of a vector by the mathematics library. */
${R}_RARE void ${R}_libm(const ${R}_vector *x, ${R}_vector *s, ${R}_vector *c)
{
    for (int i = 0; i < ${R}_LANES; ++i) {
        (*s)[i] = sin${f}((*x)[i]);
        (*c)[i] = cos${f}((*x)[i]);
    }
}

"""

_END = """\
#endif

"""


@dataclass(frozen=True)
class VectorNames:
    """Names of a vector type and of the functions on it, after the prefix.

    Attributes:
        vector: the type.
        bits: its bits as whole numbers.
        lanes: the macro of how many numbers it has.
        mark: marks the angles that are far.
        marked: tells whether any is.
        sincos: computes the sines and cosines.
    """

    vector: str
    bits: str
    lanes: str
    mark: str
    marked: str
    sincos: str


STATES = VectorNames("vector", "bits", "LANES", "mark", "any", "sincos")
ANGLES = VectorNames("angle_vector", "angle_bits", "ANGLES", "mark_angles", "marked", "sincos_angles")


def _types(names: VectorNames) -> str:
    size = f"__attribute__((vector_size(${{R}}_{names.lanes} * sizeof(${{real}}))))"
    return f"typedef ${{real}} ${{R}}_{names.vector} {size};\ntypedef ${{word}} ${{R}}_{names.bits} {size};\n\n"


def _vector_code(precision: Precision, names: VectorNames) -> str:
    """Return the template of the polynomial on one vector."""
    R = "${R}"
    vector, bits = f"{R}_{names.vector}", f"{R}_{names.bits}"
    r, lit = REDUCTIONS[precision.real], precision.literal
    exact, last = r.quarter[:-1], r.quarter[-1]
    rows = [f"const {vector} a{k + 1} = a{k} - k * {lit(part)};" for k, part in enumerate(exact[:-1])]
    top = f"a{len(rows)}"
    reduction = "\n    ".join([f"const {vector} a0 = *x;", *rows])
    return f"""\
/* Mark angles beyond {r.limit:g} rad, where the reduction below is not exact. */
{R}_INLINE void {R}_{names.mark}(const {vector} *x, {bits} *far)
{{
    *far |= ({bits})(*x > {lit(r.limit)}) | ({bits})(*x < {lit(-r.limit)});
}}

/* Whether any is marked. */
{R}_INLINE int {R}_{names.marked}(const {bits} *far)
{{
    ${{word}} any = 0;
    for (int i = 0; i < {R}_{names.lanes}; ++i)
        any |= (*far)[i];
    return any != 0;
}}

/* Sines and cosines of a vector: exact reduction by quarter turns, then polynomials; error below 0.85 ulp. */
{R}_INLINE void {R}_{names.sincos}(const {vector} *x, {vector} *s, {vector} *c)
{{
    const {vector} rounded = *x * {lit(TWO_OVER_PI)} + {lit(r.big)};
    const {vector} k = rounded - {lit(r.big)};
    const {bits} quadrant = ({bits})rounded;
    {reduction}
    const {vector} b = k * {lit(exact[-1])};
    const {vector} r = {top} - b;
    const {vector} e = (({top} - r) - b) - k * {lit(last)};
    const {vector} z = r * r;
    const {vector} y = z * z;
    const {vector} h = z * {lit(0.5)};
    const {vector} w = {lit(1.0)} - h;
    const {vector} g = r * z;
    const {bits} sine = ({bits})(r + (g * {_by_pairs(r.sine, precision)} + e * (w + y * {lit(r.cosine[0])})));
    const {vector} rest = (({lit(1.0)} - w) - h) - e * (r + g * {lit(r.sine[0])});
    const {bits} cosine = ({bits})(w + (rest + y * {_by_pairs(r.cosine, precision)}));
    const {bits} swap = (sine ^ cosine) & (0 - (quadrant & 1));
    *s = ({vector})(sine ^ swap ^ ((quadrant & 2) << {precision.bits - 2}));
    *c = ({vector})(cosine ^ swap ^ (((quadrant + 1) & 2) << {precision.bits - 2}));
}}

"""


def _groups(precision: Precision) -> str:
    """Return the template of the functions on a group of single angles."""
    functions = _one_by_one(precision) if precision.real == "float" else _group_functions(precision)
    return f"/* The same for ${{group}} single angles, which stay in registers. */\n{functions}"


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

${{R}}_INLINE void ${{R}}_mark_group(const ${{real}} *x, ${{R}}_angle_bits *far)
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
        rows = [f"    const ${{R}}_angle_vector {name} = {{{_listed(lanes)}}};" for name, lanes in parts]
        return "\n".join([*rows, *(f"    ${{R}}_mark_angles(&{name}, far);" for name, _ in parts)])

    def sincos(whole: bool) -> str:
        rows = []
        for name, lanes in pieces(whole):
            rows.append(f"    const ${{R}}_angle_vector {name} = {{{_listed(lanes)}}};")
            rows.append(f"    ${{R}}_angle_vector s{name}, c{name};")
            rows.append(f"    ${{R}}_sincos_angles(&{name}, &s{name}, &c{name});")
            rows += [f"    s[{k}] = s{name}[{i}], c[{k}] = c{name}[{i}];" for i, k in enumerate(lanes)]
        return "\n".join(rows)

    def both(head: str, body: str, other: str) -> str:
        return f"{head}\n{{\n#if ${{R}}_ANGLES == ${{group}}\n{body}\n#else\n{other}\n#endif\n}}\n\n"

    marking = "${R}_INLINE void ${R}_mark_group(const ${real} *x, ${R}_angle_bits *far)"
    turning = "${R}_INLINE void ${R}_sincos_group(const ${real} *x, ${real} *s, ${real} *c)"
    return both(marking, mark(True), mark(False)) + both(turning, sincos(True), sincos(False))


_SUMS = """\
/* Of a sum or difference of two angles whose sines and cosines are known. */
#define ${R}_SIN_SUM(sa, ca, sb, cb) ((sa) * (cb) + (ca) * (sb))
#define ${R}_COS_SUM(sa, ca, sb, cb) ((ca) * (cb) - (sa) * (sb))
#define ${R}_SIN_DIFFERENCE(sa, ca, sb, cb) ((sa) * (cb) - (ca) * (sb))
#define ${R}_COS_DIFFERENCE(sa, ca, sb, cb) ((ca) * (cb) + (sa) * (sb))
"""
