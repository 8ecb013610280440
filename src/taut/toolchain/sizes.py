"""Size of compiled code: bytes of every function and of its stack."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from taut.toolchain.cache import CacheError, kept
from taut.toolchain.compiler import COMPILING, LIBRARY_FLAGS, CompilerError, find_compiler, identity, run_compiler

ENDING = ".sizes"


class Size(NamedTuple):
    """Bytes of code, and of stack; None where the tools do not tell."""

    code: int | None
    stack: int | None


def sizes(source: str, flags: Sequence[str]) -> dict[str, Size]:
    """Return the sizes of the functions of a C text, by name; empty where it cannot be measured.

    The text is compiled once: :func:`taut.toolchain.compiler.load` then returns the library that was measured.
    """
    what = identity(source, flags)

    def make(draft: Path) -> Path:
        text, target, library, record = (draft / name for name in ("source.c", "source.o", "library.so", "record"))
        text.write_text(source, "utf-8")
        command = [*find_compiler(), *flags]
        run_compiler([*command, *LIBRARY_FLAGS[1:], "-fstack-usage", "-c", str(text), "-o", str(target)])
        record.write_text(json.dumps(_measured(target)), "utf-8")
        run_compiler([*command, *LIBRARY_FLAGS, "-o", str(library), str(target), "-lm"])
        kept(what, lambda _: library, 2 * COMPILING)
        return record

    try:
        found = json.loads(kept(what, make, 2 * COMPILING, ENDING).read_text("utf-8"))
    except (CompilerError, CacheError):  # a compiler that does not know the flag, or no place for the result
        return {}
    return {name: Size(*size) for name, size in found.items()}


def _measured(target: Path) -> dict[str, tuple[int | None, int | None]]:
    """Return (bytes of code, of stack) of the functions of an object file."""
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
    return {name: (code.get(name), stack.get(name)) for name in sorted(code.keys() | stack.keys())}
