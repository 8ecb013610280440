"""C with the interface that ``casadi.external`` loads: a function, its Jacobian and the sparsity of both.

The interface is that of CasADi's own generated code ("external functions" in its guide): ``f`` with ``f_n_in``,
``f_name_in``, ``f_sparsity_in``, ``f_work`` ..., and ``jac_f`` with the nominal outputs as further inputs and one block
for every output and input. Matrices are stored by columns, without their structural zeros.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.emit.c.module import Module
from taut.emit.names import distinct
from taut.emit.routine import Routine

Pattern = Sequence[Sequence[bool]]
"""Rows of which entries are not zero."""


def casadi_source(robot: str, name: str, function: Routine, jacobian: Routine, pattern: Pattern) -> str:
    """Return one C text to compile into a shared library.

    Args:
        robot: its name.
        name: that ``casadi.external`` asks for.
        function: a routine with one vector as answer.
        jacobian: its derivatives by all arguments side by side, with the same arguments.
        pattern: the sparsity of the Jacobian.
    """
    names = distinct([function.name, jacobian.name])
    module = Module(robot, [function, jacobian])
    calls = [f"{module.prefix}_{one}" for one in names]
    widths = {argument: len(symbols) for argument, symbols in function.arguments.items()}
    blocks, at = [], 0
    for width in widths.values():
        blocks.append([list(row[at : at + width]) for row in pattern])
        at += width
    columns = sum(widths.values())
    starts = [sum(list(widths.values())[:k]) for k in range(len(widths))]
    parts = [module.single_file, _HEAD]
    dense = {argument: _dense(width, 1) for argument, width in widths.items()}
    answer = _dense(function.size, 1)
    parts.append(_described(name, dense, {function.result.letter: answer}))
    parts.append(_evaluation(name, calls[0], list(widths.values()), function.size, [(0, answer)], 1))
    nominal = {**dense, f"nominal_{function.result.letter}": answer}
    slopes = {f"jac_{k}": _compressed(block) for k, block in enumerate(blocks)}
    parts.append(_described(f"jac_{name}", nominal, slopes))
    copies = list(zip(starts, slopes.values(), strict=True))
    size = function.size * columns
    parts.append(_evaluation(f"jac_{name}", calls[1], list(widths.values()), size, copies, columns))
    return "\n".join(parts)


_HEAD = """
#ifndef casadi_real
#define casadi_real double
#endif
#ifndef casadi_int
#define casadi_int long long int
#endif
#if defined(_WIN32)
#define TAUT_EXPORT __declspec(dllexport)
#else
#define TAUT_EXPORT
#endif
"""

Compressed = tuple[int, int, list[int], list[int]]
"""Rows, columns, where each column begins, and the row of every entry."""


def _dense(rows: int, columns: int) -> Compressed:
    return _compressed([[True] * columns for _ in range(rows)])


def _compressed(pattern: Pattern) -> Compressed:
    rows, columns = len(pattern), len(pattern[0])
    begins, places = [0], []
    for j in range(columns):
        places += [i for i in range(rows) if pattern[i][j]]
        begins.append(len(places))
    return rows, columns, begins, places


def _described(name: str, given: Mapping[str, Compressed], answers: Mapping[str, Compressed]) -> str:
    """Return what CasADi asks about a function: numbers, names and sparsities of its arguments and answers."""
    rows = []
    for kind, those in (("in", given), ("out", answers)):
        rows.append(f"TAUT_EXPORT casadi_int {name}_n_{kind}(void) {{ return {len(those)}; }}")
        labels = ", ".join(f'"{label}"' for label in those)
        rows.append(
            f"TAUT_EXPORT const char *{name}_name_{kind}(casadi_int i) "
            f"{{ static const char *const names[] = {{{labels}}}; return names[i]; }}"
        )
        for k, (n, m, begins, places) in enumerate(those.values()):
            numbers = ", ".join(map(str, [n, m, *begins, *places]))
            rows.append(f"static const casadi_int {name}_{kind}_{k}[] = {{{numbers}}};")
        tables = ", ".join(f"{name}_{kind}_{k}" for k in range(len(those)))
        rows.append(
            f"TAUT_EXPORT const casadi_int *{name}_sparsity_{kind}(casadi_int i) "
            f"{{ static const casadi_int *const all[] = {{{tables}}}; return all[i]; }}"
        )
    return "\n".join(rows)


def _evaluation(
    name: str, call: str, widths: Sequence[int], size: int, copies: Sequence[tuple[int, Compressed]], columns: int
) -> str:
    """Return the function itself: vectors of zeros for what is not given, entries copied by columns."""
    total = sum(widths)
    rows = [
        f"TAUT_EXPORT int {name}(const casadi_real **arg, casadi_real **res, casadi_int *iw, casadi_real *w, int mem)",
        "{",
        "    casadi_int k;",
        f"    casadi_real *given = w, *answer = w + {total};",
        "    (void)iw; (void)mem;",
    ]
    at = 0
    for k, width in enumerate(widths):
        rows.append(f"    for (k = 0; k < {width}; ++k) given[{at} + k] = arg[{k}] ? arg[{k}][k] : 0.0;")
        at += width
    starts = [sum(widths[:k]) for k in range(len(widths))]
    rows.append(f"    {call}({', '.join(f'given + {start}' for start in starts)}, answer);")
    for block, (start, (_, wide, begins, places)) in enumerate(copies):
        rows.append(f"    if (res[{block}]) {{")
        entry = 0
        for j in range(wide):
            for i in places[begins[j] : begins[j + 1]]:
                rows.append(f"        res[{block}][{entry}] = answer[{i * columns + start + j}];")
                entry += 1
        rows.append("    }")
    rows += ["    return 0;", "}"]
    rows.append(
        f"TAUT_EXPORT int {name}_work(casadi_int *sz_arg, casadi_int *sz_res, casadi_int *sz_iw, casadi_int *sz_w)\n"
        f"{{ if (sz_arg) *sz_arg = {len(widths) + 1}; if (sz_res) *sz_res = {len(copies)}; if (sz_iw) *sz_iw = 0; "
        f"if (sz_w) *sz_w = {total + size}; return 0; }}"
    )
    return "\n".join(rows)
