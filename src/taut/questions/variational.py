"""The variational one-step model of a fixed base: a step that keeps the structure of mechanics, by the midpoint rule.

With the momentum p, the midpoint m = (q + q') / 2 and the rates v = (q' - q) / dt,

.. math:: r(q') = p - M(m) v + \\tfrac{dt}{2} \\left(C(m, v)^T v - g(m) + \\tau\\right) = 0, \\qquad
    p' = M(m) v + \\tfrac{dt}{2} \\left(C(m, v)^T v - g(m) + \\tau\\right)

[Marsden and West 2001, 2.3]. C^T v is the rate of M v less C v. The step solves r = 0 by a fixed number of Newton steps
with -M(q) / dt for the derivative of r, from q + dt M(q)^-1 p.
"""

from __future__ import annotations

from taut.algorithms.linear_solve import solve_symmetric
from taut.errors import UnsupportedError
from taut.questions.along import moved, slopes, unit
from taut.questions.machine import Matrix, Vector, transposed
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Space, per_joint, square
from taut.questions.rigid_body import bias, mass_matrix
from taut.robot import Tree
from taut.spatial import Scalar
from taut.spatial.dual import Dual, value_of

NEWTON_STEPS = 4
"""Of every step; the error shrinks by about dt times the rates in each."""

ARGUMENTS = ("q", "p", "tau", "dt")


def _halves(robot: Tree, q: Vector, tau: Vector, dt: Vector, after: Vector) -> tuple[list[Scalar], list[Scalar]]:
    """Return M v, and dt/2 (C^T v - g + tau), both at the midpoint."""
    if robot.quaternions:
        raise UnsupportedError(f"'{robot.name}' has a free base", "one-step model", "simulate it, or fix its base")
    h = dt[0]
    middle = [0.5 * (a + b) for a, b in zip(q, after, strict=True)]
    v = [(b - a) / h for a, b in zip(q, after, strict=True)]
    along = moved(robot, middle, v)
    there = [sum((x * y for x, y in zip(row, v, strict=True)), 0) for row in mass_matrix(robot, along)]
    level, lost = along[0].level, bias(robot, middle, v)
    momentum = [value_of(x, level) for x in there]
    push = [0.5 * h * (s - b + t) for s, b, t in zip(slopes(there, level), lost, tau, strict=True)]
    return momentum, push


def variational_residual(robot: Tree, q: Vector, p: Vector, tau: Vector, dt: Vector, after: Vector) -> Vector:
    """Return r, which vanishes where ``after`` is the position after the step."""
    momentum, push = _halves(robot, q, tau, dt, after)
    return [a - b + c for a, b, c in zip(p, momentum, push, strict=True)]


def variational_residual_jacobian(robot: Tree, q: Vector, p: Vector, tau: Vector, dt: Vector, after: Vector) -> Matrix:
    """Return the derivative of the residual by the position after the step, nv x nv."""
    n = robot.nv
    columns = []
    for k in range(n):
        there = [Dual(x, u) for x, u in zip(after, unit(n, k), strict=True)]
        columns.append(slopes(variational_residual(robot, q, p, tau, dt, there)))
    return transposed(columns)


def variational_step(robot: Tree, q: Vector, p: Vector, tau: Vector, dt: Vector) -> Vector:
    """Return [q'; p'] after a step of the variational midpoint rule, by four Newton steps with M(q)."""
    h, M = dt[0], mass_matrix(robot, q)
    after = [a + h * v for a, v in zip(q, solve_symmetric(M, p), strict=True)]
    for _ in range(NEWTON_STEPS):
        off = solve_symmetric(M, variational_residual(robot, q, p, tau, dt, after))
        after = [a + h * x for a, x in zip(after, off, strict=True)]
    momentum, push = _halves(robot, q, tau, dt, after)
    return [*after, *(a + b for a, b in zip(momentum, push, strict=True))]


NAMED_ONLY = (
    Question(
        "variational_step",
        variational_step,
        ARGUMENTS,
        lambda robot: (2 * robot.nv,),
        Quantity("next", "positions and momenta after the step"),
        Space.JOINT,
    ),
    Question(
        "variational_residual",
        variational_residual,
        (*ARGUMENTS, "after"),
        per_joint,
        Quantity("r", "what the position after the step lacks", "kg m^2/s or kg m/s"),
        Space.JOINT,
    ),
    Question(
        "variational_residual_jacobian",
        variational_residual_jacobian,
        (*ARGUMENTS, "after"),
        square,
        Quantity("J", "derivative of the residual by the position after the step"),
        Space.JOINT,
    ),
)
