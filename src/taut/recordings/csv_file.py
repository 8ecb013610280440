"""Recordings in text files: one line a sample, the first line names the columns."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from taut.errors import InputError


def read_csv(path: Path, part: str = "") -> dict[str, np.ndarray]:
    """Return the columns of a text file; a cell that is no number becomes NaN, a ragged last line is dropped."""
    text = path.read_bytes()
    head = text[:4096].decode("utf-8-sig", errors="replace")
    first = head.splitlines()[0] if head else ""
    delimiter = max((",", ";", "\t"), key=first.count) if any(mark in first for mark in ",;\t") else None
    names = [name.strip() for name in next(_cells([first], delimiter), [])]
    if not names or all(_is_number(name) for name in names):
        raise InputError(
            "the first line names no columns", str(path), "begin with a line such as t,q1,q2,qd1,qd2,tau1,tau2"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"column '{twice}' is there twice", str(path), "rename one of them")
    rows = _fast(path, delimiter, len(names))
    if rows is None:
        rows = _careful(text.decode("utf-8-sig", errors="replace"), delimiter, len(names))
    if not len(rows):
        raise InputError("no samples", str(path), "give lines of numbers below the names")
    return dict(zip(names, rows.T, strict=True))


def _fast(path: Path, delimiter: str | None, width: int) -> np.ndarray | None:
    """Return all rows at once; None where some line is not made of numbers."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file without rows is refused by the caller, once
            rows = np.loadtxt(path, delimiter=delimiter, skiprows=1, ndmin=2, encoding="utf-8-sig")
    except ValueError:
        return None
    return rows if rows.shape[1] == width else None


def _cells(lines: Sequence[str], delimiter: str | None) -> Iterator[list[str]]:
    """Yield the cells of each line; without a delimiter they are divided by blanks."""
    return (line.split() for line in lines) if delimiter is None else csv.reader(lines, delimiter=delimiter)


def _careful(text: str, delimiter: str | None, width: int) -> np.ndarray:
    lines = [line for line in _cells(text.splitlines()[1:], delimiter) if any(line)]
    comma = delimiter != ","
    rows = [[_number(cell, comma) for cell in line] + [np.nan] * (width - len(line)) for line in lines]
    if rows and len(lines[-1]) < width:
        rows.pop()
    return np.array([row[:width] for row in rows]).reshape(-1, width)


def _number(cell: str, comma: bool = False) -> float:
    """Return the number in a cell; with ``comma`` it may have a decimal comma."""
    try:
        return float(cell.replace(",", ".") if comma else cell)
    except ValueError:
        return np.nan


def _is_number(cell: str) -> bool:
    return not np.isnan(_number(cell))
