"""Zero-phase filtering, differences and decimation, the same for torques and for a model's columns.

Positions are low-passed at :data:`POSITION_BAND` times the cut-off and differentiated centrally; torques and every
column of the model are low-passed at the cut-off itself [Gautier 1997, parallel filtering], so that friction
that reverses is smoothed in the model exactly as in the measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.recordings.recording import Piece

ORDER = 4
"""Of the Butterworth filter, applied forwards and backwards."""

POSITION_BAND = 2.5
MODEL_RATE = 20
"""Samples per period of the cut-off at which a model is evaluated, at least where the recording has them."""

KEPT_RATE = 6
"""The same for the rows that are kept."""

LOWEST, MOTION, HIGHEST = 8.0, 9.0, 2 / 15
"""The cut-off is 8 Hz, or 9 times the frequency below which 95 % of the motion lies, at most 2/15 of the rate."""

EDGE = 2.0
"""Periods of the cut-off that are dropped at both ends."""

CHUNK = 20_000
"""Samples evaluated at once."""


@dataclass(frozen=True)
class Filter:
    """How recordings are filtered.

    Attributes:
        cutoff: [Hz].
        edge: seconds dropped at both ends of a stretch.
        chosen: why this cut-off.
    """

    cutoff: float
    edge: float
    chosen: str


@dataclass(frozen=True)
class Motion:
    """Positions and their derivatives on the clock of the model.

    Attributes:
        rate: samples a second.
        q, qd, qdd: shape (samples, joints).
        tau: measured torques, not yet filtered.
        source: the file.
        start: time of the first sample.
        span: times of the first and the last sample of the whole recording, where this is a window on it.
        own: times from which to which samples count; others are there for the filter.
    """

    rate: float
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    source: str
    start: float
    span: tuple[float, float] | None = None
    own: tuple[float, float] = (-np.inf, np.inf)

    def span_without(self, edge: float) -> tuple[float, float]:
        """Return from when to when samples are taken: without the ends, of the whole recording."""
        start, stop = self.span or (self.start, self.start + len(self.q) / self.rate)
        return start + edge, stop - edge


def choose_filter(pieces: Sequence[Piece], cutoff: float | None = None, edge: float | None = None) -> Filter:
    """Return the filter for recordings, its cut-off chosen from the spectrum of the motion unless given."""
    rate = min(piece.rate for piece in pieces)
    if cutoff is None:
        motion = max(_highest_motion(piece) for piece in pieces)
        cutoff = min(max(LOWEST, MOTION * motion), HIGHEST * rate)
        why = f"95 % of the motion lies below {motion:.2g} Hz, recorded at {rate:.4g} Hz"
    else:
        why = "given"
    if not 0 < cutoff < 0.45 * rate:
        raise InputError(f"cut-off {cutoff:g} Hz", "--cutoff", f"give a value between 0 and {0.45 * rate:.4g} Hz")
    return Filter(float(cutoff), EDGE / cutoff if edge is None else edge, why)


def _highest_motion(piece: Piece) -> float:
    """Return the frequency below which 95 % of each joint's squared rate lies, for the fastest joint that moves."""
    rates = np.diff(piece.q, axis=0) * piece.rate
    power = np.abs(np.fft.rfft(rates * np.hanning(len(rates))[:, None], axis=0)) ** 2
    total = power.sum(0)
    moving = total > 1e-4 * total.max()
    if not moving.any():
        return 0.0
    share = np.cumsum(power[:, moving], 0) / total[moving]
    frequencies = np.fft.rfftfreq(len(rates), 1 / piece.rate)
    return float(frequencies[(share > 0.95).argmax(0)].max())


