"""Cut-offs follow the motion, not the noise of the positions."""

from __future__ import annotations

import numpy as np
import pytest

from taut.recordings.cutoff import choose_filter, spectrum
from taut.recordings.recording import Piece


def piece(rate: float, noise: float, highest: float = 0.4, seconds: float = 20.0) -> Piece:
    """Two joints that move and one that stands still, with white noise on their positions."""
    t = np.arange(0, seconds, 1 / rate)
    f = np.array([0.11, 0.23, highest])
    q = np.stack([np.sin(2 * np.pi * np.outer(t, f) + k).sum(1) * 0.3 for k in range(2)] + [0 * t], 1)
    q += noise * np.random.default_rng(3).normal(size=q.shape)
    return Piece("made", 0.0, rate, q, np.zeros_like(q))


@pytest.mark.parametrize("rate", [100.0, 1000.0, 8000.0])
@pytest.mark.parametrize("noise", [0.0, 1e-4, 1e-3])
def test_noise_does_not_raise_the_cut_off(rate: float, noise: float) -> None:
    assert choose_filter([piece(rate, noise)]).cutoff == 8.0


def test_fast_motion_raises_it() -> None:
    assert choose_filter([piece(1000.0, 1e-4, highest=3.0)]).cutoff == pytest.approx(27, rel=0.05)


def test_noisy_positions_are_cut_off_lower() -> None:
    """Rates and accelerations keep their noise below 2 % and 10 % of their size."""
    clean, noisy = (choose_filter([piece(100.0, noise)]) for noise in (1e-6, 1e-3))
    assert clean.position == 20.0 and noisy.position < 6.0 and "noisy" in noisy.chosen


def test_the_noise_is_measured() -> None:
    found = spectrum(piece(200.0, 5e-4))
    assert found is not None
    assert found.noise == pytest.approx([5e-4] * 2, rel=0.05)  # the joint that stands still is left out
