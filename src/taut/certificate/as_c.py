"""Writes generated Python, JavaScript and C for batches of states as the C of one state that check_proof.py reads.

Only the forms that taut writes are taken: ``x[..., 2]`` of Python and ``x[2]`` of JavaScript are ``x[2]``, functions of
NumPy and of Math are those of C, an array for the result is made before it is filled and returned at the end. In C a
vector holds one number of several states: read as a number, the function of several states is one of a single state.
Any other line stays as it is, and the checker refuses it. Needs Python 3.9 or newer alone.
"""

import math
import pathlib
import re
from typing import Any

PYTHON = r'^def (\w+)\((.*)\):\n    r"""((?s:.*?))"""\n((?:(?!    return ).*\n)*)    return (.*)$'
JAVASCRIPT = r"^export function (\w+)\((.*)\) \{()\n((?:(?!  return ).*\n)*)  return (.*);\n\}$"


BLOCK = r"^static void (\w+_block)(\(.*\)\n\{\n)((?s:.*?))\n\}$"
PART = r"^(\w+_PART void (\w+_block)_part\d+\(.*\)\n\{\n)((?s:.*?))\n\}$"
TABLE = r"^static const \w+_vector (\w+_block_constants)\[\] = \{\n((?s:.*?))\n\};$"
BATCH = """\
void {f}_batch({given})
{{
    size_t i = 0;
#if {R}_VECTORS
    for (; n - i >= {R}_LANES; i += {R}_LANES)
        {f}_block({handed});
#endif
    for (; i < n; ++i)
        {f}({handed});
}}"""


def as_c(certificate: dict[str, Any], source: str) -> str:
    """Return the text of a certificate's file as C of one state."""
    if certificate["file"].endswith(".c"):
        return of_one_state(certificate, source)
    python = pathlib.Path(certificate["file"]).suffix == ".py"
    functions = certificate["functions"]

    def function(m: re.Match[str]) -> str:
        name, given, about, rows, returned = m.groups()
        if name not in functions:
            return m[0]
        stated = functions[name]
        arguments, y, shape = list(stated["arguments"]), stated["result"], ", ".join(map(str, stated["shape"]))
        size = math.prod(stated["shape"])
        if python:
            leading = ", ".join(f"{x}.shape[:-1]" for x in arguments)
            made = f"{y} = np.empty((*np.broadcast_shapes({leading}), {size}))"
            turned = f"{y}.reshape(*{y}.shape[:-1], {shape})" if "," in shape else y
            known = [f"{x} = np.asarray({x}, float)" for x in arguments]
        else:
            made, turned, known = f"const {y} = new Float64Array({size});", y, []
        before, _, after = rows.partition(f"{made}\n")
        if returned != turned or re.search(rf"\b{y}\b", before):
            return m[0]  # the result is not the array that was filled
        body = before + "\n" + after
        for row in known:
            body = body.replace(row, "", 1)
        R = certificate["prefix"]
        parameters = [f"const double *{R}_RESTRICT {x}" for x in given.split(", ") if x != "p"]
        parameters.append(f"double *{R}_RESTRICT {y}")
        lines = "\n" * about.count("\n")
        opened = f"void {name}({', '.join(parameters)})" + ("\n{" + lines if python else " {") + "\n"
        return opened + "\n".join(map(statement, body.split("\n"))) + "}" + ("" if python else "\n")

    def statement(row: str) -> str:
        row = row.strip().removeprefix("const ")
        if python:
            row = re.sub(r"(?<!\bp)\[(?=\d)", "[of one state only ", row).replace("[..., ", "[")
        row = re.sub(r"\bnp\.(?=sin|cos)" if python else r"\bMath\.(?=sin|cos)", "", row)
        return row if not row or row.endswith(";") else f"{row};"

    if python:
        source = re.sub(r'\A"""(?s:.*?)"""', lambda m: "\n" * m[0].count("\n"), source)
    else:
        source = re.sub(r"^//.*$", "", source, flags=re.M)
    return re.sub(PYTHON if python else JAVASCRIPT, function, source, flags=re.M)


def of_one_state(certificate: dict[str, Any], source: str) -> str:
    """Return C for batches as C of one state: tables and blocks as functions, loops over blocks left out."""
    R, functions, real = certificate["prefix"], certificate["functions"], certificate["precision"]

    def table(m: re.Match[str]) -> str:
        rows = [re.fullmatch(rf"    {R}_SPREAD\((.*)\),", row) for row in m[2].split("\n")]
        filled = [f"    constant[{k}] = {row[1]};" for k, row in enumerate(rows) if row]
        return "\n".join([f"static void {m[1]}(constant) {{", *filled, "}"]) if len(filled) == len(rows) else m[0]

    def block(m: re.Match[str]) -> str:
        return f"static void {m[1]}{m[2]}" + one_state(R, m[1], functions[m[1]], m[3], real) + "\n}"

    def part(m: re.Match[str]) -> str:
        head = m[1].replace(f", {R}_vector *", f", {real} *")
        return head + one_state(R, m[2], functions[m[2]], m[3], real) + "\n}"

    source = re.sub(TABLE, table, source, flags=re.M)
    source = re.sub(PART, part, re.sub(BLOCK, block, source, flags=re.M), flags=re.M)
    for name in [name.removesuffix("_block") for name in functions if name.endswith("_block")]:
        loop = batch(R, name, functions[f"{name}_block"], source)
        source = source.replace(loop, "\n" * loop.count("\n"), 1)
    return source


