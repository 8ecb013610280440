"""Inverse dynamics called from Python: one call, and batches, beside pin.rnea and JAX."""

from __future__ import annotations

import ctypes

import numpy as np

from peers import build, jax_batch
from peers.measure import SAME
from peers.robots import Contested
from peers.targets import BATCH, LARGE, PYTHON, PYTHON_BATCH, Row
from taut.derive import Function
from taut.report import stopwatch
from taut.report.bench import difference, entry_text

MANY = 100_000
JAX_STATES = (256, 1024, 4096)
"""Batch sizes tried in JAX; the best counts."""
QUESTION = "inverse_dynamics"


def measured(contested: Contested, function: Function, quick: bool) -> tuple[list[Row], dict[str, str]]:
    """Return the measurements, and who is missing and why. Vectors of these arms are in one order everywhere."""
    import pinocchio

    model, data = contested.model, contested.model.createData()
    compiled = function.compile()
    states = [np.ascontiguousarray(x) for x in contested.states(MANY)]
    few = [x[:64].copy() for x in states]
    expected = compiled(*(x[: JAX_STATES[-1]] for x in states))
    entries: dict[tuple[str, str, str], tuple[int, stopwatch.Measurement]] = {
        (PYTHON, "taut", ""): (64, stopwatch.of_python(compiled, few)),
        (PYTHON, "pin.rnea", ""): (64, stopwatch.of_python(lambda *s: pinocchio.rnea(model, data, *s), few)),
        (PYTHON_BATCH, "taut", ""): (MANY, stopwatch.of_python_batch(compiled, states)),
    }
    name, answers = f"entry_{QUESTION}", np.zeros((MANY, model.nv))
    for compiler in build.compilers():
        library, _ = build.c_library(entry_text(function, name, batch=True), compiler, f"taut-{QUESTION}")
        loop = stopwatch.of_c_batch(getattr(ctypes.CDLL(str(library)), f"{name}_batch"), states, answers)
        entries[LARGE, "taut", compiler] = (MANY, loop)
    missing = {}
    batches = [[x[:count].copy() for x in states] for count in JAX_STATES]
    for who, make in jax_batch.contestants(contested):
        try:
            call = make()
            error = difference(call(*batches[-1]), expected)
        except Exception as reason:  # whatever a peer's own dependencies break on
            missing[who] = f"{type(reason).__name__}: {str(reason).splitlines()[0][:120] if str(reason) else ''}"
            continue
        if error < SAME:
            for batch in batches:
                call(*batch)  # compiled for this size
                entries[f"{BATCH} of {len(batch[0])}", who, ""] = (
                    len(batch[0]),
                    stopwatch.of_python_batch(call, batch),
                )
        else:
            missing[who] = f"differs by {error:.1e}"
    best = stopwatch.least(entries, 5 if quick else 20)
    rows = [
        Row(contested.name, QUESTION, way, who, "own", compiler, best[way, who, compiler])
        for way, who, compiler in entries
    ]
    for who in {row.who for row in rows if row.way.startswith(f"{BATCH} of") and row.who != "taut"}:
        least = min(row.nanoseconds for row in rows if row.who == who)
        rows.append(Row(contested.name, QUESTION, BATCH, who, "own", "", least))
    return rows, missing
