"""Writes a result to a file, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from taut.errors import InputError


def write_whole(path: str, text: str) -> None:
    """Write a text file in one step: it appears complete, or what was there before stays."""
    try:
        if not path:
            raise ValueError("no name is given")
        target = Path(os.path.realpath(path))  # a link keeps leading where it leads
        if target.exists() and not target.is_file():  # a folder fails here; a device or a pipe is no file to replace
            target.write_text(text, encoding="utf-8")
        else:
            _replace(target, text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot write: {reason}", path or "output", "name a file in a folder that exists") from None


def _replace(target: Path, text: str) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=".taut-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(draft, mode)  # a draft is for its owner alone
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refuse_existing(path: str | None, force: bool) -> None:
    """Refuse to write over a file, unless told to; a device or a pipe is no file to lose."""
    if path and not force and os.path.isfile(path):
        raise InputError("exists", path, "add --force to replace it, or give another name")
