"""Discrete-time models: the state after a step with the torque held, and its derivatives; for fixed bases.

.. math:: x = [q; \\dot q], \\qquad x_{k+1} = f(q_k, \\dot q_k, \\tau_k, \\Delta t), \\qquad
    J = \\partial f / \\partial(q, \\dot q, \\tau, \\Delta t)

by the explicit Euler method, the semi-implicit one (new rates move the positions) and the classical Runge-Kutta method.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from taut.errors import UnsupportedError
from taut.questions.acceleration import forward_dynamics, solved
from taut.questions.along import slopes
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


def _fixed(robot: Tree) -> None:
    if robot.quaternions:
        raise UnsupportedError(f"'{robot.name}' has a free base", "one-step model", "simulate it, or fix its base")


def _flow(robot: Tree, tau: Vector, acceleration: Callable[..., Vector]) -> Flow:
    _fixed(robot)
    n = robot.nv
    return lambda x: [*x[n:], *acceleration(robot, x[:n], x[n:], tau)]


def _plus(x: Vector, h: Scalar, k: Vector) -> list[Scalar]:
    return [a + h * b for a, b in zip(x, k, strict=True)]


def euler_step(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, acceleration: Callable[..., Vector] = forward_dynamics
) -> Vector:
    """Return [q + dt qd; qd + dt qdd]: the state after a step of the explicit Euler method."""
    x = [*q, *qd]
    return _plus(x, dt[0], _flow(robot, tau, acceleration)(x))


def semi_implicit_step(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, acceleration: Callable[..., Vector] = forward_dynamics
) -> Vector:
    """Return [q + dt qd'; qd'] with qd' = qd + dt qdd: the state after a step of the semi-implicit Euler method."""
    _fixed(robot)
    rates = _plus(qd, dt[0], acceleration(robot, q, qd, tau))
    return [*_plus(q, dt[0], rates), *rates]


def rk4_step(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, dt: Vector, acceleration: Callable[..., Vector] = forward_dynamics
) -> Vector:
    """Return [q; qd] after a step of the classical Runge-Kutta method of order 4."""
    flow, x, h = _flow(robot, tau, acceleration), [*q, *qd], dt[0]
    k1 = flow(x)
    k2 = flow(_plus(x, 0.5 * h, k1))
    k3 = flow(_plus(x, 0.5 * h, k2))
    k4 = flow(_plus(x, h, k3))
    return [a + h * ((b + 2 * (c + d) + e) / 6) for a, b, c, d, e in zip(x, k1, k2, k3, k4, strict=True)]


# -- derivatives -------------------------------------------------------------------


def _rate_slopes(robot: Tree, x: Vector, tau: Vector, derivatives: Callable[..., Matrix]) -> Matrix:
    """Return the derivatives of [qd; qdd] by q, qd and tau, 2n x 3n."""
    n = robot.nv
    upper = [[int(j == n + i) for j in range(3 * n)] for i in range(n)]
    return [*upper, *derivatives(robot, x[:n], x[n:], tau)]


def _identity(n: int) -> Matrix:
    return [[int(j == i) for j in range(3 * n)] for i in range(2 * n)]


def _chained(F: Matrix, X: Matrix) -> Matrix:
    """Return the derivatives of a rate by the first state: F by [x; tau], X that of x by the first [x; tau]."""
    m, w = len(X), len(F[0])
    return [[sum((row[k] * X[k][j] for k in range(m)), 0) + (row[j] if j >= m else 0) for j in range(w)] for row in F]


def _sum(*terms: tuple[Scalar, Matrix]) -> Matrix:
    shape = terms[0][1]
    return [[sum((c * M[i][j] for c, M in terms), 0) for j in range(len(shape[0]))] for i in range(len(shape))]


def _beside(J: Matrix, column: Vector) -> Matrix:
    return [[*row, x] for row, x in zip(J, column, strict=True)]


