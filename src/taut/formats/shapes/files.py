"""Mesh files as a description names them: found in its own folder, its package, or where the user allows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from taut.errors import InputError
from taut.formats.files import PACKAGE, Files
from taut.formats.mesh_files import MOST_TRIANGLES, triangles
from taut.formats.shapes.collada import read_collada
from taut.formats.shapes.shape import Colour, Piece, missing_trimesh

KINDS = ("stl", "obj", "dae")


def mesh_pieces(files: Files, name: str, scale: tuple[float, ...], colour: Colour | None, place: str) -> list[Piece]:
    """Return the triangles of a named mesh.

    Args:
        files: that the description may name.
        name: as the description writes it.
        scale: along each axis.
        colour: of triangles to which the mesh gives none.
        place: of the name in the description, for errors.
    """
    path = found_file(files, name, place)
    sized = np.diag([*scale, 1.0])
    pieces = _read(files.read(path, place), path.suffix.lower().removeprefix("."), f"{place}: {name}")
    return [replace(piece.moved(sized), colour=piece.colour or colour) for piece in pieces]


def found_file(files: Files, name: str, place: str) -> Path:
    """Return the path of a named file; the package that the description stands in needs no telling."""
    if files.folder is not None and name.startswith(PACKAGE):
        package, _, rest = name.removeprefix(PACKAGE).lstrip("/").partition("/")
        own = files.folder.resolve()
        homes = [folder for folder in (own, *own.parents) if package and folder.name == package]
        homes += [own / package] if (own / package).is_dir() else []
        if package not in files.packages and homes:
            home = next((folder for folder in homes if (folder / rest).is_file()), homes[0])
            return Files(home).find(rest, [home], place)
    return files.find(name.removeprefix("file://"), [files.folder] if files.folder else [], place)


def _read(data: bytes, kind: str, place: str) -> list[Piece]:
    if kind not in KINDS:
        raise InputError(f"is a mesh of unknown kind '{kind[:20]}'", place, "convert it to .stl, .obj or .dae")
    if kind == "dae":
        return read_collada(data, place)
    vertices, faces = triangles(data, kind, place, missing_trimesh(place))
    if not 0 < len(faces) <= MOST_TRIANGLES or not np.isfinite(vertices).all():
        raise InputError("holds no triangles, too many, or numbers that are not finite", place, "check the mesh")
    return [Piece(vertices, faces)]
