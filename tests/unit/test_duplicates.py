"""No six lines of code stand in two places of the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import taut

RUN = 6
"""Equal lines in a row that are too many."""


def code_lines(text: str) -> list[tuple[int, str]]:
    """Return numbers and texts of the lines of code: no imports, docstrings, comments and empty lines."""
    tree, left_out = ast.parse(text), set[int]()
    for node in ast.walk(tree):
        said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if said or isinstance(node, ast.Import | ast.ImportFrom):
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = ((k, line.strip()) for k, line in enumerate(text.splitlines(), 1))
    return [(k, line) for k, line in lines if line and k not in left_out and not line.startswith("#")]


def repeated(texts: dict[str, str]) -> list[list[str]]:
    """Return the places of each run of lines that stands in more than one place."""
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, text in texts.items():
        lines = code_lines(text)
        for first in range(len(lines) - RUN + 1):
            run = tuple(line for _, line in lines[first : first + RUN])
            places[run].append(f"{name}:{lines[first][0]}")
    return [found for found in places.values() if len(found) > 1]


def test_no_run_of_lines_stands_twice() -> None:
    place = Path(taut.__file__).parent
    assert repeated({str(file.relative_to(place)): file.read_text("utf-8") for file in place.rglob("*.py")}) == []


def test_a_copied_run_is_found() -> None:
    body = "\n".join(f"x{k} = {k}" for k in range(RUN))
    assert repeated({"a.py": body, "b.py": f'"""Other."""\nimport os\n\n{body}\n'}) == [["a.py:1", "b.py:4"]]
    assert repeated({"a.py": body, "b.py": body.replace("x3", "y")}) == []
