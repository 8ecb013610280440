"""Text in, robot out: which reader serves a file, and is the file fit to be read at all?"""

from __future__ import annotations

import re
import stat
from pathlib import Path

from taut.errors import InputError
from taut.robot import Tree

LARGEST_FILE = 64 * 2**20
"""Bytes beyond which a file is no robot description."""

KINDS = ("urdf", "mjcf", "toml", "symoro", "izaguirre")
BY_EXTENSION = {
    **{".urdf": "urdf", ".mjcf": "mjcf", ".toml": "toml", ".par": "symoro"},
    **{".robot": "izaguirre", ".spec": "izaguirre"},
}

_ROOT = re.compile(r"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>)*+<([\w:.-]+)", re.DOTALL)
"""The root element's name, behind declarations and comments."""


def read_path(path: str | Path) -> Tree:
    """Return the robot that a file describes."""
    path = Path(path)
    text = _text_of(path)
    return read(text, str(path), BY_EXTENSION.get(path.suffix.lower()))


def read(text: str, place: str = "", kind: str | None = None) -> Tree:
    """Return the robot that a text describes.

    Args:
        text: the description.
        place: where it comes from, for errors.
        kind: one of :data:`KINDS`; found out from the text if it is not given.
    """
    kind = kind or _kind_of(text, place)
    if kind == "urdf":
        from taut.formats.urdf import read_urdf

        return read_urdf(text, place)
    if kind == "mjcf":
        from taut.formats.mjcf import read_mjcf

        return read_mjcf(text, place)
    if kind == "toml":
        from taut.formats.toml import read_toml

        return read_toml(text, place)
    if kind == "symoro":
        from taut.formats.symoro import read_symoro

        return read_symoro(text, place)
    if kind == "izaguirre":
        from taut.formats.izaguirre import read_izaguirre

        return read_izaguirre(text, place)
    raise InputError(f"unknown format '{kind}'", place, f"known: {', '.join(KINDS)}")


def _kind_of(text: str, place: str) -> str:
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        found = _ROOT.match(text.lstrip("\ufeff"))
        root = found[1] if found else ""
        if root in ("mujoco", "robot"):
            return "mjcf" if root == "mujoco" else "urdf"
        raise InputError(f"the root element is <{root}>", place, "taut reads <robot> (URDF) and <mujoco> (MJCF)")
    if re.search(r"^\s*number_links\b", text, re.MULTILINE):
        return "izaguirre"
    if re.search(r"^\s*NL\s*=", text, re.MULTILINE | re.IGNORECASE):
        return "symoro"
    return "toml"


def _text_of(path: Path) -> str:
    place = str(path)
    data = _bytes_of(path, place)
    if b"\0" in data:
        raise InputError("is a binary file", place, "robot descriptions are text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"is not UTF-8 at line {line}", place, "save it as UTF-8") from None


def _bytes_of(path: Path, place: str) -> bytes:
    try:
        status = path.stat()
        regular, size = stat.S_ISREG(status.st_mode), status.st_size
        data = path.read_bytes() if regular and size <= LARGEST_FILE else b""
    except FileNotFoundError:
        raise InputError("no such file", place, "check the path") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", place, "check the path and its permissions") from None
    if not regular:
        what = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise InputError(f"is {what}", place, "name a robot file")
    if size > LARGEST_FILE:
        raise InputError(
            f"has {size} bytes, more than {LARGEST_FILE}", place, "check the path; descriptions are smaller"
        )
    return data
