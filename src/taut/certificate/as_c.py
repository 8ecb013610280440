"""Writes generated Python and JavaScript as the C that check_proof.py reads, every statement on the same line.

Only the forms that taut writes are taken: ``x[..., 2]`` of Python and ``x[2]`` of JavaScript are ``x[2]``, functions of
NumPy and of Math are those of C, an array for the result is made before it is filled and returned at the end. Any other
line stays as it is, and the checker refuses it. Needs Python 3.9 or newer alone.
"""

import math
import pathlib
import re
from typing import Any

PYTHON = r'^def (\w+)\((.*)\):\n    r"""((?s:.*?))"""\n((?:(?!    return ).*\n)*)    return (.*)$'
JAVASCRIPT = r"^export function (\w+)\((.*)\) \{()\n((?:(?!  return ).*\n)*)  return (.*);\n\}$"


def as_c(certificate: dict[str, Any], source: str) -> str:
    """Return the text of a certificate's file as C."""
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
        parameters = [x for x in given.split(", ") if x != "p"] + [y]
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
