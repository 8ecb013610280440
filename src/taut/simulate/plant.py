"""The plant: time derivatives of a robot's state under torques, losses of its drives and wrenches of the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.robot import Tree, states
from taut.runtime.library import Compiled
from taut.simulate.accelerations import compiled_function
from taut.simulate.integrators import Rates, State
from taut.simulate.parts import losses, pushes, slopes
from taut.simulate.torques import Torque, as_times, rate_names, refuse_infinite


@dataclass(frozen=True)
class Converter:
    """What stands between a computed torque and the joint: limits, then the steps of a converter.

    Attributes:
        effort: largest torques (nv), None for no limit.
        quantum: steps of the torques (nv), None for none.
    """

    effort: np.ndarray | None = None
    quantum: np.ndarray | None = None

    def __call__(self, tau: np.ndarray) -> np.ndarray:
        """Return the torque that leaves it."""
        if self.effort is not None:
            tau = np.clip(tau, -self.effort, self.effort)
        return tau if self.quantum is None else self.quantum * np.rint(tau / self.quantum)


def converter(tree: Tree, saturate: bool, bits: int | None) -> Converter:
    """Return the converter of a robot's torques.

    Args:
        tree: the robot.
        saturate: whether torques are cut off at the robot's limits.
        bits: of a converter whose range is twice the limit: a step is the limit over 2^(bits - 1).
    """
    effort = states.bounds(tree).effort
    if bits is None:
        return Converter(effort if saturate else None)
    if not (isinstance(bits, int) and 1 <= bits <= 53):
        raise InputError(f"bits is {bits!r}", "simulate", "give a whole number from 1 to 53")
    if not np.isfinite(effort).all():
        name = rate_names(tree)[int(np.argmin(np.isfinite(effort)))]
        raise InputError(f"joint '{name}' has no torque limit", "bits", "give its effort in the robot file")
    return Converter(effort, effort / 2 ** (bits - 1))


Wrenches = Callable[[np.ndarray], np.ndarray]
"""times (N) -> wrenches on all frames side by side (N, 6 frames)."""


def wrenches_of(tree: Tree, given: Any) -> tuple[tuple[str, ...], Wrenches | None]:
    """Return the frames that the world pushes and the wrenches on them over time.

    Args:
        tree: the robot.
        given: {frame: wrench} or None; a wrench is [force; moment] in world axes at the frame's origin: six numbers, a
            pair (times (N), wrenches (N, 6)), or a function t -> six numbers.
    """
    if not given:
        return (), None
    frames = tuple(tree.frame(name).name for name in given)
    parts = [_wrench(name, value) for name, value in given.items()]
    return frames, lambda times: np.concatenate([part(times) for part in parts], axis=-1)


def _wrench(name: str, given: Any) -> Wrenches:
    place = f"wrench on '{name}'"
    if callable(given):

        def each(times: np.ndarray) -> np.ndarray:
            try:
                rows = np.array([np.asarray(given(float(t)), dtype=float) for t in times])
            except Exception as error:  # whatever a user's function raises
                what = f"fails between t = {times[0]:.9g} and {times[-1]:.9g} s: {error or type(error).__name__}"
                raise InputError(what, place, "see its code") from error
            if rows.shape != (len(times), 6) or not np.isfinite(rows).all():
                at = times[0] if rows.shape != (len(times), 6) else times[int(np.argwhere(~np.isfinite(rows))[0, 0])]
                raise InputError(f"is not six finite numbers at t = {at:.9g} s", place, "return [force; moment]")
            return rows

        return each
    if isinstance(given, tuple) and len(given) == 2:
        at, rows = as_times(f"times of the {place}", given[0]), np.asarray(given[1], dtype=float)
        if rows.shape != (len(at), 6) or not np.isfinite(rows).all():
            raise InputError(f"shape {rows.shape}", place, f"give {len(at)} rows of six finite numbers")
        return lambda times: np.stack([np.interp(times, at, column) for column in rows.T], axis=-1)
    constant = np.asarray(given, dtype=float)
    if constant.shape != (6,) or not np.isfinite(constant).all():
        raise InputError(f"{given!r}", place, "give six finite numbers [force; moment]")
    return lambda times: np.broadcast_to(constant, (len(times), 6))


@dataclass(frozen=True)
class Acting:
    """What acts on a robot.

    Attributes:
        torque: over its q and qd.
        convert: what stands between torque and joint.
        lossy: the tree of the plant with the drives whose losses act, None for no losses.
        frames: that the world pushes.
        wrenches: on them.
    """

    torque: Torque
    convert: Converter
    lossy: Tree | None = None
    frames: tuple[str, ...] = ()
    wrenches: Wrenches | None = None


class Plant:
    """Time derivatives of a state, with every acceleration checked.

    Args:
        tree: the robot, without symbols.
        acting: torques, losses and wrenches.

    Attributes:
        held: the torque of a sampled controller; None where the torque acts continuously.
        evaluations: of the forward dynamics so far.
    """

    tied = False
    """Whether loops tie rates to each other."""

    def __init__(self, tree: Tree, acting: Acting) -> None:
        self.tree, self.torque, self.convert, self.wrenches = tree, acting.torque, acting.convert, acting.wrenches
        self.names, self.evaluations = rate_names(tree), 0
        self.lost = None if acting.lossy is None else losses(acting.lossy).compile()
        self.pushed = pushes(tree, acting.frames).compile() if acting.frames else None
        self.held: np.ndarray | None = None

    def torques(self, t: float, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the torque at the joints, and what is left of it with losses and wrenches; dry friction apart."""
        tau = self.convert(self.torque(t, q, qd)) if self.held is None else self.held
        return tau, self.left_of(tau, t, q, qd)

    def left_of(self, tau: np.ndarray, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return a torque with losses and wrenches; dry friction apart."""
        net = tau if self.lost is None else tau - self.lost(q, qd, tau)
        if self.pushed is not None and self.wrenches is not None:
            net = net + self.pushed(q, self.wrenches(np.array([t]))[0])
        return net

    def __call__(self, t: float, y: State) -> Rates:
        """Return the time derivatives."""
        self.evaluations += 1
        tau, net = self.torques(t, y.q, y.qd)
        qdd = self.forward(y.q, y.qd, net)
        refuse_infinite("simulate", "acceleration becomes", t, qdd, self.names)
        return Rates(y.qd, qdd, tau, net)

    def forward(self, q: np.ndarray, qd: np.ndarray, net: np.ndarray) -> np.ndarray:
        """Return the accelerations under forces."""
        return self._forward(q, qd, net)

    @cached_property
    def _forward(self) -> Compiled:
        return compiled_function(self.tree, "forward_dynamics")

    @cached_property
    def matrix(self) -> Compiled:
        """The mass matrix."""
        return compiled_function(self.tree, "mass_matrix")

    @cached_property
    def bias(self) -> Compiled:
        """Coriolis, centrifugal and gravity torques."""
        return compiled_function(self.tree, "bias")

    def accelerations(self, q: np.ndarray, qd: np.ndarray, net: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return accelerations under forces, and per unit of further forces, as columns."""
        return np.asarray(np.linalg.solve(self.matrix(q), np.column_stack([net - self.bias(q, qd), columns])))

    def responses(self, q: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the rates of momenta, as columns."""
        return np.asarray(np.linalg.solve(self.matrix(q), columns))

    @property
    def independent(self) -> list[int]:
        """Which of the rates that move are the robot's qd."""
        return list(range(self.tree.nv))

    def seen(self, y: State) -> tuple[np.ndarray, np.ndarray]:
        """Return the robot's q and qd."""
        return y.q, y.qd

    def start(self, q: np.ndarray, qd: np.ndarray) -> State:
        """Return the state at the robot's q and qd."""
        return State(q, qd, np.zeros(qd.shape[:-1]))

    def projected(self, y: State, still: np.ndarray | None = None) -> State:
        """Return the state that satisfies the loops, of which there are none."""
        return y

    def slopes(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return dL/dqd and dL/dq of the Lagrangian."""
        both = self._slopes(q, qd)
        return both[..., : self.tree.nv], both[..., self.tree.nv :]

    @property
    def _slopes(self) -> Compiled:
        return compiled_slopes(self.tree)

    def solved(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return M(q)^-1 p, as a difference of accelerations at rest."""
        rest = np.zeros_like(p)
        return np.asarray(self.forward(q, rest, p) - self.forward(q, rest, rest))


_COMPILED: dict[Tree, Compiled] = {}


def compiled_slopes(tree: Tree) -> Compiled:
    """Return the slopes of the Lagrangian, compiled once per process."""
    if tree not in _COMPILED:
        _COMPILED[tree] = slopes(tree).compile()
    return _COMPILED[tree]
