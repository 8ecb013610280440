"""The linear model of a robot about a state, in continuous and in discrete time.

.. math:: \\dot x = A x + B u, \\quad y = C x + D u, \\qquad
    A = \\begin{bmatrix} -ad(\\dot q) & 1 \\\\ \\partial\\ddot q/\\partial q & \\partial\\ddot q/\\partial\\dot q
    \\end{bmatrix}, \\quad B = \\begin{bmatrix} 0 \\\\ M^{-1} \\end{bmatrix}

for small deviations x = [dq; dqd] from a state and u from its torque. dq has nv entries, along the rates: a free joint
deviates in its own axes, q = step(q_0, dq), and its deviation turns with it, which is the block -ad; it is zero for
joints with one axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.robot import Tree


@dataclass(frozen=True)
class LinearModel:
    """A linear model; leading axes are those of the states.

    Attributes:
        A: (..., 2 nv, 2 nv).
        B: (..., 2 nv, nv).
        C: (..., outputs, 2 nv).
        D: (..., outputs, nv), zero.
        q: position of the state.
        qd: rates of the state.
        tau: torque of the state.
        qdd: accelerations of the state; zero at an equilibrium.
        dt: the period [s] of a discrete-time model, None in continuous time.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    tau: np.ndarray
    qdd: np.ndarray
    dt: float | None = None

    def __repr__(self) -> str:
        time = "continuous time" if self.dt is None else f"steps of {self.dt:g} s"
        return f"<LinearModel: A {self.A.shape}, B {self.B.shape}, C {self.C.shape}, {time}>"

    def discretise(self, dt: float) -> LinearModel:
        """Return the model from sample to sample with the torque held in between (zero-order hold).

        .. math:: \\exp\\left(\\begin{bmatrix} A & B \\\\ 0 & 0 \\end{bmatrix} dt\\right)
            = \\begin{bmatrix} A_d & B_d \\\\ 0 & 1 \\end{bmatrix}
        """
        try:
            from scipy.linalg import expm
        except ImportError:
            raise InputError("a discrete-time model needs SciPy", "discretise", "pip install 'taut[motion]'") from None
        if self.dt is not None:
            raise InputError("the model is in discrete time already", "discretise", "discretise the continuous one")
        if not (np.isfinite(dt) and dt > 0):
            raise InputError(f"the period is {dt!r}", "discretise", "give a number above 0 s")
        n, m = self.B.shape[-2:]
        both = np.zeros((*self.A.shape[:-2], n + m, n + m))
        both[..., :n, :n], both[..., :n, n:] = self.A * dt, self.B * dt
        power = expm(both)
        return replace(self, A=power[..., :n, :n], B=power[..., :n, n:], dt=float(dt))

    def state_space(self) -> Any:
        """Return the model as ``scipy.signal.StateSpace``."""
        try:
            from scipy.signal import StateSpace
        except ImportError:
            raise InputError("this needs SciPy", "state_space", "pip install 'taut[motion]'") from None
        return StateSpace(*self._matrices("state_space"), **({} if self.dt is None else {"dt": self.dt}))

    def control(self) -> Any:
        """Return the model as a system of the package ``control``."""
        try:
            from control import ss
        except ImportError:
            raise InputError("this needs the package control", "control", "pip install 'taut[control]'") from None
        return ss(*self._matrices("control"), 0 if self.dt is None else self.dt)

    def _matrices(self, place: str) -> tuple[np.ndarray, ...]:
        if self.A.ndim != 2:
            raise InputError("a batch of models", place, "linearise at one state")
        return self.A, self.B, self.C, self.D


def state_matrices(
    tree: Tree, qd: np.ndarray, by_q: np.ndarray, by_qd: np.ndarray, by_tau: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return A and B.

    Args:
        tree: the robot.
        qd: rates (..., nv).
        by_q: derivative of the accelerations along the rates (..., nv, nv).
        by_qd: derivative of the accelerations by the rates (..., nv, nv).
        by_tau: derivative of the accelerations by the torques (..., nv, nv).
    """
    n = tree.nv
    A, B = np.zeros((*by_q.shape[:-2], 2 * n, 2 * n)), np.zeros((*by_q.shape[:-2], 2 * n, n))
    A[..., :n, :n] = -_adjoint(tree, qd)
    A[..., :n, n:] = np.eye(n)
    A[..., n:, :n], A[..., n:, n:] = by_q, by_qd
    B[..., n:, :] = by_tau
    return A, B


def _adjoint(tree: Tree, qd: np.ndarray) -> np.ndarray:
    """Return ad(qd) (..., nv, nv): column k of a joint's block is the bracket of its twist with its k-th axis."""
    blocks = np.zeros((*qd.shape[:-1], tree.nv, tree.nv))
    at = 0
    for i in tree.independent:
        motion = tree.joints[i].motion
        twist = motion.rate([qd[..., at + k] for k in range(motion.nv)])
        for k, column in enumerate(motion.columns):
            turned = twist.cross(column)
            for j, axis in enumerate(motion.columns):
                blocks[..., at + j, at + k] = axis.w.dot(turned.w) + axis.v.dot(turned.v)
        at += motion.nv
    return blocks
