r"""Is a LaTeX document sound?  Groups, environments and \left \right balance, commands are known, formulas parse.

A document is compiled where TeX is installed. Everywhere else its structure is checked here, and every formula is
read by matplotlib's mathtext, a parser of LaTeX mathematics that knows nothing of taut.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from matplotlib.mathtext import MathTextParser

COMMANDS = set(
    "allowdisplaybreaks alpha arctan begin cdot cos ddot date det documentclass dot end endhead frac hline left "
    "maketitle mathrm operatorname quad right section sin sqrt sum tau textasciitilde textbackslash textgreater "
    "textless title usepackage".split()
)
ESCAPES = set(r"_&#^\,%${}")
ENVIRONMENTS = {"document", "align*", "aligned", "array", "longtable"}


def faults(document: str) -> list[str]:
    """Return what is wrong with the structure of a document; nothing for a sound one."""
    found = []
    stack: list[str] = []
    for match in re.finditer(r"\\(begin|end)\{([^}]*)\}|\\([a-zA-Z]+)|\\(.)|([{}])|(\$)", document, re.S):
        kind, environment, command, escape, brace, dollar = match.groups()
        place = f"at {match.start()}: {document[match.start() : match.start() + 30]!r}"
        if kind == "begin":
            stack.append(environment)
            if environment not in ENVIRONMENTS:
                found.append(f"unknown environment {place}")
        elif kind == "end":
            if not stack or stack.pop() != environment:
                found.append(f"environment ends that did not begin {place}")
        elif brace == "{" or command == "left":
            stack.append(brace or "left")
        elif brace == "}" or command == "right":
            if not stack or stack.pop() != ("{" if brace else "left"):
                found.append(f"unbalanced {place}")
        elif dollar:
            if stack and stack[-1] == "$":
                stack.pop()
            else:
                stack.append("$")
        elif command is not None and command not in COMMANDS:
            found.append(f"unknown command {place}")
        elif escape is not None and escape not in ESCAPES:
            found.append(f"unknown escape {place}")
    return found + [f"never ends: {rest}" for rest in stack]


def formulas(document: str) -> list[str]:
    """Return the formulas of a document, lines of a broken one put together again."""
    found = []
    for block in re.findall(r"\\begin\{align(?:\*|ed)\}\n(.*?)\n\\end", document, re.S):
        if "array" in block:
            continue  # entries of a matrix are equations of their own, too
        found += block.replace(" \\\\\n&\\quad ", " ").replace("&", "").split(" \\\\\n")
    return found + re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)", document)


def shapes(document: str) -> set[str]:
    """Return the addends of all formulas, numbers made 1 and letters x: what is left to parse of thousands."""
    found = set()
    for formula in formulas(document):
        depth, start = 0, 0
        for k, char in enumerate(formula):
            depth += (char in "({") - (char in ")}")
            if depth == 0 and formula[k : k + 3] in (" + ", " - ", " = "):
                found.add(formula[start:k])
                start = k + 3
        found.add(formula[start:])
    plain = {re.sub(r"[\d,-]*\d", "1", shape) for shape in found}
    return {re.sub(r"[A-Za-z]_\{1\}", "x_{1}", re.sub(r"\\mathrm\{[^}]*\}", r"\\mathrm{x}", shape)) for shape in plain}


def unparsed(document: str) -> list[str]:
    """Return the shapes of addends that mathtext cannot read."""
    parser, found = MathTextParser("path"), []
    for shape in sorted(shapes(document)):
        try:
            parser.parse(f"${shape}$")
        except ValueError as error:
            found.append(f"{shape}: {error}")
    return found


def compiled(document: str, folder: Path) -> bool | None:
    """Whether TeX makes a page of a document; None where there is no TeX."""
    program = next((p for p in ("pdflatex", "lualatex", "tectonic") if shutil.which(p)), None)
    if program is None:
        return None
    (folder / "page.tex").write_text(document)
    options = [] if program == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    return subprocess.run([program, *options, "page.tex"], cwd=folder, capture_output=True, timeout=120).returncode == 0
