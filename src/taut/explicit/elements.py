"""The elements of M, b, c and g as polynomials.

M and g are traced and multiplied out; b and c are Christoffel symbols, derivatives of M:

.. math:: b_{ijk} = \\frac{\\partial M_{ij}}{\\partial q_k} + \\frac{\\partial M_{ik}}{\\partial q_j}
          - \\frac{\\partial M_{jk}}{\\partial q_i}, \\qquad
          c_{ij} = \\frac{\\partial M_{ij}}{\\partial q_j} - \\frac{1}{2} \\frac{\\partial M_{jj}}{\\partial q_i}

[Burdick 1986, eq. (15)]. Derivatives of sparse polynomials are cheap, and equal elements come out equal.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from taut.algorithms.coefficients import explicit_terms
from taut.errors import InputError
from taut.explicit.parameters import NamedRobot, Progress
from taut.graph import Stage
from taut.polynomials.algebra import Polynomial
from taut.polynomials.torque_ring import Ring, TooLong, parameter_atoms
from taut.polynomials.working_angles import working_angles
from taut.questions.rigid_body import gravity, mass_matrix

SPREAD = 5
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
    """The elements of one robot, traced once and multiplied out in the ring asked for.

    With numbers modulo a prime for the parameters every coefficient is a mark: what vanishes, what is equal and
    what is shortest is decided by marks, and formulas are multiplied out for what is left.
    """

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
        """Return the ring of the elements; with numbers for parameters where their formulas do not matter."""
        atoms = parameter_atoms([*self._M.values(), *self._g])
        return Ring(self._graph, self.angles, self.slides, atoms, numbers)

    def marks(self, ring: Ring, limit: int) -> dict[str, Polynomial]:
        """Return {name: polynomial} with numbers for the parameters; ends beyond ten times the limit."""

        def short(terms: int) -> None:
            if terms > 10 * limit:
                raise too_long(self._name, f"more than {terms:,} terms", limit)

        found, total = {}, 0
        for name, polynomial in self._elements(ring, short):
            found[name] = polynomial()
            total += len(found[name])
            short(total)
        return self._in_order(found)

    def elements(
        self, ring: Ring, wanted: Container[str], limit: int, progress: Progress | None = None
    ) -> dict[str, Polynomial]:
        """Return {name: polynomial} of the elements wanted, in the model's order."""

        def short(terms: int) -> None:
            if terms > SPREAD * limit:
                raise too_long(self._name, f"more than {terms:,} products of parameters", limit)

        found, total = {}, 0
        for name, polynomial in self._elements(ring, short):
            if name in wanted:
                found[name] = polynomial()
                total += len(found[name])
                short(total)
                if progress is not None:
                    progress(f"multiplied out {name}", total)
        return self._in_order(found)

    def _in_order(self, found: dict[str, Polynomial]) -> dict[str, Polynomial]:
        return {term.name: found[term.name] for term in explicit_terms(self.n) if term.name in found}

    def _elements(self, ring: Ring, checked: TooLong) -> Iterator[tuple[str, Callable[[], Polynomial]]]:
        """Yield names and what computes them; M and g first, then what follows from derivatives of M."""
        found = ring.polynomials([*self._M.values(), *self._g], checked)
        M = dict(zip(self._M, found, strict=False))
        slopes: dict[tuple[int, int, int], Polynomial] = {}

        def D(i: int, j: int, k: int) -> Polynomial:
            at = (min(i, j), max(i, j), k)
            if at not in slopes:
                slopes[at] = ring.derivative(M[at[:2]], self.q[k])
            return slopes[at]

        compute: dict[str, Callable[..., Polynomial]] = {
            "M": lambda i, j: M[i, j],
            "b": lambda i, j, k: D(i, j, k) + D(i, k, j) - D(j, k, i),
            "c": lambda i, j: D(i, j, j) - ring.half(D(j, j, i)),
            "g": lambda i: found[len(M) + i],
        }
        for term in explicit_terms(self.n):
            yield term.name, partial(compute[term.kind], *term.indices)


def size_of(marks: Mapping[str, Polynomial]) -> Size:
    """Return how many terms the canonical form has."""
    found = {"M": 0, "g": 0, "b": 0, "c": 0}
    for name, polynomial in marks.items():
        found[name[0]] += len(polynomial)
    return Size(found["M"], found["g"], found["b"] + found["c"])


def too_long(name: str, found: str, limit: int) -> InputError:
    """Return the refusal of a readable model."""
    return InputError(
        f"the readable form of '{name}' has {found}, more than the limit of {limit:,}",
        "explicit",
        "raise limit=..., or take the tight form: robot.derive('explicit')",
    )
