"""The diagonal blocks of a square matrix that can be inverted on their own, found from its zeros.

Rows are matched with columns; what has to be solved together is a strongly connected set of matches
(Dulmage and Mendelsohn). In the order returned the matrix is block lower triangular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """Rows and columns that are solved together, once the blocks before are."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


def blocks(pattern: Sequence[Sequence[bool]]) -> list[Block] | None:
    """Return the diagonal blocks in the order they can be solved, None where no choice of entries covers all.

    Args:
        pattern: whether each entry of a square matrix may differ from zero.

    >>> [(b.rows, b.columns) for b in blocks([[True, True], [True, False]])]
    [((1,), (0,)), ((0,), (1,))]
    """
    n = len(pattern)
    row_of: dict[int, int] = {}
    for row in range(n):
        if not _matched(pattern, row, row_of, set()):
            return None
    column_of = {row: column for column, row in row_of.items()}
    # Row r waits for the rows whose matched columns stand in it.
    waits = {r: [row_of[c] for c in range(n) if pattern[r][c] and row_of[c] != r] for r in range(n)}
    return [Block(tuple(sorted(group)), tuple(sorted(column_of[r] for r in group))) for group in _components(waits)]


def _matched(pattern: Sequence[Sequence[bool]], row: int, row_of: dict[int, int], seen: set[int]) -> bool:
    """Match a row, moving earlier matches along an alternating path."""
    for column, present in enumerate(pattern[row]):
        if present and column not in seen:
            seen.add(column)
            if column not in row_of or _matched(pattern, row_of[column], row_of, seen):
                row_of[column] = row
                return True
    return False


def _components(waits: dict[int, list[int]]) -> list[list[int]]:
    """Return the strongly connected components, those that others wait for first (Tarjan)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []

    def visit(r: int) -> None:
        index[r] = low[r] = len(index)
        stack.append(r)
        for other in waits[r]:
            if other not in index:
                visit(other)
                low[r] = min(low[r], low[other])
            elif other in stack:
                low[r] = min(low[r], index[other])
        if low[r] == index[r]:
            at = stack.index(r)
            found.append(stack[at:])
            del stack[at:]

    for r in waits:
        if r not in index:
            visit(r)
    return found
