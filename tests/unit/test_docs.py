"""What the documentation shows is what happens: its examples run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import taut

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
MODULES = sorted(m.name for m in pkgutil.walk_packages(taut.__path__, "taut."))


@pytest.mark.parametrize("name", ["taut", *MODULES])
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks marked python run one after the other; those with prompts are compared with what they show."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
            runner = doctest.DocTestRunner()
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names = test.globs
        else:
            exec(compile(block, page.name, "exec"), names)


def test_the_readme_has_an_example_that_runs() -> None:
    assert ">>>" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_file_says_what_it_answers() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        first = file.read_text("utf-8").strip()
        assert first.startswith(('"""', 'r"""')), f"{file.relative_to(ROOT)} has no docstring"
