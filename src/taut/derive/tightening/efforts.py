"""How much search each effort allows, in steps: the same result for the same seed on any machine.

A round that looks for definitions in three operations and one of trials take turns (:class:`Budget`). Two of them show
which start is the best one; what is left of an effort goes to the best programs found so far. Counts and seconds
that each effort reaches are measured in decision 119.
"""

from __future__ import annotations

from collections.abc import Mapping

from taut.derive.tightening.schedule import Phase
from taut.derive.tightening.tighten import Budget


def _alternating(rounds: int, steps: int, patience: int = 2) -> Budget:
    """Return rounds in three operations and rounds of trials in turn."""
    return Budget(rounds=rounds, steps=steps, deep=50, trial=25, patience=patience)


EFFORTS: Mapping[str, tuple[Phase, ...]] = {
    "quick": (),
    "normal": (
        Phase(3, 1, _alternating(2, 600), least=1),
        Phase(1, 2, _alternating(6, 800)),
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
    "quick": (),
    "normal": (Phase(1, 1, _alternating(2, 600)),),
    "max": (
        Phase(4, 1, Budget(rounds=2, steps=8_000)),
        Phase(2, 2, _alternating(8, 3_000, patience=3)),
    ),
}
"""{effort: what is done with each part that a function is put together from}."""

ALONE: Mapping[str, Budget | None] = {
    "quick": None,
    "normal": Budget(rounds=3, steps=5_000, starts=2),
    "max": _alternating(2, 3_000),
}
"""{effort: what is done with one program that is searched alone, such as abbreviated equations}."""

PROCESSES: Mapping[str, int] = {"quick": 1, "normal": 1, "max": 2}
"""{effort: searches that run at once}; starting a process takes as long as a short search."""


def efforts_up_to(effort: str) -> list[str]:
    """Return the efforts whose searches are made for one: its own and all before it, so that more is never worse."""
    names = list(EFFORTS)
    return names[: names.index(effort) + 1]
