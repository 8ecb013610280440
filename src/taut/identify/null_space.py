"""The changes of a robot's inertial parameters that leave every joint torque unchanged.

A change of link i goes unseen at joint i, and becomes a change of the parent, when for all that can happen

.. math:: S^T I(\\pi)\\, u = 0, \\quad S^T I(\\pi)\\, \\gamma = 0, \\quad S^T I(\\pi) S + I_a = 0, \\quad
          k \\cdot \\frac{d\\pi}{dq} = 0

with u the velocities the parent gives the link, gamma gravity seen from the link, k the kinetic energies
``T = k . pi`` the parent gives it and ``d pi / dq`` the change of pi seen from the parent as the joint moves: the
joint does no work on the change, and the parent cannot tell where the joint stands. The spans of u, gamma and
k grow outward from the base, each closed under the motion of the joint. A basis of the unseen changes of link i,
each with what it gives to the parent subtracted there, is a basis of the null space of the regressor
once all joints are taken [the idea of Wensing, Niemeyer, Slotine 2024, here with spans of energies where they
have spans of velocities]. For a revolute joint in general position: mass on the axis.

Joints are taken as independent here, so where joints mimic others there can be more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from taut.identify.echelon import Row, Span, Values, echelon
from taut.robot import PARAMETER_NAMES, Tree
from taut.spatial import Inertia, Mat3, Motion, Scalar, Sym3, Transform, Vec3, shift, skew

TEN = len(PARAMETER_NAMES)
ROTOR = TEN
"""Place of the rotor inertia after the ten parameters of its joint's link."""

UNITS = tuple(Inertia.from_parameters(tuple(int(j == k) for j in range(TEN))) for k in range(TEN))
"""A unit of each inertial parameter."""

Images = tuple[Sequence[Scalar], ...]
"""A linear map of the ten parameters: the image of each unit."""


@dataclass(frozen=True)
class Unseen:
    """A change of parameters that no torque shows.

    Attributes:
        link: where it happens.
        change: {parameter of the link, or ROTOR: amount}.
        given: amounts by which the parent's ten parameters change; nothing where the parent is the base.
    """

    link: int
    change: Row
    given: tuple[Scalar, ...] | None


@dataclass(frozen=True)
class _Happening:
    """What can happen to a body, as independent rows: velocities, gravity (6 wide), kinetic energies (10 wide)."""

    velocities: Span
    gravity: Span
    energies: Span


def unseen_changes(tree: Tree, values: Values, rotors: bool, order: Callable[[int], Sequence[int]]) -> list[Unseen]:
    """Return a basis of the unseen changes, link by link from the base outward.

    Args:
        tree: exact geometry, see :func:`taut.identify.exact_robot.exact_robot`.
        values: tells which of its expressions vanish.
        rotors: whether rotor inertias are parameters too.
        order: the parameters of link i (0 to 9, ROTOR) from the first to be eliminated to the last.
    """
    coupled = {drive for drive, _, _ in tree.coupling}
    pull = [[0, 0, 0, *tree.gravity_acceleration]]
    world = _Happening(Span(values, 6), Span(values, 6, pull), Span(values, TEN))
    happening: list[_Happening] = []
    found: list[Unseen] = []
    for i, joint in enumerate(tree.joints):
        columns = joint.motion.columns
        X = tree.rest_poses[i]
        given = [X.inertia_to_parent(unit).parameters for unit in UNITS]
        before = _arriving(happening[joint.parent] if joint.parent >= 0 else world, X, tuple(given), columns, values)
        with_rotor = rotors and joint.motion.nv == 1 and i not in coupled
        for change in _local(before, columns, values, with_rotor, order(i)):
            moved = [_dot(change, column) for column in zip(*given, strict=True)] if joint.parent >= 0 else None
            found.append(Unseen(i, change, None if moved is None else tuple(moved)))
        happening.append(_moving(before, columns, values))
    return found


def _local(
    before: _Happening, columns: Sequence[Motion], values: Values, with_rotor: bool, order: Sequence[int]
) -> list[Row]:
    """Return a basis of the changes of one link that its joint does not show."""
    order = [k for k in order if k != ROTOR or with_rotor]
    general = _Happening(*(_everything(values, width) for width in (6, 6, TEN)))
    conditions = _conditions(before, columns, values, with_rotor)
    simple = _conditions(general, columns, values, with_rotor)
    if simple.rank == conditions.rank:  # the usual case: formulas free of the geometry before the joint
        conditions = simple
    rows = ({k: x for k, x in enumerate(row) if k in order} for row in conditions.rows)
    solved = echelon(rows, list(reversed(order)), values)
    return [
        {free: 1, **{pivot: -row[free] for pivot, row in solved.items() if free in row}}
        for free in order
        if free not in solved
    ]


