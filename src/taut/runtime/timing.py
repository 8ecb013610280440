"""Times a function in C: nanoseconds per state, one at a time and as a batch, least of many repeats.

Where a library lies in memory can make a tenth of a difference: each is timed in a few copies, and the best counts.
"""

from __future__ import annotations

import ctypes
import random
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import NamedTuple

from taut.emit.c.module import Module
from taut.emit.derived import Derived
from taut.emit.routine import Routine
from taut.toolchain.compiler import CompilerError, compiled

FLAGS = ("-O3", "-fno-math-errno", "-ffp-contract=fast", "-march=native")
SEED = 5
COPIES = 3

NEAR = 1.02
"""Two times that confirm each other differ by no more than this factor."""

CLOCKWORK = Template("""
#include <time.h>

enum { TAUT_STATES = 64, TAUT_LOOPS = 40 };

static double taut_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double taut_in[TAUT_STATES * $width], taut_out[TAUT_STATES * $size];

/* Least nanoseconds a state over some repeats, one at a time and as a batch. */
void taut_time(int repeats, double *one, double *batch)
{
    *one = *batch = 1e30;
    unsigned long long x = 88172645463325252ULL;
    for (int i = 0; i < TAUT_STATES * $width; ++i) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        taut_in[i] = (double)(x >> 11) / 9007199254740992.0 * 4.0 - 2.0;
    }
    for (int r = 0; r < repeats; ++r) {
        double t = taut_now();
        for (int k = 0; k < TAUT_LOOPS; ++k)
            for (int i = 0; i < TAUT_STATES; ++i)
                $name($single);
        t = (taut_now() - t) / (TAUT_LOOPS * TAUT_STATES);
        *one = t < *one ? t : *one;
        t = taut_now();
        for (int k = 0; k < TAUT_LOOPS; ++k)
            ${name}_batch($many);
        t = (taut_now() - t) / (TAUT_LOOPS * TAUT_STATES);
        *batch = t < *batch ? t : *batch;
    }
}
""")


class Nanoseconds(NamedTuple):
    """Time a state: called one by one, and in batches."""

    one: float
    batch: float


def timed(functions: Sequence[Derived], rounds: int = 10, repeats: int = 10) -> list[Nanoseconds]:
    """Return the time of each function on this machine; they take turns, so that noise affects all alike.

    Args:
        functions: with any parameters; those without a value get one.
        rounds: how often each has its turn.
        repeats: measurements in a turn.

    Raises:
        CompilerError: where there is no C compiler.
    """
    return timed_routines([Routine.of(_with_values(function), baked=True) for function in functions], rounds, repeats)


def timed_routines(routines: Sequence[Routine], rounds: int = 10, repeats: int = 10) -> list[Nanoseconds]:
    """Return the time of each routine, all numbers in the code, on this machine; see :func:`timed`."""
    with tempfile.TemporaryDirectory(prefix="taut-timing-", ignore_cleanup_errors=True) as place:
        copies = [_copies(routine, Path(place, str(k))) for k, routine in enumerate(routines)]
        times: list[list[list[Nanoseconds]]] = [[[] for _ in those] for those in copies]
        for _ in range(rounds):
            for those, found in zip(copies, times, strict=True):
                for library, measured in zip(those, found, strict=True):
                    one, batch = ctypes.c_double(), ctypes.c_double()
                    library.taut_time(repeats, ctypes.byref(one), ctypes.byref(batch))
                    measured.append(Nanoseconds(one.value, batch.value))
    return [
        Nanoseconds(
            min(confirmed([x.one for x in measured]) for measured in found),
            min(confirmed([x.batch for x in measured]) for measured in found),
        )
        for found in times
    ]


def confirmed(times: Sequence[float]) -> float:
    """Return the smallest time that another sample is close to: the clock of a virtual machine loses some now and then.

    >>> confirmed([30.1, 58.3, 58.0, 90.0]), confirmed([5.0, 9.0])
    (58.0, 5.0)
    """
    ordered = sorted(times)
    near = (a for a, b in pairwise(ordered) if b <= NEAR * a)
    return next(near, ordered[0])


def _copies(routine: Routine, place: Path) -> list[ctypes.CDLL]:
    """Return copies of the routine's library, each in a file of its own: one file is loaded once."""
    library = _library(routine)
    place.mkdir()
    return [ctypes.CDLL(str(shutil.copy(library, place / f"{k}.so"))) for k in range(COPIES)]


def _library(routine: Routine) -> Path:
    module = Module("timed", [routine])
    widths = [len(symbols) for symbols in routine.arguments.values()]
    starts = [sum(widths[:k]) for k in range(len(widths))]
    arrays = [f"taut_in + TAUT_STATES * {start}" for start in starts]
    clockwork = CLOCKWORK.substitute(
        name=f"{module.prefix}_{routine.name}",
        width=sum(widths) or 1,
        size=routine.size,
        single=", ".join(
            [
                *(f"{array} + {width} * i" for array, width in zip(arrays, widths, strict=True)),
                f"taut_out + {routine.size} * i",
            ]
        ),
        many=", ".join(["TAUT_STATES", *arrays, "taut_out"]),
    )
    text = module.single_file + clockwork
    try:
        return compiled(text, FLAGS)
    except CompilerError:  # a compiler that does not know its own processor
        return compiled(text, FLAGS[:-1])


def _with_values(function: Derived) -> Derived:
    draw = random.Random(SEED)
    values: Mapping[str, float] = {name: draw.uniform(0.2, 0.8) for name in function.parameter_names}
    return replace(function, values={**values, **function.values})
