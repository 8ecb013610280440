"""How large is compiled code?  Bytes of every function and of its stack."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from taut.runtime.compiler import find_compiler


class Size(NamedTuple):
    """Bytes of code, and of stack; None where the tools do not tell."""

    code: int | None
    stack: int | None


def sizes(source: str, flags: Sequence[str]) -> dict[str, Size]:
    """Return the sizes of the functions of a C text, by name; empty where it cannot be measured."""
    with tempfile.TemporaryDirectory() as place:
        text, target = Path(place, "source.c"), Path(place, "source.o")
        text.write_text(source, "utf-8")
        if not _runs([*find_compiler(), *flags, "-fstack-usage", "-c", str(text), "-o", str(target)]):
            return {}
        usage = target.with_suffix(".su")
        stack = {}
        if usage.exists():
            for row in usage.read_text("utf-8", "replace").splitlines():
                where, number, *_ = row.split("\t")
                stack[where.rpartition(":")[2]] = int(number)
        try:
            listed = subprocess.run(["nm", "-S", str(target)], capture_output=True, text=True, check=False).stdout
        except OSError:
            listed = ""
        code = {name: int(size, 16) for size, name in re.findall(r"^\w+ (\w+) [tT] (\w+)$", listed, re.M)}
    return {name: Size(code.get(name), stack.get(name)) for name in code.keys() | stack.keys()}


def _runs(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False
