"""What emitters and the runtime read of a derived function; :class:`taut.derive.function.Function` has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from taut.analysis.opcount import Operations
from taut.graph.program import Program
from taut.questions.quantity import Quantity


class Evidence(Protocol):
    """A proof: the algorithm compared with, and at how many points."""

    @property
    def reference(self) -> str:
        """The algorithm."""

    @property
    def points(self) -> int:
        """Random points of the field."""


class Comparison(Protocol):
    """How far a function is from the file's digits, or from the fewest operations."""

    @property
    def text(self) -> str:
        """In words."""


class Derived(Protocol):
    """A program with its arguments, its result and how it came about; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """The function."""

    @property
    def robot(self) -> str:
        """Name of the robot."""

    @property
    def simulated(self) -> Comparison | None:
        """Its time, compared with that of the fewest operations."""

    @property
    def program(self) -> Program:
        """What it computes."""

    @property
    def arguments(self) -> Mapping[str, tuple[str, ...]]:
        """{argument: names of its symbols}."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the answer."""

    @property
    def result(self) -> Quantity:
        """Letter, meaning and unit of the answer."""

    @property
    def values(self) -> Mapping[str, float]:
        """Values of parameters that have one."""

    @property
    def parameters(self) -> str:
        """How inertial parameters were treated."""

    @property
    def is_safe(self) -> bool:
        """Whether it is right for every value of its parameters."""

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Parameters that the program needs."""

    @property
    def difference(self) -> Comparison | None:
        """From the plain algorithm on the file's digits."""

    @property
    def run_time(self) -> bool:
        """Whether some parameters are inputs of generated code."""

    @property
    def records(self) -> Mapping[str, object]:
        """{parameter: quantity, unit, body and reference point}, each a text by ``str``."""

    @property
    def run_time_names(self) -> tuple[str, ...]:
        """Parameters that are inputs of generated code."""

    @property
    def meanings(self) -> Mapping[str, str]:
        """{parameter: quantity, unit, body and reference point in words}."""

    @property
    def method(self) -> str:
        """The algorithm it started from."""

    @property
    def effort(self) -> str:
        """How hard it was tightened."""

    @property
    def frame(self) -> str | None:
        """The frame it is about."""

    @property
    def proof(self) -> Evidence | None:
        """That it is exact."""

    @property
    def remarks(self) -> Sequence[str]:
        """Further sentences that the comment must have."""

    @property
    def operations(self) -> Operations:
        """Its count."""

    def __call__(self, *states: Any, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """Return the answer for states."""
