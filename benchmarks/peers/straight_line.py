"""Operations of a peer's generated C, and the same C with other sines, or four states wide.

CasADi and CppADCodeGen both write straight lines: every line sets a value from values before it. They are read into
a list of assignments, each value with a name of its own, and written down again:

- with taut's sines: those of all joint angles at once, before the first line;
- four wide: the same lines on vectors of states, rows gathered and written by taut's macros.

Every variant has the signature ``(const double *q, const double *v, const double *x, double *out)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from taut.emit.c.lanes import lanes
from taut.emit.c.precision import precision
from taut.emit.c.trigonometry import support

DOUBLE = precision("double")
HEAD = "#include <float.h>\n#include <math.h>\n#include <stddef.h>\n#include <string.h>\n"
R = "peer"

_WORD = re.compile(r"[A-Za-z_]\w*(?:\[\d+\])?")
_CASADI_INPUT = re.compile(r"arg\[(\d)\]\s*\?\s*arg\[\d\]\[(\d+)\]\s*:\s*0$")
_CASADI_OUTPUT = re.compile(r"if \(res\[0\]!=0\) res\[0\]\[(\d+)\]=(.+)$")
_ASSIGNED = re.compile(r"(\w+(?:\[\d+\])?)\s*=\s*(.+)$")
_SQUARE = re.compile(r"casadi_sq\((\w+)\)")
_SINE = re.compile(r"\b(sin|cos)\((q\[\d+\])\)")


@dataclass(frozen=True)
class Straight:
    """Assignments in order; inputs are written ``q[3]``, ``v[0]``, ``x[5]``, outputs apart.

    Attributes:
        lines: (name, expression) with every name set once.
        outputs: {place: expression}.
        widths: numbers in q, v, x.
    """

    lines: tuple[tuple[str, str], ...]
    outputs: dict[int, str]
    widths: tuple[int, int, int]

    @property
    def angles(self) -> list[int]:
        """Joint angles whose sine or cosine is used, in order."""
        found = {int(word[2:-1]) for _, text in self.lines for _, word in _SINE.findall(text)}
        return sorted(found)


def from_casadi(text: str, widths: tuple[int, int, int]) -> Straight:
    """Read what CasADi wrote for one function of q, v, x."""
    body = text[text.index("static int casadi_f0(") :]
    return _read(body[: body.index("return 0;")], widths, lambda name: name)


def from_cppadcg(text: str, widths: tuple[int, int, int]) -> Straight:
    """Read what CppADCodeGen wrote for one function of one array [q, v, x]."""
    nq, nv, _ = widths

    def split(name: str) -> str:
        if not name.startswith("x["):
            return name
        k = int(name[2:-1])
        return f"q[{k}]" if k < nq else f"v[{k - nq}]" if k < nq + nv else f"x[{k - nq - nv}]"

    body = text[text.index("// auxiliary variables") :]
    return _read(body[: body.rindex("}")], widths, split)


def _read(body: str, widths: tuple[int, int, int], split: Callable[[str], str]) -> Straight:
    current: dict[str, str] = {}
    lines: list[tuple[str, str]] = []
    outputs: dict[int, str] = {}

    def renamed(expression: str) -> str:
        expression = _SQUARE.sub(r"(\1*\1)", expression)
        return _WORD.sub(lambda word: current.get(word[0], split(word[0])), expression)

    for statement in re.sub(r"//[^\n]*", "", body).split(";"):
        statement = " ".join(statement.split())
        if found := _CASADI_OUTPUT.match(statement):
            outputs[int(found[1])] = renamed(found[2])
        elif found := _ASSIGNED.match(statement):
            name, expression = found.groups()
            if given := _CASADI_INPUT.match(expression):
                current[name] = f"{'qvx'[int(given[1])]}[{given[2]}]"
            elif re.match(r"y\[\d+\]$", name):
                value = renamed(expression)
                current[name] = f"y{name[2:-1]}"
                lines.append((current[name], value))
                outputs[int(name[2:-1])] = current[name]
            else:
                value = renamed(expression)
                current[name] = f"t{len(lines)}"
                lines.append((current[name], value))
    return Straight(tuple(lines), outputs, widths)


def plain(straight: Straight, name: str) -> str:
    """Return C of one state: the same lines on scalars, without tests for absent arrays, and with taut's sines."""
    arguments = "const double *restrict q, const double *restrict v, const double *restrict x, double *restrict out"
    rows = [f"void {name}({arguments})", "{", "(void)q, (void)v, (void)x;"]
    sines: dict[tuple[str, str], str] = {}
    if straight.angles:
        rows += _grouped(straight.angles)
        for k, angle in enumerate(straight.angles):
            sines["sin", f"q[{angle}]"], sines["cos", f"q[{angle}]"] = f"s_[{k}]", f"c_[{k}]"
    rows += [f"const double {target} = {_with(sines, text)};" for target, text in straight.lines]
    rows += [f"out[{k}] = {_with(sines, text)};" for k, text in straight.outputs.items()]
    return HEAD + support(R, DOUBLE, poly=True, batch=False) + "\n".join([*rows, "}"]) + "\n"


