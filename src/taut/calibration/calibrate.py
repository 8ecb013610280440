"""Calibration from poses to a corrected robot."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from taut.algorithms.newton_euler import newton_euler
from taut.calibration.align import aligned_base, refuse_mistakes
from taut.calibration.chain import Chain, error_matrix, error_placement
from taut.calibration.fit import Fit, error_size, excited, fit, held_out, outliers
from taut.calibration.identifiable import Identifiable, exact_rank, identifiable
from taut.calibration.parameters import BASE, SHIFTS, TOOL, TURNS, Parameter, parameters
from taut.calibration.poses import Poses
from taut.calibration.residual import POINT, Instrument, residuals
from taut.errors import InputError
from taut.robot import Frame, Placement, Tree
from taut.robot.edit import held_at, numeric
from taut.robot.placement import turns_of
from taut.robot.states import random_positions
from taut.spatial import Vec3

EXACT = ("offset", *SHIFTS, *TURNS)
"""Kinds of errors that the exact rank serves."""

SEED = 1
SAMPLES = 200
"""Random configurations at which the identifiable errors are chosen."""

FAR = 1e-2
"""Error of positions [m] that joint offsets do not explain."""

WORSE = 3.0
"""Times the residual of a free base at which a base said to be known is not."""


@dataclass(frozen=True)
class Calibration:
    """A robot fitted to measured poses.

    Attributes:
        tree: the robot as it was, numbers only.
        frame: that was measured.
        found: which errors measurements of this kind can tell apart.
        fitted: the parameters that these poses determine, in the order of ``fit.covariance``.
        fit: their values, covariance and noise.
        before: error of the nominal robot on the poses used, best base allowed for where the base is free.
        after: error of the corrected robot on the poses used.
        held_out: error of corrected robots on poses they have not seen.
        removed: lines of the file that were taken for outliers.
        unexcited: identifiable parameters that these poses do not determine.
        base: pose of the robot's base in the world of the measurements, before its errors.
        instrument: what was measured.
    """

    tree: Tree
    frame: str
    found: Identifiable
    fitted: tuple[Parameter, ...]
    fit: Fit
    before: dict[str, float]
    after: dict[str, float]
    held_out: dict[str, float]
    removed: tuple[int, ...]
    unexcited: tuple[str, ...]
    base: np.ndarray
    instrument: Instrument

    def __repr__(self) -> str:
        return (
            f"<Calibration of {self.tree.name} at {self.frame}: {len(self.fitted)} parameters, error "
            f"{_errors(self.before)} before, {_errors(self.after)} after>"
        )

    @property
    def offsets(self) -> dict[str, float]:
        """{joint: what is to be added to its reading}."""
        return {p.place: self.fit.errors[p.name] for p in self.fitted if p.kind == "offset"}

    @property
    def standard_errors(self) -> dict[str, float]:
        """{parameter: standard error}."""
        sizes = np.sqrt(np.diag(self.fit.covariance))
        return {p.name: float(s) for p, s in zip(self.fitted, sizes, strict=True)}

    def corrected(self) -> Tree:
        """Return the robot with its placements, base and tool corrected; eccentric gears and compliance stay out."""
        errors, tree = self.fit.errors, self.tree
        joints = []
        for joint in tree.joints:
            placement = joint.placement.then(error_placement(joint.name, errors))
            shift = errors.get(f"{joint.name}.offset", 0.0)
            if shift:
                placement = placement.then(held_at(joint.motion, shift))
            joints.append(replace(joint, placement=placement))
        base = self.base @ error_matrix(BASE, errors)
        place = tree.frame(self.frame)
        tool = place.placement.then(error_placement(TOOL, errors))
        frames = [f for f in tree.frames if f.name != self.frame]
        name = self.frame if any(f.name == self.frame for f in tree.frames) else f"{self.frame}_calibrated"
        return replace(
            tree,
            joints=tuple(joints),
            frames=(*frames, Frame(name, place.body, tool)),
            base=Placement(Vec3(*map(float, base[:3, 3])), turns_of(base[:3, :3])),
            convention=None,
        )


def calibrate(
    robot: Tree,
    poses: Poses,
    frame: str | None = None,
    *,
    offsets: bool = False,
    eccentric: bool = False,
    compliance: bool = False,
    place: str = "poses",
) -> Calibration:
    """Return the robot fitted to measured poses.

    Args:
        robot: the nominal robot.
        poses: joint positions and what was measured at each.
        frame: that was measured; the last one by default.
        offsets: fit the joint offsets alone; base and tool stay where the robot has them.
        eccentric: fit eccentric gears, too.
        compliance: fit joint compliance under gravity, too.
        place: name of the poses, for errors.
    """
    tree = geometry(robot, inertial=compliance)
    chain = Chain.of(tree, frame)
    instrument = Instrument.of(poses)
    refuse_mistakes(chain, poses, place)
    free_base = not offsets and poses.position is not None and poses.length is None
    if free_base:
        chain = replace(chain, base=aligned_base(chain, poses))
    wanted = parameters(tree, frame, frames=not offsets, eccentric=eccentric, compliance=compliance)
    if instrument.point:
        wanted = _about_a_point(chain, wanted, poses, place)
    found = told_apart(chain, wanted, instrument, poses)
    torques = gravity_torques(chain, poses.q) if compliance else None
    start = _point_start(chain, poses) if instrument.point else {}
    fitted = excited(chain, poses, found, torques) if not instrument.point else list(found.kept)
    rows = len(poses) * (1 if poses.length is not None else len(instrument.rows))
    if rows <= len(fitted) or rows < len(found.kept):
        raise InputError(
            f"{len(poses)} poses give {rows} numbers for {len(found.kept)} parameters",
            place,
            "measure more poses, or fit joint offsets alone (--offsets)",
        )
    before = error_size(instrument, residuals(chain, poses, start, [], torques)[0])
    bad = outliers(chain, poses, fitted, torques) if not instrument.point else np.array([], dtype=int)
    if len(bad) > len(poses) / 4:
        bad = np.array([], dtype=int)  # so many do not contradict the rest; they are the rest
    keep = np.setdiff1d(np.arange(len(poses)), bad)
    used = poses.chosen(keep)
    torques = None if torques is None else torques[keep]
    if offsets and poses.position is not None:
        _refuse_other_base(chain, used, fitted, place)
    result = fit(chain, used, fitted, torques, start=start)
    return Calibration(
        tree=tree,
        frame=chain.frame,
        found=found,
        fitted=tuple(fitted),
        fit=result,
        before=before,
        after=error_size(instrument, result.residuals),
        held_out=held_out(chain, used, fitted, torques) if not instrument.point else {},
        removed=tuple(poses.lines[k] if poses.lines else int(k) for k in bad),
        unexcited=tuple(p.name for p in found.kept if p not in fitted),
        base=chain.base,
        instrument=instrument,
    )


def told_apart(chain: Chain, wanted: list[Parameter], instrument: Instrument, poses: Poses) -> Identifiable:
    """Return which errors the instrument can tell apart at any configurations within the limits."""
    q = random_positions(chain.tree, np.random.default_rng(SEED), (SAMPLES,))
    torques = gravity_torques(chain, q) if any(p.kind == "compliance" for p in wanted) else None
    if instrument.point:
        _, A = residuals(chain, poses, _point_start(chain, poses), wanted, torques)
        return identifiable(chain, wanted, A.reshape(-1, len(wanted)))
    _, J = chain.poses(q, {}, wanted, torques)
    columns = J[:, list(instrument.rows)].reshape(-1, len(wanted))
    rank = None
    if all(p.kind in EXACT for p in wanted):
        rank = exact_rank(chain.tree, chain.frame, wanted, instrument.rows)
    return identifiable(chain, wanted, columns, rank)


def geometry(robot: Tree, inertial: bool = False) -> Tree:
    """Return the robot in numbers; inertias and drives without values count as zero unless they are needed."""
    if inertial:
        return numeric(robot)
    nothing = lambda _: 0.0  # noqa: E731
    return numeric(robot.map(lambda x: x, inertial=nothing, drive=nothing))


def gravity_torques(chain: Chain, q: np.ndarray) -> np.ndarray:
    """Return the gravity torque of every joint of the chain (N, joints)."""
    joints = chain.tree.at(list(q.T))
    rest = joints.rates([0.0] * chain.tree.nv)
    found = newton_euler(chain.tree, joints.positions, rest, rest)
    return np.stack([np.asarray(found[i][0]) * np.ones(len(q)) for i in chain.joints], axis=1)


def _about_a_point(chain: Chain, wanted: list[Parameter], poses: Poses, place: str) -> list[Parameter]:
    """Return the errors that can be found where the world is one fixed point: none that moves the whole robot."""
    if poses.length is None and any(p.place == TOOL for p in wanted):
        raise InputError(
            "touching one point does not tell the robot's size", place, "fit joint offsets alone (--offsets)"
        )
    first = chain.tree.joints[chain.joints[0]].name
    return [*POINT, *(p for p in wanted if p.place not in (BASE, first))]


def _point_start(chain: Chain, poses: Poses) -> dict[str, float]:
    """Return a first guess of the fixed point: the mean position, or the centre of the sphere of a ball bar."""
    p = chain.poses(poses.q, {}, [])[0][:, :3, 3]
    if poses.length is None:
        centre = p.mean(axis=0)
    else:  # |p - c|^2 = L^2 is linear in c and |c|^2
        A = np.column_stack([2 * p, np.ones(len(p))])
        centre = np.linalg.lstsq(A, np.sum(p**2, axis=1) - poses.length**2, rcond=None)[0][:3]
    return {q.name: float(x) for q, x in zip(POINT, centre, strict=True)}


def _refuse_other_base(chain: Chain, poses: Poses, fitted: list[Parameter], place: str) -> None:
    """Refuse joint offsets alone where the poses were measured in another world than the robot's base."""
    here, there = (_reached(one, poses, fitted) for one in (chain, replace(chain, base=aligned_base(chain, poses))))
    if here > FAR and here > WORSE * there:
        raise InputError(
            f"the poses fit within {here:.3g} m in the robot's base and within {there:.3g} m elsewhere",
            place,
            "give poses in the robot's base frame, or fit the base, too (without --offsets)",
        )


def _reached(chain: Chain, poses: Poses, fitted: list[Parameter]) -> float:
    """Return the error of positions that a fit leaves, infinite where it does not converge."""
    try:
        return error_size(Instrument.of(poses), fit(chain, poses, fitted).residuals)["position"]
    except InputError:
        return math.inf


def _errors(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in found.items())
