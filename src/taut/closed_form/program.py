"""The closed forms as programs: counted, tightened, proved against the traced Jacobian of the robot.

.. math:: \\dot q = J^{-1} V, \\qquad \\dot q = J^T (J J^T)^{-1} V \\;\\text{for more joints than rows}

In world axes at the frame, the velocity V is first carried to the point and turned into the axes in which the
Jacobian falls apart.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from taut.algorithms.cofactors import determinant
from taut.algorithms.linear_solve import inverse_symmetric
from taut.analysis.opcount import count
from taut.closed_form.chain import Chain
from taut.closed_form.inverse import Inverse
from taut.closed_form.jacobian import Task
from taut.closed_form.substitution import Nodes
from taut.derive.function import Function, Proof, Step
from taut.derive.tightening.tighten import Budget, Progress, tighten
from taut.errors import TautError, UnsupportedError, refuse_unknown
from taut.graph import Node
from taut.graph.lower import lower
from taut.graph.prove import disproof
from taut.questions.kinematics import forward_kinematics as textbook_pose
from taut.questions.kinematics import jacobian as textbook_jacobian
from taut.questions.quantity import UNKNOWN
from taut.questions.table import QUESTIONS
from taut.spatial import Vec3

EFFORTS = {
    "none": None,
    "quick": None,
    "normal": Budget(rounds=6, steps=30_000),
    "max": Budget(rounds=12, steps=60_000, starts=8),
}
POINTS = 3
SQUARE = ("jacobian_determinant",)
"""Functions whose answer has the shape of the question, not that of the rows here."""


def task_nodes(task: Task) -> Nodes:
    """Return the rows of a task as expressions, each as it reads shortest."""
    ring = task.jacobian.chain.ring
    return [[ring.node(ring.shortest(x)) for x in task.jacobian.matrix[k]] for k in task.rows]


def inverse_nodes(inverse: Inverse) -> Nodes:
    """Return J^-1 in the axes of its task."""
    return [[inverse.node(entry) for entry in row] for row in inverse.entries]


def pseudo_inverse_nodes(task: Task) -> Nodes:
    """Return J^T (J J^T)^-1 in the axes of a task with more joints than rows."""
    J = task_nodes(task)
    rows, n = range(len(J)), range(len(J[0]))
    square = [[_dot([J[a][j] for j in n], [J[b][j] for j in n]) for b in rows] for a in rows]
    middle = inverse_symmetric(square)
    return [[_dot([J[a][j] for a in rows], [middle[a][b] for a in rows]) for b in rows] for j in n]


def in_world(task: Task, G: Nodes) -> Nodes:
    """Return G for velocities [linear; angular] of the frame in world axes at its origin."""
    chain, J = task.jacobian.chain, task.jacobian
    ring, last = chain.ring, chain.n + 1
    units = [Vec3(*(int(k == j) for j in range(3))) for k in range(3)]

    def turned(axes: int) -> Nodes:
        """Rows take world components to those of the axes."""
        columns = [chain.seen_in(e, 0, axes) for e in units]
        return [[ring.node(ring.shortest(column_k)) for column_k in row] for row in zip(*columns, strict=True)]

    R_v, R_w = turned(J.linear_axes), turned(J.angular_axes)
    # The point as seen from the frame, in world axes: v_P = v_F + w x r.
    r = Vec3(*(ring.node(ring.shortest(x)) for x in chain.seen_in(chain.place_in(J.point, last), last, 0)))
    graph = R_v[0][0].graph
    rows: Nodes = []
    for k in task.rows:
        if k < 3:
            row = Vec3(*R_v[k])
            rows.append([graph.lift(x) for x in (*row, *r.cross(row))])
        else:
            rows.append([graph.constant(0)] * 3 + R_w[k - 3])
    return [
        [_dot([G[j][a] for a in range(len(rows))], [row[b] for row in rows]) for b in range(6)] for j in range(len(G))
    ]


def prove_forward(chain: Chain, T: Nodes) -> Proof:
    """Compare a pose with the traced forward kinematics of the robot."""
    traced = textbook_pose(chain.model.tree, chain.model.symbols("q"), chain.frame.name)
    _agree([x for row in T for x in row], [x for row in traced[: len(T)] for x in row], chain)
    return Proof("traced forward kinematics", POINTS)


def prove_rows(chain: Chain, task: Task) -> Proof:
    """Compare the rows of a task with the traced Jacobian of the robot, carried to its point and axes."""
    traced = _traced(chain)
    carried = in_world(task, identity(chain, len(task.rows)))
    found = [_dot(row, [traced[b][j] for b in range(6)]) for row in carried for j in range(chain.n)]
    _agree(found, [x for row in task_nodes(task) for x in row], chain)
    return Proof("traced Jacobian", POINTS)


def prove_inverse(chain: Chain, task: Task, G: Nodes, world: bool) -> Proof:
    """Compare G J, or J G for more joints than rows, with 1 at random points of the finite field.

    In world axes J is traced from the robot by the textbook algorithm; in the axes of the task it is
    compared with the traced one first.
    """
    wide = len(task.rows) < chain.n
    if world:
        if wide and len(task.rows) < 6:
            raise UnsupportedError(
                "a right inverse of an arm that cannot move everywhere", "world axes", "leave the axes to taut"
            )
        J = _traced(chain)
    else:
        prove_rows(chain, task)
        J = task_nodes(task)
    left, right = (J, G) if wide else (G, J)
    n, inner = len(left), range(len(right))
    product = [_dot(row, [right[k][b] for k in inner]) for row in left for b in range(n)]
    _agree(product, [x for row in identity(chain, n) for x in row], chain)
    return Proof("J G = 1 with the traced Jacobian" if wide else "G J = 1 with the traced Jacobian", POINTS)


def prove_determinant(chain: Chain, found: Nodes) -> Proof:
    """Compare a determinant with that of the traced Jacobian, in world axes at the frame."""
    _agree(found[0], [chain.model.graph.lift(determinant(_traced(chain)))], chain)
    return Proof("determinant of the traced Jacobian", POINTS)


def _traced(chain: Chain) -> Nodes:
    """Return the Jacobian by the textbook algorithm: world axes at the frame, joints that move the frame."""
    model = chain.model
    rows = textbook_jacobian(model.tree, model.symbols("q"), chain.frame.name)
    return [[model.graph.lift(row[k - 1]) for k in chain.numbers] for row in rows]


def function_of(
    chain: Chain,
    name: str,
    starts: Mapping[str, Nodes],
    proof: Proof,
    effort: str = "normal",
    progress: Progress | None = None,
) -> Function:
    """Return proved outputs as a tightened program, proved once more.

    Args:
        chain: the arm.
        name: of the function.
        starts: {how it is computed: outputs}; the one that ends with the fewest operations is taken.
        proof: that the first of them is right; the others, and the program, are compared with it.
        effort: ``none`` or ``quick`` for no search, ``normal`` or ``max``.
        progress: called while the count falls.
    """
    started = time.perf_counter()
    refuse_unknown("effort", effort, EFFORTS, "kinematics")
    budget, model = EFFORTS[effort], chain.model
    first = [x for row in next(iter(starts.values())) for x in row]
    tried = []
    for method, outputs in starts.items():
        program = lower([x for row in outputs for x in row])
        steps = [Step(f"traced: {method}", count(program))]
        if budget is not None:
            result = tighten(program, budget, values=model.naming.values, extra=model.angle_sums, progress=progress)
            program = result.program
            steps += [Step(label, operations) for label, operations in result.steps]
        tried.append((count(program).total, method, outputs, program, steps))
    _, method, outputs, program, steps = min(tried, key=lambda trial: trial[0])
    _agree(program.trace(model.graph), first, chain)
    return Function(
        name=name,
        robot=chain.tree.name,
        program=program,
        arguments={"q": tuple(s.name for s in model.symbols("q"))},
        shape=QUESTIONS[name].shape(chain.tree) if name in SQUARE else (len(outputs), len(outputs[0])),
        values=model.naming.values,
        method=method,
        parameters="pattern",
        effort=effort,
        steps=tuple(steps),
        proof=proof,
        notes=(*model.naming.notes, *([chain.difference.text] if chain.difference.snapped else [])),
        difference=chain.difference,
        seconds=time.perf_counter() - started,
        result=QUESTIONS[name].result if name in QUESTIONS else UNKNOWN,
    )


def _agree(left: Sequence[Node], right: Sequence[Node], chain: Chain) -> None:
    graph = chain.model.graph
    difference = disproof([graph.lift(x) for x in left], [graph.lift(x) for x in right], POINTS, seed=31)
    if difference is not None:
        raise TautError(f"kinematics of '{chain.tree.name}': a closed form is wrong, {difference}; report this")


def identity(chain: Chain, n: int) -> Nodes:
    """Return the unit matrix."""
    return [[chain.model.graph.constant(int(a == b)) for b in range(n)] for a in range(n)]


def _dot(a: Sequence[Node], b: Sequence[Node]) -> Node:
    graph = a[0].graph
    return graph.linear(0, [(1, graph.lift(x * y)) for x, y in zip(a, b, strict=True)])
