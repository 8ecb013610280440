"""The file that a robot is read from: a path, or that of a name of the package ``robot_descriptions``.

That package fetches a description at its first use.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from taut import library
from taut.errors import InputError

if TYPE_CHECKING:
    from taut.formats.shapes import Shape

PACKAGE = "robot_descriptions"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def robot_file(robot: str) -> str | None:
    """Return the path of the file that describes a robot; None for a robot of taut's library."""
    if robot in library.names():
        return None
    # os.path.exists, unlike Path.exists, is False for a name that no system allows.
    if Path(robot).suffix or os.path.exists(robot):
        return robot
    file = description_file(robot)
    return None if file is None else str(file)


def drawn_shapes(
    robot: str, roots: Sequence[str | Path] = (), packages: Mapping[str, str | Path] | None = None
) -> list[Shape]:
    """Return the shapes that a robot's file draws; arguments as for :func:`taut.load`.

    >>> drawn_shapes("puma560")
    []
    """
    from taut.formats.shapes import shapes_of

    file = robot_file(robot)
    return [] if file is None else shapes_of(file, roots, packages)


def description_file(name: str) -> Path | None:
    """Return the file of a description by its name, such as ``panda_description``; None where there is none."""
    if not _NAME.fullmatch(name) or importlib.util.find_spec(PACKAGE) is None:
        return None
    if importlib.util.find_spec(f"{PACKAGE}.{name}") is None:
        return None
    try:
        module = importlib.import_module(f"{PACKAGE}.{name}")
    except Exception as error:  # whatever fetching raises
        raise InputError(f"{PACKAGE} cannot provide it: {error}", name, "fetch the file and give its path") from None
    for kind in ("URDF_PATH", "MJCF_PATH"):
        if path := getattr(module, kind, None):
            return Path(path)
    raise InputError("describes the robot neither as URDF nor as MJCF", f"{PACKAGE}.{name}", "give a robot file")