def wide(straight: Straight, name: str) -> str:
    """Return C of ``name_batch(n, q, v, x, out)`` on vectors of states, n a multiple of their width."""
    rows = [f"void {name}_batch(size_t n, const double *q, const double *v, const double *x, double *out)", "{"]
    widths = dict(zip("qvx", straight.widths, strict=True))
    size = len(straight.outputs)
    rows += [f"for (; n; n -= {R}_LANES, q += {widths['q']} * {R}_LANES, v += {widths['v']} * {R}_LANES,"]
    rows += [f"     x += {widths['x']} * {R}_LANES, out += {size} * {R}_LANES) {{", "(void)q, (void)v, (void)x;"]
    used = {
        word for text in [*dict(straight.lines).values(), *straight.outputs.values()] for word in _WORD.findall(text)
    }
    names = {}
    for word in sorted(used):
        if word[0] in widths and word[1:2] == "[":
            names[word] = f"{word[0]}_{word[2:-1]}"
            rows.append(f"const {R}_vector {names[word]} = {R}_LOAD({word[0]} + {word[2:-1]}, {widths[word[0]]});")
    sines = {}
    rows += [f"{R}_bits far = {{0}};"] if straight.angles else []
    rows += [f"{R}_mark(&q_{k}, &far);" for k in straight.angles]
    rows += [f"{R}_vector s_{k}, c_{k};" for k in straight.angles]
    if straight.angles:
        rows += [f"if (!{R}_any(&far)) {{", *(f"{R}_sincos(&q_{k}, &s_{k}, &c_{k});" for k in straight.angles)]
        rows += ["} else {", *(f"{R}_libm(&q_{k}, &s_{k}, &c_{k});" for k in straight.angles), "}"]
    for k in straight.angles:
        sines["sin", f"q[{k}]"], sines["cos", f"q[{k}]"] = f"s_{k}", f"c_{k}"
    scalars: set[str] = set()
    for target, text in straight.lines:
        words = [word for word in _WORD.findall(_without_numbers(text)) if word not in scalars]
        if not words:
            scalars.add(target)
        right = _WORD.sub(lambda word: names.get(word[0], word[0]), _with(sines, text))
        rows.append(f"const {f'{R}_vector' if words else 'double'} {target} = {right};")
    places = sorted(straight.outputs)
    for k in places:
        right = _WORD.sub(lambda word: names.get(word[0], word[0]), straight.outputs[k])
        single = all(word in scalars for word in _WORD.findall(_without_numbers(right)))
        rows.append(f"const {R}_vector y_{k} = {f'{R}_SPREAD({right})' if single else right};")
    for start in range(0, size - size % 4, 4):
        rows.append(f"{R}_store_four(out + {start}, {size}, {', '.join(f'&y_{k}' for k in range(start, start + 4))});")
    rows += [f"{R}_STORE(out + {k}, {size}, y_{k});" for k in range(size - size % 4, size)]
    return HEAD + support(R, DOUBLE, poly=True, batch=True) + lanes(R, DOUBLE) + "\n".join([*rows, "}", "}"]) + "\n"


def _grouped(angles: list[int]) -> list[str]:
    group = DOUBLE.group
    starts = range(0, len(angles), group)
    size = len(starts) * group
    given = [f"q[{k}]" for k in angles] + ["0.0"] * (size - len(angles))
    rows = [
        f"const double x_[{size}] = {{{', '.join(given)}}};",
        f"double s_[{size}], c_[{size}];",
        f"{R}_angle_bits far = {{0}};",
    ]
    rows += [f"{R}_mark_group(x_ + {k}, &far);" for k in starts]
    rows += [f"if (!{R}_marked(&far)) {{", *(f"{R}_sincos_group(x_ + {k}, s_ + {k}, c_ + {k});" for k in starts)]
    return [*rows, "} else", f"for (int i = 0; i < {len(angles)}; ++i) s_[i] = sin(x_[i]), c_[i] = cos(x_[i]);"]


def _with(sines: dict[tuple[str, str], str], text: str) -> str:
    return _SINE.sub(lambda found: sines.get((found[1], found[2]), found[0]), text)


def _without_numbers(text: str) -> str:
    """Return the text without numbers, whose exponents look like names."""
    return re.sub(r"(?<![\w\]])\d+\.?\d*(?:[eE][-+]?\d+)?", " ", text)
