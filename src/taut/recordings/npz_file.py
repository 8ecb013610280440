"""Recordings in NumPy archives: arrays of one column, or of one column a joint."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from taut.errors import InputError


def read_npz(path: Path, part: str = "") -> dict[str, np.ndarray]:
    """Return the columns of an archive; ``q`` of shape (samples, 6) becomes q1 ... q6."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return spread({name: archive[name] for name in archive.files}, part, str(path))
    except (ValueError, OSError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "not an archive of plain arrays", str(path), "write it with numpy.savez(t=..., q=...)"
        ) from None


def spread(arrays: Mapping[str, np.ndarray], part: str, place: str) -> dict[str, np.ndarray]:
    """Return arrays as columns: two axes become one column each, of several recordings one is taken by its ending."""
    chosen = {name: x for name, x in arrays.items() if x.dtype.kind in "fiu" and x.ndim in (1, 2) and x.size > 1}
    if part:
        ending = f"_{part}"
        picked = {name.removesuffix(ending): x for name, x in chosen.items() if name.endswith(ending)}
        if not picked:
            raise InputError(f"no array ends in '{ending}'", place, f"it holds {', '.join(list(chosen)[:12])}")
        chosen = picked
    columns: dict[str, np.ndarray] = {}
    for name, x in chosen.items():
        if x.ndim == 1:
            columns[name] = np.asarray(x, float)
        else:
            columns |= {f"{name}{k + 1}": np.asarray(column, float) for k, column in enumerate(x.T)}
    if not columns:
        raise InputError("no arrays of numbers", place, "give t, q and tau")
    longest = max(len(x) for x in columns.values())
    return {name: x for name, x in columns.items() if len(x) == longest}
