"""What are the elements of M, b, c and g as polynomials?

M and g are traced and multiplied out; b and c are Christoffel symbols, derivatives of M:

.. math:: b_{ijk} = \\frac{\\partial M_{ij}}{\\partial q_k} + \\frac{\\partial M_{ik}}{\\partial q_j}
          - \\frac{\\partial M_{jk}}{\\partial q_i}, \\qquad
          c_{ij} = \\frac{\\partial M_{ij}}{\\partial q_j} - \\frac{1}{2} \\frac{\\partial M_{jj}}{\\partial q_i}

[Burdick 1986, eq. (15)]. Derivatives of sparse polynomials are cheap, and equal elements come out equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from taut.algorithms.coefficients import explicit_terms
from taut.errors import InputError
from taut.explicit.model import element_name
from taut.explicit.parameters import NamedRobot, Progress
from taut.explicit.polynomial import Polynomial, Ring, TooLong, parameter_atoms
from taut.explicit.runs import working_angles
from taut.functions import gravity, mass_matrix
from taut.graph import Stage

SPREAD = 40
"""Products of parameters allowed for each term of the limit: formulas of constants count less than terms."""


@dataclass(frozen=True)
class Size:
    """How long a readable model would be, known before it is written.

    Attributes:
        mass: terms of M, multiplied out over lumped constants.
        gravity: of g.
        velocity: of b and c.
    """

    mass: int
    gravity: int
    velocity: int

    @property
    def terms(self) -> int:
        """All terms."""
        return self.mass + self.gravity + self.velocity

    def __str__(self) -> str:
        return f"{self.terms:,} terms: M {self.mass:,}, b and c {self.velocity:,}, g {self.gravity:,}"


class Expansion:
    """The elements of one robot, traced once and multiplied out in the ring asked for."""

    def __init__(self, named: NamedRobot) -> None:
        tree, graph = named.tree, named.graph
        self.q = [graph.symbol(f"q{k + 1}", Stage.CONFIGURATION) for k in range(tree.nv)]
        self.n = tree.nv
        self._graph, self._name = graph, tree.name
        M, g = mass_matrix(tree, self.q), gravity(tree, self.q)
        self._M = {(i, j): graph.lift(M[i][j]) for i in range(self.n) for j in range(i, self.n)}
        self._g = [graph.lift(x) for x in g]
        self.angles = working_angles(tree, self.q)
        turning = {angle.symbol for angle in self.angles}
        self.slides = [x for x in self.q if x not in turning]

    def ring(self, numbers: bool = False) -> Ring:
        """Return the ring of the elements; with numbers for parameters where only sizes are asked for."""
        atoms = parameter_atoms([*self._M.values(), *self._g])
        return Ring(self._graph, self.angles, self.slides, atoms, numbers)

    def size(self, limit: int) -> Size:
        """Return how many terms the canonical form has; counting ends beyond ten times the limit."""
        ring = self.ring(numbers=True)
        found = {"M": 0, "g": 0, "b": 0, "c": 0}

        def short(terms: int) -> None:
            if terms > 10 * limit:
                raise too_long(self._name, f"more than {terms:,} terms", limit)

        for name, polynomial in self._elements(ring, short):
            found[name[0]] += len(polynomial)
            short(sum(found.values()))
        return Size(found["M"], found["g"], found["b"] + found["c"])

    def elements(self, ring: Ring, limit: int, progress: Progress | None = None) -> dict[str, Polynomial]:
        """Return {name: polynomial} in the model's order."""

        def short(terms: int) -> None:
            if terms > SPREAD * limit:
                raise too_long(self._name, f"more than {terms:,} products of parameters", limit)

        found, total = {}, 0
        for name, polynomial in self._elements(ring, short):
            found[name] = polynomial
            total += len(polynomial)
            short(total)
            if progress is not None:
                progress(f"multiplied out {name}", total)
        return {element_name(kind, at): found[element_name(kind, at)] for kind, at in explicit_terms(self.n)}

    def _elements(self, ring: Ring, checked: TooLong) -> Iterator[tuple[str, Polynomial]]:
        """Yield the elements; M and g first, then what follows from derivatives of M."""
        n = range(self.n)
        found = ring.polynomials([*self._M.values(), *self._g], checked)
        M = dict(zip(self._M, found, strict=False))
        for at, polynomial in M.items():
            yield element_name("M", at), polynomial
        for i, polynomial in enumerate(found[len(M) :]):
            yield element_name("g", (i,)), polynomial
        slope = {(*at, k): ring.derivative(M[at], self.q[k]) for at in M for k in n}

        def D(i: int, j: int, k: int) -> Polynomial:
            return slope[min(i, j), max(i, j), k]

        for i in n:
            for j in n:
                for k in n[j + 1 :]:
                    yield element_name("b", (i, j, k)), D(i, j, k) + D(i, k, j) - D(j, k, i)
                yield element_name("c", (i, j)), D(i, j, j) - ring.half(D(j, j, i))


def too_long(name: str, found: str, limit: int) -> InputError:
    """Return the refusal of a readable model."""
    return InputError(
        f"the readable form of '{name}' has {found}, more than the limit of {limit:,}",
        "explicit",
        "raise limit=..., or take the tight form: robot.derive('explicit')",
    )
