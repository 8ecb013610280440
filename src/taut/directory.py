"""Writes a directory of generated code atomically; keeps files of others and removes stale ones.

A list in the directory names the files that taut wrote, their robot and language, and their hashes. Generating again
takes away what is no longer generated; the code of another robot, or a file that is not on the list, is never touched,
and the command refuses to replace a file that was edited since.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from taut.errors import InputError

LIST = "generated-files.txt"
_HEAD = "Files written by taut, a line each: language, SHA-256, file. Robot: "


class _Entry(NamedTuple):
    """The language of a file and the hash of what taut wrote into it."""

    language: str
    digest: str


def write_directory(directory: str, texts: Mapping[str, str], robot: str, language: str) -> None:
    """Write files so that none is ever half there: a new directory appears at once, in an old one each file does.

    Args:
        directory: new, empty, or with code that taut wrote for the same robot.
        texts: {file name: text}.
        robot: whose code it is.
        language: of the code; files of other languages stay.
    """
    target = Path(directory)
    try:
        if target.exists() and not target.is_dir():
            raise NotADirectoryError(0, "it is a file")
        old = _listed(target, robot)
        for name in texts:
            if (target / name).exists() and name not in old:
                raise InputError(f"'{name}' exists and was not written by taut", directory, "name another directory")
        kept = {name: own for name, own in old.items() if own.language != language and name not in texts}
        listed = kept | {name: _Entry(language, _digest(text.encode())) for name, text in texts.items()}
        rows = [_head(robot), *(f"{own.language} {own.digest} {name}" for name, own in sorted(listed.items()))]
        _put(target, {**texts, LIST: "\n".join(rows) + "\n"})
        for name in old.keys() - listed.keys():
            (target / name).unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise _refusal(error, directory) from None


def refuse_directory(directory: str, robot: str, force: bool = False) -> None:
    """Refuse a directory that holds the code of another robot, or edited files, before any is derived for it.

    Args:
        directory: to be written.
        robot: whose code will be.
        force: whether files that were edited since taut wrote them may be replaced.
    """
    try:
        target = Path(directory)
        for name, entry in _listed(target, robot).items():
            place = target / name
            if not force and place.exists() and _digest(place.read_bytes()) != entry.digest:
                advice = "add --force to replace it, or name another directory"
                raise InputError("was edited since taut wrote it", str(place), advice)
    except (OSError, ValueError) as error:
        raise _refusal(error, directory) from None


def _refusal(error: Exception, directory: str) -> InputError:
    if isinstance(error, InputError):
        return error
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot write: {reason}", directory or "output", "name a directory that you may write")


def _head(robot: str) -> str:
    """Return the first line of the list; no tag of a name is left in it."""
    return _HEAD + repr(robot).replace("<", r"\x3c")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _listed(target: Path, robot: str) -> dict[str, _Entry]:
    """Return {file: its entry} of what taut wrote there for the same robot."""
    place = target / LIST
    if not place.exists():
        return {}
    head, *rows = place.read_text("utf-8").splitlines() or [""]
    if head != _head(robot):
        owner = head.removeprefix(_HEAD)[:60] if head.startswith(_HEAD) else "something else"
        raise InputError(f"holds the code of {owner}", str(target), f"name another directory, or remove its {LIST}")
    entries = [row.split(" ", 2) for row in rows]
    return {entry[2]: _Entry(*entry[:2]) for entry in entries if len(entry) == 3 and Path(entry[2]).name == entry[2]}


def _put(target: Path, texts: Mapping[str, str]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name[:50]}."))
    try:
        draft.chmod(0o777 & ~_umask())
        for name, text in texts.items():
            (draft / name).write_text(text, "utf-8")
        if target.exists():
            for name in texts:
                os.replace(draft / name, target / name)
        else:
            draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
