"""Singular configurations: the zeros of the Jacobian's determinant, in formulas and in words.

The words are tested, not guessed: a factor that divides z_i x z_k makes two axes parallel, one that divides
every component of the velocity a joint gives puts the point onto its axis, one that divides v_i x v_k makes two
joints move the point along one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from taut.closed_form.inverse import Inverse
from taut.closed_form.writing import LATEX, TEXT, Notation, written
from taut.graph import Stage
from taut.polynomials.algebra import Polynomial
from taut.spatial import Vec3


@dataclass(frozen=True)
class Singularity:
    """One family of singular configurations.

    Attributes:
        inverse: of the arm.
        factor: what vanishes there.
        power: how often it divides the determinant.
        joints: numbers of the joints whose velocities become dependent, from 1.
        words: what happens.
    """

    inverse: Inverse
    factor: Polynomial
    power: int
    joints: tuple[int, ...]
    words: str

    @property
    def formula(self) -> str:
        """The condition, e.g. ``S5 = 0``."""
        return f"{written(self.inverse.ring, self.factor)} = 0"

    @property
    def latex(self) -> str:
        """The condition in LaTeX."""
        return f"{written(self.inverse.ring, self.factor, LATEX)} = 0"

    def __str__(self) -> str:
        return f"{self.formula}: {self.words}"

    def condition(self, notation: Notation = TEXT) -> str:
        """Return the condition in a notation."""
        return self.latex if notation.latex else self.formula


def singularities(inverse: Inverse) -> list[Singularity]:
    """Return the factors of the determinant that a configuration can make zero, with what they mean."""
    return [
        Singularity(inverse, f, power, _joints(inverse, k), _words(inverse, k))
        for k, (f, power) in enumerate(zip(inverse.determinant.factors, inverse.determinant.powers, strict=True))
        if _depends_on_configuration(inverse, f)
    ]


def _depends_on_configuration(inverse: Inverse, f: Polynomial) -> bool:
    generators = inverse.ring.generators
    return any(e > 0 and g.node.stage > Stage.PARAMETER for g, e in zip(generators, f.degrees(), strict=True))


def _joints(inverse: Inverse, factor: int) -> tuple[int, ...]:
    numbers = inverse.task.jacobian.chain.numbers
    blocks = zip(inverse.task.blocks, inverse.determinant.of_block, strict=True)
    return tuple(sorted(numbers[c] for block, powers in blocks if powers[factor] for c in block.columns))


def _words(inverse: Inverse, factor: int) -> str:
    J = inverse.task.jacobian
    f = inverse.half.in_single(inverse.determinant.factors[factor])
    facts = _Facts(inverse, f)
    number, point = J.chain.numbers, J.point_name
    for i, k in facts.axes_that_fall_together():
        in_line = not any(facts.carries(j) for j in (i, k))
        return f"wrist: axes {number[i]} and {number[k]} {'in line' if in_line else 'parallel'}"
    for j in facts.point_on_axis():
        return f"shoulder: the {point} on axis {number[j]}"
    for i, k in facts.joints_that_pull_one_way():
        same = all(x == 0 for x in facts.reduced(facts.w[i].cross(facts.w[k])))
        words = "elbow: arm straight or folded, " if same else "shoulder: "
        return f"{words}joints {number[i]} and {number[k]} move the {point} along one line"
    for h, i, k in facts.axes_in_one_plane():
        return f"elbow: arm straight or folded, axes {number[h]}, {number[i]} and {number[k]} in one plane"
    joints = _joints(inverse, factor)
    listed = ", ".join(map(str, joints))
    return f"joint{'s' if len(joints) > 1 else ''} {listed} can do nothing that the others could not"


class _Facts:
    """What vanishes together with a factor of the determinant."""

    def __init__(self, inverse: Inverse, f: Polynomial) -> None:
        self.inverse, self.f = inverse, f
        J = inverse.task.jacobian
        self.joints = [j for j, link in enumerate(J.chain.links[: J.chain.n]) if link.pure_turn]
        self.v = {j: Vec3(*(J.matrix[k][j] for k in range(3))) for j in self.joints}
        self.w = {j: Vec3(*(J.matrix[k][j] for k in range(3, 6))) for j in self.joints}

    def carries(self, j: int) -> bool:
        """Whether a joint moves the point at all."""
        return any(x != 0 for x in self.v[j])

    def axes_that_fall_together(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of axes of the last three that become parallel."""
        last = self.joints[-3:]
        return ((i, k) for i, k in combinations(last, 2) if self._vanishes(self.w[i].cross(self.w[k])))

    def point_on_axis(self) -> Iterator[int]:
        """Yield the joints that no longer move the point."""
        return (j for j in self.joints if self._vanishes(self.v[j]))

    def joints_that_pull_one_way(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of joints, neighbours first, that move the point along one line."""
        pairs = sorted(combinations(self.joints, 2), key=lambda pair: pair[1] - pair[0])
        return ((i, k) for i, k in pairs if self._vanishes(self.v[i].cross(self.v[k])))

    def axes_in_one_plane(self) -> Iterator[tuple[int, int, int]]:
        """Yield triples of parallel axes that come to lie in a plane."""
        for h, i, k in combinations(self.joints, 3):
            parallel = all(x == 0 for j in (i, k) for x in self.reduced(self.w[h].cross(self.w[j])))
            if parallel and self._vanishes((self.v[h] - self.v[i]).cross(self.v[i] - self.v[k])):
                yield h, i, k

    def reduced(self, vector: Vec3) -> list[Polynomial]:
        """Return the components in canonical form."""
        return [self.inverse.ring.reduced(x) for x in vector]

    def _vanishes(self, vector: Vec3) -> bool:
        """Whether a vector that is not zero everywhere has the factor in all its components."""
        entries = self.reduced(vector)
        divided = (self.inverse.half.divided(x, self.f) for x in entries)
        return any(x != 0 for x in entries) and all(quotient is not None for quotient in divided)
