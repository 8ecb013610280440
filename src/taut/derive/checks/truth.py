"""A derived function compared with the plain numeric algorithm on the file's own digits.

A proof shows that a program equals the textbook algorithm on the decided model. Whether that model is the robot of the
file is measured here, at random states within limits, each output on its own scale and by its largest error. The scale
of an output is its largest size over the states, but not below ``BESIDE`` times what stands next to it: sqrt(M_ii M_jj)
for an element of M, the joint's largest torque for a torque or gravity term, the largest output otherwise.

Where angles were taken for multiples of 15 degrees, a term that is zero for a right angle is not zero for its rounding:
gravity of 7e-6 m g l about an axis that a file makes vertical by 3.1416. That is no error. So the scale is raised until
a change of ``SPREAD`` times the angles' own, added up, of what stands next to it is accepted; what stands next to a
torque is then the largest one under gravity of any direction.
Accelerations are compared as the torques that they need, so that a nearly singular M does not decide.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.batch import evaluate
from taut.errors import InputError
from taut.questions.arguments import ARGUMENTS
from taut.questions.table import question
from taut.robot import Tree
from taut.robot.edit import numeric, symbols, with_values
from taut.robot.meaning import Meaning
from taut.robot.states import bounds, random_positions
from taut.spatial import X_AXIS, Y_AXIS, Z_AXIS

STATES = 200
SEED = 31
RATE, ACCELERATION = 2.0, 10.0
"""Largest rates and accelerations where the file states no limits [SI]."""

LARGEST_POSITION = 30.0
"""Limits beyond this [rad or m] mean that there is none."""

BESIDE = 1e-3
SPREAD = 2.0
ROUNDING = 1e-14
"""Part of the largest output of a function below which a difference is rounding."""

MARGIN = 3.0
"""The stated difference is this times the largest one seen, since other states may show more."""

EXACT, SNAPPED = 1e-9, 1e-4
"""Largest differences accepted where no angle was taken for another, and where some were."""

SINGULAR = 30.0
"""States at which a function of M^-1 or J^-1 is this many times its median size are near a singularity."""

TORQUES = ("inverse_dynamics", "gravity", "bias", "joint_torque", "friction", "load_torque")
VELOCITY_TERMS = ("coriolis_matrix", "christoffel", "coriolis_transpose")
"""Their scale is not below ``BESIDE`` times the largest torque: what is left where all of them cancel is rounding."""

ACCELERATIONS = ("forward_dynamics", "forward_dynamics_derivatives")
INVERTED = ("operational_inertia", "operational_bias")


@dataclass(frozen=True)
class Difference:
    """How far a derived function is from the file's digits.

    Attributes:
        largest: difference of any output at any state on the output's scale, as measured.
        of_own_size: the same on the scale that no rounded angle raises: the output's own largest size.
        note: which angles were taken for multiples of 15 degrees, in words; empty where none was.
        states: how many were tried.
    """

    largest: float
    of_own_size: float
    note: str = ""
    states: int = STATES

    @property
    def snapped(self) -> bool:
        """Whether angles were taken for multiples of 15 degrees."""
        return bool(self.note)

    @property
    def stated(self) -> float:
        """What is promised: the largest difference with a margin, not below the bound of rounding."""
        return max(MARGIN * self.largest, EXACT) if self.snapped else max(self.largest, EXACT)

    @property
    def text(self) -> str:
        """The difference in words."""
        if self.snapped:
            own = MARGIN * self.of_own_size
            more = f" ({own:.1e} of its own largest size)" if own > self.stated else ""
            return f"{self.note}: each output changes by at most {self.stated:.1e} of its scale{more}"
        return f"agrees with the file's digits to {max(self.largest, ROUNDING):.0e} at {self.states} random states"


def file_states(tree: Tree, count: int = STATES, seed: int = SEED) -> dict[str, np.ndarray]:
    """Return random positions, rates and accelerations within the limits of a robot; other arguments at random."""
    rng = np.random.default_rng(seed)
    limits = bounds(tree)
    free = random_positions(tree, rng, (count,), limited=False)
    q = random_positions(tree, rng, (count,))
    useless = (np.abs(q) > LARGEST_POSITION) | (limits.lower >= limits.upper)
    speed = np.where((limits.velocity > 0) & (limits.velocity <= LARGEST_POSITION), limits.velocity, RATE)
    others = {
        name: argument.size * rng.uniform(0.1, 1.0, (count, argument.width(tree)))
        for name, argument in ARGUMENTS.items()
    }
    return others | {
        "q": np.where(useless, free, q),
        "qd": rng.uniform(-1, 1, (count, tree.nv)) * speed,
        "qdd": rng.uniform(-ACCELERATION, ACCELERATION, (count, tree.nv)),
    }


def plain(tree: Tree, function: str, states: Mapping[str, np.ndarray], frame: str | None = None) -> np.ndarray:
    """Return a function of the table by its textbook algorithm, (n, outputs)."""
    asked = question(function)
    options: dict[str, Any] = {"frame": frame} if asked.on_frame else {}
    given = {name: states[name] for name in asked.arguments}
    count = len(next(iter(given.values())))
    answer = evaluate(lambda **x: asked.compute(tree, **x, **options), given, asked.shape(tree))
    return answer.reshape(count, -1)


@dataclass(frozen=True)
class Judge:
    """What a function of one robot is measured with: states, expected outputs and their scales.

    Attributes:
        states: {argument: (n, width)}.
        expected: (n, outputs) by the plain algorithm on the file's digits.
        scale: of each output.
        own: the scale that no rounded angle raises.
        weight: (n, nv, nv) the mass matrix by which accelerations are compared, None for others.
        usable: the states that are away from singularities.
    """

    states: Mapping[str, np.ndarray]
    expected: np.ndarray
    scale: np.ndarray
    own: np.ndarray
    weight: np.ndarray | None
    usable: np.ndarray

    def difference(self, found: np.ndarray, note: str) -> Difference:
        """Return how far other outputs (n, outputs) are from the expected ones."""
        return Difference(self.largest(found, self.scale), self.largest(found, self.own), note)

    def largest(self, found: np.ndarray, scale: np.ndarray) -> float:
        """Return the largest difference of other outputs (n, outputs) on a scale; NaN is infinite."""
        apart = np.abs(self._weighted(found.reshape(self.expected.shape) - self.expected))[self.usable]
        if not apart.size:
            return 0.0
        noise = ROUNDING * self.scale.max(initial=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            relative = np.where(apart <= noise, 0.0, apart / np.where(scale > 0, scale, noise))
        return float(np.where(np.isnan(relative), np.inf, relative).max(initial=0.0))

    def scales_of_outputs(self, chosen: np.ndarray) -> np.ndarray:
        """Return the scale of every output at the chosen states, largest over them.

        An acceleration is M^-1 times the torque that it needs, so its scale is |M^-1| times the torques'.
        """
        if self.weight is None:
            return self.scale
        inverse = np.abs(np.linalg.pinv(self.weight[chosen]))
        return needed_torques(inverse, np.broadcast_to(self.scale, (len(chosen), self.scale.size))).max(axis=0)

    def _weighted(self, x: np.ndarray) -> np.ndarray:
        return x if self.weight is None else needed_torques(self.weight, x)


def needed_torques(M: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return M x for accelerations, or their derivatives, in rows of one state each."""
    n = M.shape[-1]
    product: np.ndarray = M @ x.reshape(len(x), n, -1)
    return product.reshape(x.shape)


