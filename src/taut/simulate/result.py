"""A simulated motion: arrays over time, its energy audit, CSV and npz files, a plot."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.batch import evaluate
from taut.errors import InputError
from taut.formats.columns import columns_text
from taut.questions.table import QUESTIONS
from taut.robot import Tree
from taut.simulate.adaptive import Dense
from taut.simulate.animation import animation_page
from taut.simulate.contacts import Event

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class OpenedMotion(NamedTuple):
    """The tree of all joints of a robot with loops or cams, and its positions and rates (..., N, width)."""

    tree: Tree
    q: np.ndarray
    qd: np.ndarray


@dataclass(frozen=True)
class Simulation:
    """What a robot did over time; leading axes are those of the initial states.

    Attributes:
        t: times (N) [s].
        q: positions (..., N, nq).
        qd: rates (..., N, nv).
        qdd: accelerations (..., N, nv).
        tau: torques applied at the joints (..., N, nv), after saturation, before friction.
        work: energy (..., N) that torques supplied and friction and springs took since the start [J].
        method: the integrator.
        joint_names: in the order of q.
        evaluations: of the forward dynamics.
        events: stops, sticking, loops that open and close, and what ``events`` found, in order of time.
        opened: with loops and cams the motion of all joints.
    """

    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    work: np.ndarray
    method: str
    joint_names: tuple[str, ...]
    evaluations: int
    tree: Tree = field(repr=False)
    events: tuple[Event, ...] = ()
    dense: Dense | None = field(default=None, repr=False, compare=False)
    opened: OpenedMotion | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        shape = "" if self.q.ndim == 2 else f"{' x '.join(map(str, self.q.shape[:-2]))} motions, "
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "no time"
        return f"<Simulation of {self.tree.name}: {shape}{len(self.t)} times, {span}, {self.method}>"

    def _repr_html_(self) -> str:
        """Return the range of every coordinate and the energy error, for a notebook."""
        head = "<tr><th>joint</th><th>from</th><th>to</th><th>smallest</th><th>largest</th></tr>"
        motions = self.q.reshape(-1, *self.q.shape[-2:])  # of several motions the first begins and ends in the table
        columns = (motions[0, 0], motions[0, -1], motions.min(axis=(0, 1)), motions.max(axis=(0, 1)))
        names = self.joint_names if len(self.joint_names) == self.q.shape[-1] else range(1, self.q.shape[-1] + 1)
        rows = [
            f"<tr><td>{escape(str(name))}</td>" + "".join(f"<td>{x:.4g}</td>" for x in row) + "</tr>"
            for name, row in zip(names, zip(*columns, strict=True), strict=True)
        ]
        title = f"{escape(repr(self)[1:-1])}; energy error {self.drift:.2g} of the largest kinetic energy"
        return f"<p>{title}</p><table>{head}{''.join(rows)}</table>"

    def at(self, t: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return q (..., nq) and qd (..., nv) at any times, from the polynomials of adaptive integrators."""
        return (self.dense or Dense())(t)

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy of links and rotors (..., N, 2) [J]; springs count as work."""
        question = QUESTIONS["energy"]
        tree, q, qd = (self.tree, self.q, self.qd) if self.opened is None else self.opened
        joints = tuple(replace(j, drive=replace(j.drive, stiffness=0.0)) for j in tree.joints)
        rigid = replace(tree, joints=joints)
        return evaluate(lambda **state: question.compute(rigid, **state), {"q": q, "qd": qd}, (2,))

    @property
    def energy_error(self) -> np.ndarray:
        """The audit E(t) - E(0) - work (..., N) [J]: what the integrator added or lost."""
        total = self.energy.sum(axis=-1)
        return np.asarray(total - total[..., :1] - self.work)

    @property
    def drift(self) -> float:
        """The largest magnitude of the energy error over the largest kinetic energy."""
        largest = float(self.energy[..., 0].max(initial=0.0))
        worst = float(np.abs(self.energy_error).max(initial=0.0))
        return worst / largest if largest > 0 else worst

    def save(self, path: str | Path) -> None:
        """Write the motion as .csv (one initial state; columns t, q1.., qd1.., qdd1.., tau1..) or .npz."""
        place, ending = Path(path), Path(path).suffix.lower()
        if ending not in (".csv", ".npz"):
            raise InputError(f"'{path}'", "save", "end the name in .csv or .npz")
        _write(place, self._csv().encode() if ending == ".csv" else self._npz())

    def animate(self, path: str | Path) -> None:
        """Write the motion as a self-contained HTML page that plays it."""
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise InputError(f"'{path}'", "animate", "end the name in .html")
        if self.q.ndim != 2 or len(self.t) < 2:
            raise InputError("a batch of motions, or fewer than two points", "animate", "animate one initial state")
        _write(Path(path), animation_page(self).encode())

    def _columns(self) -> dict[str, Any]:
        return {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau}

    def _csv(self) -> str:
        if self.q.ndim != 2:
            raise InputError("a batch of motions does not fit a table", "save", "end the name in .npz")
        return columns_text(self.t, self._columns())

    def _npz(self) -> bytes:
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {"t": self.t, "work": self.work, "joint_names": np.array(self.joint_names)}
        np.savez(buffer, **arrays, **self._columns())
        return buffer.getvalue()

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a figure of positions, rates, torques and the energy error over time; write it to a file, too.

        Args:
            path: .svg, .png or .pdf; none is written by default.
        """
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError:
            raise InputError("a plot needs matplotlib", "plot", "pip install 'taut[report]'") from None
        if self.q.ndim != 2:
            raise InputError("a batch of motions", "plot", "plot one initial state")
        figure = Figure(figsize=(8, 9), layout="constrained")
        FigureCanvasAgg(figure)
        axes: Any = figure.subplots(4, 1, sharex=True)
        rows = (
            ("q [rad, m]", self.q),
            ("qd", self.qd),
            ("tau [N m, N]", self.tau),
            ("energy error [J]", self.energy_error),
        )
        for axis, (label, values) in zip(axes, rows, strict=True):
            axis.plot(self.t, values)
            axis.set_ylabel(label)
        if self.q.shape[1] == len(self.joint_names):
            axes[0].legend(self.joint_names, fontsize="small", ncols=4)
        axes[-1].set_xlabel("t [s]")
        if path is not None:
            try:
                figure.savefig(str(path))
            except (OSError, ValueError) as error:
                raise InputError(f"cannot write: {error}", str(path), "end the name in .svg, .png or .pdf") from None
        return figure


def _write(place: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    draft = place.with_name(f".{place.name}.part")
    try:
        draft.write_bytes(data)
        os.replace(draft, place)
    except OSError as error:
        advice = "name a file in a folder that exists"
        raise InputError(f"cannot write: {error.strerror}", str(place), advice) from None
