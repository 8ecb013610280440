"""A program as the search sees it: rows of plain numbers, leaves first, then operations on signed operands.

* A *literal* is ``2 * node + negated``; outputs are literals, too.
* A leaf is a line that costs nothing and needs nothing that does: an input, a sine, an off-line constant.
* An opaque row is such a line on operands that do cost something: the square root of a sum.
* Every row has its values at :data:`POINTS` points of GF(2^61 - 1), which tell what it equals. Square roots
  get free values there, since a root of random sign would seem to equal ``x`` in ``sqrt(x**2)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from taut.errors import InputError
from taut.graph.assembly import Assembly, negative
from taut.graph.elementary import FUNCTIONS
from taut.graph.field import PRIME, FieldPoint, residue
from taut.graph.lower import lower
from taut.graph.node import Graph, Node
from taut.graph.program import Line, Program, Signed
from taut.graph.prove import Spheres
from taut.graph.prove_program import program_disproof
from taut.graph.stage import Stage
from taut.search.parameter_line import LinePoint, angle_speeds, line_weights

LEAF, SUM, PRODUCT, QUOTIENT, OPAQUE, SCALE, SHIFT, INVERSE, FIXED = range(9)
"""What a row is, as in state.h. The last four have a constant, recovered from their values; only the search
makes them."""

OPERATIONS = {"add": SUM, "sub": SUM, "mul": PRODUCT, "div": QUOTIENT}
ANGLE_SUMS = ("add", "sub")
"""Opaque rows that only form an angle; the others compute an elementary function."""

POINTS = 5
HOME = 3
"""Three points share random parameters; the others have those of the robot, and show what vanishes for it."""

NOISE = 1e-12
"""Values of parameters below this part of the largest are taken for zero: rounding that the frames of a file have left.
A program that divides by it loses all digits."""

SEED = 5
"""Of the points of the search; proofs use others."""

SOLVED = (SCALE, SHIFT, INVERSE, FIXED)

Rows = NDArray[np.int32]

Constants = Callable[[int, Assembly, Mapping[int, Signed]], Signed]
"""Gives the constant of a row: its number, the program under assembly, and the lines copied to it already."""


@dataclass(frozen=True)
class Flat:
    """A program as arrays.

    Attributes:
        program: where the leaves come from.
        leaves: its lines that are leaves, in the order of their rows.
        rows: (op, a, b, label) for each node, leaves first, operands before their uses, -1 for none.
        outputs: literals.
        values: of each node at each point.
        lines: of the program, for each node.
        line_weights: of a constant's values at the points of a line of parameters, where constants must be polynomials.
    """

    program: Program
    leaves: tuple[int, ...]
    rows: Rows
    outputs: Rows
    values: NDArray[np.uint64]
    lines: tuple[int, ...]
    line_weights: tuple[int, ...] = ()

    @property
    def cost(self) -> int:
        """Operations that are counted."""
        return int(np.isin(self.rows[:, 0], (SUM, PRODUCT, QUOTIENT)).sum())

    def raised(self, rows: Rows, outputs: Rows, constants: Constants) -> Program:
        """Return the program of other operations (without the rows of the leaves) on the same leaves.

        Args:
            rows: operations.
            outputs: literals.
            constants: the constant of each row that has one.
        """
        assembly, labels = Assembly(), _labels()
        plain = _plain(self.program)
        copied: dict[int, Signed] = {}
        for i, line in enumerate(self.program.lines):
            if plain[i]:
                copied[i] = assembly.copy(line, [copied[arg] for arg in line.args])
        value = [copied[i] for i in self.leaves]

        def operand(literal: int) -> Signed:
            return negative(value[literal >> 1]) if literal & 1 else value[literal >> 1]

        for i, (op, a, b, label) in enumerate(rows.tolist()):
            if op in SOLVED:
                value.append(_solved(assembly, op, constants(i, assembly, copied), operand, a))
                continue
            name = labels[label] if op == OPAQUE else {SUM: "add", PRODUCT: "mul", QUOTIENT: "div"}[op]
            line = Line(name, (), Stage.APPLIED, free=op == OPAQUE)
            value.append(assembly.copy(line, [operand(x) for x in (a, b) if x >= 0]))
        return assembly.program([operand(literal) for literal in outputs.tolist()])


def _solved(assembly: Assembly, op: int, k: Signed, operand: Callable[[int], Signed], a: int) -> Signed:
    """Return the value of a row with a constant."""
    if op == SCALE:
        return assembly.multiply(k, operand(a))
    if op == SHIFT:
        return assembly.add(operand(a), k)
    return assembly.divide(k, operand(a)) if op == INVERSE else k


def flatten(
    program: Program,
    extra: Sequence[Node] = (),
    spheres: Spheres = (),
    values: Mapping[str, float] | None = None,
    polynomial: bool = False,
) -> Flat:
    """Return a program as arrays.

    Args:
        program: any.
        extra: expressions that cost nothing and that may be used, too, such as the sine of a sum of angles.
        spheres: groups of symbols that form unit vectors.
        values: of parameters, where they have some.
        polynomial: whether constants that the search solves for must be polynomials of the parameters.
    """
    values = values or {}
    spheres = [tuple(group) for group in spheres]
    wanted, extras = _joined(program, extra)
    flat = _flattened(wanted, extras, spheres, values, polynomial)
    if any(flat.values[i].sum() == 0 for i in range(len(flat.leaves), len(flat.rows))):  # an operation that is zero
        wanted, extras = _joined(program, [*extra, Graph().constant(0)])
        flat = _flattened(wanted, extras, spheres, values, polynomial)
    return flat


def differences(before: Program, after: Program, points: int = 2, seed: int = 1, spheres: Spheres = ()) -> list[str]:
    """Return what is wrong with a program that should compute what another does; empty for a proof that it does."""
    faults = after.faults()
    found = None if faults else program_disproof(after, before, points, seed, spheres)
    return faults if found is None else [str(found)]


def _joined(program: Program, extra: Sequence[Node]) -> tuple[Program, set[int]]:
    """Return a program with the lines of further expressions, and which of its lines these are."""
    if not extra:
        return program, set()
    assembly = Assembly()
    outputs: list[Signed] = []
    for part in (program, lower(list(extra))):
        ref: list[Signed] = []
        for line in part.lines:
            if part is not program and line.counted:
                raise InputError("an extra expression of the search costs operations", advice="give what is free")
            ref.append(assembly.copy(line, [ref[arg] for arg in line.args]))
        outputs += [Signed(sign * ref[i].sign, ref[i].line) for sign, i in part.outputs]
    joined = assembly.program(outputs)
    kept = len(program.outputs)
    return Program(joined.lines, joined.outputs[:kept]), {line for _, line in joined.outputs[kept:]}


def _plain(program: Program) -> list[bool]:
    """Return for each line whether neither it nor anything below it is counted."""
    plain: list[bool] = []
    for line in program.lines:
        plain.append(not line.counted and all(plain[arg] for arg in line.args))
    return plain


def _flattened(
    program: Program, extras: Iterable[int], spheres: Spheres, values: Mapping[str, float], polynomial: bool
) -> Flat:
    plain = _plain(program)
    used = {arg for i, line in enumerate(program.lines) if not plain[i] for arg in line.args}
    used.update(extras, (line for _, line in program.outputs))
    leaves = tuple(sorted(i for i in used if plain[i]))
    literal = {line: 2 * node for node, line in enumerate(leaves)}
    rows, labels = [(LEAF, -1, -1, 0)] * len(leaves), _labels()
    source = list(leaves)
    for i, line in enumerate(program.lines):
        if plain[i]:
            continue
        args = [literal[arg] for arg in line.args]
        if line.op == "neg":
            literal[i] = args[0] ^ 1
            continue
        literal[i] = 2 * len(rows)
        source.append(i)
        if line.counted:
            rows.append((OPERATIONS[line.op], args[0], args[1] ^ (line.op == "sub"), 0))
        else:
            rows.append((OPAQUE, args[0], args[1] if len(args) > 1 else -1, labels.index(line.op)))
    speeds = angle_speeds(program) if polynomial else {}
    weights = tuple(line_weights(speeds)) if polynomial else ()
    return Flat(
        program,
        leaves,
        np.array(rows, np.int32).reshape(-1, 4),
        np.array([literal[line] ^ (sign < 0) for sign, line in program.outputs], np.int32),
        _values(program, source, spheres, values, speeds, len(weights)),
        tuple(source),
        weights,
    )


def _labels() -> list[str]:
    """Return what an opaque row can compute, by label."""
    return [*ANGLE_SUMS, *FUNCTIONS]


def _at_home(nodes: Sequence[Node], point: FieldPoint, parameters: Sequence[dict[Node, int]]) -> dict[Node, int]:
    """Return the values of nodes with the first numbers of parameters that divide by no zero."""
    *some, last = parameters
    for known in some:
        with suppress(InputError):
            return point.values(nodes, dict(known))
    return point.values(nodes, dict(last))


def _in_angles(program: Program) -> set[int]:
    """Return the operations that are part of the argument of a sine or cosine."""
    found: set[int] = set()
    for i in range(len(program.lines) - 1, -1, -1):
        line = program.lines[i]
        if line.op in ("sin", "cos") or i in found:
            found.update(line.args)
    return {i for i in found if program.lines[i].counted}


def _values(
    program: Program,
    source: Sequence[int],
    spheres: Spheres,
    values: Mapping[str, float],
    speeds: Mapping[str, int],
    on_line: int,
) -> NDArray[np.uint64]:
    """Return the values of lines at the points of the search, then at two states a point of a line of parameters."""
    # A square root is any number. What an angle is formed by gets values of its own, so that nothing else is taken
    # for it: equal numbers need not be angles whose sines are known to be equal.
    hidden = {i for i, line in enumerate(program.lines) if line.op == "sqrt" and line.stage > Stage.PARAMETER}
    lines = [
        Line("input", (), line.stage, f"\0 sqrt {i}") if i in hidden else line for i, line in enumerate(program.lines)
    ]
    graph = Graph()
    parameters = {line.data for line in lines if line.op == "input" and line.stage == Stage.PARAMETER}
    nodes = Program(tuple(lines), tuple(Signed(1, i) for i in source)).trace(graph)
    formed = _in_angles(program)
    for k, i in enumerate(source):
        if program.lines[i].free or i in formed:
            nodes[k] = graph.symbol(f"\0 angle {i}", program.lines[i].stage)
    home = {graph.symbol(name): residue(Fraction(x)) % PRIME for name, x in values.items() if name in parameters}
    least = NOISE * max(map(abs, values.values()), default=0.0)
    quiet = home | {graph.symbol(name): 0 for name, x in values.items() if name in parameters and abs(x) <= least}
    columns = [FieldPoint(SEED, 0, spheres, state=state).evaluate(nodes) for state in range(HOME)]
    for state in range(HOME, POINTS):
        known = _at_home(nodes, FieldPoint(SEED, 1, spheres, state=state), (quiet, home, {}))
        columns.append([known[node] for node in nodes])
    for sigma in range(on_line):
        columns += [LinePoint(sigma, speeds, SEED, spheres, state).evaluate(nodes) for state in range(2)]
    return np.array(columns, np.uint64).T.reshape(-1, len(columns)).copy()
