"""Held-out errors on measured recordings stay below published floors, with default settings for all."""

from __future__ import annotations

import numpy as np
import pytest

from identification.recorded import FOLDER, MISSING, ROWS, fitted

AIM = {"ur10, last 30 %": 0.90, "ur10, blocks": 0.90, "kr300 A+C -> B": 0.95, "tx40, blocks": 0.97}
"""Part of the floor's mean to stay below; 1 where nothing is named."""


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER.is_dir(), reason=MISSING)
@pytest.mark.parametrize("name", ROWS)
def test_held_out_error(name: str) -> None:
    row = ROWS[name]
    fit = fitted(row)
    held, free = (np.mean(list(e.values())) for e in (fit.held_out, fit.unconstrained))
    assert held <= AIM.get(name, 1.0) * np.mean(row.floor)
    assert fit.consistent
    assert held <= 1.03 * free
    prompt = np.mean(list(fit.held_out_prompt.values()))
    assert prompt <= AIM.get(name, 1.0) * np.mean(row.floor)
    above = [joint for joint, e, f in zip(fit.held_out, fit.held_out.values(), row.floor, strict=True) if e > 1.15 * f]
    assert set(above) <= set(fit.poor)
    if name == "lwr4 1+2 -> 3":
        assert max(list(fit.held_out.values())[:4]) < 60
        assert any("one repeated motion" in text for text in fit.warnings)
