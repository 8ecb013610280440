"""How much search each effort allows, in steps: the same result for the same seed on any machine.

A round that looks for definitions in three operations and one of trials take turns (:class:`Budget`). Two of them show
which start is the best one; what is left of an effort goes to the best programs found so far. ``quick`` makes one round
of small moves and one of trials, of large programs the first alone. Counts and seconds that each effort reaches are
measured in decisions 119, 210 and 211.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from taut.derive.tightening.schedule import Phase
from taut.derive.tightening.tighten import Budget


def _alternating(rounds: int, steps: int, patience: int = 2) -> Budget:
    """Return rounds in three operations and rounds of trials in turn."""
    return Budget(rounds=rounds, steps=steps, deep=50, trial=25, patience=patience)


LARGE, HUGE, WHOLE = 1_000, 1_400, 1_700
"""Operations from which a round fills its tables for about as long as it searches, so that there are few rounds of many
steps and none looks for three operations; from which there are fewer still; and up to which a program is searched as a
whole for certain."""

EFFORTS: Mapping[str, tuple[Phase, ...]] = {
    "none": (),
    "quick": (
        Phase(1, 1, Budget(rounds=1, steps=500), sizes=range(LARGE)),
        Phase(1, 1, Budget(rounds=1, steps=250, trial=25), sizes=range(LARGE)),
        Phase(1, 1, Budget(rounds=1, steps=2_000), sizes=range(LARGE, WHOLE)),
    ),
    "normal": (
        Phase(3, 1, _alternating(2, 600), least=1, sizes=range(LARGE)),
        Phase(1, 1, _alternating(6, 800), sizes=range(LARGE)),
        Phase(1, 1, _alternating(6, 800), sizes=range(400)),
        Phase(1, 1, Budget(rounds=4, steps=1_600, trial=25), sizes=range(LARGE, HUGE)),
        Phase(1, 1, Budget(rounds=2, steps=1_600, trial=25), sizes=range(HUGE, sys.maxsize)),
    ),
    "max": (
        Phase(8, 1, _alternating(2, 3_000)),
        Phase(2, 16, _alternating(6, 3_000, patience=3), anew=True),
        Phase(3, 2, _alternating(12, 3_000, patience=4)),
        Phase(2, 4, _alternating(20, 3_000, patience=6)),
        Phase(1, 6, _alternating(20, 3_000, patience=6)),
    ),
}
"""{effort: what is done with the programs of a function}."""

PARTS: Mapping[str, tuple[Phase, ...]] = {
    "none": (),
    "quick": (),
    "normal": (Phase(1, 1, _alternating(2, 600)),),
    "max": (
        Phase(4, 1, Budget(rounds=2, steps=8_000)),
        Phase(2, 2, _alternating(8, 3_000, patience=3)),
    ),
}
"""{effort: what is done with each part that a function is put together from}."""

ALONE: Mapping[str, Budget | None] = {
    "none": None,
    "quick": Budget(rounds=1, steps=500),
    "normal": Budget(rounds=3, steps=5_000, starts=2),
    "max": _alternating(2, 3_000),
}
"""{effort: what is done with one program that is searched alone, such as abbreviated equations}."""

PROCESSES: Mapping[str, int] = {"none": 1, "quick": 1, "normal": 1, "max": 2}
"""{effort: searches that run at once}; starting a process takes as long as a short search."""


def efforts_up_to(effort: str, spent: str = "none") -> list[str]:
    """Return the efforts whose searches are made for one: its own and all before it, so that more is never worse.

    Args:
        effort: what is asked for.
        spent: what the cheapest program was found with, for this very structure. As much of it again would gain next to
            nothing: one effort less is made. The highest effort is always made in full.
    """
    names = list(EFFORTS)
    again = names.index(spent) >= names.index(effort) and effort != names[-1]
    return names[: max(1, names.index(effort) + (not again))]
