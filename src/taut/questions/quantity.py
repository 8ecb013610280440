"""A named result: its letter, what it is and its unit."""

from __future__ import annotations

from typing import NamedTuple


class Quantity(NamedTuple):
    """A vector or matrix that a function returns.

    Attributes:
        letter: its symbol in equations and generated code.
        meaning: in words, with the units where entries differ in them.
        unit: of every entry, if they have one in common.
    """

    letter: str
    meaning: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The meaning followed by the unit."""
        return f"{self.meaning} [{self.unit}]" if self.unit else self.meaning


UNKNOWN = Quantity("y", "the result")

TORQUE = "N m or N"
"""Unit of the torque of a revolute joint or the force of a prismatic one."""
