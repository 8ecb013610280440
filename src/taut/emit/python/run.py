"""Run emitted Python on given states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.emit.backend import States
from taut.emit.routine import Routine


def run_python(text: str, routine: Routine, states: States, parameters: Sequence[float]) -> np.ndarray:
    """Return the answers (n, size) of a module that :func:`taut.emit.python.python_source` wrote."""
    names: dict[str, Any] = {}
    exec(compile(text, "<emitted>", "exec"), names)  # taut's own text, never that of a file
    given = [*([] if routine.baked else [np.asarray(parameters)]), *(states[name] for name in routine.arguments)]
    answer: np.ndarray = names[routine.name](*given)
    return answer.reshape(len(answer), routine.size)
