"""Operations of a C text, counted from its tokens alone, without anything of taut.

Between the markers of a function every binary ``+ - * /`` on numbers counts one, and ``fma`` two. Not counted: what
computes an index or an address (in brackets, or handed to a helper of the file's own), lines marked as an angle, and
sines and cosines. Outside the markers a function has no arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(
    r"/\*.*?\*/"  # a comment
    r"|\d+\.?\d*(?:[eE][-+]?\d+)?[fFuUlL]*|\.\d+(?:[eE][-+]?\d+)?[fF]?"  # a number
    r"|[A-Za-z_]\w*"
    r"|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:;,.(){}\[\]]",
    re.S,
)
BEGIN = re.compile(r"/\* begin: \d+ operations \*/")
END = "/* end */"
TYPES = re.compile(r"const|int|float|double|void|size_t|\w+_vector|\w+_bits")
ARITHMETIC = {"+", "-", "*", "/"}


class Wrong(AssertionError):
    """The text is not what a counted function should be."""


def operations(source: str) -> dict[str, int]:
    """Return {function: operations} of every counted function of a C text, vector blocks as ``name_block``."""
    found: dict[str, int] = {}
    for name, body in _functions(source):
        marks = list(BEGIN.finditer(body))
        if not marks:
            continue
        if len(marks) > 1 or body.count(END) != 1:
            raise Wrong(f"{name}: more than one counted part")
        inside, after = body[marks[0].end() :].split(END)
        for outside in (body[: marks[0].start()], after):
            if _count(outside):
                raise Wrong(f"{name}: arithmetic outside the markers")
        found[name] = _count(inside)
    return found


def _functions(source: str) -> Iterator[tuple[str, str]]:
    """Yield (name, text between the outer braces) of every function definition."""
    for head in re.finditer(r"^(?:static )?void (\w+)\([^;{]*\)\n\{", source, re.M):
        depth, at = 1, head.end()
        for brace in re.finditer(r"[{}]", source[head.end() :]):
            depth += 1 if brace.group() == "{" else -1
            if depth == 0:
                at = head.end() + brace.start()
                break
        yield head.group(1), source[head.end() : at]


def _count(text: str) -> int:
    """Return the operations of some statements; a statement is counted only when it is no angle."""
    text = re.sub(r"^#.*$", "", text, flags=re.M)  # lines for the preprocessor
    total = pending = 0
    previous = ""
    skipping = 0  # depth inside brackets, or inside the arguments of a helper
    calls: list[bool] = []  # for each open parenthesis, whether it is a helper's
    tokens = TOKEN.findall(text)
    for k, token in enumerate(tokens):
        if token.startswith("/*"):
            if token == "/* angle */":
                pending = 0
            continue
        if token == ";":
            following = tokens[k + 1] if k + 1 < len(tokens) else ""
            total += 0 if following == "/* angle */" else pending
            pending = 0
        elif token == "[":
            skipping += 1
        elif token == "]":
            skipping -= 1
        elif token == "(":
            helper = bool(re.fullmatch(r"[A-Za-z_]\w*", previous)) and _is_helper(previous)
            calls.append(helper)
            skipping += helper
            pending += 2 * (previous in ("fma", "fmaf") and not skipping)
        elif token == ")":
            skipping -= calls.pop()
        elif token in ARITHMETIC and not skipping and _is_operand(previous) and not TYPES.fullmatch(previous):
            pending += 1
        previous = token
    return total + pending


def _is_helper(name: str) -> bool:
    """Whether a call is one of the file's own helpers, whose arguments are addresses, or a loop's head."""
    return "_" in name or name in ("for", "if", "while", "memset")


def _is_operand(token: str) -> bool:
    return bool(re.match(r"[\w.\])]", token))
