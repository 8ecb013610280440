"""The commands that the documentation and the help show, as a reader would type them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from taut.commands.table import ENTRIES

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
SHOWN = re.compile(r"^(?:    |\$ )(taut [a-z].*)$|`(taut [a-z][^`\n]*)`", re.M)
PLACEHOLDER = re.compile(r"\b(ROBOT|DIR|FILE|LOG|MODEL|EMPTY|LOADED|COMMAND)\b|\[|\.\.\.")
"""Of these a reader has to put in something first."""

SEARCHED = ("derive", "count", "compare", "generate", "rates", "report", "bench")
"""Commands that search unless told how hard."""


def documented() -> list[str]:
    """Return every command of the pages and the help, without what it is said to do, each once.

    Words after three blanks (two on a page) tell what a line does. A verb alone, or with an option alone, is a name.
    """
    lines = [example.partition("   ")[0] for entry in ENTRIES for example in entry.examples]
    for page in PAGES:
        for block, inline in SHOWN.findall(page.read_text("utf-8")):
            lines.append(re.split(r" {2,}", block or inline)[0])
    whole = [line.strip() for line in lines if not PLACEHOLDER.search(line)]
    return sorted(
        {line for line in whole if line.startswith("taut list") or not f"{line} -".split()[2].startswith("-")}
    )


def words(line: str) -> list[str]:
    """Return the arguments of a command; what a shell would do with its output is left out."""
    return shlex.split(re.split(r" >>? ", line)[0])[1:]


def cut_short(arguments: list[str]) -> list[str]:
    """Return a command with its searches cut short, so that all of them run in minutes; excitation at few samples."""
    found = list(arguments)
    for k, word in enumerate(found):
        if word == "--budget":
            found[k + 1] = "1s"
    if "max" in found and "--budget" not in found:
        found += ["--budget", "1s"]
    if found[0] == "excite":
        found += ["--rate", "10"]
    if found[0] in SEARCHED and "--effort" not in found and "--form" not in found:
        found += ["--effort", "none"]
    return found
