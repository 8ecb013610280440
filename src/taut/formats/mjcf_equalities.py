"""Loops, gears and cams of a robot as equalities of MJCF.

A ball is a ``connect`` and a weld a ``weld`` of two sites; a pin is two ``connect`` on its axis. A joint that follows
one other by a polynomial of degree four at most is a ``joint`` equality. MuJoCo has no other loops; they are refused,
because a file without them would be another robot. Where the loops are put together (``start``) is not written.
"""

from __future__ import annotations

from taut.errors import InputError
from taut.formats.urdf_writer import element, vector
from taut.robot import Placement, Tree
from taut.robot.closures import Closure
from taut.robot.law import ARGUMENT, Law
from taut.robot.looping import described_loops, single_mimics
from taut.spatial import Vec3

ADVICE = "write taut TOML"
MOST_COEFFICIENTS = 5
"""Of a joint equality."""

APART = 0.1
"""Distance of the two points of a pin [m]."""


def equalities(tree: Tree) -> list[str]:
    """Return the equalities of a robot without symbols."""
    loops = tree.loops
    for row in loops.rate_rows:
        raise InputError("MJCF has no rolling without slipping", f"rolling '{row.name}'", ADVICE)
    lines = []
    for closure in _closures(tree):
        active = {} if closure.active else {"active": "false"}
        for name, *_ in _held(closure):
            tag = "weld" if closure.kind == "weld" else "connect"
            lines.append(element(tag, name=name, site1=f"{name} first", site2=f"{name} second", **active))
    followed = [
        (tree.joints[m.joint].name, tree.joints[m.leader].name, [float(m.offset), float(m.multiplier)])
        for m in single_mimics(tree)
    ]
    for gear in described_loops(tree).gears:
        if gear.law is None or len(gear.terms) > 1:
            raise InputError("MJCF has no joint that follows several", f"joint '{gear.joint}'", ADVICE)
        followed.append((gear.joint, gear.terms[0][0], _polynomial(gear.joint, gear.law)))
    for joint, leader, coefficients in followed:
        padded = [*coefficients, *[0.0] * (MOST_COEFFICIENTS - len(coefficients))]
        lines.append(element("joint", joint1=joint, joint2=leader, polycoef=vector(padded)))
    return lines


def loop_sites(tree: Tree, body: int) -> list[tuple[str, Placement]]:
    """Return the names and places of the loops' sites on a body; -1 is the base."""
    found = []
    for closure in _closures(tree):
        for name, here, there in _held(closure):
            found += [(f"{name} first", here)] if closure.body == body else []
            found += [(f"{name} second", there)] if closure.other == body else []
    return found


def _closures(tree: Tree) -> tuple[Closure, ...]:
    return (*tree.loops.closures, *tree.loops.solved)


def _held(closure: Closure) -> list[tuple[str, Placement, Placement]]:
    """Return the pairs of sites that a closure holds together."""
    here, there = closure.placement, closure.other_placement
    if closure.kind in ("ball", "weld"):
        return [(closure.name, here, there)]
    if closure.kind == "pin":
        along = Placement(Vec3(0.0, 0.0, APART))
        return [(closure.name, here, there), (f"{closure.name} axis", here.then(along), there.then(along))]
    raise InputError(f"MJCF has no loop of kind {closure.kind}", f"loop '{closure.name}'", ADVICE)


def _polynomial(joint: str, law: Law) -> list[float]:
    """Return the coefficients of a law that is a polynomial, by its derivatives at zero."""
    coefficients: list[float] = []
    factorial = 1
    for k in range(MOST_COEFFICIENTS):
        coefficients.append(float(law.at({ARGUMENT: 0.0})) / factorial)
        law, factorial = law.slope(), factorial * (k + 1)
    if not law.expression.is_zero:
        raise InputError("MJCF has polynomials of degree four at most for cams", f"joint '{joint}'", ADVICE)
    return coefficients
