"""The inertial and drive parameters of a robot as vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from taut.errors import InputError
from taut.robot.inertial import PARAMETER_NAMES
from taut.robot.inertial_orders import inertia_from, names_in
from taut.robot.parts import Joint
from taut.robot.tree import Tree
from taut.spatial import Inertia

DRIVE = ("rotor_inertia", "coulomb", "viscous", "offset")
"""The parameters of a drive, in the order of the drive regressor's columns."""


def with_parameters(
    tree: Tree,
    links: Sequence[float] | np.ndarray | Mapping[str, Sequence[float]] | None = None,
    drives: Sequence[float] | np.ndarray | None = None,
    order: str = "taut",
    joints: Sequence[str] | None = None,
) -> Tree:
    """Return the robot with other inertial or drive parameters.

    Args:
        tree: the robot.
        links: ten numbers for each moving link one after the other; or {link or frame: its ten numbers}, taken about
            the origin of that frame and in its axes, for some of them. What is fixed to a link is part of it.
        drives: rotor inertia, Coulomb friction, viscous friction and offset for each joint.
        order: of the ten numbers: taut, pinocchio, idyntree, symoro, mujoco or rtb.
        joints: the names of all moving joints in the order of the vectors; that of ``tree.joints`` by default.
    """
    names_in(order)
    names = [joint.name for joint in tree.joints]
    if joints is not None and sorted(joints) != sorted(names):
        raise InputError("joints does not name every moving joint once", "with_parameters", f"joints: {_some(names)}")
    at = [names.index(name) for name in joints or names]
    changed = list(tree.joints)
    if isinstance(links, Mapping):
        for name, ten in links.items():
            frame = tree.frame(name)
            if frame.body < 0:
                raise InputError(f"'{name}' does not move", "with_parameters", "name a moving link")
            body = inertia_from(_numbers(f"parameters of '{name}'", ten, len(PARAMETER_NAMES)), order)
            changed[frame.body] = _with_inertia(changed[frame.body], frame.transform.inertia_to_parent(body))
    elif links is not None:
        values = _numbers("links", links, len(PARAMETER_NAMES) * len(names))
        for i, ten in zip(at, _grouped(values, len(PARAMETER_NAMES)), strict=True):
            changed[i] = _with_inertia(changed[i], inertia_from(ten, order))
    if drives is not None:
        for i, four in zip(at, _grouped(_numbers("drives", drives, len(DRIVE) * len(names)), len(DRIVE)), strict=True):
            drive = replace(changed[i].drive, **dict(zip(DRIVE, four, strict=True)))
            changed[i] = replace(changed[i], drive=drive)
    return replace(tree, joints=tuple(changed))


def _with_inertia(joint: Joint, inertia: Inertia) -> Joint:
    return replace(joint, link=replace(joint.link, inertia=inertia))


def _numbers(name: str, values: Sequence[float] | np.ndarray, count: int) -> list[float]:
    try:
        array = np.asarray(values, dtype=float).ravel()
    except (TypeError, ValueError):
        raise InputError(f"{name}: not numbers", "with_parameters", f"give {count} numbers") from None
    if len(array) != count or not np.isfinite(array).all():
        found = f"{len(array)} numbers" if len(array) != count else "NaN or infinity"
        raise InputError(f"{name}: {found}", "with_parameters", f"give {count} finite numbers")
    return [float(x) for x in array]


def _grouped(values: list[float], size: int) -> list[list[float]]:
    return [values[k : k + size] for k in range(0, len(values), size)]


def _some(names: list[str]) -> str:
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
