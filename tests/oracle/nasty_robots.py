"""Seeded robots that cost digits: axes nearly parallel, meeting or coincident, masses over six decades, long levers."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from flint import arb, ctx

from taut.api import Robot
from taut.questions.table import question
from taut.robot import Joint, Link, Placement, Prismatic, Revolute, Tree
from taut.robot.placement import QuarterTurns, right_angle
from taut.spatial import Inertia, Scalar, Sym3, Vec3

BITS = 200
"""Precision of the reference: balls of python-flint, whose radius bounds the error."""


def nasty_robot(seed: int) -> Robot:
    """Return a chain of three to six joints."""
    draw = random.Random(seed)
    size = 10 ** draw.uniform(-4, 3)
    joints = []
    for k in range(draw.randint(3, 6)):
        tilt = draw.choice([0.0, math.pi / 2, draw.uniform(-3, 3), 10 ** draw.uniform(-9, -1), 1.5708])
        lever = draw.choice([size, size * 10 ** draw.uniform(-8, 0), 0.0])
        place = Vec3(lever, draw.choice([0.0, lever, lever * 1e-7]), draw.choice([0.0, size * draw.uniform(-1, 1)]))
        turns = tuple((axis, x) for axis, x in ((2, draw.choice([0.0, draw.uniform(-3, 3)])), (0, tilt)) if x)
        mass = 10 ** draw.uniform(-3, 3)
        radius = size * draw.uniform(0.05, 0.5)
        centre = Vec3(*(draw.uniform(-1, 1) * radius for _ in range(3)))
        own = [mass * radius**2 * draw.uniform(0.3, 0.5) for _ in range(3)]
        body = Inertia.about_centre(mass, centre, Sym3(own[0], 0.0, own[1], 0.0, 0.0, own[2]))
        motion = Prismatic() if draw.random() < 0.15 else Revolute()
        joints.append(Joint(f"j{k + 1}", k - 1, Placement(place, turns), motion, Link(f"l{k + 1}", body)))
    return Robot(Tree(f"nasty{seed}", tuple(joints)))


def exact_torques(tree: Tree, states: list[tuple[list[float], list[float], list[float]]]) -> list[list[float]]:
    """Return inverse dynamics by the textbook algorithm with 200 bits, rounded once."""
    ctx.prec = BITS

    def angle(x: Scalar) -> Scalar:
        exact = right_angle(x)
        return exact if isinstance(exact, QuarterTurns) else arb(float(exact))

    precise = replace(tree.map(lambda x: arb(float(x)), angle=angle))
    compute = question("inverse_dynamics").compute
    answers = (compute(precise, *([arb(x) for x in part] for part in state)) for state in states)
    return [[float(arb(x).mid()) for x in answer] for answer in answers]
