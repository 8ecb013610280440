"""Discrete-time models: the state after a step with the torque held, and its derivatives.

.. math:: x = [q; \\dot q], \\qquad x_{k+1} = f(q_k, \\dot q_k, \\tau_k, \\Delta t), \\qquad
    J = \\partial f / \\partial(q, \\dot q, \\tau, \\Delta t)

by the explicit Euler method, the semi-implicit one (new rates move the positions) and the classical Runge-Kutta method.
Quaternions are stepped as four numbers and brought back to length 1, which keeps the order of each method; derivatives
are those of small deviations dq and dqd along the rates, before the step and after it (2 nv of them).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from taut.questions.acceleration import forward_dynamics, solved
from taut.questions.along import slopes, unit
from taut.questions.ambient import columns, derivative, local, normalised, rates
from taut.questions.derivatives import forward_dynamics_derivatives
from taut.questions.machine import Matrix, Vector
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space, Way
from taut.questions.recursions import Recursions
from taut.robot import Tree
from taut.spatial import Scalar
from taut.spatial.dual import Dual

ARGUMENTS = ("q", "qd", "tau", "dt")

Flow = Callable[[list[Scalar]], list[Scalar]]
"""(state [q; qd]) -> its rate."""


class Dynamics(NamedTuple):
    """How accelerations and their derivatives by q, qd and tau are computed."""

    acceleration: Callable[..., Vector] = forward_dynamics
    derivatives: Callable[..., Matrix] = forward_dynamics_derivatives


TEXTBOOK = Dynamics()


def _flow(robot: Tree, tau: Vector, acceleration: Callable[..., Vector]) -> Flow:
    def flow(x: list[Scalar]) -> list[Scalar]:
        q, qd = normalised(robot, x[: robot.nq]), x[robot.nq :]
        return [*rates(robot, q, qd), *acceleration(robot, q, qd, tau)]

    return flow


def _first(robot: Tree, q: Vector, qd: Vector, tau: Vector, acceleration: Callable[..., Vector]) -> list[Scalar]:
    """Return the flow at a state whose quaternions have length 1."""
    return [*rates(robot, q, qd), *acceleration(robot, q, qd, tau)]


def _plus(x: Vector, h: Scalar, k: Vector) -> list[Scalar]:
    return [a + h * b for a, b in zip(x, k, strict=True)]


def _state_of(robot: Tree, x: list[Scalar]) -> list[Scalar]:
    return [*normalised(robot, x[: robot.nq]), *x[robot.nq :]]


def euler_step(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, acceleration: Callable[..., Vector] = forward_dynamics
) -> Vector:
    """Return [q + dt q'; qd + dt qdd]: the state after a step of the explicit Euler method."""
    return _state_of(robot, _plus([*q, *qd], dt[0], _first(robot, q, qd, tau, acceleration)))


def semi_implicit_step(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, acceleration: Callable[..., Vector] = forward_dynamics
) -> Vector:
    """Return the state after a step of the semi-implicit Euler method: qd + dt qdd, then q moved by these rates."""
    new = _plus(qd, dt[0], acceleration(robot, q, qd, tau))
    return _state_of(robot, [*_plus(q, dt[0], rates(robot, q, new)), *new])


def rk4_step(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, acceleration: Callable[..., Vector] = forward_dynamics
) -> Vector:
    """Return [q; qd] after a step of the classical Runge-Kutta method of order 4."""
    flow, x, h = _flow(robot, tau, acceleration), [*q, *qd], dt[0]
    k1 = _first(robot, q, qd, tau, acceleration)
    k2 = flow(_plus(x, 0.5 * h, k1))
    k3 = flow(_plus(x, 0.5 * h, k2))
    k4 = flow(_plus(x, h, k3))
    new = [a + h * ((b + 2 * (c + d) + e) / 6) for a, b, c, d, e in zip(x, k1, k2, k3, k4, strict=True)]
    return _state_of(robot, new)


# -- derivatives -------------------------------------------------------------------


def _flow_change(robot: Tree, x: Vector, tau: Vector, change: Matrix, derivatives: Callable[..., Matrix]) -> Matrix:
    """Return the changes of the flow at x, for changes of x by the first q, qd and tau side by side."""
    n, nq, width = robot.nv, robot.nq, len(change[0])
    q, qd, dq, dqd = x[:nq], x[nq:], change[:nq], change[nq:]
    place = normalised(robot, q)
    if robot.quaternions:
        dq = derivative(partial(normalised, robot), q, dq)
        upper = derivative(lambda y: rates(robot, y[:nq], y[nq:]), [*place, *qd], [*dq, *dqd])
    else:
        upper = dqd
    F, along = derivatives(robot, place, qd, tau), [*local(robot, place, dq), *dqd]
    lower = [
        [
            sum((row[k] * along[k][j] for k in range(2 * n)), 0) + (row[j] if 2 * n <= j < 3 * n else 0)
            for j in range(width)
        ]
        for row in F
    ]
    return [*upper, *lower]


def _start(robot: Tree, q: Vector) -> Matrix:
    """Return the changes of [q; qd] by deviations along the rates, of the rates, and of the torques."""
    n = robot.nv
    zero = [0] * n
    upper = [[*row, *zero, *zero] for row in columns(robot, q)]
    return [*upper, *([*zero, *unit(n, k), *zero] for k in range(n))]


def _sum(*terms: tuple[Scalar, Matrix]) -> Matrix:
    shape = terms[0][1]
    return [[sum((c * M[i][j] for c, M in terms), 0) for j in range(len(shape[0]))] for i in range(len(shape))]


def _after(robot: Tree, step: Callable[..., Vector], given: tuple[Vector, ...], x: Vector, change: Matrix) -> Matrix:
    """Return the derivatives of the state after a step, along its rates, with the column of dt as the last one.

    Args:
        robot: the robot.
        step: (dt) -> the state after the step.
        given: dt.
        x: the state after the step, its quaternions not yet of length 1.
        change: of x.
    """
    by_dt = slopes(step([Dual(given[0][0], 1)]))
    nq = robot.nq
    place = normalised(robot, x[:nq])
    dq = derivative(partial(normalised, robot), x[:nq], change[:nq]) if robot.quaternions else change[:nq]
    dq = local(robot, place, [[*row, y] for row, y in zip(dq, by_dt[:nq], strict=True)])
    return [*dq, *([*row, y] for row, y in zip(change[nq:], by_dt[nq:], strict=True))]


def euler_step_derivatives(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, dynamics: Dynamics = TEXTBOOK
) -> Matrix:
    """Return the derivatives of the explicit Euler step by q, qd, tau and dt, side by side."""
    x, one = [*q, *qd], _start(robot, q)
    rate = _first(robot, q, qd, tau, dynamics.acceleration)
    J = _sum((1, one), (dt[0], _flow_change(robot, x, tau, one, dynamics.derivatives)))
    new = _plus(x, dt[0], rate)
    return _after(robot, lambda h: euler_step(robot, q, qd, tau, h, dynamics.acceleration), (dt,), new, J)


def semi_implicit_step_derivatives(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, dynamics: Dynamics = TEXTBOOK
) -> Matrix:
    """Return the derivatives of the semi-implicit Euler step by q, qd, tau and dt, side by side."""
    nq, h, one = robot.nq, dt[0], _start(robot, q)
    new = _plus(qd, h, dynamics.acceleration(robot, q, qd, tau))
    F = dynamics.derivatives(robot, q, qd, tau)
    dnew = _sum((1, one[nq:]), (h, F))
    if robot.quaternions:
        dway = derivative(lambda y: rates(robot, y[:nq], y[nq:]), [*q, *new], [*one[:nq], *dnew])
    else:
        dway = dnew
    J = [*_sum((1, one[:nq]), (h, dway)), *dnew]
    x = [*_plus(q, h, rates(robot, q, new)), *new]
    return _after(robot, lambda h: semi_implicit_step(robot, q, qd, tau, h, dynamics.acceleration), (dt,), x, J)


def rk4_step_derivatives(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, dynamics: Dynamics = TEXTBOOK
) -> Matrix:
    """Return the derivatives of the Runge-Kutta step by q, qd, tau and dt, side by side."""
    flow, x, h, one = _flow(robot, tau, dynamics.acceleration), [*q, *qd], dt[0], _start(robot, q)
    k = [_first(robot, q, qd, tau, dynamics.acceleration)]
    K = [_flow_change(robot, x, tau, one, dynamics.derivatives)]
    for part in (0.5 * h, 0.5 * h, h):
        there = _plus(x, part, k[-1])
        K.append(_flow_change(robot, there, tau, _sum((1, one), (part, K[-1])), dynamics.derivatives))
        k.append(flow(there))
    J = _sum((1, one), (h / 6, K[0]), (h / 3, K[1]), (h / 3, K[2]), (h / 6, K[3]))
    new = [a + h * ((b + 2 * (c + d) + e) / 6) for a, b, c, d, e in zip(x, *k, strict=True)]
    return _after(robot, lambda h: rk4_step(robot, q, qd, tau, h, dynamics.acceleration), (dt,), new, J)


def linear_model(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, derivatives: Callable[..., Matrix] = forward_dynamics_derivatives
) -> Matrix:
    """Return [A, B] of x' = A x + B u for deviations from a state [q; qd] along its rates, and u from its torque."""
    n = robot.nv
    upper = [[*(-x for x in turn), *unit(n, i), *[0] * n] for i, turn in enumerate(_turning(robot, qd))]
    return [*upper, *derivatives(robot, q, qd, tau)]


def _turning(robot: Tree, qd: Vector) -> Matrix:
    """Return ad(qd): a deviation turns with its joint; see :mod:`taut.simulate.linear`."""
    n = robot.nv
    blocks: Matrix = [[0] * n for _ in range(n)]
    at = 0
    for i in robot.independent:
        motion = robot.joints[i].motion
        twist = motion.rate(qd[at : at + motion.nv])
        for k, column in enumerate(motion.columns):
            turned = twist.cross(column)
            for j, axis in enumerate(motion.columns):
                blocks[at + j][at + k] = axis.w.dot(turned.w) + axis.v.dot(turned.v) if motion.nv > 1 else 0
        at += motion.nv
    return blocks


def _derivatives_by(r: Recursions) -> Callable[..., Matrix]:
    return partial(forward_dynamics_derivatives, derivatives=r.derivatives, acceleration=partial(solved, r))


def _by_recursion(compute: Any, slopes_too: bool = False) -> tuple[Way, ...]:
    def way(r: Recursions) -> Any:
        acceleration = partial(solved, r)
        if slopes_too:
            return partial(compute, dynamics=Dynamics(acceleration, _derivatives_by(r)))
        return partial(compute, acceleration=acceleration)

    return (Way("", way, lambda robot: not robot.quaternions),)


def _state(robot: Tree) -> tuple[int, ...]:
    return (robot.nq + robot.nv,)


def _slopes_shape(robot: Tree) -> tuple[int, ...]:
    return (2 * robot.nv, 3 * robot.nv + 1)


NEXT = Quantity("next", "positions and rates after the step")
SLOPES = Quantity("J", "derivatives of [q; qd] after the step, along the rates: by q, qd, tau and dt, side by side")

NAMED_ONLY = (
    *(
        Question(step.__name__, step, ARGUMENTS, _state, NEXT, Space.JOINT, ways=_by_recursion(step))
        for step in (euler_step, semi_implicit_step, rk4_step)
    ),
    *(
        Question(step.__name__, step, ARGUMENTS, _slopes_shape, SLOPES, Space.JOINT, ways=_by_recursion(step, True))
        for step in (euler_step_derivatives, semi_implicit_step_derivatives, rk4_step_derivatives)
    ),
    Question(
        "linear_model",
        linear_model,
        ("q", "qd", "tau"),
        lambda robot: (2 * robot.nv, 3 * robot.nv),
        Quantity("AB", "A and B of the linear model, side by side"),
        Space.JOINT,
        ways=(Way("", lambda r: partial(linear_model, derivatives=_derivatives_by(r)), lambda r: not r.quaternions),),
    ),
)
