"""What all functions of one robot share, for one way to treat its numbers: names, screw forms, and what checks them.

:func:`derivation` returns the same object for the same robot and options, so that numbers are named once, however many
functions are derived, compared and certified. A function borrows the named robot; what it adds to the graph is
forgotten when it is done, so that no program depends on what was derived before it.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from taut.derive.checks.health import sound
from taut.derive.checks.truth import Difference, Judge, completed, judge, on_file_digits
from taut.derive.function import Function, Proof
from taut.derive.naming.model import DerivedRobot, derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.traces import Start, textbook
from taut.errors import TautError
from taut.graph import Graph
from taut.graph.program import Program
from taut.graph.prove_program import disproof_by_nodes
from taut.questions.table import question
from taut.robot import Tree
from taut.robot.edit import symbols, with_values
from taut.robot.meaning import Meaning

PROOF_POINTS = 3

KEPT = 2
"""Robots, or ways to treat one, whose names are kept at once."""


class Derivation:
    """A robot whose functions are derived with the same treatment of its numbers.

    Args:
        tree: the robot.
        parameters: ``symbolic``, ``pattern``, ``numeric`` or ``base``.
        snap: what written angles mean, see :func:`taut.robot.meaning.decided`.
        keep: names of the parameters that stay symbols in mode ``numeric``.
        load: the frame that holds a load of ten symbols.
    """

    def __init__(
        self,
        tree: Tree,
        parameters: str,
        snap: float | None = SNAP,
        keep: tuple[str, ...] = (),
        load: str | None = None,
    ) -> None:
        self.tree, self.parameters, self.snap, self.keep, self.load = tree, parameters, snap, keep, load
        self._named = self._new()
        graphs: list[Graph] = [model.graph for model in self._named.forms.values()]
        self._sizes = [(graph, len(graph.nodes)) for graph in graphs]
        self._lent = False
        self._judges: dict[tuple[str, str | None], Judge] = {}

    def _new(self) -> DerivedRobot:
        return derived_robot(self.tree, self.parameters, self.snap, self.keep, self.load)

    @contextmanager
    def robot(self) -> Iterator[DerivedRobot]:
        """Lend the robot with its numbers named; its graph is afterwards as it was before.

        Laws and closures keep expressions of their own: robots with these are named anew, and so is one that is lent.
        """
        if self._lent or self.tree.tied:
            yield self._new()
            return
        self._lent = True
        try:
            yield replace(self._named, tree=replace(self._named.tree))
        finally:
            for graph, size in self._sizes:
                graph.forget(size)
            self._lent = False

    @property
    def meaning(self) -> Meaning:
        """What the written angles were taken for."""
        return self._named.meaning

    @cached_property
    def written(self) -> Tree:
        """The numeric robot whose numbers are the file's."""
        return on_file_digits(self.tree)

    @cached_property
    def meant(self) -> Tree:
        """The numeric robot whose angles are what those of the file were taken for."""
        values, tree = self._named.naming.values, self.meaning.tree
        return on_file_digits(with_values(tree, {name: values[name] for name in symbols(tree) if name in values}))

    def judge(self, function: str, frame: str | None) -> Judge:
        """Return states, outputs on the file's digits and their scales; evaluated once for each function and frame."""
        if (function, frame) not in self._judges:
            self._judges[function, frame] = judge(self.written, function, frame, self.meaning.turned)
        return self._judges[function, frame]

    def values(self, function: Function) -> dict[str, float]:
        """Return values of the parameters of a function, seeded ones where the file has none."""
        known = set(function.parameter_names) <= set(function.values)
        return dict(function.values if known else self._seeded)

    @cached_property
    def _seeded(self) -> Mapping[str, float]:
        return derived_robot(completed(self.tree), self.parameters, self.snap).naming.values

    def difference(self, function: Function) -> Difference | None:
        """Compare a function with the plain algorithm on the file's digits.

        Returns None where a parameter has no value to try, or a generic program divides by zero for those it has.
        """
        values = self.values(function)
        if not set(function.parameter_names) <= set(values):
            return None
        if not (function.is_safe or sound(function.program, values)):
            return None
        known = self.judge(function.name, function.frame)
        other = None if values == function.values else values
        found = function(*(known.states[name] for name in function.arguments), parameters=other)
        return known.difference(found, self.meaning.note)


def derivation(
    tree: Tree, parameters: str, snap: float | None = SNAP, keep: Collection[str] = (), load: str | None = None
) -> Derivation:
    """Return what the functions of a robot share: one object for equal robots and options, in each thread its own."""
    found: Derivation = _of_this_thread.kept(tree, parameters, snap, tuple(keep), load)
    return found


class _Kept(threading.local):
    def __init__(self) -> None:
        self.kept = lru_cache(maxsize=KEPT)(Derivation)


_of_this_thread = _Kept()


@dataclass(frozen=True)
class Reference:
    """The plain textbook algorithm that programs of one function are proved against.

    Attributes:
        model: the robot in whose symbols the programs are.
        function: the question.
        frame: for functions of a frame.
    """

    model: DerivedRobot
    function: str
    frame: str | None

    @cached_property
    def start(self) -> Start:
        """The algorithm, traced once."""
        return textbook(self.model, self.function, None, self.frame)

    def proved(self, program: Program, refuse: bool = True) -> Proof | None:
        """Compare a program with the algorithm; a difference is a bug, not a result.

        Returns None, instead of raising, where ``refuse`` is false: a stored program need not fit.
        """
        model = self.model
        difference = disproof_by_nodes(program, self.start.outputs, PROOF_POINTS, seed=97, spheres=model.spheres)
        if difference is None:
            rearranged = model.screws is not None and question(self.function).rearranges(model.tree)
            return Proof(f"{self.start.method}{' on its screw form' if rearranged else ''}", PROOF_POINTS)
        if refuse:
            what = f"{self.function} of '{model.tree.name}': the tightened program is wrong, {difference}"
            raise TautError(f"{what}; report this")
        return None
