"""Several questions answered together by one function: one set of sines, shared expressions, one call.

What a control loop needs at every instant, such as torque, Jacobian and gravity, is asked as
``inverse_dynamics+jacobian:tool0+gravity``. The answer is one vector: the entries of the first answer, then those of
the second, and so on, matrices row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from taut.errors import InputError
from taut.questions.arguments import ARGUMENTS
from taut.questions.quantity import Quantity
from taut.questions.question import Asked, Question
from taut.robot import Tree


def fused(parts: tuple[Asked, ...], place: str = "") -> Question:
    """Return the question that answers others one after the other.

    Args:
        parts: the others with their frames.
        place: for the error message, where one is there twice.
    """
    labels = [part.label for part in parts]
    for k, label in enumerate(labels):
        if label in labels[:k]:
            raise InputError(f"{label} is there twice", place, "name each once")
    used = {name for part in parts for name in part.question.arguments}
    arguments = tuple(name for name in ARGUMENTS if name in used)

    def compute(robot: Tree, *vectors: Any, **named: Any) -> list[Any]:
        """Return the answers one after the other, matrices row by row."""
        given = {**dict(zip(arguments, vectors, strict=False)), **named}
        return [x for part in parts for x in entries(_answer(robot, part, given))]

    return Question(
        "+".join(labels),
        compute,
        arguments,
        lambda robot: (sum(prod(shape) for shape in shapes(robot, parts).values()),),
        Quantity("y", "; then ".join(f"{one.letter}: {one.text}" for one in (part.question.result for part in parts))),
        drive_numbers=any(part.question.drive_numbers for part in parts),
        parts=parts,
    )


def with_frame(spelled: Asked, frame: str | None, place: str) -> Asked:
    """Return a fused question whose parts that name no frame are about the given one."""
    if frame is None or not spelled.question.parts:
        return spelled
    parts = [
        Asked(part.question, part.frame_or(frame, place)) if part.question.on_frame else part
        for part in spelled.question.parts
    ]
    return Asked(fused(tuple(parts), place))


def _answer(robot: Tree, part: Asked, given: dict[str, Any]) -> Any:
    options = {"frame": part.frame} if part.question.on_frame else {}
    return part.question.compute(robot, *(given[name] for name in part.question.arguments), **options)


def shapes(robot: Tree, parts: Sequence[Asked]) -> dict[str, tuple[int, ...]]:
    """Return {label: shape of its answer} of questions that are answered together."""
    return {part.label: part.question.shape(robot) for part in parts}


def separated(answer: Any, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """Return {label: its answer} of an array whose last axis holds the answers one after the other."""
    found, start = {}, 0
    for label, shape in shapes.items():
        found[label] = answer[..., start : start + prod(shape)].reshape(*answer.shape[:-1], *shape)
        start += prod(shape)
    return found


def entries(answer: Any) -> list[Any]:
    """Return the entries of nested lists, in order.

    >>> entries([[1, 2], [3, 4]])
    [1, 2, 3, 4]
    """
    if isinstance(answer, (list, tuple)):
        return [x for entry in answer for x in entries(entry)]
    return [answer]