def judge(
    tree: Tree, function: str, frame: str | None = None, turned: float = 0.0, count: int = STATES, seed: int = SEED
) -> Judge:
    """Evaluate a function on the digits of a numeric robot at random states.

    Args:
        tree: the robot.
        function: a name of the table of questions.
        frame: for functions of a frame.
        turned: what angles that were taken for multiples of 15 degrees changed by, added up [rad].
        count: number of states.
        seed: of the states.
    """
    states = file_states(tree, count, seed)
    torque = plain(tree, "inverse_dynamics", states)
    states["tau"] = torque
    expected = torque if function == "inverse_dynamics" else plain(tree, function, states, frame)
    usable = np.isfinite(expected).all(axis=1)
    weight = None
    measured = expected
    if function in ACCELERATIONS:
        weight = plain(tree, "mass_matrix", states).reshape(count, tree.nv, tree.nv)
        measured = needed_torques(weight, expected)
    if function in INVERTED:
        sizes = np.abs(expected).max(axis=1)
        usable &= sizes <= SINGULAR * np.median(sizes)
    sizes = np.abs(measured[usable]).max(axis=0, initial=0.0)
    if function in VELOCITY_TERMS:
        sizes = np.maximum(sizes, BESIDE * np.abs(torque).max(initial=0.0))
    part = min(1.0, max(BESIDE, SPREAD * turned / SNAPPED))
    beside = _next_to(function, sizes, _largest_torques(tree, states, torque, turned))
    own = np.maximum(sizes, BESIDE * _next_to(function, sizes, _largest_torques(tree, states, torque, 0.0)))
    return Judge(states, expected, np.maximum(sizes, part * beside), own, weight, usable)


