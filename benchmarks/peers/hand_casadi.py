"""The C that CasADi writes for Newton-Euler by hand: numbers folded in, common subexpressions shared.

M, the regressor and the derivatives of the torque are CasADi's own differentiation of it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from peers.newton_euler import torque
from peers.robots import Joint

QUESTIONS = ("inverse_dynamics", "mass_matrix", "gravity", "regressor", "inverse_dynamics_derivatives")


def source(joints: Sequence[Joint], question: str) -> str:
    """Return CasADi's C of a question: arguments q, v, x, the answer row-major."""
    import casadi

    nv = sum(6 if joint.free else 1 for joint in joints)
    nq = nv + sum(joint.free for joint in joints)
    q, v, x = casadi.SX.sym("q", nq), casadi.SX.sym("v", nv), casadi.SX.sym("x", nv)
    Q, V, X, rest = casadi.vertsplit(q), casadi.vertsplit(v), casadi.vertsplit(x), [0] * nv

    def column(entries: Sequence[object]) -> casadi.SX:
        return casadi.vertcat(*entries)

    def tau(*state: Sequence[object], **options: object) -> casadi.SX:
        return column(torque(joints, *state, casadi.sin, casadi.cos, **options))

    def by(expression: casadi.SX, symbols: casadi.SX) -> casadi.SX:
        return casadi.vec(casadi.jacobian(expression, symbols).T)

    if question == "inverse_dynamics":
        answer = tau(Q, V, X)
    elif question == "gravity":
        answer = tau(Q, rest, rest)
    elif question == "mass_matrix":
        answer = by(tau(Q, rest, X), x)
    elif question == "regressor":
        pi = casadi.SX.sym("pi", 10 * len(joints))
        ten = casadi.vertsplit(pi)
        answer = by(tau(Q, V, X, inertial=[ten[k : k + 10] for k in range(0, len(ten), 10)]), pi)
    else:
        answer = by(tau(Q, V, X), casadi.vertcat(q, v, x))  # in one sweep, which shares the most
    function = casadi.Function(question, [q, v, x], [casadi.cse(casadi.densify(answer))])
    with tempfile.TemporaryDirectory() as place:
        generator = casadi.CodeGenerator(f"{question}.c")
        generator.add(function)
        generator.generate(f"{place}/")
        return Path(place, f"{question}.c").read_text()