def batch(R: str, name: str, stated: dict[str, Any], source: str) -> str:
    """Return the loop over blocks of states and the rest, one by one, as it should be."""
    head = re.search(rf"^static void {name}_block\((.*)\)$", source, re.M)
    if head is None:
        return ""
    sizes = {**{x: len(symbols) for x, symbols in stated["arguments"].items()}, stated["result"]: result_size(stated)}
    handed = [f"{x} + {size} * i" for x, size in sizes.items()]
    constants = [f"const {R}_constants *k"] if head[1].startswith(f"const {R}_constants *k,") else []
    given = ", ".join([*constants, "size_t n", head[1].removeprefix("".join(f"{x}, " for x in constants))])
    return BATCH.format(f=name, R=R, given=given, handed=", ".join((["k"] if constants else []) + handed))


def result_size(stated: dict[str, Any]) -> int:
    """Return how many numbers a function returns."""
    return math.prod(stated["shape"])


def one_state(R: str, name: str, stated: dict[str, Any], text: str, real: str) -> str:
    """Return the statements of a block, every vector as a number."""
    rows = with_sines(R, [row.strip() for row in text.split("\n")], "f" if real == "float" else "")
    y, size = stated["result"], result_size(stated)
    stored: dict[str, int] = {}  # {value: the output that it is}
    for k, row in enumerate(rows):
        store = re.fullmatch(rf"{R}_(?:STORE|store_four)\({y} \+ (\d+), {size}, (.*)\);", row)
        if store:
            values = store[2].replace("&", "").split(", ")
            if not stored.keys() & set(values):
                stored.update((value, int(store[1]) + i) for i, value in enumerate(values))
                rows[k] = ""
    for k, row in enumerate(rows):
        loop = rf"for \(int i = 0; i < {R}_LANES; \+\+i\)"
        if re.fullmatch(loop, row) and re.fullmatch(r"\w+\[i\] = \w+\((?:\w+\[i\](?:, )?)+\);", rows[k + 1]):
            rows[k], rows[k + 1] = "", rows[k + 1].replace("[i]", "")
            continue
        row = re.sub(rf"^const {R}_vector (?=\w+ = )", "", row)
        row = re.sub(rf"^{R}_vector (?=live\[\d+\];)", f"{real} ", row)
        row = {f"const {R}_vector *constant = {name}_constants;": f"{name}_constants(constant);"}.get(row, row)
        load = re.fullmatch(rf"(\w+) = {R}_LOAD\((\w+) \+ (\d+), (\d+)\);", row)
        if load and len(stated["arguments"].get(load[2], ())) == int(load[4]):
            row = f"{load[1]} = {load[2]}[{load[3]}];"
        output = re.fullmatch(rf"(\w+) = (?:{R}_SPREAD\((.*)\)|(.*));", row)
        if output and output[1] in stored:
            row = f"{y}[{stored[output[1]]}] = {output[2] or output[3]};"
        rows[k] = "" if row == f"{R}_FROM_MEMORY(constant);" else row
    return "\n".join(rows)


def with_sines(R: str, rows: list[str], suffix: str) -> list[str]:
    """Return the rows with sines and cosines in place of the two ways to compute them on vectors."""
    rows = list(rows)
    for k in range(len(rows)):
        first = re.fullmatch(rf"{R}_vector s(\w*?)0, c(?:\1)0;", rows[k])
        if not first:
            continue
        mark, n = first[1], 0
        while rows[k + n] == f"{R}_vector s{mark}{n}, c{mark}{n};":
            n += 1
        given = [f"(&x{mark}{j}, &s{mark}{j}, &c{mark}{j});" for j in range(n)]
        marks = [f"{R}_mark(&x{mark}{j}, &far{mark});" for j in range(n)]
        near = [f"{R}_bits far{mark} = {{0}};", *marks, f"if (!{R}_any(&far{mark})) {{"]
        near += [*(f"{R}_sincos{x}" for x in given), "} else"]
        far = ["{", *(f"{R}_libm{x}" for x in given), "}"]
        for known in (near + far, far):
            if rows[k + n : k + n + len(known)] == known:
                sines = [f"s{mark}{j} = sin{suffix}(x{mark}{j});" for j in range(n)]
                cosines = [f"c{mark}{j} = cos{suffix}(x{mark}{j});" for j in range(n)]
                rows[k : k + n + len(known)] = sines + cosines + [""] * (len(known) - n)
    return rows
