"""Irregular stamps, gaps and garbage found and cut; what is left on a regular clock."""

from __future__ import annotations

import numpy as np

from taut.errors import InputError
from taut.recordings.recording import Piece, Recording

GAP = 5.0
"""Steps this many times the median are gaps: the recording is cut there."""

SHORTEST = 1.0
"""Seconds below which a stretch is left out."""

GARBAGE = 1e3
"""A cell this many times beyond the 99th percentile of its column is garbage."""

SPIKE, VISIBLE = 30.0, 0.02
"""A cell that leaves the median of the five around it by this many times what 99 % of its column do, and by more than
this part of the column's range, is garbage."""

SET_BACK = 5
"""So many samples in their order behind a stamp that was there before are those of a clock that was set back."""

JITTER = 1e-3
"""Relative spread of the steps below which the clock counts as regular."""

REPEATED = 0.2
"""Part of the samples up to which single repetitions are taken as those of a logger faster than its source."""


def regular(recording: Recording) -> tuple[list[Piece], list[str]]:
    """Return the recording's stretches between gaps, resampled at its median rate, and what was found."""
    notes: list[str] = []
    t, q, tau = _cleaned(recording, notes)
    steps = np.diff(t)
    step = float(np.median(steps))
    rate = 1 / step
    cuts = np.flatnonzero(steps > GAP * step) + 1
    if len(cuts):
        notes.append(f"{len(cuts)} gap{'s' * (len(cuts) > 1)} of up to {steps.max():.3g} s: cut there")
    irregular = float(np.abs(steps[steps <= GAP * step] / step - 1).max()) > JITTER
    if irregular:
        notes.append(f"irregular stamps resampled at {rate:.6g} Hz")
    pieces, left_out = [], 0
    for a, b in zip([0, *cuts], [*cuts, len(t)], strict=True):
        if t[b - 1] - t[a] < SHORTEST:
            left_out += 1
            continue
        pieces.append(_piece(recording.source, t[a:b], q[a:b], tau[a:b], rate, irregular))
    if left_out:
        notes.append(f"{left_out} stretches shorter than {SHORTEST:g} s left out")
    if not pieces:
        raise InputError(
            f"too few samples: no stretch of {SHORTEST:g} s without a gap", recording.source, "record longer"
        )
    return pieces, notes


def _cleaned(recording: Recording, notes: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    t, q, tau = recording.t, recording.q, recording.tau
    data = np.column_stack([t, q, tau])
    finite = np.isfinite(data).all(1)
    if (~finite).any():
        notes.append(f"{int((~finite).sum())} samples with cells that are no numbers left out")
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.abs(np.where(np.isfinite(data), data, 0.0))
        wild = (size[:, 1:] > GARBAGE * np.quantile(size[:, 1:], 0.99, axis=0) + 1e-9).any(1) & finite
    usable = np.flatnonzero(finite & ~wild)
    wild[usable] = _spikes(data[usable, 1:])
    if wild.any():
        notes.append(f"{int(wild.sum())} samples with garbage cells left out")
    keep = np.flatnonzero(finite & ~wild)
    if len(keep) < 2:
        raise InputError("no sample has all positions and torques", recording.source, "check its columns")
    t = t.copy()
    t[keep] = _going_on(t[keep], notes)
    ahead = np.maximum.accumulate(t[keep])
    later = np.concatenate([[True], t[keep][1:] > ahead[:-1]])
    repeated = int((~later).sum())
    if repeated:
        if repeated > len(keep) // 2:
            raise InputError("time runs backwards or stands still", recording.source, "check the time column")
        notes.append(f"{repeated} samples with repeated or backward stamps left out")
    keep = keep[later]
    return _fresh(t[keep], q[keep], tau[keep], notes)


def _spikes(data: np.ndarray) -> np.ndarray:
    """Return which samples have a cell that is far from the four around it: one or two glitches of a logger.

    Noise and motion set what is far. A step is no spike: its samples are like those on one side of it.
    """
    found = np.zeros(len(data), bool)
    for x in data.T:
        padded = np.pad(x, 2, mode="edge")
        a, b, c, d, e = (padded[k : k + len(x)] for k in range(5))
        low = np.maximum(np.minimum(a, b), np.minimum(d, e))
        high = np.minimum(np.maximum(a, b), np.maximum(d, e))
        median = np.maximum(np.minimum(low, high), np.minimum(np.maximum(low, high), c))
        away = np.abs(x - median)
        bottom, top = np.quantile(x, [0.01, 0.99])
        found |= away > max(SPIKE * float(np.quantile(away, 0.99)), VISIBLE * float(top - bottom))
    return found


def _going_on(t: np.ndarray, notes: list[str]) -> np.ndarray:
    """Return stamps that go on, behind a gap, where the clock was set back or another recording begins."""
    step = float(np.median(np.abs(np.diff(t))))
    t, largest, count = t.copy(), 0.0, 0
    for k in np.flatnonzero(np.diff(t) < 0) + 1:
        run = t[k : k + SET_BACK]
        if len(run) < SET_BACK or (np.diff(run) < 0).any() or run[-1] >= (last := float(t[:k].max())):
            continue
        largest, count = max(largest, last - float(run[0])), count + 1
        t[k:] += last - run[0] + 2 * GAP * step
    if count:
        notes.append(f"the clock is set back {count} time{'s' * (count > 1)}, by up to {largest:.3g} s: cut there")
    return t


def _fresh(
    t: np.ndarray, q: np.ndarray, tau: np.ndarray, notes: list[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the samples without single repetitions of the one before, evenly stamped again where they were even.

    A logger that is faster than its source now and then finds no new sample and writes the last one again: the age
    of the others then drifts by a whole step. The source's own clock is regular, the logger's stamps are not its.
    """
    row = np.column_stack([q, tau])
    same = np.concatenate([[False], (row[1:] == row[:-1]).all(1)])
    alone = same & ~np.concatenate([[False], same[:-1]]) & ~np.concatenate([same[1:], [False]])
    stale = int(alone.sum())
    if not stale or stale != same.sum() or stale > REPEATED * len(t):
        return t, q, tau
    steps = np.diff(t)
    even = steps.max() < 1.5 * np.median(steps)
    t, q, tau = t[~alone], q[~alone], tau[~alone]
    if even:
        t = np.linspace(t[0], t[-1], len(t))
    notes.append(
        f"{stale} samples repeat the one before (the logger was faster than its source): left out"
        + (", the others stamped evenly" if even else "")
    )
    return t, q, tau


def _piece(source: str, t: np.ndarray, q: np.ndarray, tau: np.ndarray, rate: float, resample: bool) -> Piece:
    if not resample:
        return Piece(source, float(t[0]), rate, q, tau)
    clock = np.arange(t[0], t[-1], 1 / rate)
    on_clock = [np.stack([np.interp(clock, t, column) for column in x.T], 1) for x in (q, tau)]
    return Piece(source, float(t[0]), rate, *on_clock)
