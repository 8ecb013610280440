"""Compiled libraries and derived functions kept between runs, each whole and unchanged or not used.

The name of a file holds the hash of what it was made from and the hash of its own bytes. A file is written under
another name, synced to the disk and renamed in one step, so any number of processes may work in the directory at the
same time. A file whose bytes do not match its name (truncated by a crash or a full disk) is removed and made again.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from taut.errors import TautError

DRAFTS = "compiling-"
"""Prefix of the directories in which libraries are made."""

HASH_LENGTH = 40
LIBRARY = ".so"


class CacheError(TautError):
    """There is no safe place for compiled code."""


def cache_directory() -> Path:
    """Return where compiled code is kept: $TAUT_CACHE, else ``taut`` in the user's cache."""
    if own := os.environ.get("TAUT_CACHE"):
        return Path(own)
    if cache := os.environ.get("XDG_CACHE_HOME"):
        return Path(cache) / "taut"
    try:
        return Path.home() / ".cache" / "taut"
    except RuntimeError:
        raise CacheError("this user has no home directory; set TAUT_CACHE to a directory of yours") from None


def kept(identity: str, make: Callable[[Path], Path], longest: float, ending: str = LIBRARY) -> Path:
    """Return the file made from ``identity``, from the cache or made now.

    Args:
        identity: everything the content depends on.
        make: writes the file into the directory it is given and returns its path.
        longest: seconds that ``make`` can take; drafts older than this were left by a killed process.
        ending: of the file's name.
    """
    file = found(identity, ending)
    if file is not None:
        return file
    with _place() as place:
        _sweep(place, longest)
        with _draft(place) as draft:
            return _put(make(draft), place, _hash(identity.encode()), ending)


def found(identity: str, ending: str = LIBRARY) -> Path | None:
    """Return the file made from ``identity`` before; None where there is none, or a damaged one, which is removed."""
    with _place() as place:
        for file in place.glob(f"{_hash(identity.encode())}-*{ending}"):
            if _is_whole(file):
                return file
            file.unlink(missing_ok=True)
    return None


@contextmanager
def _place() -> Iterator[Path]:
    """Give the cache directory, which no other user may write to; errors of the disk become one sentence."""
    place = cache_directory()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        refuse_shared(place)
        yield place
    except OSError as error:
        reason = f"compiled code cannot be kept in {place} ({error.strerror})"
        raise CacheError(f"{reason}; set TAUT_CACHE to a directory of yours") from None


def refuse_shared(place: Path) -> None:
    """Raise where somebody else could put code into the directory, which Python would then run."""
    if not hasattr(os, "getuid"):
        return  # Windows: the user's own directories are private
    advice = "set TAUT_CACHE to a directory of yours"
    found = place.stat()
    if found.st_uid not in (0, os.getuid()):
        raise CacheError(f"the cache {place} belongs to another user; {advice}")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise CacheError(f"others may write to the cache {place}; take that right away (chmod go-w), or {advice}")
    for parent in place.resolve().parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise CacheError(f"the cache {place} is in {parent}, where others may replace it; {advice}")


def _is_whole(file: Path) -> bool:
    """Whether the bytes of a file are those its name was given for."""
    try:
        return _hash(file.read_bytes()) == file.stem.partition("-")[2]
    except FileNotFoundError:  # another process found it damaged
        return False


def _put(made: Path, place: Path, key: str, ending: str) -> Path:
    """Move a finished file into the cache in one step, its bytes on the disk before its name."""
    with open(made, "rb") as file:
        content = file.read()
        os.fsync(file.fileno())
    target = place / f"{key}-{_hash(content)}{ending}"
    os.replace(made, target)
    return target


@contextmanager
def _draft(place: Path) -> Iterator[Path]:
    draft = Path(tempfile.mkdtemp(prefix=DRAFTS, dir=place))
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _sweep(place: Path, longest: float) -> None:
    """Remove what killed processes left: drafts older than any that is still being made."""
    for draft in place.glob(f"{DRAFTS}*"):
        try:
            if time.time() - draft.stat().st_mtime > longest:
                shutil.rmtree(draft, ignore_errors=True)
        except FileNotFoundError:  # finished meanwhile
            continue


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:HASH_LENGTH]
