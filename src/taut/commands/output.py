"""Writes a result to a file, whole or not at all, and refuses places that cannot be written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from taut.errors import InputError

FILE_ADVICE = "name a file in a folder that exists"


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
        raise _refusal(error, path, FILE_ADVICE) from None


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


def refuse_output(path: str | None, force: bool, folder: bool = False) -> None:
    """Refuse a place that cannot be written, or a file that exists and is to be kept, before any work is done for it.

    Args:
        path: the file or folder to write; None where none is written.
        force: whether a file may be replaced.
        folder: whether a folder is to be written, whose parents are made where they are missing.
    """
    if path is None:
        return
    if not (force or folder) and os.path.isfile(path):
        raise InputError("exists", path, "add --force to replace it, or give another name")
    try:
        if not path:
            raise ValueError("no name is given")
        target = Path(os.path.realpath(path))
        if folder:
            while not target.exists():
                target = target.parent
            _try_to_write(target)
        elif target.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        elif target.is_file() or not target.exists():  # a device or a pipe is no file to lose
            _try_to_write(target.parent)
    except (OSError, ValueError) as error:
        raise _refusal(error, path, "name a folder that you may write" if folder else FILE_ADVICE) from None


def _try_to_write(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder):
        pass


def _refusal(error: Exception, path: str, advice: str) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot write: {reason}", path or "output", advice)
