"""The torque as a program: each element times its rates, with no algebra between elements.

Expressions would take common numbers out of ``(2 X) qd1 qd2`` and compute ``2 (X qd1 qd2)`` in addition to the ``2 X``
that is an output anyway. A program that begins with the finished elements does not.
"""

from __future__ import annotations

from taut.explicit.model import ExplicitModel
from taut.graph.assembly import Assembly, negative
from taut.graph.lower import lower
from taut.graph.program import Program, Signed
from taut.graph.stage import Stage


def explicit_program(model: ExplicitModel, torque: bool = False) -> Program:
    """Return the program of all elements in the model's order, then of the torque where asked for.

    .. math:: \\tau_i = g_i + \\sum_j c_{ij} \\dot q_j^2 + \\sum_{j<k} b_{ijk} \\dot q_j \\dot q_k
              + \\sum_j M_{ij} \\ddot q_j
    """
    elements = lower(model.outputs())
    return _with_torque(model, elements) if torque else elements


def _with_torque(model: ExplicitModel, elements: Program) -> Program:
    assembly = Assembly()
    copied: list[Signed] = []
    for line in elements.lines:
        copied.append(assembly.copy(line, [copied[i] for i in line.args]))
    outputs = [copied[i] if sign > 0 else negative(copied[i]) for sign, i in elements.outputs]
    qd, qdd = (
        [Signed(1, assembly.line("input", (), stage, f"{name}{k + 1}")) for k in range(model.n)]
        for name, stage in (("qd", Stage.VELOCITY), ("qdd", Stage.ACCELERATION))
    )
    parts: list[list[Signed]] = [[] for _ in range(model.n)]
    for element, value in zip(model.elements.values(), outputs, strict=True):
        if element.is_zero:
            continue
        i, rest = element.indices[0], element.indices[1:]
        if element.kind == "M":
            [j] = rest
            for joint, other in [(i, j)] if i == j else [(i, j), (j, i)]:
                parts[joint].append(assembly.multiply(value, qdd[other]))
        else:
            rates = {"g": (), "c": rest * 2, "b": rest}[element.kind]
            parts[i].append(assembly.multiply(value, assembly.product(qd[k] for k in rates)))
    outputs += [_total(assembly, inside) for inside in parts]
    return assembly.program(outputs)


def _total(assembly: Assembly, parts: list[Signed]) -> Signed:
    """Return a sum, what is known early added first."""
    if not parts:
        return assembly.constant(0)
    total, *rest = sorted(parts, key=assembly.stage)
    for part in rest:
        total = assembly.add(total, part)
    return total
