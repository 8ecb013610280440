"""The linear model: torque = columns x parameters, base parameters of the links first, then terms of the drives.

Every drive has viscous friction, an offset and dry friction; the others are optional. Speeds of the nonlinear
terms are tried on a grid in units of the joint's own speed, one column each. A joint sees the columns of the links
and of the drives that act on it; these *active* columns are stored, the others are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from taut.algorithms.drives import position_torques, rate_torques
from taut.batch import evaluate
from taut.derive.derive import derive
from taut.errors import InputError, UnsupportedError
from taut.identify.base_parameters import BaseParameters, base_parameters
from taut.questions.table import QUESTIONS
from taut.recordings.conditioning import Motion
from taut.robot import Drive, TorqueFormula, Tree
from taut.robot.closed_form import with_closed_form
from taut.robot.edit import numeric

SMOOTHING = (0.001, 0.003, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Speeds of smoothing that are tried, in units of the joint's RMS speed."""

USUAL_SMOOTHING = 1
"""The one to begin with."""

STRIBECK = (0.1, 0.3)
"""Speeds of Stribeck's friction that are tried, in the same units."""

ALWAYS = ("viscous", "offset", "coulomb")
FORMULA = "formula"
"""A user's formulas are formula1, formula2, ... of their joint."""

AT_JOINT = ("joint_", FORMULA)
"""Terms of the joint's own position and rate, where gears couple its drive to other joints."""

LOAD_FRICTION = "load_friction"
"""Friction by load: its columns exist where an estimate of the load does."""

SPRING = ("spring_force", "spring_rate", "spring_curve")

COMPILED_FROM = 60_000
"""Samples from which on compiling the regressor saves time."""


@dataclass(frozen=True)
class Column:
    """One column of the model.

    Attributes:
        name: of the parameter: ``Ixx3``, ``coulomb``.
        drive: index of the joint among the independent ones; -1 for parameters of the links.
        smoothing: index into SMOOTHING, for terms of dry friction.
        stribeck: index into STRIBECK, for Stribeck's friction.
    """

    name: str
    drive: int = -1
    smoothing: int | None = None
    stribeck: int | None = None