def euler_step_derivatives(
    robot: Tree,
    q: Vector,
    qd: Vector,
    tau: Vector,
    dt: Vector,
    acceleration: Callable[..., Vector] = forward_dynamics,
    derivatives: Callable[..., Matrix] = forward_dynamics_derivatives,
) -> Matrix:
    """Return the derivatives of the explicit Euler step by q, qd, tau and dt, side by side."""
    x = [*q, *qd]
    rate = _flow(robot, tau, acceleration)(x)
    J = _sum((1, _identity(robot.nv)), (dt[0], _rate_slopes(robot, x, tau, derivatives)))
    return _beside(J, rate)


def semi_implicit_step_derivatives(
    robot: Tree,
    q: Vector,
    qd: Vector,
    tau: Vector,
    dt: Vector,
    acceleration: Callable[..., Vector] = forward_dynamics,
    derivatives: Callable[..., Matrix] = forward_dynamics_derivatives,
) -> Matrix:
    """Return the derivatives of the semi-implicit Euler step by q, qd, tau and dt, side by side."""
    _fixed(robot)
    n, h = robot.nv, dt[0]
    qdd = acceleration(robot, q, qd, tau)
    F, one = derivatives(robot, q, qd, tau), _identity(n)
    rates = [[one[n + i][j] + h * F[i][j] for j in range(3 * n)] for i in range(n)]
    places = [[one[i][j] + h * rates[i][j] for j in range(3 * n)] for i in range(n)]
    along = [*(v + 2 * h * a for v, a in zip(qd, qdd, strict=True)), *qdd]
    return _beside([*places, *rates], along)


def rk4_step_derivatives(
    robot: Tree,
    q: Vector,
    qd: Vector,
    tau: Vector,
    dt: Vector,
    acceleration: Callable[..., Vector] = forward_dynamics,
    derivatives: Callable[..., Matrix] = forward_dynamics_derivatives,
) -> Matrix:
    """Return the derivatives of the Runge-Kutta step by q, qd, tau and dt, side by side."""
    flow, x, h, one = _flow(robot, tau, acceleration), [*q, *qd], dt[0], _identity(robot.nv)
    k = flow(x)
    K = [_rate_slopes(robot, x, tau, derivatives)]
    for part in (0.5 * h, 0.5 * h, h):
        there = _plus(x, part, k)
        K.append(_chained(_rate_slopes(robot, there, tau, derivatives), _sum((1, one), (part, K[-1]))))
        k = flow(there)
    J = _sum((1, one), (h / 6, K[0]), (h / 3, K[1]), (h / 3, K[2]), (h / 6, K[3]))
    along = slopes(rk4_step(robot, q, qd, tau, [Dual(h, 1)], acceleration))
    return _beside(J, along)


def linear_model(
    robot: Tree, q: Vector, qd: Vector, tau: Vector, derivatives: Callable[..., Matrix] = forward_dynamics_derivatives
) -> Matrix:
    """Return [A, B] of x' = A x + B u for deviations from a state [q; qd] and u from its torque."""
    _fixed(robot)
    return _rate_slopes(robot, [*q, *qd], tau, derivatives)


def _by_recursion(compute: Any, slopes_too: bool = False) -> tuple[Way, ...]:
    def way(r: Recursions) -> Any:
        options: dict[str, Any] = {"acceleration": partial(solved, r)}
        if slopes_too:
            options["derivatives"] = partial(
                forward_dynamics_derivatives, derivatives=r.derivatives, acceleration=partial(solved, r)
            )
        return partial(compute, **options)

    return (Way("", way, lambda robot: not robot.quaternions),)


def _state(robot: Tree) -> tuple[int, ...]:
    return (2 * robot.nv,)


def _slopes_shape(robot: Tree) -> tuple[int, ...]:
    return (2 * robot.nv, 3 * robot.nv + 1)


NEXT = Quantity("next", "positions and rates after the step")
SLOPES = Quantity("J", "derivatives of [q; qd] after the step: by q, qd, tau and dt, side by side")

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
    ),
)
