"""Robot files: finds the reader that serves a file. Text in, robot out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from taut.errors import InputError
from taut.formats.files import PACKAGE, Files, decoded, package_file, package_folder, read_bytes
from taut.robot import Tree

KINDS = ("urdf", "mjcf", "sdf", "toml", "symoro", "izaguirre")
BY_EXTENSION = {
    **{".urdf": "urdf", ".mjcf": "mjcf", ".sdf": "sdf", ".toml": "toml", ".par": "symoro"},
    **{".robot": "izaguirre", ".spec": "izaguirre"},
}

_ROOTS = {"robot": "urdf", "mujoco": "mjcf", "sdf": "sdf"}
"""{root element: format}."""

LARGEST_TEXT = 4 * 2**20
"""Characters beyond which a text that is no XML is taken for a mistake; five seconds of reading."""

_ROOT = re.compile(r"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>]*>)*+<([\w:.-]+)", re.DOTALL)
"""The root element's name, behind declarations and comments."""


def read_path(
    path: str | Path, roots: Sequence[str | Path] = (), packages: Mapping[str, str | Path] | None = None
) -> Tree:
    """Return the robot that a file describes.

    Args:
        path: of the file; may be ``package://NAME/...``.
        roots: folders besides the file's own that it may include files and meshes from.
        packages: {name: folder} that ``package://NAME`` stands for, besides the ROS path variables.
    """
    place = str(path)
    path, files = allowed_files(path, roots, packages)
    if path.suffix.lower() == ".xacro":
        expanded = path.with_suffix("") if path.stem.endswith(".urdf") else path.with_suffix(".urdf")
        raise InputError("xacro macros are not expanded", place, f"run 'xacro {path.name} -o {expanded.name}' first")
    text = decoded(read_bytes(path, place), place)
    return read(text, place, BY_EXTENSION.get(path.suffix.lower()), files)


def allowed_files(
    path: str | Path, roots: Sequence[str | Path], packages: Mapping[str, str | Path] | None
) -> tuple[Path, Files]:
    """Return the path of a description and the files that it may name; arguments as for :func:`read_path`."""
    known = {name: Path(folder) for name, folder in (packages or {}).items()}
    allowed = tuple(Path(root) for root in roots)
    place = str(path)
    if place.startswith(PACKAGE):
        path, allowed = package_file(place, known), (*allowed, package_folder(place, known))
    path = Path(path)
    return path, Files(path.parent, allowed, known)


def read(text: str, place: str = "", kind: str | None = None, files: Files | None = None) -> Tree:
    """Return the robot that a text describes.

    Args:
        text: the description.
        place: where it comes from, for errors.
        kind: one of :data:`KINDS`; found out from the text if it is not given.
        files: that the text may name; none by default.
    """
    kind = kind or kind_of(text, place)
    if kind == "urdf":
        from taut.formats.urdf import read_urdf

        return read_urdf(text, place)
    if kind == "mjcf":
        from taut.formats.mjcf import read_mjcf

        return read_mjcf(text, place, files)
    if kind == "sdf":
        from taut.formats.sdf import read_sdf

        return read_sdf(text, place)
    if len(text) > LARGEST_TEXT:
        raise InputError(f"has {len(text)} characters, more than {LARGEST_TEXT}", place, "split the description")
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


def kind_of(text: str, place: str) -> str:
    """Return the format of a text, one of :data:`KINDS`."""
    if text.lstrip("\ufeff \t\r\n").startswith("<"):
        found = _ROOT.match(text.lstrip("\ufeff"))
        root = found[1] if found else ""
        if root in _ROOTS:
            return _ROOTS[root]
        known = "taut reads <robot> (URDF), <mujoco> (MJCF) and <sdf>"
        raise InputError(f"the root element is <{root}>", place, known)
    if re.search(r"^[ \t]*number_links\b", text, re.MULTILINE):
        return "izaguirre"
    if re.search(r"^[ \t]*NL[ \t]*=", text, re.MULTILINE | re.IGNORECASE):
        return "symoro"
    return "toml"