class Model:
    """The columns of a robot.

    Args:
        robot: its joints revolute or prismatic; numbers for its geometry.
        speeds: RMS speed of each joint: the unit of the nonlinear terms.
        samples: how many there will be, to decide whether compiling saves time.
        load: parameters of links, rotors and terms of position, where the load of each joint is known.
    """

    def __init__(
        self, robot: Tree, speeds: np.ndarray, samples: int = 0, load: Mapping[Column, float] | None = None
    ) -> None:
        if not robot.single_axis:
            raise UnsupportedError("a floating base or a ball joint", robot.name, "identify the robot with it fixed")
        self.robot = numeric(robot)
        self.speeds, self.samples = speeds, samples
        self.base: BaseParameters = base_parameters(self.robot, drives=True, prove=False)
        self.joints = self.robot.joint_names
        self.regressor = _regressor(self.robot, samples)
        self._set_columns(load or {})

    def _set_columns(self, load: Mapping[Column, float]) -> None:
        self.load = dict(load)
        self.columns = [*(Column(name) for name in self.base.names), *self._drive_columns()]
        self.index = {column: k for k, column in enumerate(self.columns)}

    def loaded(self, load: Mapping[Column, float]) -> Model:
        """Return the model with columns of friction by load."""
        model = copy(self)
        for name in ("active", "width"):
            model.__dict__.pop(name, None)
        model._set_columns(load)
        return model

    @property
    def count(self) -> int:
        """Number of base parameters of links and rotors."""
        return self.base.count

    def is_rotor(self, k: int) -> bool:
        """Whether a column is that of a rotor's inertia."""
        return k < self.count and self.base.kept[k] >= 10 * len(self.robot.joints)

    @cached_property
    def coupling(self) -> np.ndarray:
        """K: rates of the drives of the independent joints per rate of the joints."""
        n = len(self.joints)
        K = np.eye(n)
        place = {j: k for k, j in enumerate(self.robot.independent)}
        for drive, joint, ratio in self.robot.coupling:
            if drive in place and joint in place:
                K[place[drive], place[joint]] += float(ratio)
        return K

    def _drive_columns(self) -> list[Column]:
        found: list[Column] = []
        for d, i in enumerate(self.robot.independent):
            found += [Column(name, d) for name in ("viscous", "offset", "square", "asymmetry", "stiffness")]
            found += [Column(name, d) for name in ("cos1", "sin1", "cos2", "sin2")]
            found += [Column(f"{FORMULA}{k + 1}", d) for k in range(len(self.robot.joints[i].formulas))]
            if self.robot.joints[i].drive.spring_crank:
                found += [Column(name, d) for name in SPRING]
            for e in range(len(SMOOTHING)):
                found += [Column("coulomb", d, e), Column("root", d, e)]
                found += [Column("stribeck", d, e, s) for s in range(len(STRIBECK))]
                found += [Column(LOAD_FRICTION, d, e)] if self.load else []
            if self.on_joint[d]:
                found += [Column("joint_viscous", d), *(Column("joint_coulomb", d, e) for e in range(len(SMOOTHING)))]
        return found

    @cached_property
    def on_joint(self) -> list[bool]:
        """For each joint whether its drive turns otherwise than the joint, so that both have friction."""
        return [bool(np.count_nonzero(row) > 1) for row in self.coupling]

    @cached_property
    def active(self) -> list[np.ndarray]:
        """For each joint the indices of its columns: all of the links, and those of the drives that act on it."""
        links = list(range(self.count))
        sees = self.coupling.T != 0  # [joint, drive]
        of_drive = [[k for k, c in enumerate(self.columns) if c.drive == d] for d in range(len(self.joints))]
        return [
            np.array(links + [k for d in range(len(self.joints)) if sees[j, d] for k in of_drive[d]])
            for j in range(len(self.joints))
        ]

    @cached_property
    def width(self) -> int:
        """The largest number of active columns of a joint."""
        return max(len(ids) for ids in self.active)

    def __call__(self, motion: Motion) -> np.ndarray:
        """Return the active columns at a motion, shape (samples, joints, width); zeros fill what a joint has less."""
        samples, n = motion.q.shape
        stacked = np.zeros((samples, n, self.width))
        stacked[:, :, : self.count] = self.regressor(motion)[:, :, list(self.base.kept)]
        rates = motion.qd @ self.coupling.T
        at_drive = [self._units(d, motion.q[:, d], rates[:, d]) for d in range(n)]
        at_joint = [self._joint_units(d, motion.q[:, d], motion.qd[:, d]) for d in range(n)]
        for j in range(n):
            carried = self._carried(stacked[:, j], at_drive[j])
            for place, k in enumerate(self.active[j][self.count :], self.count):
                column = self.columns[k]
                if column.name == LOAD_FRICTION:
                    if column.drive == j:
                        reversing = rate_torques(self.drive_of(column), motion.qd[:, j])["coulomb"]()
                        stacked[:, j, place] = np.abs(carried) * reversing
                elif column.name.startswith(AT_JOINT):
                    if column.drive == j:
                        stacked[:, j, place] = at_joint[j][column]
                elif column.name in POSITION:
                    if column.drive == j:
                        stacked[:, j, place] = at_drive[j][column]
                else:
                    stacked[:, j, place] = self.coupling[column.drive, j] * at_drive[column.drive][column]
        return stacked

    def _carried(self, columns: np.ndarray, units: Mapping[Column, Any]) -> Any:
        """Return the load of a joint: its columns of links and rotors and its terms of position by their parameters."""
        if not self.load:
            return 0.0
        links = np.array([self.load.get(column, 0.0) for column in self.columns[: self.count]])
        return columns[:, : self.count] @ links + sum(self.load[c] * units[c] for c in units if c in self.load)

    def drive_of(self, column: Column) -> Drive:
        """Return the drive of a column, with the speeds of its nonlinear terms."""
        drive = self.robot.joints[self.robot.independent[column.drive]].drive
        speed = float(self.speeds[column.drive])
        if column.smoothing is not None:
            drive = replace(drive, smoothing=SMOOTHING[column.smoothing] * speed)
        if column.stribeck is not None:
            drive = replace(drive, stribeck_speed=STRIBECK[column.stribeck] * speed)
        return drive

    def _units(self, d: int, q: np.ndarray, rate: np.ndarray) -> dict[Column, Any]:
        """Return the torques of a unit of each of a drive's parameters."""
        units: dict[Column, Any] = {}
        for column in (c for c in self.columns if c.drive == d and not c.name.startswith((*AT_JOINT, LOAD_FRICTION))):
            drive = self.drive_of(column)
            simple = {"viscous": rate, "offset": np.ones_like(rate), "stiffness": q}
            if column.name in simple:
                units[column] = simple[column.name]
            elif column.name in POSITION:
                units[column] = position_torques(drive, q)[column.name]()
            else:
                units[column] = rate_torques(drive, rate)[column.name]()
        return units

    def _joint_units(self, d: int, q: np.ndarray, rate: np.ndarray) -> dict[Column, Any]:
        """Return the torques of a unit of what depends on the joint's own position and rate."""
        units: dict[Column, Any] = {}
        for c in (c for c in self.columns if c.drive == d and c.name.startswith(AT_JOINT)):
            if c.name.startswith(FORMULA):
                units[c] = self.formula_of(c)(q, rate) + 0.0 * q
            elif c.name == "joint_viscous":
                units[c] = rate
            else:
                units[c] = rate_torques(self.drive_of(c), rate)["coulomb"]()
        return units

    def formula_of(self, column: Column) -> TorqueFormula:
        """Return the formula that a column is the torque of."""
        return self.robot.joints[self.robot.independent[column.drive]].formulas[int(column.name[len(FORMULA) :]) - 1]


