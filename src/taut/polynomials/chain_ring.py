"""Entries of Jacobians as polynomials in lengths, slides, sines and cosines, held by FLINT.

The canonical form is written in the single angles, with every cos^2 replaced by 1 - sin^2: two entries are equal
when their polynomials are. For a reader the same entry is written in whichever sums of parallel joints, and
whichever squares, leave the fewest terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from taut.graph import Node, topological
from taut.graph.text import to_text
from taut.polynomials.algebra import Circles, Polynomial, combined, fraction, rational
from taut.polynomials.stretches import Angle, Run, Sum
from taut.polynomials.working_angles import angle_name


@dataclass(frozen=True)
class Generator:
    """One letter of a polynomial: its name for a reader and what it stands for."""

    name: str
    node: Node


class Ring:
    """The polynomials of one arm.

    Args:
        angles: single angles, as (label, node): of joints and of constant twists.
        runs: joints with parallel axes.
        plain: everything that is no angle: lengths and slides.
        joints: coordinates of the whole robot: more than nine change how sums of them are named.
    """

    def __init__(
        self, angles: Sequence[tuple[str, Node]], runs: Sequence[Run], plain: Sequence[Node], joints: Sequence[Node]
    ) -> None:
        self._joints = joints
        self.single = [Angle(label, node, ((k, 1),)) for k, (label, node) in enumerate(angles)]
        self.runs = [run for run in runs if len(run.joints) > 1]
        self.sums: dict[tuple[int, Sum], int] = {}
        self.angles = list(self.single)
        for at, run in enumerate(self.runs):
            for i, (joint, _) in enumerate(run.joints):
                self.sums[at, (i, i)] = joint
            for stretch in run.sums:
                self.sums[at, stretch] = len(self.angles)
                self.angles.append(self._sum(run.joints[stretch[0] : stretch[1] + 1]))
        self.generators = [Generator(f"C{a.label}", a.node.cos()) for a in self.angles]
        self.generators += [Generator(f"S{a.label}", a.node.sin()) for a in self.angles]
        self.generators += [Generator(to_text(node), node) for node in plain]
        self.context = fmpq_mpoly_ctx.get([f"x{k}" for k in range(len(self.generators))], Ordering.lex)
        self._gens = self.context.gens()
        self._of_node = {g.node: x for g, x in zip(self.generators, self._gens, strict=True)}
        self._circles = Circles(self._gens, len(self.angles))
        self._shortest: dict[str, Polynomial] = {}
        self.zero, self.one = self.context.constant(0), self.context.constant(1)

    def _sum(self, joints: Sequence[tuple[int, int]]) -> Angle:
        lead = joints[0][1]  # a sum and its negative are one angle: the first joint counts positive
        signed = [(k, sign * lead) for k, sign in joints]
        node = sum((sign * self.single[k].node for k, sign in signed[1:]), self.single[signed[0][0]].node)
        label = angle_name({self.single[k].node: sign for k, sign in signed}, self._joints)
        return Angle(label, node, tuple(signed))

    # -- making -------------------------------------------------------------------

    @property
    def plain(self) -> Sequence[Polynomial]:
        """Lengths and slides."""
        return self._gens[2 * len(self.angles) :]

    def cos_sin(self, angle: int) -> tuple[Polynomial, Polynomial]:
        """Return the cosine and sine of an angle, by its number."""
        return self._gens[angle], self._gens[angle + len(self.angles)]

    def turn(self, terms: Sequence[tuple[int, int]]) -> tuple[Polynomial, Polynomial]:
        """Return cosine and sine of a signed sum of angles, multiplied out."""
        c, s = self.one, self.zero
        for angle, sign in terms:
            ca, sa = self.cos_sin(angle)
            c, s = c * ca - sign * s * sa, s * ca + sign * c * sa
        return self.reduced(c), self.reduced(s)

    def polynomial(self, x: Any) -> Polynomial:
        """Return a number, or a node over the generators, as a polynomial."""
        if isinstance(x, fmpq_mpoly):
            return x
        if not isinstance(x, Node):
            return self.context.constant(rational(x))
        value: dict[Node, Polynomial] = {}
        for node in topological([x]):
            if node in self._of_node:
                value[node] = self._of_node[node]
            elif (made := combined(node, value, self.context.constant)) is not None:
                value[node] = made
        return self.reduced(value[x])

    # -- canonical form -------------------------------------------------------------

    def reduced(self, p: Any) -> Polynomial:
        """Return the canonical form: no square of a cosine is left."""
        return self._circles.reduced(self.polynomial(p))

    def _with_cosines(self, p: Polynomial, angle: int) -> Polynomial:
        """Return the form in which no square of the sine of an angle is left."""
        swapped = list(self._gens)
        k, m = angle, angle + len(self.angles)
        swapped[k], swapped[m] = swapped[m], swapped[k]
        c, s = self.cos_sin(angle)
        return divmod(p.compose(*swapped), c * c + s * s - 1)[1].compose(*swapped)

    # -- for a reader ---------------------------------------------------------------

    def shortest(self, p: Any) -> Polynomial:
        """Return the same function with the fewest terms found: sums of parallel joints, squares of one kind.

        The factor of each product of lengths and slides is shortened on its own.
        """
        p = self.reduced(p)
        known = str(p)
        if known not in self._shortest:
            total = self.zero
            for beside, part in self._by_plain(p):
                total += beside * self._shortened(part)
            self._shortest[known] = total
        return self._shortest[known]

    def _shortened(self, best: Polynomial) -> Polynomial:
        for at in range(len(self.runs)):
            forms = [self.reduced(best.compose(*images)) for images in self._images[at]]
            best = min([best, *forms], key=length)
        for k in range(len(self.angles)):
            if best.degrees()[k + len(self.angles)] > 1:
                best = min(best, self._with_cosines(best, k), key=length)
        return best

    def _by_plain(self, p: Polynomial) -> list[tuple[Polynomial, Polynomial]]:
        """Return (product of lengths and slides, polynomial in sines and cosines) whose products add up to p."""
        first = 2 * len(self.angles)
        groups: dict[tuple[int, ...], dict[tuple[int, ...], fmpq]] = {}
        for powers, c in p.terms():
            beside = (0,) * first + tuple(powers[first:])
            groups.setdefault(beside, {})[(*powers[:first], *(0,) * (len(powers) - first))] = c
        return [(self.context.from_dict({k: 1}), self.context.from_dict(v)) for k, v in groups.items()]

    @cached_property
    def _images(self) -> list[list[list[Polynomial]]]:
        """For every run and basis, what each generator becomes; only single angles may stand in what is changed."""
        images = []
        for at, run in enumerate(self.runs):
            of_run = []
            for basis in run.bases():
                image = list(self._gens)
                for i, (joint, sign) in enumerate(run.joints):
                    way = run.joint_in(basis, i)
                    c, s = self.turn([(self.sums[at, part], s * run.joints[part[0]][1]) for part, s in way])
                    image[joint], image[joint + len(self.angles)] = c, sign * s
                of_run.append(image)
            images.append(of_run)
        return images

    def node(self, p: Any) -> Node:
        """Return a polynomial as a node of the graph."""
        graph = self.generators[0].node.graph
        terms = []
        for powers, coefficient in self.polynomial(p).terms():
            factors = [(self.generators[k].node, int(e)) for k, e in enumerate(powers) if e]
            terms.append((1, graph.product(fraction(coefficient), factors)))
        return graph.linear(0, terms)

    def values(self, chosen: Mapping[int, fmpq], p: Polynomial) -> fmpq:
        """Return the value of a canonical polynomial for values of its generators, by number."""
        return p(*(chosen.get(k, fmpq(0)) for k in range(len(self.generators))))


def length(p: Polynomial) -> tuple[int, int]:
    """Return how long a polynomial reads: terms, then letters."""
    return len(p), sum(sum(powers) for powers in p.monoms())
