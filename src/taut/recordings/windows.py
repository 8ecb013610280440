"""Windows on recordings larger than memory: stretches of rows of an .npz archive or an HDF5 file, read when needed."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.recordings.assign import assigned
from taut.recordings.mapping import Mapping
from taut.recordings.npz_file import spread
from taut.recordings.recording import Recording
from taut.recordings.units import in_si, stated

ROWS = 250_000
"""Rows of a window."""

AROUND = 2_000
"""Rows that a window shares with the next, so that what a filter drops at its ends is in the other."""

FEW = 200
"""Rows read for the first and the last stamp."""


@dataclass(frozen=True)
class Window:
    """Some rows of a recording.

    Attributes:
        path: ``file.npz``, ``file.npz#part``, ``file.h5``.
        first: row.
        last: row after the last.
        joints: names of the robot's joints.
        mapping: which columns are what.
        span: times of the first and the last row of the whole recording [s].
        own: times from which to which the rows count; those outside are there for the filter alone.
    """

    path: str
    first: int
    last: int
    joints: tuple[str, ...]
    mapping: Mapping
    span: tuple[float, float] = (0.0, 0.0)
    own: tuple[float, float] = (-np.inf, np.inf)

    def recording(self) -> Recording:
        """Return the rows."""
        name, _, part = self.path.partition("#")
        columns = spread(_rows(Path(name), self.first, self.last), part, self.path)
        columns, mapping = stated(columns, self.mapping)
        found = in_si(assigned(columns, self.joints, mapping, self.path), mapping)
        if self.mapping.rate is not None:  # stamps from the rate begin anew in every window
            return Recording(
                found.source,
                found.t + self.first / self.mapping.rate,
                found.q,
                found.tau,
                found.qd,
                found.notes,
                found.reference,
            )
        return found


def windows_of(path: str, joints: Sequence[str], mapping: Mapping | None = None, rows: int = ROWS) -> list[Window]:
    """Return windows that cover a recording."""
    given, names = mapping or Mapping(), tuple(joints)
    count = _count(Path(path.partition("#")[0]))

    def at(a: int, b: int, **more: Any) -> Window:
        return Window(path, max(a, 0), min(b, count), names, given, **more)

    ends = [at(0, FEW).recording().t[0], at(count - FEW, count).recording().t[-1]]
    span = (float(np.nanmin(ends[0])), float(np.nanmax(ends[1])))
    step = (span[1] - span[0]) / max(count - 1, 1)
    found = []
    for first in range(0, count, rows):
        last = min(first + rows, count)
        own = (
            -np.inf if first == 0 else span[0] + step * first,
            np.inf if last == count else span[0] + step * last,
        )
        found.append(at(first - AROUND, last + AROUND, span=span, own=own))
        if last == count:
            break
    return found


def _count(file: Path) -> int:
    return max(len(x) for x in _arrays(file).values() if x.ndim)


def _rows(file: Path, first: int, last: int) -> dict[str, np.ndarray]:
    arrays = _arrays(file)
    count = max(len(x) for x in arrays.values() if x.ndim)
    return {name: np.array(x[first:last]) for name, x in arrays.items() if x.ndim and len(x) == count}


def _arrays(file: Path) -> dict[str, Any]:
    """Return a file's arrays without reading them."""
    if file.suffix.lower() in (".h5", ".hdf5"):
        import h5py

        found: dict[str, Any] = {}
        opened = h5py.File(file)
        opened.visititems(lambda name, x: found.update({name: x}) if isinstance(x, h5py.Dataset) else None)
        return found
    with zipfile.ZipFile(file) as archive, file.open("rb") as raw:
        return {
            info.filename.removesuffix(".npy"): _mapped(file, raw, info)
            for info in archive.infolist()
            if info.filename.endswith(".npy")
        }


def _mapped(file: Path, raw: Any, info: zipfile.ZipInfo) -> np.ndarray:
    """Return an array of an archive as a map of the file's bytes."""
    if info.compress_type != zipfile.ZIP_STORED:
        raise InputError(
            "compressed arrays cannot be read in parts", str(file), "write it with numpy.savez, not savez_compressed"
        )
    raw.seek(info.header_offset + 26)
    name, extra = np.frombuffer(raw.read(4), "<u2")
    raw.seek(info.header_offset + 30 + int(name) + int(extra))
    version = np.lib.format.read_magic(raw)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(raw)
    if dtype.hasobject:
        raise InputError("not an archive of plain arrays", str(file), "write it with numpy.savez(t=..., q=...)")
    return np.memmap(file, dtype, "r", raw.tell(), shape, "F" if fortran else "C")