def _largest_torques(tree: Tree, states: Mapping[str, np.ndarray], torque: np.ndarray, turned: float) -> np.ndarray:
    """Return the largest torque of every joint, where angles were changed under gravity of any direction, too."""
    largest: np.ndarray = np.abs(torque).max(axis=0, initial=0.0)
    g = math.hypot(*(float(x) for x in tree.gravity_acceleration))
    for direction in (X_AXIS, Y_AXIS, Z_AXIS) if turned and g else ():
        pulled = plain(replace(tree, gravity_acceleration=direction * g), "gravity", states)
        largest = np.maximum(largest, np.abs(pulled).max(axis=0, initial=0.0))
    return largest


def _next_to(function: str, sizes: np.ndarray, torques: np.ndarray) -> np.ndarray:
    """Return, for every output, the size of what it is added to or stands next to."""
    if function in TORQUES or function == "forward_dynamics":
        return torques
    if function == "mass_matrix":
        n = torques.size
        diagonal = sizes.reshape(n, n).diagonal()
        return np.sqrt(np.outer(diagonal, diagonal)).ravel()
    return np.full_like(sizes, sizes.max(initial=0.0))


def completed(tree: Tree) -> Tree:
    """Return the robot with seeded values for the symbols that have none."""
    draw = random.Random(SEED)
    missing = sorted(symbols(tree) - set(tree.values))
    return with_values(tree, {name: draw.uniform(0.2, 0.8) for name in missing}) if missing else tree


def on_file_digits(tree: Tree) -> Tree:
    """Return the numeric robot whose numbers are the file's."""
    return numeric(completed(tree))


def of_decided(tree: Tree, meaning: Meaning, function: str, frame: str | None = None) -> Difference:
    """Return how far a function of the robot that the digits mean is from the digits themselves."""
    known = judge(on_file_digits(tree), function, frame, meaning.turned)
    return known.difference(plain(on_file_digits(meaning.tree), function, known.states, frame), meaning.note)


def accepted(snap: float | None, meaning: Meaning, accept: float | None) -> float:
    """Return the largest difference that is accepted.

    Args:
        snap: as the user gave it; one above zero is accepted whatever it changes.
        meaning: what angles were taken for.
        accept: as the user gave it.
    """
    if accept is not None:
        return accept
    if snap:
        return np.inf
    return SNAPPED if meaning.taken else EXACT


def refuse_untrue(
    found: Difference | None, function: str, meaning: Meaning, snap: float | None, accept: float | None
) -> None:
    """Raise where a function differs from the file's digits by more than is accepted."""
    limit = accepted(snap, meaning, accept)
    if found is None or found.largest <= limit:
        return
    what = f"{function} of '{meaning.tree.name}' differs from the file's digits by {found.largest:.1e}"
    if meaning.taken:
        what += f" ({meaning.note})"
    advice = f"give --snap 0 to keep every digit, or --accept {found.stated:.0e} to take it as it is"
    raise InputError(f"{what}; {limit:.0e} is accepted", "derive", advice)