def _conditions(before: _Happening, columns: Sequence[Motion], values: Values, with_rotor: bool) -> Span:
    """Return the rows that an unseen change must not feel: eleven wide, the rotor last."""
    span = Span(values, TEN + 1)
    for S in columns:
        for row in (*before.velocities.rows, *before.gravity.rows):
            span.add([*_momentum(S, _motion(row)), 0])
        for other in columns:
            span.add([*_momentum(S, other), int(with_rotor)])
        drift = _drift(S)
        for row in before.energies.rows:
            span.add([*_pulled(row, drift), 0])
    return span


def _arriving(parent: _Happening, X: Transform, given: Images, columns: Sequence[Motion], values: Values) -> _Happening:
    """Return what the parent's motion brings to a body, wherever its joint stands."""

    def carried(rows: Iterable[Sequence[Scalar]]) -> list[list[Scalar]]:
        return [_listed(X.to_child(_motion(row))) for row in rows]

    drifts = [_drift(S) for S in columns]
    swept = [lambda row, S=S: _listed(S.cross(_motion(row))) for S in columns]
    moved = [lambda row, drift=drift: _pulled(row, drift) for drift in drifts]
    return _Happening(
        _closed(carried(parent.velocities.rows), swept, 6, values),
        _closed(carried(parent.gravity.rows), swept, 6, values),
        _closed([_pulled(row, given) for row in parent.energies.rows], moved, TEN, values),
    )


def _moving(before: _Happening, columns: Sequence[Motion], values: Values) -> _Happening:
    """Return what can happen to a body once its own joint moves too."""
    velocities = Span(values, 6, before.velocities.rows)
    energies = Span(values, TEN, before.energies.rows)
    for S in columns:
        for row in before.velocities.rows:
            energies.add(_momentum(S, _motion(row)))
        for other in columns:
            energies.add(_momentum(S, other))
    for S in columns:
        velocities.add(_listed(S))
    return _Happening(velocities, before.gravity, energies)


def _closed(
    seeds: Iterable[Sequence[Scalar]], actions: Sequence[Callable[..., list[Scalar]]], width: int, values: Values
) -> Span:
    """Return the smallest span that holds the seeds and what the actions make of its rows."""
    span = Span(values, width)
    waiting = list(seeds)
    while waiting and not span.full:
        row = waiting.pop(0)
        if span.add(row):
            waiting.extend(action(span.rows[-1]) for action in actions)
    return span


def _everything(values: Values, width: int) -> Span:
    return Span(values, width, [[int(j == k) for j in range(width)] for k in range(width)])


def _momentum(S: Motion, u: Motion) -> list[Scalar]:
    """Return S^T I u for a unit of each parameter."""
    return [S.dot(unit @ u) for unit in UNITS]


def _drift(S: Motion) -> Images:
    """Return the rate of a body's parameters, seen from its parent, as it moves along S."""
    return tuple(_drifting(unit, S).parameters for unit in UNITS)


def _drifting(body: Inertia, S: Motion) -> Inertia:
    turning = skew(S.w).times(body.I.matrix)  # d/dt R I R^T = [w] I + ([w] I)^T
    tensor = Sym3.from_matrix(Mat3(*(a + b for a, b in zip(turning.rows, turning.T.rows, strict=True))))
    return Inertia(0, S.w.cross(body.h) + S.v * body.m, tensor + shift(body.h, S.v) * 2)


def _pulled(row: Sequence[Scalar], images: Images) -> list[Scalar]:
    """Return a row of ten after a linear map of the parameters."""
    return [sum(x * y for x, y in zip(row, image, strict=True)) for image in images]


def _dot(change: Row, column: Sequence[Scalar]) -> Scalar:
    return sum(x * column[k] for k, x in change.items() if k < TEN)


def _motion(row: Sequence[Scalar]) -> Motion:
    return Motion(Vec3(*row[:3]), Vec3(*row[3:]))


def _listed(motion: Motion) -> list[Scalar]:
    return [*motion.w, *motion.v]
