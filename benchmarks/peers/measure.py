"""Times contestants: compared first, then each in turn, many times; the least process CPU time counts."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from peers import build
from peers.contestants import Contestant
from peers.robots import Contested
from taut.report import stopwatch
from taut.report.bench import BATCH, STATES

SAME = 1e-9
"""Largest relative difference between two contestants: rounding, nothing else."""


COPIES = 3
"""Copies of each library, all timed: where one lies in memory makes a difference of up to a quarter, to anyone."""


class Measuring:
    """Times the contestants of one robot on the same states.

    Args:
        contested: the robot.
    """

    def __init__(self, contested: Contested) -> None:
        self.contested = contested
        self.copies = tempfile.TemporaryDirectory()
        many = contested.states(BATCH)
        few = tuple(x[:STATES] for x in many)
        q, v, _ = contested.order
        self.states = {
            (batch, taut_order): tuple(
                np.ascontiguousarray(x[:, order] if taut_order else x)
                for x, order in zip(states, (q, v, v), strict=True)
            )
            for batch, states in ((False, few), (True, many))
            for taut_order in (False, True)
        }

    def answers(self, contestant: Contestant, question: str, count: int = STATES) -> np.ndarray:
        """Return its answers to the states, in Pinocchio's order, one row a state."""
        size = answer_size(self.contested, question)
        out = np.zeros((count if not contestant.batch else BATCH, size))
        q, v, x = self.states[contestant.batch, contestant.taut_order]
        function = self._function(contestant)
        if contestant.batch:
            function(ctypes.c_size_t(BATCH), *map(stopwatch.pointer, (q, v, x, out)))
        else:
            for k in range(count):
                function(*map(stopwatch.pointer, (q[k], v[k], x[k], out[k])))
        return _in_peers_order(out[:count], self.contested, question) if contestant.taut_order else out[:count]

    def measurement(self, contestant: Contestant, question: str, copy: int) -> tuple[int, stopwatch.Measurement]:
        """Return how many states one copy goes through, and what times it."""
        states = self.states[contestant.batch, contestant.taut_order]
        size, function = answer_size(self.contested, question), self._function(contestant, copy)
        if contestant.batch:
            return BATCH, stopwatch.of_c_batch(function, states, np.empty(BATCH * size))
        # A library that keeps its answers, as its users want them, need not copy them.
        return STATES, stopwatch.of_c(function, states, None if contestant.start else np.empty(size))

    def _function(self, contestant: Contestant, copy: int = 0) -> ctypes._CFuncPtr:
        place = Path(self.copies.name, f"{copy}-{contestant.library.name}")
        if not place.exists():
            shutil.copy(contestant.library, place)
        library = ctypes.CDLL(str(place))
        if contestant.start:
            library.start(contestant.start.encode())
        function = getattr(library, contestant.symbol)
        function.restype = None
        return function


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and the threads it starts on one core: CPU time of threads elsewhere is told too late."""
    if not hasattr(os, "sched_getaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def instructions(measuring: Measuring, asked: Sequence[tuple[str, Contestant]]) -> list[float | None]:
    """Return instructions a state by callgrind; None where it cannot be had."""
    found: list[float | None] = [None] * len(asked)
    if not shutil.which("valgrind"):
        return found
    for taut_order in (False, True):
        group = [k for k, (_, c) in enumerate(asked) if not c.batch and c.taut_order == taut_order]
        counts = _counted(measuring, [asked[k] for k in group])
        if counts is None:  # valgrind does not know every instruction of every processor: the others one by one
            singly = [_counted(measuring, [asked[k]]) for k in group]
            counts = [one[0] if one else None for one in singly]
        for k, number in zip(group, counts, strict=True):
            found[k] = number
    return found


def _counted(measuring: Measuring, asked: Sequence[tuple[str, Contestant]]) -> list[float | None] | None:
    """Return the counts of contestants of one order from one run; None if that fails."""
    if not asked:
        return []
    contested, order = measuring.contested, asked[0][1].taut_order
    size = max(answer_size(contested, question) for question, _ in asked)
    with tempfile.TemporaryDirectory() as place:
        states = Path(place, "states")
        states.write_bytes(b"".join(x.tobytes() for x in measuring.states[False, order]))
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=measured", "--dump-after=measured"]
        command += [f"--callgrind-out-file={place}/out", str(build.counting()), str(states)]
        command += [str(contested.model.nq), str(contested.model.nv), str(size)]
        for _, contestant in asked:
            command += [str(contestant.library), contestant.symbol, contestant.start or "-"]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
        texts = [Path(place, f"out.{number}").read_text() for number in range(1, len(asked) + 1)]
    totals = [re.search(r"^(?:totals|summary): (\d+)", text, re.M) for text in texts]
    return [int(total[1]) / STATES if total else None for total in totals]


def answer_size(contested: Contested, question: str) -> int:
    """Return the numbers in one answer."""
    nv = contested.model.nv
    matrix = {"mass_matrix": nv, "regressor": 10 * len(contested.joints)}
    return nv * (3 * nv if "derivatives" in question else matrix.get(question, 1))


def _in_peers_order(rows: np.ndarray, contested: Contested, question: str) -> np.ndarray:
    _, v, parameters = contested.order
    nv = len(v)
    found = rows.reshape(len(rows), nv, -1)
    result = np.empty_like(found)
    if question == "regressor":
        columns = parameters
    elif found.shape[2] == 1:
        columns = [0]
    else:
        columns = [block * nv + k for block in range(found.shape[2] // nv) for k in v]
    result[np.ix_(range(len(rows)), v, columns)] = found
    return result.reshape(len(rows), -1)
