"""Positions found for a pose, as a table and as data."""

from __future__ import annotations

from typing import Any

from taut.api import Robot
from taut.inverse_kinematics.result import InverseKinematics
from taut.report.table import table


def ik_text(robot: Robot, found: InverseKinematics) -> str:
    """Return every solution of one pose as a row, the chosen one first, and what is to be said about it."""
    every = found.equivalents()
    names = [f"q{k + 1}" for k in range(robot.nq)]
    rows = [["chosen" if found.reached else "nearest", *(f"{x:.6f}" for x in found.q)]]
    if found.branches is not None and len(every):
        rows += [["", *(f"{x:.6f}" for x in q)] for q in every if abs(q - found.q).max() > 1e-9]
    said = str(found)
    if found.singular:
        said += "; the position is singular: the frame cannot move in some direction"
    return f"{table(['', *names], rows)}\n\n{said}"


def ik_data(robot: Robot, found: InverseKinematics) -> dict[str, Any]:
    """Return the same for a program to read."""
    return {
        "robot": robot.name,
        "joints": list(robot.joint_names),
        "q": found.q.tolist(),
        "reached": bool(found.reached),
        "singular": bool(found.singular),
        "place_error": float(found.place_error),
        "turn_error": float(found.turn_error),
        "weight": found.weight,
        "solutions": found.equivalents().tolist() if found.reached else [],
    }
