"""Recordings in parquet and HDF5 files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.recordings.assign import TIME
from taut.recordings.npz_file import spread


def read_parquet(path: Path, part: str = "") -> dict[str, np.ndarray]:
    """Return the columns of numbers of a parquet file; lists of one number a joint are spread."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise InputError("parquet needs pyarrow", str(path), "install taut[logs]") from None
    try:
        table = parquet.read_table(path)
    except Exception as error:
        raise InputError(f"not a parquet file: {error}", str(path), "check the file") from None
    arrays = {}
    for name in table.column_names:
        values = table.column(name).to_numpy(zero_copy_only=False)
        arrays[name] = (
            np.stack(list(values)) if values.dtype == object and len(values) and np.ndim(values[0]) else values
        )
    return spread(arrays, part, str(path))


def read_hdf5(path: Path, part: str = "") -> dict[str, np.ndarray]:
    """Return the data sets of an HDF5 file, or of one group of it."""
    try:
        import h5py
    except ImportError:
        raise InputError("HDF5 needs h5py", str(path), "install taut[logs]") from None
    arrays: dict[str, np.ndarray] = {}

    def collect(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            arrays[name] = item[()]

    try:
        with h5py.File(path) as file:
            if part and part in file and isinstance(file[part], h5py.Group):
                file[part].visititems(collect)
                part = ""
            else:
                file.visititems(collect)
    except OSError:
        raise InputError("not an HDF5 file", str(path), "check the file") from None
    return spread(_shortly({name: np.asarray(x) for name, x in arrays.items() if np.ndim(x)}, path), part, str(path))


def _shortly(arrays: dict[str, np.ndarray], path: Path) -> dict[str, np.ndarray]:
    """Return data sets by their names without groups; with them where groups, such as those of joints, have the same.

    Groups with stamps of their own are several recordings.
    """
    short = [name.rpartition("/")[2] for name in arrays]
    if len(set(short)) == len(short):
        return dict(zip(short, arrays.values(), strict=True))
    runs = [group for group, _, last in (name.rpartition("/") for name in arrays) if group and last.lower() in TIME]
    if len(runs) > 1:
        raise InputError(f"several recordings: {', '.join(runs)}", str(path), f"name one: {path}#{runs[0]}")
    return arrays
