"""A table of torques over time read from a CSV file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from taut.errors import InputError
from taut.formats.columns import read_columns
from taut.robot import Tree


def read_torques(path: str | Path, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return times (N) and torques (N, nv) of the columns t and tau1, tau2, ...; other columns are left out."""
    names = [f"tau{k + 1}" for k in range(tree.nv)]
    column = read_columns(path, "row", f"t, {', '.join(names)}")
    missing = [name for name in ("t", *names) if name not in column]
    if missing:
        raise InputError(f"column '{missing[0]}' is missing", str(path), f"give t, {', '.join(names)}")
    return column["t"], np.column_stack([column[name] for name in names])
