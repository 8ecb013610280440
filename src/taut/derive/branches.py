"""The closed form of an arm's inverse kinematics as a derived function: traced, tightened, proved and tried.

Its argument is the pose, the first three rows of the 4x4 matrix one after the other. Its answer has a row for each
branch: the six angles between -pi and pi, and what the branch lacks, 0 up to rounding where it exists. Where it does
not, the angles are those of a pose nearby.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from taut.algorithms.inverse_kinematics import all_branches, carrying
from taut.analysis.opcount import count
from taut.derive.checks.truth import of_decided, on_file_digits, plain
from taut.derive.function import Function, Proof, Step
from taut.derive.tightening.tighten import Budget, Progress, tighten
from taut.errors import TautError, UnsupportedError
from taut.graph import Graph, Node
from taut.graph.lower import lower
from taut.graph.prove import disproof
from taut.graph.stage import Stage
from taut.questions.arguments import ARGUMENTS
from taut.questions.inverse import INVERSE_KINEMATICS
from taut.robot import Tree
from taut.robot.meaning import decided
from taut.robot.states import neutral

EFFORTS = {
    "none": None,
    "quick": None,
    "normal": Budget(rounds=1, steps=2_000),
    "max": Budget(rounds=4, steps=10_000),
}

POINTS = 3

TRIED, ACCEPTED, EXISTS = 200, 1e-10, 1e-12
"""Poses at which a closed form is tried before it is handed out, the largest error of a branch [m, rad], and what a
branch that exists may lack by rounding."""

SAME = 1e-4
"""Largest difference of angles at which a branch is the position that a pose came from [rad]; where two branches nearly
coincide, rounding moves both by the root of its size."""


class _Named:
    """Numbers of an arm as symbols of a graph; equal ones up to sign and rounding are one symbol."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.values: dict[str, float] = {}
        self._known: dict[float, Node] = {}

    def __call__(self, x: float) -> Node:
        key = float(f"{abs(x):.14g}")
        if key not in self._known:
            name = f"k{len(self._known) + 1}"
            self.values[name] = abs(x)
            self._known[key] = self.graph.symbol(name, Stage.PARAMETER)
        return self._known[key] if x > 0 else -self._known[key]


def derive_branches(
    tree: Tree,
    frame: str | None = None,
    effort: str = "normal",
    snap: float | None = None,
    progress: Progress | None = None,
) -> Function:
    """Return the closed form of a frame's inverse kinematics.

    Args:
        tree: the robot; its angles mean what their digits decide, see :mod:`taut.robot.meaning`.
        frame: carried by six revolute joints; the last one by default.
        effort: ``none`` or ``quick`` for no search, ``normal`` or ``max``.
        snap: radians within which an angle is taken for a multiple of 15 degrees; see
            :func:`taut.derive.derive.derive`.
        progress: called while the count falls.

    Raises:
        UnsupportedError: where taut has no closed form for the geometry.
    """
    started = time.perf_counter()
    meaning = decided(tree, snap)
    meant = on_file_digits(meaning.tree)
    place = meant.frame(frame).name
    graph = Graph()
    named = _Named(graph)
    pose = [graph.symbol(f"pose{k + 1}", Stage.CONFIGURATION) for k in range(ARGUMENTS["pose"].width(tree))]
    title, rows = all_branches(meant, pose, place, named)
    outputs = [graph.lift(x) for row in rows for x in row]
    program = lower(outputs)
    steps = [Step(f"traced: {title}", count(program))]
    budget = EFFORTS[effort]
    if budget is not None:
        result = tighten(program, budget, values=named.values, progress=progress)
        program = result.program
        steps += [Step(label, operations) for label, operations in result.steps]
    difference = disproof(program.trace(graph), outputs, POINTS, seed=31)
    if difference is not None:
        raise TautError(f"inverse kinematics of '{tree.name}': the program is wrong, {difference}; report this")
    made = Function(
        name=INVERSE_KINEMATICS.name,
        robot=tree.name,
        program=program,
        arguments={"pose": tuple(x.name for x in pose)},
        shape=(len(rows), len(rows[0])),
        values=named.values,
        method=title,
        parameters="numeric",
        effort=effort,
        steps=tuple(steps),
        proof=Proof("the traced formulas", POINTS),
        notes=(meaning.note,) if meaning.note else (),
        seconds=time.perf_counter() - started,
        frame=place,
        result=INVERSE_KINEMATICS.result,
    )
    error, complete = tried(made, meant)
    if not (error <= ACCEPTED and complete):
        what = f"the closed form of '{tree.name}' is off by {error:.1e}" + ("" if complete else " and misses branches")
        raise UnsupportedError(what, "closed form", "solve numerically")
    said = f"Forward kinematics of every branch equals the pose to {max(error, 1e-15):.0e} at {TRIED} random poses."
    written = of_decided(tree, meaning, "forward_kinematics", place)
    return replace(made, remarks=(said, f"Pose on the file's digits: {written.text}."))


def tried(function: Function, meant: Tree, count: int = TRIED, seed: int = 5) -> tuple[float, bool]:
    """Return the largest error of a branch at poses of random positions, and whether each position is among them.

    Args:
        function: the closed form.
        meant: the robot whose angles are decided.
        count: number of poses.
        seed: of the positions.
    """
    assert function.frame is not None
    columns = carrying(meant, function.frame)
    q = np.tile(neutral(meant), (count, 1))
    q[:, columns] = np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, 6))
    poses = plain(meant, "forward_kinematics", {"q": q}, function.frame)
    rows = function(poses[:, :12])
    exists = rows[..., 6] <= EXISTS
    every = np.repeat(q[:, None], rows.shape[1], axis=1)
    every[..., columns] = rows[..., :6]
    back = plain(meant, "forward_kinematics", {"q": every.reshape(-1, q.shape[1])}, function.frame)
    off = np.abs(back.reshape(*rows.shape[:2], 16) - poses[:, None]).max(axis=-1)
    apart = np.abs(np.remainder(rows[..., :6] - q[:, None][..., columns] + np.pi, 2 * np.pi) - np.pi).max(axis=-1)
    found = (np.where(exists, apart, np.inf).min(axis=1) < SAME).all()
    return float(np.where(exists, off, 0.0).max()), bool(found)