POSITION = ("stiffness", "cos1", "sin1", "cos2", "sin2", *SPRING)
"""Terms of the joint's position: they act on the joint itself, not through the gears."""


def _regressor(robot: Tree, samples: int) -> Callable[[Motion], np.ndarray]:
    """Return what evaluates [Y, Y_rotor] at a motion: compiled where there are many samples."""
    rigid = QUESTIONS["regressor"]
    if samples >= COMPILED_FROM:
        fast = derive(robot, "regressor", parameters="numeric", effort="none").compile()

        def columns(motion: Motion) -> np.ndarray:
            return fast(motion.q, motion.qd, motion.qdd)

    else:

        def columns(motion: Motion) -> np.ndarray:
            states = {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd}
            return evaluate(lambda **s: rigid.compute(robot, **s), states, rigid.shape(robot))

    driven = QUESTIONS["drive_regressor"]
    rotors = [4 * i for i in range(len(robot.joints))]
    moving = [i for i in range(len(robot.joints)) if robot.joints[i].motion.nv == 1]

    def both(motion: Motion) -> np.ndarray:
        states = {"qd": motion.qd, "qdd": motion.qdd}
        drive = evaluate(lambda **s: driven.compute(robot, **s), states, driven.shape(robot))
        return np.concatenate([columns(motion), drive[:, :, [rotors[i] for i in moving]]], 2)

    return both


def as_recorded(robot: Tree) -> Tree:
    """Return the robot whose positions are those of the joints in a recording: planar loops in closed form."""
    solved = with_closed_form(robot) if robot.must_close else robot
    if solved.must_close:
        said = "recordings have no positions of dependent joints, and its loops have no closed form"
        advice = "compare torques of inverse_dynamics, which takes the positions of all joints"
        raise InputError(said, robot.name, advice)
    return solved


def check_joints(robot: Tree, widths: Sequence[int]) -> None:
    """Refuse recordings whose number of joints is not the robot's."""
    for width in widths:
        if width != len(robot.joint_names):
            raise InputError(f"{width} joints recorded, the robot has {len(robot.joint_names)}", robot.name, "give all")
