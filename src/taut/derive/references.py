"""What a generated self-test is compared with: the textbook algorithm in extended precision.

Two references at the same states: on the robot that the file's digits mean, which the program equals up to rounding,
and on the file's own digits, from which it differs by no more than is stated. Neither uses the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.batch import evaluate
from taut.derive.derivation import derivation
from taut.derive.function import Function
from taut.emit.samples import Samples
from taut.questions.table import question
from taut.robot import Tree
from taut.robot.placement import right_angle
from taut.spatial import Scalar

COUNT = 9
"""States of a self-test: one more than the longest vector has, so that a batch has a rest."""


def exactly(tree: Tree, function: str, states: Mapping[str, np.ndarray], frame: str | None = None) -> np.ndarray:
    """Return a function by its textbook algorithm in extended precision (n, outputs).

    Args:
        tree: a numeric robot.
        function: a name of the table of questions.
        states: {argument: (n, width)}.
        frame: for functions of a frame.
    """
    asked = question(function)
    options: dict[str, Any] = {"frame": frame} if asked.on_frame else {}
    precise = tree.map(_extended, angle=_extended_angle)
    given = {name: states[name].astype(np.longdouble) for name in asked.arguments}
    answer = evaluate(lambda **x: asked.compute(precise, **x, **options), given, asked.shape(tree), np.longdouble)
    return answer.reshape(len(next(iter(given.values()))), -1)


def _extended(x: Scalar) -> Scalar:
    return x if x == 0 else np.longdouble(x)  # zeros stay what algorithms know to be zero


def _extended_angle(x: Scalar) -> Scalar:
    exact = right_angle(x)
    return exact if not isinstance(exact, float) else _extended(exact)


def samples(tree: Tree, function: Function, dtype: np.dtype) -> Samples | None:
    """Return the references of a derived function; None where it was not compared with its robot.

    The states are the first of those at which the stated difference was measured, rounded to the precision.

    Args:
        tree: the robot it was derived from.
        function: the function.
        dtype: of the code.
    """
    if function.difference is None:
        return None
    shared = derivation(tree, function.parameters, function.snap, function.keep, function.load)
    known = shared.judge(function.name, function.frame)
    usable = np.flatnonzero(known.usable)[:COUNT]
    if len(usable) < COUNT:
        return None
    states = {name: known.states[name][usable].astype(dtype) for name in function.arguments}
    meant = exactly(shared.meant, function.name, states, function.frame)
    written = exactly(shared.written, function.name, states, function.frame) if shared.meaning.taken else None
    values = shared.values(function)
    return Samples(
        states,
        {name: values[name] for name in function.run_time_names},
        meant,
        written,
        known.scales_of_outputs(usable),
        function.difference.stated,
    )
