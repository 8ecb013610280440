"""Cut-offs of the filters, chosen from the spectrum of the motion and from the noise of the positions.

The torque's cut-off is a multiple of the frequency below which 95 % of the squared rates lie. Rates of sampled
positions are noise at high frequencies, so the motion is taken to end where the spectrum of the positions stops
falling: positions of bodies under bounded forces fall with the sixth power of the frequency, noise does not fall.
Noise on positions gives rates and accelerations whose variance grows with the cut-off B of the positions:

.. math:: \\sigma_{\\dot q}^2 = \\tfrac{2}{3} (2\\pi)^2 S B^3, \\qquad
          \\sigma_{\\ddot q}^2 = \\tfrac{2}{5} (2\\pi)^4 S B^5

with S the two-sided density of the noise; B is the largest at which both stay small compared with the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.errors import InputError
from taut.recordings.conditioning import EDGE, Filter
from taut.recordings.recording import Piece

LOWEST, MOTION, HIGHEST = 8.0, 9.0, 2 / 15
"""The cut-off is 8 Hz, or 9 times the frequency below which 95 % of the motion lies, at most 2/15 of the rate."""

POSITION_BAND = 2.5
"""Cut-off of positions in units of that of torques, where noise does not ask for less."""

RATE_NOISE, ACCELERATION_NOISE = 0.02, 0.1
"""Noise of rates and accelerations that is allowed, in parts of their RMS."""

LEAST_BAND = 4.0
"""Least cut-off of positions in units of the frequency below which 95 % of the motion lies."""

PER_OCTAVE = 4
"""Bands of the spectrum an octave."""

FLAT, FAINT = 10.0, 1e-3
"""A spectrum that falls by less than the first factor in an octave, below the second part of its peak, is noise."""

TOP = 0.35
"""The noise density is that of frequencies above this part of the rate."""

STILL, NOISE_ALONE = 1e-4, 20.0
"""A joint with less than this part of the fastest joint's squared rates, or with a variance of less than so many times
that of its noise, does not move."""


@dataclass(frozen=True)
class Spectrum:
    """Power of a stretch's motion over frequency, for the joints that move; it sums up to the variance.

    Attributes:
        f: frequencies [Hz].
        rates: power of the rates, shape (frequencies, joints).
        q: that of the positions.
        noise: standard deviation of white noise on each position.
        rate: samples a second.
    """

    f: np.ndarray
    rates: np.ndarray
    q: np.ndarray
    noise: np.ndarray
    rate: float


def choose_filter(pieces: Sequence[Piece], cutoff: float | None = None, edge: float | None = None) -> Filter:
    """Return the filter for recordings, its cut-offs chosen from their motion; that of torques unless given."""
    rate = min(piece.rate for piece in pieces)
    spectra = [found for piece in pieces if (found := spectrum(piece)) is not None]
    motion = max((highest_motion(found) for found in spectra), default=0.0)
    if cutoff is None:
        cutoff = min(max(LOWEST, MOTION * motion), HIGHEST * rate)
        why = f"95 % of the motion lies below {motion:.2g} Hz, recorded at {rate:.4g} Hz"
    else:
        why = "given"
    if not 0 < cutoff < 0.45 * rate:
        raise InputError(f"cut-off {cutoff:g} Hz", "--cutoff", f"give a value between 0 and {0.45 * rate:.4g} Hz")
    quiet = min((quiet_band(found) for found in spectra), default=np.inf)
    position = min(POSITION_BAND * cutoff, max(quiet, LEAST_BAND * motion))
    if position < POSITION_BAND * cutoff:
        why += f"; positions are noisy and cut off at {position:.2g} Hz"
    return Filter(float(cutoff), float(position), EDGE / cutoff if edge is None else edge, why)


def spectrum(piece: Piece) -> Spectrum | None:
    """Return the spectrum of a stretch; None where nothing moves."""
    steps = np.diff(piece.q, axis=0)
    window = np.hanning(len(steps))[:, None]
    f = np.fft.rfftfreq(len(steps), 1 / piece.rate)[1:]
    power = np.abs(np.fft.rfft(steps * window, axis=0))[1:] ** 2 * 2 / (len(steps) * (window**2).sum())
    q = power / (2 * np.sin(np.pi * f / piece.rate)[:, None]) ** 2
    top = f > TOP * piece.rate
    noise = np.median(q[top], axis=0) / np.log(2) * len(steps) / 2 if top.any() else np.zeros(q.shape[1])
    moving = (power.sum(0) > STILL * power.sum(0).max()) & (q.sum(0) > NOISE_ALONE * noise)
    if not moving.any():
        return None
    return Spectrum(f, power[:, moving] * piece.rate**2, q[:, moving], np.sqrt(noise[moving]), piece.rate)


def highest_motion(found: Spectrum) -> float:
    """Return the frequency below which 95 % of each joint's squared rate lies, for the fastest joint."""
    ends = _ends(found)
    power = np.where(found.f[:, None] <= ends, found.rates, 0.0)
    share = np.cumsum(power, 0) / power.sum(0)
    return float(found.f[(share > 0.95).argmax(0)].max())


def _ends(found: Spectrum) -> np.ndarray:
    """Return for each joint the frequency from which the spectrum of its position no longer falls."""
    band = np.floor(PER_OCTAVE * np.log2(found.f / found.f[0])).astype(int)
    numbers, first, count = np.unique(band, return_index=True, return_counts=True)
    density = np.add.reduceat(found.q, first, axis=0) / count[:, None]
    highest = np.maximum.accumulate(density[::-1])[::-1]
    ends = np.full(density.shape[1], found.f[-1])
    for b in range(len(numbers) - 1, -1, -1):
        level = np.median(density[b : b + 2 * PER_OCTAVE + 1], axis=0)
        flat = (highest[b] <= FLAT * level) & (level < FAINT * density.max(0))
        ends[flat] = found.f[first[b]]
    return ends


def quiet_band(found: Spectrum) -> float:
    """Return the highest cut-off of positions at which the noise of no joint's rates and accelerations is large."""
    power = np.where(found.f[:, None] <= _ends(found), found.rates, 0.0)
    turn = 2 * np.pi
    rates, accelerations = power.sum(0), ((turn * found.f[:, None]) ** 2 * power).sum(0)
    density = np.maximum(found.noise**2 / found.rate, 1e-300)
    by_rate = (1.5 * RATE_NOISE**2 * rates / (turn**2 * density)) ** (1 / 3)
    by_acceleration = (2.5 * ACCELERATION_NOISE**2 * accelerations / (turn**4 * density)) ** (1 / 5)
    return float(np.minimum(by_rate, by_acceleration).min())
