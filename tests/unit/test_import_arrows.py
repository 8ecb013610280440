"""The arrows between the folders: who may import whom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "taut"

ARROWS: dict[str, set[str]] = {
    "errors": set(),
    "spatial": set(),
    "toolchain": {"errors"},
    "batch": {"errors"},
    "cluster": {"errors"},
    "library": {"errors"},
    "directory": {"errors"},
    "graph": {"errors", "spatial.array"},
    "analysis": {"graph"},
    "passes": {"graph"},
    "search": {"errors", "graph", "toolchain"},
    "robot": {"errors", "graph", "spatial"},
    "polynomials": {"errors", "graph", "robot"},
    "formats": {"errors", "graph", "robot", "spatial"},
    "algorithms": {"errors", "robot", "spatial"},
    "recursions": {"algorithms", "robot", "spatial"},
    "questions": {"algorithms", "errors", "graph.stage", "recursions", "robot", "spatial"},
    "recordings": {"errors"},
    "emit": {"analysis", "errors", "graph", "questions.arguments", "questions.quantity", "toolchain"},
    "runtime": {"batch", "emit", "errors", "toolchain"},
    "derive.checks": {"batch", "errors", "graph", "questions", "robot", "spatial"},
    "derive.naming": {"derive.checks", "errors", "graph", "questions", "recursions", "robot", "spatial"},
    "derive.stored": {"analysis", "derive.naming", "errors", "graph", "questions", "robot", "spatial", "toolchain"},
    "derive.tightening": {
        *("analysis", "cluster", "derive.checks", "derive.naming", "errors", "graph", "passes", "search"),
    },
    "derive.starts": {
        *("analysis", "derive.checks", "derive.naming", "derive.stored", "derive.tightening", "errors", "graph"),
        *("questions", "recursions", "robot", "search", "spatial"),
    },
    "derive": {
        *("algorithms", "analysis", "batch", "cluster", "derive.checks", "derive.naming", "derive.starts"),
        *(
            "derive.stored",
            "derive.tightening",
            "emit",
            "errors",
            "graph",
            "questions",
            "robot",
            "runtime",
            "spatial",
            "toolchain",
        ),
    },
    "explicit": {
        *("algorithms", "analysis", "derive", "emit", "errors", "graph", "polynomials", "questions", "robot"),
        *("spatial",),
    },
    "closed_form": {
        *("algorithms", "analysis", "derive", "emit", "errors", "explicit", "graph", "polynomials", "questions"),
        *("robot", "spatial"),
    },
    "reduce": {
        *("algorithms", "analysis", "batch", "derive", "errors", "explicit", "formats", "graph", "questions", "robot"),
        *("spatial",),
    },
    "measuring": {"algorithms", "errors", "explicit", "formats", "graph", "robot", "spatial"},
    "control": {"derive", "errors", "graph.stage", "questions", "robot"},
    "simulate": {
        *("algorithms", "batch", "control", "derive", "emit", "errors", "formats.columns", "graph", "questions"),
        *("robot", "runtime", "toolchain"),
    },
    "trajectory": {"errors", "formats.columns", "robot"},
    "identify": {
        *("algorithms", "batch", "cluster", "control", "derive", "errors", "graph", "polynomials", "questions"),
        *("recordings", "robot", "simulate", "spatial", "trajectory.trajectory"),
    },
    "calibration": {"algorithms", "errors", "formats", "graph", "identify", "robot", "spatial"},
    "inverse_kinematics": {
        *("algorithms", "derive", "emit", "errors", "graph", "questions", "robot", "runtime"),
        *("simulate.accelerations", "spatial", "toolchain", "trajectory.orientation"),
    },
    "certificate": {"algorithms", "derive", "emit", "errors", "graph", "questions", "robot", "spatial", "toolchain"},
    "generate": {"certificate", "derive", "directory", "emit", "errors", "questions", "robot"},
    "tasks": {
        *("analysis", "batch", "derive", "directory", "emit", "errors", "generate", "graph", "questions", "reduce"),
        *("robot", "toolchain", "trajectory"),
    },
    "api": {
        *("batch", "calibration", "closed_form", "derive", "errors", "explicit", "formats", "generate", "graph"),
        *("identify", "inverse_kinematics", "library", "measuring", "questions", "recordings", "reduce", "robot"),
        *("simulate", "spatial", "tasks", "trajectory"),
    },
    "report": {
        *(
            "algorithms",
            "analysis",
            "api",
            "calibration",
            "closed_form",
            "cluster",
            "derive",
            "emit",
            "errors",
            "explicit",
        ),
        *("formats", "generate", "graph", "identify", "inverse_kinematics.result", "library", "measuring"),
        *("polynomials", "questions", "reduce", "robot", "runtime", "simulate", "spatial", "tasks", "toolchain"),
        *("trajectory",),
    },
    "commands": {
        "api",
        "certificate",
        "directory",
        "errors",
        "generate",
        "identify.collision_spheres",
        "identify.estimate",
        "identify.excite",
        "identify.recursive",
        "library",
        "recordings",
        "report",
        "simulate.sampled",
        "tasks",
    },
    "cli": {"commands", "errors"},
    "__main__": {"cli"},
}
"""For each folder or file of the package, what it imports besides itself: nothing that stands below it here.

