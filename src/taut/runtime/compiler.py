"""How does C text become something Python can call?  Compiled once by the system's compiler, and cached.

A library is named by the hash of its text, the compiler's version, the flags and the processor, so that a
cached one is never stale. It is compiled under another name and put in place in one step: any number of
processes may ask for it at the same time, and one that is killed leaves nothing broken behind.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from taut.errors import TautError

CANDIDATES = ("cc", "gcc", "clang")
LIBRARY_FLAGS = ("-shared", "-fPIC")


class CompilerError(TautError):
    """There is no C compiler, it cannot compile the text, or there is no place for the result."""


def load(source: str, flags: Sequence[str] = ("-O3",)) -> ctypes.CDLL:
    """Return the library of a C text, compiled now unless it has been before.

    Args:
        source: the whole text, standard headers and the mathematics library at most.
        flags: for the compiler.
    """
    path = compiled(source, flags)
    try:
        return ctypes.CDLL(str(path))
    except OSError:  # damaged since it was compiled: once more
        path.unlink(missing_ok=True)
        return ctypes.CDLL(str(compiled(source, flags)))


def compiled(source: str, flags: Sequence[str] = ("-O3",)) -> Path:
    """Return the path of the shared library of a C text."""
    command = find_compiler()
    identity = [source, " ".join(command), _version(command), *flags, _processor()]
    place = cache_directory()
    target = place / f"{sha256(chr(0).join(identity).encode()).hexdigest()[:40]}.so"
    if target.exists():
        return target
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="compiling-", dir=place) as workplace:
            text, library = Path(workplace, "source.c"), Path(workplace, "library.so")
            text.write_text(source, "utf-8")
            _run([*command, *flags, *LIBRARY_FLAGS, "-o", str(library), str(text), "-lm"])
            os.replace(library, target)
    except OSError as error:
        raise CompilerError(
            f"compiled code cannot be kept in {place} ({error.strerror}); set TAUT_CACHE to a directory of yours"
        ) from None
    return target


def find_compiler() -> list[str]:
    """Return the command of the C compiler: $CC, cc, gcc or clang, whichever is there first."""
    chosen = shlex.split(os.environ.get("CC", ""))
    if chosen:
        if shutil.which(chosen[0]) is None:
            raise CompilerError(f"the C compiler '{chosen[0]}' named by CC is not there; correct or unset CC")
        return chosen
    for name in CANDIDATES:
        if shutil.which(name):
            return [name]
    raise CompilerError(f"no C compiler found ({', '.join(CANDIDATES)}); install one or name it in CC")


def cache_directory() -> Path:
    """Return where compiled code is kept: $TAUT_CACHE, else ``taut`` in the user's cache."""
    if own := os.environ.get("TAUT_CACHE"):
        return Path(own)
    cache = os.environ.get("XDG_CACHE_HOME")
    return Path(cache) / "taut" if cache else Path.home() / ".cache" / "taut"


def _version(command: Sequence[str]) -> str:
    return _run_once((*command, "--version"))


@lru_cache
def _run_once(command: tuple[str, ...]) -> str:
    return _run(command)


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise CompilerError(f"the C compiler '{command[0]}' cannot be run ({error.strerror})") from None
    if done.returncode:
        first = next((row for row in done.stderr.splitlines() if "error" in row), done.stderr.strip()[:200])
        raise CompilerError(f"the C compiler '{command[0]}' failed with code {done.returncode}: {first}")
    return done.stdout


@lru_cache
def _processor() -> str:
    """Return what the processor can do, since code for this one may not run on another that shares the cache."""
    features = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as rows:
            features = next((row for row in rows if row.startswith(("flags", "Features"))), "")
    except OSError:
        pass  # not Linux: the name has to do
    return f"{platform.machine()} {platform.processor()} {features}"
