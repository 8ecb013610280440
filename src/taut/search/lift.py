"""Turns the search's result back into a program; each constant it solved for becomes a formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taut.graph.assembly import Assembly
from taut.graph.lower import lower
from taut.graph.node import Node
from taut.graph.program import Program, Signed
from taut.graph.prove import Spheres
from taut.search.flat import INVERSE, SCALE, SHIFT, Flat, Rows
from taut.search.origins import Origins


@dataclass(frozen=True)
class Found:
    """The best program of a search.

    Attributes:
        rows: (op, a, b, label) of its operations, which follow the leaves.
        outputs: literals.
        known_by: for each leaf and operation, its place in the log.
        log: how every value came to be known.
    """

    rows: Rows
    outputs: Rows
    known_by: Rows
    log: Rows


def lifted(flat: Flat, found: Found, spheres: Spheres = ()) -> Program:
    """Return the program of what a search found.

    Raises:
        NoFormula: for a constant that has none at the states tried.
    """
    origins = Origins(flat, [tuple(row) for row in found.log.tolist()], spheres)
    rows, known_by = found.rows.tolist(), found.known_by.tolist()
    leaves = len(flat.leaves)

    def constant(row: int, assembly: Assembly, copied: Mapping[int, Signed]) -> Signed:
        op, a, _, _ = rows[row]
        t = known_by[leaves + row]
        if op == SCALE:
            k = origins.multiple(t, known_by[a >> 1])
        elif op == SHIFT:
            k = origins.shift(t, known_by[a >> 1], bool(a & 1))
        else:
            k = origins.product(t, known_by[a >> 1]) if op == INVERSE else origins.constant(t)
        expanded = origins.expanded(k)
        if expanded is not None:
            return _atom(expanded, assembly, copied)
        return origins.known.assembled(k, assembly, lambda atom: _atom(atom, assembly, copied))

    return flat.raised(found.rows, found.outputs, constant)


def _atom(atom: int | Node, assembly: Assembly, copied: Mapping[int, Signed]) -> Signed:
    """Return an atom's value: a line that is there already, or a function of constants."""
    if isinstance(atom, int):
        return copied[atom]
    part = lower([atom])
    ref: list[Signed] = []
    for line in part.lines:
        ref.append(assembly.copy(line, [ref[arg] for arg in line.args]))
    sign, i = part.outputs[0]
    return Signed(sign * ref[i].sign, ref[i].line)