A room of a folder, such as ``derive.naming``, has a row of its own; the folder's row is for its other files.
"""

FILES = sorted(PACKAGE.rglob("*.py"))


def module_name(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules of the package that a file imports, for types, too, 'taut.' left off."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            base = node.module or ""
            names = [f"taut.{alias.name}" for alias in node.names] if base == "taut" else [base]
        else:
            continue
        yield from (name.removeprefix("taut.") for name in names if name.split(".")[0] == "taut")


def owner_of(module: str) -> str:
    """Return the row of ARROWS that a module belongs to: the longest that its name begins with."""
    return max((row for row in ARROWS if f"{module}.".startswith(f"{row}.")), key=len, default=module.split(".")[0])


def allowed(owner: str, target: str) -> bool:
    return owner_of(target) == owner or any(f"{target}.".startswith(f"{arrow}.") for arrow in ARROWS[owner])


def strays(file: Path) -> list[str]:
    owner = owner_of(module_name(file))
    return [target for target in imported(ast.parse(file.read_text("utf-8"))) if not allowed(owner, target)]


@pytest.mark.parametrize("file", [f for f in FILES if module_name(f)], ids=module_name)
def test_imports_follow_the_arrows(file: Path) -> None:
    owner = owner_of(module_name(file))
    assert owner in ARROWS, f"{owner} is new: say in ARROWS what it may import"
    assert strays(file) == [], f"{module_name(file)} must not import these"


def test_the_arrows_have_no_cycle_and_no_end_that_is_missing() -> None:
    before: set[str] = set()
    for owner, targets in ARROWS.items():
        place = PACKAGE.joinpath(*owner.split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), owner
        assert {owner_of(target) for target in targets} <= before, f"{owner} stands too early"
        before.add(owner)


def test_every_arrow_is_used() -> None:
    used: dict[str, set[str]] = {owner: set() for owner in ARROWS}
    for file in FILES:
        if module := module_name(file):
            used[owner_of(module)] |= set(imported(ast.parse(file.read_text("utf-8"))))
    for owner, targets in ARROWS.items():
        unused = {arrow for arrow in targets if not any(f"{x}.".startswith(f"{arrow}.") for x in used[owner])}
        assert not unused, f"{owner} imports none of these"


def test_the_page_on_the_architecture_names_every_folder() -> None:
    page = (PACKAGE.parents[1] / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", page, re.M)
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    there = {place.name for place in PACKAGE.iterdir() if place.suffix == ".py" or place.is_dir()}
    assert there - {"__init__.py", "__main__.py", "__pycache__"} <= named
    assert all((PACKAGE / name).exists() for name in named), named


def test_a_stray_import_is_seen() -> None:
    tree = ast.parse("import taut.robot\nfrom taut import graph\nfrom taut.graph.node import Node\nimport numpy\n")
    assert sorted(imported(tree)) == ["graph", "graph.node", "robot"]
    assert not allowed("algorithms", "graph.node")
    assert allowed("graph", "spatial.array")
    assert not allowed("graph", "spatial.vector")
    assert allowed("derive", "derive.naming.model")
    assert not allowed("derive.naming", "derive.function")


def test_a_heavy_package_is_not_imported_at_start() -> None:
    """Optional dependencies are imported where they are used, not at the top of a file."""
    optional = {"matplotlib", "scipy", "pinocchio", "mujoco", "sympy", "casadi", "jax"}
    for file in FILES:
        for node in ast.parse(file.read_text("utf-8")).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & optional, file


def loaded_by(code: str) -> set[str]:
    """Return the modules that a script imports, each with every package it is in."""
    script = f"import sys; {code}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names = [name.split(".") for name in done.stderr.split()]
    return {".".join(parts[:k]) for parts in names for k in range(1, len(parts) + 1)}


class TestStart:
    """What is imported only when it is used, so that taut starts quickly."""

    @pytest.mark.parametrize(
        "code",
        [
            "import taut; taut.load, taut.identify",
            "from taut.cli import main; main(['list'])",
            "from taut.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        ],
        ids=["import", "list", "help"],
    )
    def test_neither_numpy_nor_robots(self, code: str) -> None:
        later = {"numpy", "flint", "taut.robot", "taut.graph", "taut.spatial", "taut.questions", "taut.formats"}
        assert not later & loaded_by(code)

    def test_loading_a_robot_imports_no_derivation(self) -> None:
        later = {"flint", "scipy", "taut.derive", "taut.explicit", "taut.closed_form", "taut.algorithms"}
        found = loaded_by("import taut; taut.load('ur5e')")
        assert not (later | {"taut.questions.table"}) & found
        assert {"numpy", "taut.robot"} <= found

    def test_a_verb_stays_one_where_its_package_has_the_same_name(self) -> None:
        assert "done" in loaded_by(
            "import taut, taut.identify.base_parameters; assert callable(taut.identify); sys.modules['done'] = sys"
        )
