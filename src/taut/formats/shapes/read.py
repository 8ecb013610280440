"""The shapes of a description file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from taut.formats import BY_EXTENSION, allowed_files, kind_of
from taut.formats.files import decoded, read_bytes
from taut.formats.shapes.shape import Shape
from taut.formats.shapes.urdf import urdf_shapes
from taut.formats.xml import read_xml


def shapes_of(
    path: str | Path, roots: Sequence[str | Path] = (), packages: Mapping[str, str | Path] | None = None
) -> list[Shape]:
    """Return what a file draws; formats without shapes draw nothing.

    Args:
        path: of the file, as for :func:`taut.formats.read_path`.
        roots: folders besides the file's own that it may take meshes from.
        packages: {name: folder} that ``package://NAME`` stands for.
    """
    place = str(path)
    file, files = allowed_files(path, roots, packages)
    text = decoded(read_bytes(file, place), place)
    kind = BY_EXTENSION.get(file.suffix.lower()) or kind_of(text, place)
    if kind == "urdf":
        return urdf_shapes(read_xml(text, place), files)
    if kind == "mjcf":
        from taut.formats.mjcf.shapes import mjcf_shapes

        return mjcf_shapes(text, place, files)
    return []
