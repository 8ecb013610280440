"""Builds wheel and source distribution without a network, and an environment with nothing but taut and its needs."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEFT_OUT = (".git", ".venv", "build", "dist", "node_modules", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
PACKAGES = {
    "numpy": ("numpy", "numpy.libs"),
    "python-flint": ("flint", "python_flint.libs"),
    "defusedxml": ("defusedxml",),
}
"""{dependency: the folders it installs}."""


def built(folder: Path) -> tuple[Path, Path]:
    """Return a wheel and a source distribution, made from a copy of the checkout by the setuptools that is here."""
    shutil.copytree(ROOT, folder / "checkout", ignore=shutil.ignore_patterns(*LEFT_OUT))
    code = (
        "import sys; from setuptools import build_meta as b; out = sys.argv[1]; b.build_wheel(out); b.build_sdist(out)"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=folder / "checkout", check=True, capture_output=True, text=True
    )
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def empty_environment(folder: Path, wheel: Path) -> Path:
    """Return the Python of a new environment with the wheel and the dependencies it declares, which are linked."""
    venv.create(folder, with_pip=False)
    [site] = folder.glob("lib/python*/site-packages")
    shutil.unpack_archive(wheel, site, "zip")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    for name in (text.partition(">")[0] for text in declared):
        here = importlib.util.find_spec(PACKAGES[name][0])
        assert here is not None and here.origin is not None
        for part in PACKAGES[name]:
            if (found := Path(here.origin).parents[1] / part).exists():
                (site / part).symlink_to(found)
    return folder / "bin" / "python"
