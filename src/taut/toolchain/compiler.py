"""The system's C compiler: found, run within a time limit, its libraries cached and loaded.

A library is identified by its text, the compiler's version, the flags and the processor, so that a cached one is
never stale.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from taut.errors import TautError
from taut.toolchain.cache import CacheError, kept

CANDIDATES = ("cc", "gcc", "clang")
LIBRARY_FLAGS = ("-shared", "-fPIC")

COMPILING, ASKING = 600.0, 20.0
"""Seconds after which a compiler is stopped: while it compiles, and while it is asked for its version."""


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
    except OSError as error:
        path.unlink(missing_ok=True)
        raise CompilerError(
            f"the C compiler '{find_compiler()[0]}' made no library for this machine: {error}"
        ) from None


def compiled(source: str, flags: Sequence[str] = ("-O3",)) -> Path:
    """Return the path of the shared library of a C text."""
    command = find_compiler()

    def make(draft: Path) -> Path:
        text, library = draft / "source.c", draft / "library.so"
        text.write_text(source, "utf-8")
        run_compiler([*command, *flags, *LIBRARY_FLAGS, "-o", str(library), str(text), "-lm"])
        if not library.is_file():
            raise CompilerError(f"the C compiler '{command[0]}' made no library; correct or unset CC")
        return library

    try:
        return kept(identity(source, flags), make, 2 * COMPILING)
    except CacheError as error:
        raise CompilerError(str(error)) from None


def identity(source: str, flags: Sequence[str]) -> str:
    """Return everything that a library compiled from a C text depends on."""
    command = find_compiler()
    return chr(0).join([source, " ".join(command), _version(tuple(command)), *flags, _processor()])


def find_compiler() -> list[str]:
    """Return the command of the C compiler: $CC, cc, gcc or clang, whichever is there first."""
    given = os.environ.get("CC", "")
    try:
        chosen = shlex.split(given)
    except ValueError as error:
        raise CompilerError(f"CC is {given!r}, which is no command ({error}); correct or unset CC") from None
    if chosen:
        if shutil.which(chosen[0]) is None:
            raise CompilerError(f"the C compiler '{chosen[0]}' named by CC is not there; correct or unset CC")
        return chosen
    for name in CANDIDATES:
        if shutil.which(name):
            return [name]
    raise CompilerError(f"no C compiler found ({', '.join(CANDIDATES)}); install one or name it in CC")


def run_compiler(command: Sequence[str], longest: float | None = None) -> str:
    """Run a command of the compiler and return what it prints; after ``longest`` seconds it is stopped."""
    longest = COMPILING if longest is None else longest
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise CompilerError(f"the C compiler '{command[0]}' cannot be run ({error.strerror})") from None
    try:
        printed, complaint = process.communicate(timeout=longest)
    except subprocess.TimeoutExpired:
        raise CompilerError(f"the C compiler '{command[0]}' was stopped after {longest:.0f} s") from None
    finally:
        _end(process)
    if process.returncode:
        first = next((row for row in complaint.splitlines() if "error" in row), complaint.strip()[:200])
        raise CompilerError(f"the C compiler '{command[0]}' failed with code {process.returncode}: {first}")
    return printed


def _end(process: subprocess.Popen[str]) -> None:
    """Stop a compiler that still runs, with the processes it has started."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.communicate()


@lru_cache
def _version(command: tuple[str, ...]) -> str:
    return run_compiler((*command, "--version"), ASKING)


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
