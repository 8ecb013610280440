"""Recordings in text files: one line a sample; the first line, or the last comment above the numbers, has the names."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from taut.errors import InputError

COMMENT = ("#", "%", "//")
"""How lines of comment begin."""

HEAD = 16384
"""Bytes within which the names of the columns stand."""


def read_csv(path: Path, part: str = "") -> dict[str, np.ndarray]:
    """Return the columns of a text file; a cell that is no number becomes NaN, a ragged last line is dropped."""
    text = path.read_bytes()
    head = text[:HEAD].decode("utf-8-sig", errors="replace").splitlines()
    comments = next((k for k, line in enumerate(head) if not line.lstrip().startswith(COMMENT)), len(head))
    first = head[comments] if comments < len(head) else ""
    if comments and all(_is_number(cell) for cell in _divided(first)):
        comments -= 1
        first = head[comments].lstrip().lstrip("".join(COMMENT))
    delimiter = _delimiter(first)
    names = [name.strip() for name in next(_cells([first], delimiter), [])]
    if not names or all(_is_number(name) for name in names):
        raise InputError(
            "the first line names no columns", str(path), "begin with a line such as t,q1,q2,qd1,qd2,tau1,tau2"
        )
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"column '{twice}' is there twice", str(path), "rename one of them")
    rows = _fast(path, delimiter, len(names), comments + 1)
    if rows is None:
        rows = _careful(text.decode("utf-8-sig", errors="replace").splitlines()[comments + 1 :], delimiter, len(names))
    if not len(rows):
        raise InputError("no samples", str(path), "give lines of numbers below the names")
    return dict(zip(names, rows.T, strict=True))


def _delimiter(line: str) -> str | None:
    return max((",", ";", "\t"), key=line.count) if any(mark in line for mark in ",;\t") else None


def _divided(line: str) -> list[str]:
    """Return the cells of a line by whatever divides them; decimal commas make no difference to their being numbers."""
    return line.replace(";", " ").replace("\t", " ").replace(",", " ").split()


def _fast(path: Path, delimiter: str | None, width: int, skipped: int) -> np.ndarray | None:
    """Return all rows at once; None where some line is not made of numbers."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file without rows is refused by the caller, once
            rows = np.loadtxt(path, delimiter=delimiter, skiprows=skipped, ndmin=2, encoding="utf-8-sig")
    except ValueError:
        return None
    return rows if rows.shape[1] == width else None


def _cells(lines: Sequence[str], delimiter: str | None) -> Iterator[list[str]]:
    """Yield the cells of each line; without a delimiter they are divided by blanks."""
    return (line.split() for line in lines) if delimiter is None else csv.reader(lines, delimiter=delimiter)


def _careful(text: Sequence[str], delimiter: str | None, width: int) -> np.ndarray:
    lines = [line for line in _cells(text, delimiter) if any(line)]
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
