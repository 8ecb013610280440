"""Redefines lines of a program so that others become unused.

Semantic resubstitution: the values of all lines at random points of a finite field tell which are equal to
one to three operations on others; see kernel.c. The distributive law, common factors, ``s**2 + c**2 = 1`` and
sums of angles need no rules of their own.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from taut.errors import TautError
from taut.graph.node import Node
from taut.graph.program import Program
from taut.graph.prove import Spheres
from taut.search.flat import (
    FIXED,
    INVERSE,
    LEAF,
    PRODUCT,
    QUOTIENT,
    SCALE,
    SHIFT,
    SUM,
    Flat,
    Rows,
    differences,
    flatten,
)
from taut.search.lift import Found, lifted
from taut.search.native import NativeSearch, TooLarge, kernel
from taut.search.origins import NoFormula
from taut.search.plain_moves import PlainSearch
from taut.toolchain.compiler import CompilerError

Progress = Callable[[int], bool]
"""Called with the count so far; the search ends where the answer is False."""

WHOLE = 2000
"""Nodes up to which a program is searched as a whole: time and memory grow with their square."""

WINDOW = 800
"""Operations searched at a time in a larger program."""

BETWEEN_REPORTS, LONGEST_SILENCE = 100, 0.1
"""Most steps between two calls of ``progress``, and seconds after which fewer are made: a step of three operations in
a large program takes a tenth of a second."""


class Interrupted(KeyboardInterrupt):
    """The search was interrupted from the keyboard.

    Attributes:
        program: the best one so far.
    """

    def __init__(self, program: Program) -> None:
        super().__init__()
        self.program = program


class Search(Protocol):
    """What the native and the plain search have in common."""

    def run(self, steps: int) -> int:
        """Try ``steps`` nodes and return the best cost so far."""
        ...

    def best(self) -> Found:
        """Return the best program so far."""
        ...


@dataclass(frozen=True)
class Moves:
    """What a search may try, and what it is to make small.

    Attributes:
        deep: how many steps in a thousand look for definitions in three operations, which takes a hundred times longer.
        trial: steps after which an attempt that cost operations is undone unless it saved as many; 0 for none.
        prices: of a sum, a product and a quotient.
        polynomial: whether constants must be polynomials of the parameters.
    """

    deep: int = 0
    trial: int = 0
    prices: tuple[int, int, int] = (1, 1, 1)
    polynomial: bool = False


def resubstitute(
    program: Program,
    steps: int,
    seed: int = 1,
    extra: Sequence[Node] = (),
    progress: Progress | None = None,
    spheres: Spheres = (),
    *,
    values: Mapping[str, float] | None = None,
    deep: int = 0,
    trial: int = 0,
    prices: tuple[int, int, int] = (1, 1, 1),
    polynomial: bool = False,
) -> Program:
    """Return a program of the same outputs with at most as many operations, proved equal at a fresh point.

    The result depends on the arguments alone, unless ``progress`` ends the search early.

    Args:
        program: where to begin.
        steps: how many lines are tried.
        seed: of all random choices.
        extra: expressions that cost nothing and may be used, too.
        progress: called with the count now and then; False ends the search.
        spheres: groups of symbols that form unit vectors, as the quaternion of a free joint.
        values: of parameters; no constant is solved for that divides by what vanishes for them.
        deep: how many steps in a thousand look for definitions in three operations, which takes a hundred times longer.
        trial: steps of an attempt that begins by taking a line away, at the cost of others; 0 for none.
        prices: of a sum, a product and a quotient, where not all are to count alike.
        polynomial: whether constants that are solved for must be polynomials of the parameters, so that no formula
            divides by what may vanish for some of their values.

    Raises:
        Interrupted: with the best program so far, after Ctrl-C.
    """
    best = program
    moves = Moves(deep, trial, prices, polynomial)
    try:
        for improved, wanted in _searched(program, steps, seed, moves, extra, progress, spheres, values):
            best = improved
            if not wanted:
                break
    except KeyboardInterrupt:
        raise Interrupted(best) from None
    if found := differences(program, best, points=1, spheres=spheres):
        raise TautError(f"the search changed the meaning of a program: {found[0]}; this is a defect of taut")
    return best


def _searched(
    program: Program,
    steps: int,
    seed: int,
    moves: Moves,
    extra: Sequence[Node],
    progress: Progress | None,
    spheres: Spheres,
    values: Mapping[str, float] | None,
) -> Iterator[tuple[Program, bool]]:
    """Yield better programs, and whether to go on: one for a small program, one for each window of a large one."""
    flat = flatten(program, extra, spheres, values, moves.polynomial)
    windows = _windows(flat, seed)
    for k, (start, stop) in enumerate(windows):
        if k:  # the values of what the last window changed
            flat = flatten(program, extra, spheres, values, moves.polynomial)
        operations = len(flat.rows) - len(flat.leaves)
        part = _Window(flat, round(start * operations), round(stop * operations))
        try:
            search = begin(part.flat, seed, moves)
        except TooLarge:  # no memory for its tables: this part stays as it is
            continue
        others = flat.cost - part.flat.cost
        wanted, left, chunk = True, -(-steps // len(windows)), BETWEEN_REPORTS
        interrupted = False
        try:
            while wanted and left > 0:
                began = time.monotonic()
                cost = search.run(min(left, chunk))
                left -= chunk
                slow = time.monotonic() - began > LONGEST_SILENCE
                chunk = max(1, chunk // 2) if slow else min(2 * chunk, BETWEEN_REPORTS)
                wanted = progress is None or progress(others + cost)
        except KeyboardInterrupt:
            interrupted = True
        with suppress(NoFormula):  # else this part stays as it is
            program = lifted(flat, part.in_whole(search.best()), spheres)
            yield program, wanted
        if interrupted:
            raise KeyboardInterrupt


def begin(flat: Flat, seed: int, moves: Moves) -> Search:
    """Return a search at its start: compiled where there is a C compiler, plain Python otherwise."""
    prices = [0] * (FIXED + 1)
    prices[SUM] = prices[SHIFT] = moves.prices[0]
    prices[PRODUCT] = prices[SCALE] = moves.prices[1]
    prices[QUOTIENT] = prices[INVERSE] = moves.prices[2]
    try:
        kernel()
    except CompilerError as error:
        warnings.warn(f"{error}; the search runs in Python, a hundred times slower", RuntimeWarning, stacklevel=2)
        return PlainSearch(flat, seed, prices, moves.deep, moves.trial)
    return NativeSearch(flat, seed, prices, moves.deep, moves.trial)


# -- parts of a large program -----------------------------------------------------------


def _windows(flat: Flat, seed: int) -> list[tuple[float, float]]:
    """Return the parts to be searched, as fractions of the operations that there are by then."""
    if len(flat.rows) <= WHOLE:
        return [(0.0, 1.0)]
    # Other seeds cut elsewhere, so that what one search parts another has together.
    parts = -(-(len(flat.rows) - len(flat.leaves)) // WINDOW)
    shift = seed % 4 / 4
    cuts = [(k + shift) / parts for k in range(parts)]
    return list(pairwise([0.0, *(cut for cut in cuts if cut), 1.0]))


class _Window:
    """Operations ``start`` to ``stop`` of a program as a program of their own.

    Its leaves are what these operations need from before, its outputs what others need from them.
    """

    def __init__(self, whole: Flat, start: int, stop: int) -> None:
        self.whole, self.first, self.last = whole, len(whole.leaves) + start, len(whole.leaves) + stop
        inside = whole.rows[self.first : self.last]
        after = np.concatenate([whole.rows[self.last :, 1:3].ravel(), whole.outputs])
        everything = self.last - start == len(whole.rows)  # then what is not used yet may be, too
        self.inputs = list(range(self.first)) if everything else _nodes(inside[:, 1:3].ravel(), below=self.first)
        self.ends = [n for n in _nodes(after, below=self.last) if n >= self.first]
        place = {n: k for k, n in enumerate([*self.inputs, *range(self.first, self.last)])}
        rows = [(LEAF, -1, -1, 0)] * len(self.inputs)
        rows += [(op, _moved(a, place), _moved(b, place), label) for op, a, b, label in inside.tolist()]
        self.flat = Flat(
            whole.program,
            tuple(self.inputs),
            np.array(rows, np.int32).reshape(-1, 4),
            np.array([2 * place[n] for n in self.ends], np.int32),
            np.ascontiguousarray(whole.values[[*self.inputs, *range(self.first, self.last)]]),
            tuple(whole.lines[n] for n in [*self.inputs, *range(self.first, self.last)]),
            whole.line_weights,
        )

    def in_whole(self, found: Found) -> Found:
        """Return what was found in the window as part of the whole program."""
        leaves = len(self.whole.leaves)
        rows, outputs = found.rows, found.outputs
        inner = {k: 2 * n for k, n in enumerate(self.inputs)}
        inner |= {len(self.inputs) + k: 2 * (self.first + k) for k in range(len(rows))}
        place = {n: 2 * n for n in range(self.first)}
        place |= {n: inner[x >> 1] ^ (x & 1) for n, x in zip(self.ends, outputs.tolist(), strict=True)}
        shift = len(rows) - (self.last - self.first)
        place |= {n: 2 * (n + shift) for n in range(self.last, len(self.whole.rows))}
        result = [tuple(row) for row in self.whole.rows[leaves : self.first].tolist()]
        for part, table in ((rows, inner), (self.whole.rows[self.last :], place)):
            result += [(op, _literal(a, table), _literal(b, table), label) for op, a, b, label in part.tolist()]
        ends = [_literal(x, place) for x in self.whole.outputs.tolist()]
        known = [*self.inputs, *range(self.first, self.last)]
        logged = {k: 2 * n for k, n in enumerate(known)}
        logged |= {len(known) + k: 2 * (len(self.whole.rows) + k) for k in range(len(found.log) - len(known))}
        log = [(op, a, b, -1) for op, a, b, _ in self.whole.rows.tolist()]
        log += [(row[0], *(_literal(x, logged) for x in row[1:])) for row in found.log[len(known) :].tolist()]
        known_by = [*range(self.first), *(logged[k] >> 1 for k in found.known_by[len(self.inputs) :].tolist())]
        known_by += range(self.last, len(self.whole.rows))
        return Found(*(np.array(x, np.int32) for x in (np.reshape(result, (-1, 4)), ends, known_by, log)))


def _nodes(literals: Rows, below: int) -> list[int]:
    """Return the nodes of literals that come before node ``below``."""
    nodes = np.unique(literals[literals >= 0] >> 1)
    return [int(n) for n in nodes if n < below]


def _moved(literal: int, place: dict[int, int]) -> int:
    return 2 * place[literal >> 1] + (literal & 1) if literal >= 0 else -1


def _literal(literal: int, table: dict[int, int]) -> int:
    return table[literal >> 1] ^ (literal & 1) if literal >= 0 else -1
