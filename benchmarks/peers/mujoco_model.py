"""A robot of the comparison as MJCF, written from the numbers that all peers share."""

from __future__ import annotations

from collections.abc import Sequence

from peers.robots import Joint

QUESTIONS = ("inverse_dynamics", "mass_matrix", "gravity", "forward_dynamics")


def mjcf(joints: Sequence[Joint]) -> str:
    """Return the robot with a fixed base: bodies and joints, nothing to see or to touch."""
    rows = ['<mujoco><compiler angle="radian" autolimits="false"/>', '<option gravity="0 0 -9.81"/>', "<worldbody>"]
    rows += _bodies(joints, 0)
    return "\n".join([*rows, "</worldbody>", "</mujoco>"])


def _bodies(joints: Sequence[Joint], parent: int) -> list[str]:
    rows = []
    for i, joint in enumerate(joints, 1):
        if joint.parent != parent:
            continue
        axes = " ".join(repr(float(x)) for x in (*joint.rotation[:, 0], *joint.rotation[:, 1]))
        full = _numbers(joint.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]])
        rows += [f'<body pos="{_numbers(joint.position)}" xyaxes="{axes}">']
        rows += [f'<joint type="{"slide" if joint.prismatic else "hinge"}" axis="{_numbers(joint.axis)}"/>']
        rows += [f'<inertial pos="{_numbers(joint.centre)}" mass="{joint.mass!r}" fullinertia="{full}"/>']
        rows += [*_bodies(joints, i), "</body>"]
    return rows


def _numbers(values: Sequence[float]) -> str:
    return " ".join(repr(float(x)) for x in values)
