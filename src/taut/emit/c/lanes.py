"""Moves numbers to and from vectors: components of states are gathered, outputs written several at a time."""

from __future__ import annotations

from taut.emit.c.precision import Precision


def lanes(prefix: str, precision: Precision) -> str:
    """Return the macros and functions by which batches read and write."""
    R, real, group = prefix, precision.real, precision.group
    four = "".join(f"    {R}_STORE(p + {k}, w, *v{k});\n" for k in range(4))
    if group == 4:
        four = f"#if {R}_LANES == 4\n{_SHUFFLED.replace('@R@', R)}#else\n{four}#endif\n"
    pointers = ", ".join(f"const {R}_vector *v{k}" for k in range(4))
    return f"""\
/* One component of several states, each w numbers long. */
#if {R}_VECTORS && {R}_LANES == {group}
{_macros(R, group)}
#elif {R}_VECTORS
{_macros(R, group // 2)}
#endif

#if {R}_VECTORS
/* Constants are used from memory where they are: gcc, if it knew them, would load each into a register first. */
#if defined(__clang__)
#define {R}_FROM_MEMORY(p)
#else
#define {R}_FROM_MEMORY(p) __asm__("" : "+r"(p))
#endif

/* Four components that follow each other in every state. */
{R}_INLINE void {R}_store_four({real} *p, size_t w, {pointers})
{{
{four}}}
#endif
"""


def pairs(prefix: str, precision: Precision) -> str:
    """Return the function that writes two neighbouring outputs of one state at once."""
    R, real = prefix, precision.real
    head = f"void {R}_store_two({real} *p, {real} a, {real} b)"
    return f"""\
/* Two neighbours in one store. */
#if {R}_VECTORS
typedef {real} {R}_pair __attribute__((vector_size(2 * sizeof({real}))));
{R}_INLINE {head}
{{
    const {R}_pair y = {{a, b}};
    memcpy(p, &y, sizeof y);
}}
#else
static {head}
{{
    p[0] = a;
    p[1] = b;
}}
#endif
"""


def _macros(R: str, count: int) -> str:
    load = ", ".join(f"(p)[{k} * (w)]" for k in range(count))
    store = ", ".join(f"(p)[{k} * (w)] = (v)[{k}]" for k in range(count))
    spread = ", ".join(["(x)"] * count)
    return (
        f"#define {R}_LOAD(p, w) {{{load}}}\n#define {R}_STORE(p, w, v) ({store})\n#define {R}_SPREAD(x) {{{spread}}}"
    )


_SHUFFLED = """\
    const @R@_vector a = {(*v0)[0], (*v1)[0], (*v0)[2], (*v1)[2]}, b = {(*v0)[1], (*v1)[1], (*v0)[3], (*v1)[3]};
    const @R@_vector c = {(*v2)[0], (*v3)[0], (*v2)[2], (*v3)[2]}, d = {(*v2)[1], (*v3)[1], (*v2)[3], (*v3)[3]};
    const @R@_vector r0 = {a[0], a[1], c[0], c[1]}, r1 = {b[0], b[1], d[0], d[1]};
    const @R@_vector r2 = {a[2], a[3], c[2], c[3]}, r3 = {b[2], b[3], d[2], d[3]};
    memcpy(p, &r0, sizeof r0);
    memcpy(p + w, &r1, sizeof r1);
    memcpy(p + 2 * w, &r2, sizeof r2);
    memcpy(p + 3 * w, &r3, sizeof r3);
"""
