"""What is published: wheel and source distribution build offline, and the wheel alone does the main jobs."""

from __future__ import annotations

import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from release.wheel import ROOT, built, empty_environment

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return built(tmp_path_factory.mktemp("dist"))


def test_the_wheel_has_every_file_of_the_package(made: tuple[Path, Path]) -> None:
    inside = set(zipfile.ZipFile(made[0]).namelist())
    kinds = {".py", ".toml", ".gz", ".c", ".h", ".cpp", ".js", ".css", ".html", ".LICENSE", ".typed"}
    files = [file for file in (ROOT / "src" / "taut").rglob("*") if file.suffix in kinds or file.name == "py.typed"]
    wanted = {str(file.relative_to(ROOT / "src")) for file in files if "__pycache__" not in file.parts}
    assert wanted - inside == set()
    assert not any(name.startswith(("tests/", "docs/", "benchmarks/")) for name in inside)


def test_the_source_distribution_builds_the_same_package(made: tuple[Path, Path]) -> None:
    names = {name.partition("/")[2] for name in tarfile.open(made[1]).getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "src/taut/api/robot.py", "src/taut/library/puma560.toml"} <= names


def test_the_wheel_generates_and_reports_in_an_empty_environment(made: tuple[Path, Path], tmp_path: Path) -> None:
    python = empty_environment(tmp_path / "environment", made[0])
    here = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"XDG_CACHE_HOME": str(tmp_path / "cache")}

    def taut(*arguments: str) -> str:
        done = subprocess.run(
            [str(python), "-m", "taut", *arguments], cwd=tmp_path, env=here, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert taut("--version").strip().startswith("taut 0.")
    assert "puma560" in taut("list")
    taut("generate", "scara", "-o", "code", "--functions", "gravity,mass_matrix", "--effort", "none")
    assert (tmp_path / "code" / "scara.c").is_file()
    taut("report", "double_pendulum", "-o", "page.html", "--effort", "none")
    assert (tmp_path / "page.html").stat().st_size > 500_000
