"""The parameters of a robot: which, their names, and their columns in a regressor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taut.identify.null_space import ROTOR, TEN
from taut.robot import PARAMETER_NAMES, Tree
from taut.robot.edit import numeric
from taut.robot.places import drive_name, inertial_name

DRIVE_FIELDS = ("rotor_inertia", "coulomb", "viscous", "offset")
"""The columns of the drive regressor."""


@dataclass(frozen=True)
class Parameters:
    """Ten parameters a link, then those of each joint's drive that are asked about.

    Attributes:
        names: a parameter and the number of its joint, counted from one: Ixx3, Im3.
        columns: of the regressor followed by the drive regressor.
        places: {(joint, place among its ten, or ROTOR): index}.
    """

    names: tuple[str, ...]
    columns: tuple[int, ...]
    places: dict[tuple[int, int], int]


def parameters(robot: Tree, drives: bool = False, friction: bool = False, offsets: bool = False) -> Parameters:
    """Return the parameters asked about: rotor inertias, both frictions and offsets where wanted."""
    names: list[str] = []
    columns: list[int] = []
    places: dict[tuple[int, int], int] = {}
    for i in range(len(robot.joints)):
        for k, name in enumerate(PARAMETER_NAMES):
            places[i, k] = len(names)
            names.append(inertial_name(name, i + 1))
            columns.append(TEN * i + k)
    wanted = (drives, friction, friction, offsets)
    for i, joint in enumerate(robot.joints):
        for k, name in enumerate(DRIVE_FIELDS):
            if wanted[k] and joint.motion.nv == 1:
                if k == 0:
                    places[i, ROTOR] = len(names)
                names.append(drive_name(name, i + 1))
                columns.append(TEN * len(robot.joints) + len(DRIVE_FIELDS) * i + k)
    return Parameters(tuple(names), tuple(columns), places)


def parameter_values(robot: Tree, columns: tuple[int, ...]) -> np.ndarray:
    """Return a robot's own numbers for the given columns of the regressor followed by the drive regressor."""
    tree = numeric(robot)
    rigid = [x for i in range(len(tree.joints)) for x in tree.inertia(i).parameters]
    drives = [joint.drive for joint in tree.joints]
    driven = [getattr(drive, name) for drive in drives for name in DRIVE_FIELDS]
    return np.array([float(x) for x in rigid + driven])[list(columns)]
