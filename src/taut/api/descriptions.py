"""Robots of the package ``robot_descriptions``, where it is installed; it fetches a description at its first use."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path

from taut.errors import InputError

PACKAGE = "robot_descriptions"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


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
