"""The explicit model: M, b, c and g element by element, over named constants and configuration terms.

.. math:: \\tau_i = \\sum_j M_{ij} \\ddot q_j + \\sum_{j<k} b_{ijk} \\dot q_j \\dot q_k
          + \\sum_j c_{ij} \\dot q_j^2 + g_i

Every element is a sum of terms ``factor * constant * monomial``; a constant is a formula in the robot's
elementary parameters, a monomial a product of sines, cosines and slides in the reader's notation: ``C2``
is cos q2, ``S23`` is sin(q2 + q3), ``C223`` is cos(2 q2 + q3), ``S12m4`` is sin(q1 + q2 - q4), ``q3`` a slide.
Where an element follows from others, its :class:`Relation` states how; its own sum is kept as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from taut.algorithms.coefficients import Term as Coefficient
from taut.derive.checks.truth import Difference
from taut.errors import InputError
from taut.graph import Graph, Node
from taut.questions.arguments import ARGUMENTS

if TYPE_CHECKING:
    from taut.derive.function import Function, Proof
    from taut.explicit.elements import Size
    from taut.explicit.rate_matrices import RateMatrices
    from taut.explicit.sympy_form import SympyForm
    from taut.robot import Tree

Monomial = tuple[tuple[str, int], ...]
"""((generator, power), ...) in the order of the model's generators; empty for 1."""


@dataclass(frozen=True)
class Term:
    """``factor * constant * monomial``.

    Attributes:
        factor: a rational number.
        constant: name of a lumped constant; None where there is none but the factor.
        monomial: powers of generators.
    """

    factor: Fraction
    constant: str | None
    monomial: Monomial = ()

    def times(self, factor: Fraction | int) -> Term:
        """Return the term multiplied by a number."""
        return replace(self, factor=self.factor * factor)


@dataclass(frozen=True)
class Relation:
    """How an element follows from others: the sum of ``factor * element`` and of extra terms.

    Attributes:
        text: as a person writes it, e.g. ``b413 = -b314``.
        kind: ``zero``, ``equal``, ``negated``, ``multiple``, ``plus a term`` or ``plus terms``.
        parts: ((factor, name of an element), ...).
        extra: terms to add.
    """

    text: str
    kind: str
    parts: tuple[tuple[Fraction, str], ...] = ()
    extra: tuple[Term, ...] = ()

    @property
    def exact_alias(self) -> bool:
        """Whether the element is another one but for a number, or zero."""
        return not self.extra


@dataclass(frozen=True)
class Element:
    """One element of the model.

    Attributes:
        name: ``M11``, ``b112``, ``c12`` (the coefficient of qd2^2 in tau1), ``g1``; ``b1_10_12`` beyond nine joints.
        kind: ``M``, ``b``, ``c`` or ``g``.
        indices: of joints, from 0.
        terms: its own sum, also where a relation exists; none where it is zero.
        relation: how it follows from others, if it does.
    """

    name: str
    kind: str
    indices: tuple[int, ...]
    terms: tuple[Term, ...]
    relation: Relation | None = None

    @property
    def is_zero(self) -> bool:
        """Whether nothing is left of it."""
        return not self.terms

    @property
    def printed_terms(self) -> int:
        """Addends of the text: an element that is another one, or zero, has one."""
        if self.relation is None:
            return max(1, len(self.terms))
        return max(1, len(self.relation.parts) + len(self.relation.extra))

    def __repr__(self) -> str:
        return f"<Element {self.name}: {len(self.terms)} terms>"

    def __str__(self) -> str:
        from taut.explicit.text import element_text

        return element_text(self)

    def _repr_latex_(self) -> str:
        from taut.explicit.latex import displayed, element_latex

        return displayed([element_latex(self)])


@dataclass(frozen=True)
class LumpedConstant:
    """A named constant of the mechanism.

    Attributes:
        name: ``K1``, ``K2``, ...
        formula: in the elementary parameters.
        value: None where a parameter has none.
        tolerance: None where it is not known.
    """

    name: str
    formula: Node
    value: float | None = None
    tolerance: float | None = None

    def __str__(self) -> str:
        from taut.explicit.text import constant_text

        return constant_text(self)

    def _repr_latex_(self) -> str:
        from taut.explicit.latex import constant_latex, displayed

        return displayed([constant_latex(self)])


