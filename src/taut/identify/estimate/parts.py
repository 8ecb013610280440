"""Parts of recordings, factored one after the other or on a Dask cluster, and what becomes of them all together.

A part is a stretch in memory, or a window on a file larger than memory. Triangular factors of parts merge to those of
the whole (:mod:`taut.identify.estimate.factors`), so that where and in which order they are found does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from taut.cluster import cluster_client
from taut.identify.estimate.columns import Column, Model
from taut.identify.estimate.factors import HELD_OUT, Factors
from taut.identify.estimate.split import FOLDS, Split
from taut.recordings.conditioning import Filter, Motion, Rows, delayed, motion_of, rows_of
from taut.recordings.recording import Piece, Recording
from taut.recordings.stamps import regular
from taut.recordings.windows import Window
from taut.robot import Tree

AT_REST, REST_SPEED = 0.7, 0.05
"""Samples near zero speed weigh less by this part, below this part of the joint's RMS speed."""

SAMPLE_ROWS = 8_000
"""Rows kept in memory for residuals."""

SHOWN_ROWS = 2000
"""Rows of the stretch that a report shows."""

Weigh = Callable[[Rows], np.ndarray]
Load = tuple[tuple[Column, float], ...]


@dataclass(frozen=True)
class Part:
    """Samples that are factored together.

    Attributes:
        group: number of the recording or stretch whose folds it belongs to.
        pieces: stretches in memory.
        ready: their motions, once the filter is chosen.
        advance: by how many seconds each joint's torque is moved forward in time, once its lag is known.
        window: on a file, where there are none.
        held_out: whether all of it is held out.
    """

    group: int
    pieces: tuple[Piece, ...] = ()
    window: Window | None = None
    held_out: bool = False
    ready: tuple[Motion, ...] = ()
    advance: np.ndarray | None = None

    def conditioned(self, filter_: Filter) -> Part:
        """Return the part with the motions of its stretches; a window is read again each time."""
        return replace(self, pieces=(), ready=tuple(motion_of(piece, filter_) for piece in self.pieces))

    def motions(self, filter_: Filter) -> list[Motion]:
        """Return the motion of each stretch, torques moved by the lags; of a window with the span of its recording."""
        if self.window is None:
            found = [*self.ready, *(motion_of(piece, filter_) for piece in self.pieces)]
        else:
            pieces, _ = regular(self.window.recording())
            span, own = self.window.span, self.window.own
            found = [replace(motion_of(piece, filter_), span=span, own=own) for piece in pieces]
        if self.advance is None:
            return found
        return [replace(motion, tau=delayed(motion.tau, -self.advance * motion.rate)) for motion in found]


@dataclass(frozen=True)
class Factored:
    """What is kept of the samples: factors, some fitted rows for residuals, some held-out rows to show."""

    factors: Factors
    sample: list[Rows]
    shown: list[Rows]


def parts_of(recordings: Sequence[Recording | Window], held_out: bool = False) -> tuple[list[Part], list[str]]:
    """Return the parts of recordings, and what was found in those that are in memory."""
    parts: list[Part] = []
    notes: list[str] = []
    group, file = -1, ""
    for recording in recordings:
        if isinstance(recording, Window):
            if recording.path != file:
                group, file = group + 1, recording.path
                notes.append(f"{recording.path}: read in windows")
            parts.append(Part(group, window=recording, held_out=held_out))
            continue
        found, said = regular(recording)
        for piece in found:
            group += 1
            parts.append(Part(group, (piece,), held_out=held_out))
        notes += [f"{recording.source}: {text}" for text in (*recording.notes, *said)]
    return parts, notes


def factored(
    model: Model, parts: Sequence[Part], filter_: Filter, split: Split, weigh: Weigh | None = None
) -> Factored:
    """Return the factors of all parts, found here one after the other; ``weigh`` gives more weights of rows."""
    per = folds_per_group(parts)
    return merged(model, (part_factors(model, part, filter_, split, per, weigh) for part in parts))


def factored_on_dask(robot: Tree, model: Model, parts: Sequence[Part], filter_: Filter, split: Split) -> Factored:
    """Return the same from the workers of a Dask cluster."""
    client, per = cluster_client(), folds_per_group(parts)
    shared = (robot, tuple(model.speeds), model.samples, tuple(model.load.items()), filter_, split, per)
    futures = [client.submit(_remote, part, *shared, pure=False) for part in parts]
    return merged(model, client.gather(futures))


def _remote(
    part: Part,
    robot: Tree,
    speeds: tuple[float, ...],
    samples: int,
    load: Load,
    filter_: Filter,
    split: Split,
    per: int,
) -> Factored:
    return part_factors(_model(robot, speeds, samples, load), part, filter_, split, per)


@lru_cache(maxsize=2)
def _model(robot: Tree, speeds: tuple[float, ...], samples: int, load: Load) -> Model:
    return Model(robot, np.array(speeds), samples, dict(load))


def folds_per_group(parts: Sequence[Part]) -> int:
    """Return into how many folds each recording is cut."""
    groups = {part.group for part in parts if not part.held_out}
    return max(1, round(FOLDS / max(len(groups), 1)))


def part_factors(
    model: Model, part: Part, filter_: Filter, split: Split, per: int, weigh: Weigh | None = None
) -> Factored:
    """Return the factors of one part."""
    factors = Factors(model.active, model.width)
    sample: list[Rows] = []
    shown: list[Rows] = []
    kept = 0
    for motion in part.motions(filter_):
        start, stop = motion.span_without(filter_.edge)
        for rows in rows_of(motion, filter_, model):
            if part.held_out:
                folds = np.full(len(rows.t), HELD_OUT)
            else:
                folds = split.folds(rows.t, start, stop, part.group * per, per)
            counts = (rows.t >= motion.own[0]) & (rows.t < motion.own[1])
            weights = rest_weights(rows.qd, model.speeds)
            if weigh is not None:
                weights = weights * weigh(rows)
            for fold in np.unique(folds[counts]):
                at = (folds == fold) & counts
                factors.add(int(fold), rows, at, weights)
                if fold != HELD_OUT and kept < SAMPLE_ROWS:
                    kept += int(at.sum())
                    sample.append(rows.at(at))
                elif fold == HELD_OUT and sum(len(r.t) for r in shown) < SHOWN_ROWS:
                    shown.append(rows.at(at & (np.cumsum(at) <= SHOWN_ROWS)))
    return Factored(factors, sample, shown)


def rest_weights(qd: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """Return weights of samples: less near zero speed, where friction may be anything."""
    weights: np.ndarray = 1 - AT_REST * np.exp(-((qd / (REST_SPEED * speeds)) ** 2))
    return weights


def merged(model: Model, found: Iterable[Factored]) -> Factored:
    """Return the factors of all parts as one; of parts that come one by one, one is in memory at a time."""
    factors = Factors(model.active, model.width)
    sample: list[Rows] = []
    shown: list[Rows] = []
    for part in found:
        factors.merge(part.factors)
        for kept, more, most in ((sample, part.sample, SAMPLE_ROWS), (shown, part.shown, SHOWN_ROWS)):
            for rows in more:
                if sum(len(r.t) for r in kept) < most:
                    kept.append(rows)
    return Factored(factors, sample, shown)
