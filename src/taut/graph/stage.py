"""Stages: the order in which symbols, and so values, become known."""

from __future__ import annotations

from enum import IntEnum


class Stage(IntEnum):
    """``constant < parameter < configuration < velocity < acceleration < applied < jerk < snap``.

    A node's stage is the highest of its arguments'. Cutting a program between two
    stages gives the off-line constants, the background tasks and the servo task.
    """

    CONSTANT = 0
    PARAMETER = 1
    CONFIGURATION = 2
    VELOCITY = 3
    ACCELERATION = 4
    APPLIED = 5
    JERK = 6
    SNAP = 7

    @property
    def label(self) -> str:
        """Lower-case name used in tables and JSON."""
        return self.name.lower()
