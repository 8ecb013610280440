"""From a file of any known kind to a recording of a robot's joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from taut.errors import InputError
from taut.recordings.assign import assigned
from taut.recordings.columnar import read_hdf5, read_parquet
from taut.recordings.csv_file import read_csv
from taut.recordings.mapping import Mapping, read_mapping
from taut.recordings.npz_file import read_npz
from taut.recordings.recording import Recording
from taut.recordings.rosbag import read_rosbag
from taut.recordings.units import in_si, stated

Columns = dict[str, np.ndarray]
"""{name: numbers}, all of one length."""

READERS: dict[str, Callable[[Path, str], Columns]] = {
    ".csv": read_csv,
    ".txt": read_csv,
    ".tsv": read_csv,
    ".npz": read_npz,
    ".parquet": read_parquet,
    ".h5": read_hdf5,
    ".hdf5": read_hdf5,
    ".mcap": read_rosbag,
    ".db3": read_rosbag,
    ".bag": read_rosbag,
}


def read_recording(path: str, joints: Sequence[str], mapping: str | Mapping | None = None) -> Recording:
    """Return the recording in a file.

    Args:
        path: the file; ``file.npz#2`` or ``file.h5#run2`` takes the arrays that end in ``_2``, or a group.
        joints: the robot's joint names, in order.
        mapping: a file (or its content) that names what each column is; guessed from their names without it.
    """
    given = read_mapping(mapping) if isinstance(mapping, str) else mapping or Mapping()
    name, _, part = path.partition("#")
    file = Path(name)
    reader = read_rosbag if file.is_dir() else READERS.get(file.suffix.lower())
    if reader is None:
        raise InputError(f"no reader for '{file.suffix}'", path, f"taut reads {', '.join(READERS)} and rosbag2 folders")
    if not file.exists():
        raise InputError("no such file", path, "check the path")
    columns = reader(file, part)
    lengths = {len(x) for x in columns.values()}
    if len(lengths) > 1:
        raise InputError(f"columns of different lengths: {sorted(lengths)}", path, "give one value per sample")
    columns, given = stated(columns, given)
    return in_si(assigned(columns, joints, given, path), given)
