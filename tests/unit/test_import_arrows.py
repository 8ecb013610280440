"""The arrows between the folders: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "taut"

LINE = {"formats", "library", "robot", "spatial", "algorithms", "functions", "batch", "graph", "errors"}
LINE |= {"rules", "analysis", "passes", "search", "derive", "emit", "runtime"}
ARROWS: dict[str, set[str]] = {
    "errors": set(),
    "spatial": set(),
    "graph": {"errors", "spatial.array"},
    "robot": {"spatial", "graph", "errors"},
    "formats": {"robot", "graph", "spatial", "errors"},
    "library": {"errors"},
    "algorithms": {"spatial", "robot", "errors"},
    "functions": {"algorithms", "robot", "spatial", "errors"},
    "batch": {"errors"},
    "rules": {"graph", "errors"},
    "analysis": {"graph", "errors"},
    "passes": {"rules", "analysis", "graph", "robot", "algorithms", "errors"},
    "search": {"analysis", "graph", "runtime", "errors"},
    "derive": LINE - {"formats", "library", "emit"},
    "emit": {"analysis", "graph", "errors"},
    "runtime": {"emit", "errors"},
    "explicit": LINE,
    "closed_form": LINE | {"explicit.runs", "explicit.latex"},
    "reduce": LINE | {"explicit"},
    "identify": LINE,
    "simulate": LINE,
    "api": LINE | {"closed_form", "explicit", "reduce", "identify", "simulate"},
    "report": LINE | {"api", "closed_form", "explicit", "reduce", "identify"},
    "generate": LINE,
    "directory": {"errors"},
    "commands": {"api", "report", "generate", "directory", "library", "errors"},
    "cli": {"commands", "errors"},
}
"""For each folder or file of the package, what it may import besides itself."""

FILES = sorted(PACKAGE.rglob("*.py"))


def module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules of the package that a file imports, 'taut.' left off; imports for types only do not count."""
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            base = node.module or ""
            names = [f"taut.{alias.name}" for alias in node.names] if base == "taut" else [base]
        else:
            continue
        yield from (name.removeprefix("taut.") for name in names if name.split(".")[0] == "taut")


def allowed(owner: str, target: str) -> bool:
    return any(target == arrow or target.startswith(f"{arrow}.") for arrow in ARROWS[owner] | {owner})


def strays(file: Path) -> list[str]:
    owner = module_name(file).split(".")[0]
    return [target for target in imported(ast.parse(file.read_text("utf-8"))) if not allowed(owner, target)]


@pytest.mark.parametrize("file", [f for f in FILES if module_name(f)], ids=module_name)
def test_imports_follow_the_arrows(file: Path) -> None:
    owner = module_name(file).split(".")[0]
    assert owner in ARROWS, f"{owner} is new: say in ARROWS what it may import"
    assert strays(file) == [], f"{module_name(file)} must not import these"


def test_a_stray_import_is_seen() -> None:
    tree = ast.parse("import taut.robot\nfrom taut import graph\nfrom taut.graph.node import Node\nimport numpy\n")
    assert sorted(imported(tree)) == ["graph", "graph.node", "robot"]
    assert not allowed("algorithms", "graph.node")
    assert allowed("graph", "spatial.array")
    assert not allowed("graph", "spatial.vector")


def test_a_heavy_package_is_not_imported_at_start() -> None:
    """Optional dependencies are imported where they are used, not at the top of a file."""
    optional = {"matplotlib", "scipy", "pinocchio", "mujoco", "sympy", "casadi", "jax"}
    for file in FILES:
        for node in ast.parse(file.read_text("utf-8")).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & optional, file
