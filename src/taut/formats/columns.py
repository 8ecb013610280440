"""Columns of numbers read from a CSV file, with the mistakes people make in such files found and named."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from taut.errors import InputError
from taut.formats.files import decoded, read_bytes


def read_columns(path: str | Path, noun: str = "row", example: str = "t, q1") -> dict[str, np.ndarray]:
    """Return {heading: column} of a CSV file; empty lines and lines that begin with # are left out.

    Args:
        path: of the file.
        noun: what a row is, for errors.
        example: of a header, for errors.
    """
    place = str(path)
    text = decoded(read_bytes(Path(path), place), place)
    numbered = [(i + 1, line) for i, line in enumerate(text.splitlines()) if line.strip() and not line.startswith("#")]
    rows = list(csv.reader(line for _, line in numbered))
    if len(rows) < 2:
        raise InputError(f"has no {noun}s", place, f"give a header such as {example} and numbers below it")
    head = [name.strip() for name in rows[0]]
    twice = next((name for k, name in enumerate(head) if name in head[:k]), None)
    if twice is not None:
        raise InputError(f"column '{twice}' comes twice", place, "give each column once")
    table = np.empty((len(rows) - 1, len(head)))
    for k, ((line, _), row) in enumerate(zip(numbered[1:], rows[1:], strict=True)):
        if len(row) != len(head):
            raise InputError(f"line {line} has {len(row)} cells, expected {len(head)}", place, "complete the line")
        table[k] = [_number(cell, place, line, name) for cell, name in zip(row, head, strict=True)]
    return {name: table[:, k] for k, name in enumerate(head)}


def columns_text(t: np.ndarray, columns: Mapping[str, np.ndarray]) -> str:
    """Return CSV with t and, for each {stem: array (N, n)}, the columns stem1, stem2, ...; every digit is kept."""
    head = ["t", *(f"{stem}{k + 1}" for stem, x in columns.items() for k in range(x.shape[-1]))]
    rows = np.column_stack([t, *columns.values()]).tolist()
    return "\n".join([",".join(head), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def _number(cell: str, place: str, line: int, column: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise InputError(f"line {line}, column '{column}' holds '{cell.strip()[:40]}'", place, "give a finite number")
    return value