def motion_of(piece: Piece, filter_: Filter) -> Motion:
    """Return positions, rates and accelerations by central differences, thinned to the model's rate."""
    rate, fc = piece.rate, filter_.cutoff
    q = low_pass(piece.q, rate, min(POSITION_BAND * fc, 0.45 * rate))
    qd = np.gradient(q, 1 / rate, axis=0)
    qdd = np.gradient(qd, 1 / rate, axis=0)
    every = max(1, int(rate / (MODEL_RATE * fc)))
    tau = piece.tau if every == 1 else low_pass(piece.tau, rate, 0.4 * rate / every)
    thin = slice(None, None, every)
    return Motion(rate / every, q[thin], qd[thin], qdd[thin], tau[thin], piece.source, piece.start)


def low_pass(x: np.ndarray, rate: float, cutoff: float) -> np.ndarray:
    """Return a signal low-passed forwards and backwards along its first axis."""
    from scipy.signal import butter, sosfiltfilt

    if cutoff >= 0.5 * rate:
        return x
    sos = butter(ORDER, cutoff, fs=rate, output="sos")
    padding = min(3 * (2 * len(sos) + 1), len(x) - 1)
    filtered: np.ndarray = sosfiltfilt(sos, x, axis=0, padlen=padding)
    return filtered


@dataclass(frozen=True)
class Rows:
    """Filtered, decimated samples of a stretch.

    Attributes:
        t: [s].
        columns: of the model, shape (samples, joints, columns).
        tau: measured torque, filtered.
        raw: measured torque, not filtered.
        slope: derivative of the filtered torque by time.
        qd: rates, for weights.
        rate: samples a second.
        source: the file.
    """

    t: np.ndarray
    columns: np.ndarray
    tau: np.ndarray
    raw: np.ndarray
    slope: np.ndarray
    qd: np.ndarray
    rate: float
    source: str

    def at(self, mask: np.ndarray) -> Rows:
        """Return some of the rows."""
        t, columns, tau, raw, slope, qd = (
            x[mask] for x in (self.t, self.columns, self.tau, self.raw, self.slope, self.qd)
        )
        return Rows(t, columns, tau, raw, slope, qd, self.rate, self.source)


def _filtered_columns(columns: np.ndarray, rate: float, cutoff: float, keep: slice) -> np.ndarray:
    """Return a model's columns low-passed, some samples kept; columns of zeros, as of links before a joint, stay."""
    flat = columns.reshape(len(columns), -1)
    live = flat.any(axis=0)
    filtered = np.zeros((len(range(*keep.indices(len(flat)))), flat.shape[1]))
    filtered[:, live] = low_pass(flat[:, live], rate, cutoff)[keep]
    return filtered.reshape(-1, *columns.shape[1:])


def rows_of(motion: Motion, filter_: Filter, model: Callable[[Motion], np.ndarray]) -> Iterator[Rows]:
    """Yield the filtered rows of a stretch in chunks that overlap by the filter's memory, so that none shows."""
    rate, fc = motion.rate, filter_.cutoff
    every = max(1, int(rate / (KEPT_RATE * fc)))
    edge = int(filter_.edge * rate)
    memory = int(3 * EDGE * rate / fc)
    tau = low_pass(motion.tau, rate, fc)
    slope = np.gradient(tau, 1 / rate, axis=0)
    first, last = edge, len(motion.q) - edge
    for start in range(first, last, CHUNK):
        stop = min(start + CHUNK, last)
        a, b = max(0, start - memory), min(len(motion.q), stop + memory)
        q, qd, qdd, near = (x[a:b] for x in (motion.q, motion.qd, motion.qdd, motion.tau))
        part = Motion(rate, q, qd, qdd, near, motion.source, motion.start)
        offset = (-(start - first)) % every  # keeps the thinned clock across chunks
        keep = slice(start - a + offset, stop - a, every)
        columns = _filtered_columns(model(part), rate, fc, keep)
        on_clock = slice(start + offset, stop, every)
        t = motion.start + np.arange(start + offset, stop, every) / rate
        filtered, raw, slopes, rates = (x[on_clock] for x in (tau, motion.tau, slope, motion.qd))
        yield Rows(t, columns, filtered, raw, slopes, rates, rate / every, motion.source)
