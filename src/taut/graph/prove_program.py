"""Two programs compared at random points of GF(2^61 - 1), line by line.

Only elementary functions need the rules of :mod:`taut.graph.field`, so they and what they are computed from become
nodes; every other line is one operation on integers. This is many times faster than tracing whole programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taut.graph.elementary import FUNCTIONS
from taut.graph.field import PRIME, power, residue
from taut.graph.node import Graph, Node
from taut.graph.program import Line, Program, Signed
from taut.graph.prove import Disproof, Spheres, samples
from taut.graph.stage import Stage

LEFT_OUT = Line("constant", (), Stage.CONSTANT, 0)
"""Stands for a line that no elementary function needs."""


def program_disproof(
    left: Program, right: Program, points: int = 2, seed: int = 1, spheres: Spheres = ()
) -> Disproof | None:
    """Return where two programs of as many outputs differ first, None where they are equal.

    Args:
        left: a program.
        right: what it should compute.
        points: how many random points.
        seed: choose another for fresh points.
        spheres: groups of symbols that form unit vectors.
    """
    graph = Graph()
    nodes = [_inputs_and_functions(program, graph) for program in (left, right)]
    groups = [tuple(group) for group in spheres]
    for index, value in samples([node for known in nodes for node in known.values()], points, seed, groups):
        found, expected = (
            _outputs(program, {i: value[node] for i, node in known.items()})
            for program, known in zip((left, right), nodes, strict=True)
        )
        for output, (a, b) in enumerate(zip(found, expected, strict=True)):
            if a != b:
                return Disproof(output, index, a, b)
    return None


def disproof_by_nodes(
    program: Program, expected: Sequence[Node], points: int = 3, seed: int = 0, spheres: Spheres = ()
) -> Disproof | None:
    """Return where a program differs first from expressions, None where it computes them.

    Args:
        program: the program.
        expected: what its outputs should be, in any graph.
        points: how many random points.
        seed: choose another for fresh points.
        spheres: groups of symbols that form unit vectors.
    """
    nodes = _inputs_and_functions(program, Graph())
    groups = [tuple(group) for group in spheres]
    for index, value in samples([*nodes.values(), *expected], points, seed, groups):
        found = _outputs(program, {i: value[node] for i, node in nodes.items()})
        for output, (a, node) in enumerate(zip(found, expected, strict=True)):
            if a != value[node]:
                return Disproof(output, index, a, value[node])
    return None


def _inputs_and_functions(program: Program, graph: Graph) -> dict[int, Node]:
    """Return the nodes of the lines that are inputs or elementary functions."""
    chosen = [i for i, line in enumerate(program.lines) if line.op == "input" or line.op in FUNCTIONS]
    needed = set(chosen)
    for i in range(len(program.lines) - 1, -1, -1):
        if i in needed:
            needed.update(program.lines[i].args)
    lines = tuple(line if i in needed else LEFT_OUT for i, line in enumerate(program.lines))
    return dict(zip(chosen, Program(lines, tuple(Signed(1, i) for i in chosen)).trace(graph), strict=True))


def _outputs(program: Program, known: Mapping[int, int]) -> list[int]:
    """Return the values of the outputs in the field for those of inputs and elementary functions."""
    value: list[int] = []
    for i, line in enumerate(program.lines):
        if i in known:
            value.append(known[i])
        elif line.op == "constant":
            value.append(residue(line.data) % PRIME)
        elif line.op == "neg":
            value.append(-value[line.args[0]] % PRIME)
        else:
            a, b = (value[arg] for arg in line.args)
            if line.op == "mul":
                value.append(a * b % PRIME)
            elif line.op == "div":
                value.append(a * power(b, -1) % PRIME)
            else:
                value.append((a + b if line.op == "add" else a - b) % PRIME)
    return [sign * value[i] % PRIME for sign, i in program.outputs]
