"""The torque of every joint split by physical origin, at one state or along a trajectory."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from taut.errors import InputError
from taut.questions.contributions import ORIGINS


@dataclass(frozen=True)
class Contributions:
    """Torques by origin, each of shape (..., nv); they sum to ``torque``.

    Attributes:
        inertial: rigid bodies times accelerations.
        rotor: reflected rotor inertia times accelerations.
        coriolis: products of two different rates.
        centrifugal: squares of rates.
        gravity: that holds the robot still.
        friction: friction and offsets of the drives.
        spring: springs, counterbalances, harmonics and formulas of the drives.
        joints: names of the last axis.
    """

    inertial: np.ndarray
    rotor: np.ndarray
    coriolis: np.ndarray
    centrifugal: np.ndarray
    gravity: np.ndarray
    friction: np.ndarray
    spring: np.ndarray
    joints: tuple[str, ...]

    @classmethod
    def of(cls, rows: np.ndarray, joints: tuple[str, ...]) -> Contributions:
        """Return the contributions of an answer to the question ``contributions``."""
        inertial, rotor, coriolis, centrifugal, gravity, friction, spring = np.moveaxis(rows, -2, 0)
        return cls(inertial, rotor, coriolis, centrifugal, gravity, friction, spring, joints)

    @property
    def torque(self) -> np.ndarray:
        """What the drives must supply: the sum."""
        total: np.ndarray = np.sum([torques for _, torques in self.items()], axis=0)
        return total

    def items(self) -> list[tuple[str, np.ndarray]]:
        """Return (origin, torques) in the order of the attributes."""
        return [(f.name, getattr(self, f.name)) for f in fields(self) if f.name in ORIGINS]

    def greatest(self) -> dict[str, np.ndarray]:
        """Return the greatest magnitude of every origin over all states, one number a rate."""
        return {
            origin: np.abs(torques).reshape(-1, torques.shape[-1]).max(axis=0, initial=0.0)
            for origin, torques in self.items()
        }

    def plot(self, path: str | Path, t: Any = None) -> None:
        """Draw every origin and the torque along a trajectory, one panel a joint.

        Args:
            path: of the picture, ending in .pdf, .png or .svg.
            t: times of the states [s]; their numbers by default.
        """
        torque = self.torque
        if torque.ndim != 2:
            message = f"the states have shape {torque.shape[:-1]}"
            raise InputError(message, "plot", "give one axis of states, a trajectory")
        times = np.arange(len(torque)) if t is None else np.asarray(t, dtype=float)
        if times.shape != torque.shape[:1]:
            raise InputError(f"t has shape {times.shape}", "plot", f"give {len(torque)} times, one a state")
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise InputError("the figure needs matplotlib", str(path), "pip install 'taut[report]'") from None
        figure = Figure(figsize=(7, 1.8 * torque.shape[1]), layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(torque.shape[1], 1, sharex=True, squeeze=False)[:, 0]
        for k, panel in enumerate(panels):
            for origin, torques in self.items():
                if np.any(torques):
                    panel.plot(times, torques[:, k], label=origin)
            panel.plot(times, torque[:, k], "k", label="torque")
            panel.set_ylabel(self.joints[k] if len(self.joints) == len(panels) else f"rate {k + 1}")
            panel.grid(visible=True, color="0.9")
        panels[0].legend(ncols=4, fontsize="small")
        panels[-1].set_xlabel("state" if t is None else "t [s]")
        try:
            figure.savefig(path, dpi=150)
        except (OSError, ValueError) as error:
            raise InputError(f"the figure cannot be written: {error}", str(path), "name a .pdf, .png or .svg") from None