@dataclass(frozen=True)
class ExplicitModel:
    """The explicit equations of a robot.

    Attributes:
        robot: the robot as given.
        named: the same with every number named: what the formulas are written in.
        graph: where symbols, generators and formulas live.
        generators: {name: node}: sines, cosines and slides.
        angles: {generator: ((joint from 0, coefficient), ...)}: what a sine or cosine is of; slides name their joint.
        constants: {name: constant}, in order of appearance.
        elements: {name: element}: M_ij (i <= j) row by row, b_ijk (i; j < k), c_ij (i, j), g_i.
        values: {elementary parameter: value} where known.
        tolerances: {elementary parameter: tolerance} where known.
        parameters: how the robot's numbers were treated.
        size: how long the canonical form is, before it is shortened.
        notes: what was snapped or left out, in words.
        difference: from the plain numeric algorithm on the file's digits.
        proof: that all elements are the coefficients of the Newton-Euler torque; None where switched off.
        seconds: how long it took.
    """

    robot: Tree
    named: Tree
    graph: Graph
    generators: Mapping[str, Node]
    angles: Mapping[str, tuple[tuple[int, int], ...]]
    constants: Mapping[str, LumpedConstant]
    elements: Mapping[str, Element]
    values: Mapping[str, float] = field(default_factory=dict)
    tolerances: Mapping[str, float] = field(default_factory=dict)
    parameters: str = "pattern"
    size: Size | None = None
    notes: tuple[str, ...] = ()
    difference: Difference | None = None
    proof: Proof | None = None
    seconds: float = 0.0

    @property
    def n(self) -> int:
        """Degrees of freedom."""
        return self.robot.nv

    # -- elements -----------------------------------------------------------------

    @property
    def M(self) -> Access:
        """Elements of the mass matrix, ``M[i, j]`` from 0, in either order."""
        return Access(self, "M")

    @property
    def b(self) -> Access:
        """Coefficients of qd_j qd_k, ``b[i, j, k]`` from 0, j and k in either order."""
        return Access(self, "b")

    @property
    def c(self) -> Access:
        """Coefficients of qd_j^2, ``c[i, j]`` from 0."""
        return Access(self, "c")

    @property
    def g(self) -> Access:
        """Holding torques, ``g[i]`` from 0."""
        return Access(self, "g")

    @property
    def C(self) -> CoriolisAccess:
        """Entries of the Coriolis matrix, ``C[i, j]`` from 0: ((factor, element, joint k of the rate), ...)."""
        return CoriolisAccess(self)

    def symbols(self, argument: str) -> list[Node]:
        """Return the symbols of q, qd or qdd."""
        return [self.graph.symbol(f"{argument}{k + 1}", ARGUMENTS[argument].stage) for k in range(self.n)]

    # -- as expressions -----------------------------------------------------------

    def term_node(self, term: Term) -> Node:
        """Return a term as an expression."""
        if term.monomial not in self._products:
            factors = [(self.generators[name], power) for name, power in term.monomial]
            self._products[term.monomial] = self.graph.product(1, factors)
        node = self._products[term.monomial]
        if term.constant is not None:
            node = self.constants[term.constant].formula * node
        return self.graph.scale(term.factor, node)

    @cached_property
    def _products(self) -> dict[Monomial, Node]:
        return {}

    def sum_node(self, terms: Sequence[Term]) -> Node:
        """Return a sum of terms as an expression."""
        return self.graph.linear(0, [(1, self.term_node(term)) for term in terms])

    def outputs(self, torque: bool = False) -> list[Node]:
        """Return M, b, c, g in the order of ``elements``, then tau where asked for, with relations and terms shared."""
        from taut.explicit.readable import readable_outputs

        return readable_outputs(self, torque)

    def function(self, form: str = "readable", torque: bool = False, **options: Any) -> Function:
        """Return the model as a program.

        Args:
            form: ``readable``: the sums as they are printed; ``tight``: fewest operations, see :func:`taut.derive`.
            torque: also the torque, after all elements.
            options: of :func:`taut.derive.derive`, for the tight form.
        """
        from taut.explicit.readable import readable_function, tight_function

        if form == "readable":
            return readable_function(self, torque)
        if form == "tight":
            return tight_function(self, torque, **options)
        raise InputError(f"unknown form '{form}'", "explicit", "choose readable or tight")

    def prove(self, points: int = 3) -> Proof:
        """Compare every element and every relation with the Newton-Euler torque; a difference is an error."""
        from taut.explicit.prove import prove

        return prove(self, points)

    # -- variants -----------------------------------------------------------------

    def with_terms(self, kept: Mapping[str, Sequence[Term]]) -> ExplicitModel:
        """Return the model with other sums for some elements; relations stay where they still hold term by term."""
        from taut.explicit.variants import with_terms

        return with_terms(self, kept)

    def renamed(self, names: Mapping[str, str]) -> ExplicitModel:
        """Return the model with other names for some of its constants."""
        from taut.explicit.variants import renamed

        return renamed(self, names)

    @property
    def rate_matrices(self) -> RateMatrices:
        """M, B, C, G, qq and q2 of tau = M qdd + B qq + C q2 + G as texts; see :mod:`taut.explicit.rate_matrices`."""
        from taut.explicit.rate_matrices import matrices_of

        return matrices_of(self)

    # -- what it shows --------------------------------------------------------------

    @cached_property
    def unique_christoffel(self) -> int:
        """How many of the non-zero b and c are left when those that are another one but for a number are left out."""
        symbols = [e for e in self.elements.values() if e.kind in "bc" and not e.is_zero]
        return sum(not (e.relation and e.relation.exact_alias) for e in symbols)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Every relation between elements, in their order; that an element is zero is none."""
        found = [element.relation for element in self.elements.values()]
        return tuple(relation for relation in found if relation is not None and relation.parts)

    @property
    def term_count(self) -> int:
        """Addends of all elements that do not follow from others."""
        return sum(e.printed_terms for e in self.elements.values() if not (e.relation and e.relation.exact_alias))

    def __repr__(self) -> str:
        proved = "proved" if self.proof else "not proved"
        return (
            f"<{type(self).__name__} of {self.robot.name}: {self.n} joints, {len(self.constants)} constants, "
            f"{self.term_count} terms, {proved}; .text() is all of it>"
        )

    def text(self) -> str:
        """Return the whole model: notation, constants, elements, what is zero."""
        from taut.explicit.text import model_text

        return model_text(self)

    # -- forms --------------------------------------------------------------------

    def _repr_html_(self) -> str:
        from taut.explicit.html import model_html

        return model_html(self)

    def _repr_latex_(self) -> str:
        from taut.explicit.latex import displayed, element_latex

        return displayed([element_latex(e) for e in self.elements.values() if not e.is_zero])

    def to_sympy(self) -> SympyForm:
        """Return the model as SymPy expressions; see :class:`taut.explicit.sympy_form.SympyForm`."""
        from taut.explicit.sympy_form import to_sympy

        return to_sympy(self)

    def from_sympy(self, elements: Mapping[str, Any]) -> ExplicitModel:
        """Return the model with elements read from SymPy; see :func:`taut.explicit.sympy_form.from_sympy`."""
        from taut.explicit.sympy_form import from_sympy

        return from_sympy(self, elements)


@dataclass(frozen=True)
class Access:
    """Elements of one kind by indices from 0."""

    model: ExplicitModel
    kind: str

    def __repr__(self) -> str:
        return f"<elements {self.kind} of {self.model.robot.name}>"

    def __getitem__(self, indices: int | tuple[int, ...]) -> Element:
        given = indices if isinstance(indices, tuple) else (indices,)
        n, wanted = self.model.n, {"M": 2, "b": 3, "c": 2, "g": 1}[self.kind]
        if len(given) != wanted or not all(-n <= i < n for i in given):
            raise IndexError(f"{self.kind}[{', '.join(map(str, given))}] of a robot with {n} joints")
        at = tuple(i % n for i in given)
        if self.kind == "M":
            at = (min(at), max(at))
        if self.kind == "b":
            at = (at[0], min(at[1:]), max(at[1:]))
            if at[1] == at[2]:
                raise IndexError("b is for products of two rates; use c for squares")
        return self.model.elements[element_name(self.kind, at)]


@dataclass(frozen=True)
class CoriolisAccess:
    """Entries of the Coriolis matrix, ``C_ij = sum_k Gamma_ijk qd_k``."""

    model: ExplicitModel

    def __getitem__(self, indices: tuple[int, int]) -> tuple[tuple[Fraction, Element, int], ...]:
        i, j = indices
        entries = []
        for k in range(self.model.n):
            element = self.model.c[i, j] if j == k else self.model.b[i, j, k]
            if not element.is_zero:
                entries.append((Fraction(1 if j == k else Fraction(1, 2)), element, k))
        return tuple(entries)


def element_name(kind: str, indices: Sequence[int]) -> str:
    """Return the name of an element; indices from 0, the name counts from 1."""
    return Coefficient(kind, tuple(indices)).name
