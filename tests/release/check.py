"""The release checklist: what a program can check, it checks; the rest is printed. ``make release-check`` runs it.

PYTHONPATH=tests python tests/release/check.py
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

from release.wheel import ROOT, built

BY_HAND = (
    "make test, make test-slow, make oracle and make docs passed on a quiet machine",
    "make bench was run for this version; docs/speed.md and docs/figures/overview.svg (make picture) are new",
    "names that were removed had warned for one minor version (CONTRIBUTING.md)",
    "the tag is signed, and the files below were uploaded from it",
)


def findings() -> list[str]:
    """Return what stands in the way of a release."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version, found = project["version"], []
    if f"version: {version}\n" not in (ROOT / "CITATION.cff").read_text("utf-8"):
        found.append(f"CITATION.cff has another version than {version}")
    heading = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    if heading is None or not heading[1].startswith(version):
        found.append(f"CHANGELOG.md does not begin with {version}")
    elif "unreleased" in heading[1]:
        found.append(f"CHANGELOG.md: give {version} its date")
    if not {"Source", "Documentation", "Issues"} <= set(project.get("urls", {})):
        found.append("pyproject.toml: [project.urls] needs Source, Documentation and Issues of the public repository")
    for name in ("LICENSE", "SECURITY.md", "CONTRIBUTING.md", "CITATION.cff", "src/taut/py.typed"):
        if not (ROOT / name).is_file():
            found.append(f"{name} is missing")
    return found


def main() -> int:
    """Build, check and print; exit code 1 where something stands in the way."""
    with tempfile.TemporaryDirectory() as folder:
        wheel, sdist = built(Path(folder))
        archive = zipfile.ZipFile(wheel)
        [metadata] = [name for name in archive.namelist() if name.endswith("METADATA")]
        about = message_from_string(archive.read(metadata).decode())
        for file in (wheel, sdist):
            print(f"built      {file.name}, {file.stat().st_size / 1e6:.1f} MB")
        print(
            f"metadata   {about['Name']} {about['Version']}, {about['License-Expression']}, {about['Requires-Python']}"
        )
    found = findings()
    for text in found:
        print(f"open       {text}")
    for text in BY_HAND:
        print(f"by hand    {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
