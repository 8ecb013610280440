"""What the documentation shows is what happens: its examples and its commands run."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import taut
from sampled import sampled

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
MODULES = sorted(m.name for m in pkgutil.walk_packages(taut.__path__, "taut."))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"(?:<!--|/\*|#) (\w+\.\w+)\b")
OPTIONAL = ("jax", "casadi", "sympy")
"""Packages whose examples are left out where they are not installed."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("name", ["taut", *MODULES])
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


class Reader:
    """Someone who does what a page says, in a folder of their own."""

    def __init__(self, page: Path, folder: Path, commands: bool) -> None:
        self.page, self.folder, self.commands = page, folder, commands
        self.names: dict[str, object] = {}

    def follow(self) -> None:
        for language, block in BLOCK.findall(self.page.read_text("utf-8")):
            if language == "python":
                self.run(block)
            elif language == "console":
                self.type(block)
            elif named := FILE.match(block):
                (self.folder / named[1]).write_text(block, "utf-8")

    def run(self, block: str) -> None:
        """Run a block of Python; one with prompts is compared with what it shows."""
        for package in OPTIONAL:
            if re.search(rf"\bimport {package}\b", block):
                pytest.importorskip(package)
        if ">>>" not in block:
            exec(compile(block, self.page.name, "exec"), self.names)
            return
        test = doctest.DocTestParser().get_doctest(block, self.names, self.page.name, str(self.page), 0)
        runner = doctest.DocTestRunner()
        runner.run(test, clear_globs=False)
        assert runner.failures == 0
        self.names = test.globs

    def type(self, block: str) -> None:
        """Type the lines after ``$``; what is shown below them, if anything, must come out."""
        if not self.commands:
            return
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            done = subprocess.run(
                ["sh", "-c", command], cwd=self.folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{command}: {done.stderr}"
            alike = doctest.OutputChecker().check_output(shown, done.stdout, doctest.ELLIPSIS)
            assert not shown or alike, f"{command}:\n{done.stdout}"


@pytest.mark.parametrize("page", sampled(PAGES, 2, name_of))
def test_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of Python run one after the other, with the files that the page has the reader write."""
    monkeypatch.chdir(tmp_path)
    Reader(page, tmp_path, commands=False).follow()


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if "```console" in page.read_text("utf-8")], ids=name_of)
def test_a_page_is_followed_literally(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, Python and commands, in the order of the page."""
    monkeypatch.chdir(tmp_path)
    Reader(page, tmp_path, commands=True).follow()


def test_the_readme_has_an_example_that_runs() -> None:
    assert ">>>" in (ROOT / "README.md").read_text("utf-8")


def test_the_counts_of_the_readme_are_those_of_the_tests() -> None:
    """Each row of its table, taut's count and the published one, is a row of the page that the tests keep."""
    counts = (ROOT / "docs" / "counts.md").read_text("utf-8").splitlines()
    rows = re.findall(
        r"^\| [^|]* \| [^|]* \| \*\*(\d+)\*\* \| ([^|]*) \|$", (ROOT / "README.md").read_text("utf-8"), re.M
    )
    assert len(rows) >= 5
    for count, published in rows:
        assert any(f"= {count}**" in line and f" {published}" in line for line in counts), (count, published)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_is_in_the_navigation() -> None:
    """Sphinx names a page that no table of contents has; here without building anything."""
    listed: set[Path] = set()
    for page in PAGES:
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            entries = [line for line in tree.splitlines() if line and not line.startswith(":")]
            listed |= {found for entry in entries for found in page.parent.glob(f"{entry}.md")}
    docs = {page for page in PAGES if page.is_relative_to(ROOT / "docs")} - {ROOT / "docs" / "index.md"}
    assert {name_of(page) for page in docs - listed} == set()


def test_every_file_says_what_it_answers() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        first = file.read_text("utf-8").strip()
        assert first.startswith(('"""', 'r"""')), f"{file.relative_to(ROOT)} has no docstring"


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "docs", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").is_file()
