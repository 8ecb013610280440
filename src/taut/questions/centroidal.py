"""Motion of the centre of mass and momentum about it [Orin, Goswami and Lee 2013].

.. math:: \\dot c = J_c \\dot q, \\qquad h_G = A_G(q)\\, \\dot q, \\qquad \\dot h_G = A_G \\ddot q + \\dot A_G \\dot q
"""

from __future__ import annotations

from taut.algorithms import energy
from taut.questions.along import moved, slopes, unit
from taut.questions.machine import Matrix, Vector, transposed
from taut.questions.quantity import Quantity
from taut.questions.question import Question, Shape, of_size
from taut.robot import Tree
from taut.spatial import Vec3


def centroidal_momentum(robot: Tree, q: Vector, qd: Vector) -> list[Vec3]:
    """Return the momentum and the moment of momentum about the centre of mass, in world axes."""
    at = robot.at(q)
    h = energy.momentum(robot, at.positions, at.rates(qd))
    centre = energy.first_moment(robot, at.positions) * (1 / energy.moving_mass(robot))
    return [h.f, h.n - centre.cross(h.f)]


def centroidal_momentum_matrix(robot: Tree, q: Vector) -> Matrix:
    """Return A_G, 6 x nv: momentum [linear; angular] about the centre of mass in world axes is A_G qd."""
    columns = [centroidal_momentum(robot, q, unit(robot.nv, k)) for k in range(robot.nv)]
    return transposed([[*f, *n] for f, n in columns])


def centroidal_momentum_bias(robot: Tree, q: Vector, qd: Vector) -> Vector:
    """Return dA_G/dt qd: the rate of the momentum about the centre of mass at qdd = 0."""
    return slopes([x for part in centroidal_momentum(robot, moved(robot, q, qd), qd) for x in part])


def center_of_mass_jacobian(robot: Tree, q: Vector) -> Matrix:
    """Return J_c, 3 x nv: the velocity of the centre of mass of the moving links in the world is J_c qd."""
    mass = energy.moving_mass(robot)
    columns = [centroidal_momentum(robot, q, unit(robot.nv, k))[0] for k in range(robot.nv)]
    return transposed([[x / mass for x in f] for f in columns])


def _rows(count: int) -> Shape:
    return lambda robot: (count, robot.nv)


NAMED_ONLY = (
    Question(
        "center_of_mass_jacobian",
        center_of_mass_jacobian,
        ("q",),
        _rows(3),
        Quantity("Jc", "Jacobian of the centre of mass, in world axes"),
        aliases=("com_jacobian",),
    ),
    Question(
        "centroidal_momentum_matrix",
        centroidal_momentum_matrix,
        ("q",),
        _rows(6),
        Quantity("A", "centroidal momentum matrix; A qd is the momentum [linear; angular] about the centre of mass"),
        aliases=("ccrba",),
    ),
    Question(
        "centroidal_momentum_bias",
        centroidal_momentum_bias,
        ("q", "qd"),
        of_size(6),
        Quantity("hd", "rate of the momentum about the centre of mass at qdd = 0", "N, N m"),
    ),
)
