"""Which geometric errors measurements can tell apart.

The number is exact: the rank of the columns at random configurations, their geometry and angles taken as points of
a finite field, as for base parameters. Which ones are kept is a matter of conditioning: the first in the order of
:func:`taut.calibration.parameters.parameters` whose column is clearly independent of those kept before. So two nearly
parallel axes keep Hayati's turn instead of a length along the first axis that would be kilometres long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from flint import nmod_mat

from taut.algorithms import kinematics
from taut.calibration.chain import Chain
from taut.calibration.parameters import BASE, SHIFTS, TOOL, TURNS, Parameter, path
from taut.errors import InputError
from taut.graph import Graph, Node, Stage, topological
from taut.graph.field import PRIME, FieldPoint
from taut.identify.echelon import Values
from taut.identify.exact_robot import ExactRobot, exact_robot
from taut.identify.field_regressor import geometry_point
from taut.robot import Frame, Joint, JointMotion, Link, Placement, Prismatic, Revolute, Tree
from taut.spatial import X_AXIS, Y_AXIS, Z_AXIS, Scalar

INDEPENDENCE = (0.05, 0.01, 1e-3, 1e-5, 1e-8)
"""Smallest part of a column that the kept ones must not explain, tried in turn until the exact number is kept."""

AXES = (X_AXIS, Y_AXIS, Z_AXIS)


@dataclass(frozen=True)
class Identifiable:
    """The errors that measurements can tell apart.

    Attributes:
        kept: one set of parameters that explains every change of the measurements.
        dropped: {parameter: {kept parameter: factor}}: an error that looks like this combination of kept ones.
        rank: the exact number of independent errors.
    """

    kept: tuple[Parameter, ...]
    dropped: dict[str, dict[str, float]]
    rank: int


def exact_rank(tree: Tree, frame: str | None, wanted: Sequence[Parameter], rows: Sequence[int] = range(6)) -> int:
    """Return how many of the wanted errors measurements of the given rows of a pose can tell apart, exactly.

    Serves offsets and displacements of frames, whose columns are motions about fixed axes. Worked out once for a robot:
    a session calibrates many machines of one kind.
    """
    return _exact_rank(tree, frame, tuple(wanted), tuple(rows))


@lru_cache(maxsize=16)
def _exact_rank(tree: Tree, frame: str | None, wanted: tuple[Parameter, ...], rows: tuple[int, ...]) -> int:
    longer, names, moving = _with_error_joints(tree, frame)
    exact = exact_robot(longer)
    place = exact.tree.frame(exact.tree.joints[-1].link.name)
    graph = exact.graph
    q = [
        graph.symbol(f"position {i}", Stage.CONFIGURATION) if joint.name in moving else 0
        for i, joint in enumerate(exact.tree.joints)
    ]
    columns = kinematics.jacobian(exact.tree, exact.tree.at(q).positions, Frame(place.name, place.body))
    index = {joint.name: i for i, joint in enumerate(exact.tree.joints)}
    chosen = [columns[index[names[p.place, p.kind]]][0] for p in wanted]
    entries = [[([*c.v, *c.w])[row] for c in chosen] for row in rows]
    return _rank(entries, graph, exact)


def identifiable(
    chain: Chain,
    wanted: Sequence[Parameter],
    columns: np.ndarray,
    rank: int | None = None,
) -> Identifiable:
    """Return a well-conditioned choice of independent errors.

    Args:
        chain: the robot.
        wanted: the errors, the ones to keep first in front.
        columns: rows of measurements by parameters, at many configurations.
        rank: exact number of independent errors; None takes the numerical one.
    """
    size = _length(chain)
    scale = np.array([1.0 if p.unit.startswith("rad") else 1 / size for p in wanted])
    A = columns / np.linalg.norm(columns, axis=0).clip(1e-300) * (np.linalg.norm(columns, axis=0) > 1e-12)
    if rank is None:
        rank = int(np.linalg.matrix_rank(columns * scale, tol=1e-9 * np.linalg.norm(columns * scale, 2)))
    kept: list[int] = []
    basis = np.zeros((len(A), 0))
    for slack in INDEPENDENCE:
        for k in range(len(wanted)):
            if k in kept or len(kept) >= rank:
                continue
            rest = A[:, k] - basis @ (basis.T @ A[:, k])
            rest = rest - basis @ (basis.T @ rest)
            length = float(np.linalg.norm(rest))
            if length > slack:
                kept.append(k)
                basis = np.column_stack([basis, rest / length])
    kept.sort()
    chosen = columns[:, kept] * scale[kept]
    dropped: dict[str, dict[str, float]] = {}
    for k, parameter in enumerate(wanted):
        if k in kept:
            continue
        like = np.linalg.lstsq(chosen, columns[:, k], rcond=None)[0] * scale[kept]
        sizes = np.abs(like / scale[kept]) * scale[k]
        dropped[parameter.name] = {
            wanted[j].name: float(x) for j, x, s in zip(kept, like, sizes, strict=True) if s > 1e-6
        }
    return Identifiable(tuple(wanted[k] for k in kept), dropped, rank)


def _length(chain: Chain) -> float:
    """Return the reach of the arm, the length by which metres and radians are compared."""
    sizes = [float(np.linalg.norm([float(x) for x in chain.tree.joints[i].placement.p])) for i in chain.joints]
    return sum(sizes) or 1.0


def _with_error_joints(tree: Tree, frame: str | None) -> tuple[Tree, dict[tuple[str, str], str], set[str]]:
    """Return the chain with an undriven joint for every error, their names, and the joints that move."""
    joints: list[Joint] = []
    names: dict[tuple[str, str], str] = {}

    def add(name: str, placement: Placement, motion: JointMotion) -> None:
        joints.append(Joint(name, len(joints) - 1, placement, motion, Link(f"link of {name}")))

    def errors(place: str, placement: Placement) -> None:
        for k, kind in enumerate(SHIFTS):
            names[place, kind] = f"{place} {kind} error"
            add(names[place, kind], placement if k == 0 else Placement(), Prismatic(AXES[k]))
        for k in (2, 1, 0):
            names[place, TURNS[k]] = f"{place} {TURNS[k]} error"
            add(names[place, TURNS[k]], Placement(), Revolute(AXES[k]))

    errors(BASE, Placement())
    moving = set()
    leaders = {mimic.joint: mimic for mimic in tree.mimics}
    for i in path(tree, frame):
        joint = tree.joints[i]
        if i in leaders:
            raise InputError(
                f"joint '{joint.name}' mimics another", "calibrate", "calibrate a frame before the mimicking joint"
            )
        errors(joint.name, joint.placement)
        add(joint.name, Placement(), joint.motion)
        moving.add(joint.name)
        names[joint.name, "offset"] = joint.name
    errors(TOOL, tree.frame(frame).placement)
    longer = replace(tree, joints=tuple(joints), frames=(), mimics=(), coupling=(), convention=None, base=tree.base)
    return longer, names, moving


def _rank(entries: list[list[Scalar]], graph: Graph, exact: ExactRobot) -> int:
    width = len(entries[0])
    nodes = [x for row in entries for x in row if isinstance(x, Node)]
    geometry = Values(geometry_point(exact.tree))
    constant = {node: geometry.of(node) for node in topological(nodes) if node.stage <= Stage.PARAMETER}
    states = -(-width // len(entries)) * 2 + 4
    rows: list[int] = []
    for state in range(states):
        value = FieldPoint(41, state, []).values(nodes, dict(constant))
        for row in entries:
            rows += [value[x] if isinstance(x, Node) else int(x) % PRIME for x in row]
    return int(nmod_mat(states * len(entries), width, rows, PRIME).rank())
