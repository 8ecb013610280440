"""Moves numbers to and from vectors: components of states are gathered, outputs written several at a time."""

from __future__ import annotations

from taut.emit.c.precision import Precision


def lanes(prefix: str, precision: Precision) -> str:
    """Return the macros and functions by which batches read and write."""
    R, real, group = prefix, precision.real, precision.group
    four = "".join(f"    {R}_STORE(p + {k}, w, *v{k});\n" for k in range(4))
    if group == 4:
        rows = _rows(R, 0)
        four = f"#if {R}_LANES == 8\n{rows}{_rows(R, 4)}#elif {R}_LANES == 4\n{rows}#else\n{four}#endif\n"
    row = f"typedef {real} {R}_row __attribute__((vector_size(4 * sizeof({real}))));\n\n" if group == 4 else ""
    pointers = ", ".join(f"const {R}_vector *v{k}" for k in range(4))
    return f"""\
/* One component of several states, each w numbers long. */
#if {R}_VECTORS && {R}_LANES == {2 * group}
{_macros(R, 2 * group)}
#elif {R}_VECTORS && {R}_LANES == {group}
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

{row}/* Four components that follow each other in every state. */
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


def _rows(R: str, first: int) -> str:
    """Return the statements that write rows of four states, of which the first is given, by a few shuffles."""

    def row(*entries: str) -> str:
        return f"{{{', '.join(entries)}}}"

    def halves(k: int, one: int, other: int) -> str:
        return row(*(f"(*v{v})[{lane + k}]" for lane in (first, first + 2) for v in (one, other)))

    a, b, c, d = (f"{name}{first}" for name in "abcd")
    text = [f"const {R}_row {a} = {halves(0, 0, 1)}, {b} = {halves(1, 0, 1)};"]
    text += [f"const {R}_row {c} = {halves(0, 2, 3)}, {d} = {halves(1, 2, 3)};"]
    for k, (left, right, lane) in enumerate([(a, c, 0), (b, d, 0), (a, c, 2), (b, d, 2)], first):
        entries = row(*(f"{half}[{i}]" for half in (left, right) for i in (lane, lane + 1)))
        text += [f"const {R}_row r{k} = {entries};", f"memcpy(p + {k} * w, &r{k}, sizeof r{k});"]
    return "".join(f"    {line}\n" for line in text)
