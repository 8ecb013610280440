"""The explicit equations of a robot together with their abbreviation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

from taut.derive.function import Function
from taut.errors import InputError
from taut.explicit import ExplicitModel
from taut.generate import Generated, Wanted, functions_named, generate
from taut.reduce.abbreviate import Abbreviated, abbreviate
from taut.reduce.functions import DEFAULT, abbreviated_function
from taut.reduce.scenario import Scenario


class ShorterEquations(Abbreviated):
    """Abbreviated equations, their error and their code; see :class:`taut.reduce.abbreviate.Abbreviated`."""

    def function(self, name: str, effort: str = "normal", **options: Any) -> Function:
        """Return a function of the shorter model; see :func:`taut.reduce.functions.abbreviated_function`."""
        return abbreviated_function(self, name, effort, **options)

    def generate(
        self,
        directory: str | Path,
        functions: Sequence[str] | str | None = None,
        *,
        language: str = "c",
        precision: str = "double",
        trig: str = "poly",
        batch: bool = False,
        name: str | None = None,
        **options: Any,
    ) -> Generated:
        """Write functions of the shorter model as code, with scenario and error bound in its comments.

        Args:
            directory: new, empty, or with code that taut wrote for the same robot.
            functions: names; torque, mass matrix and accelerations by default.
            language: as in :meth:`taut.api.Robot.generate`, like the four that follow.
            precision: of C.
            trig: of C.
            batch: of C.
            name: that files and functions begin with.
            options: of :meth:`function`.
        """
        listed = functions if isinstance(functions, str) else ",".join(functions or [DEFAULT])
        wanted = Wanted(language, precision, trig, batch, name)
        return generate(
            self.full.robot,
            str(directory),
            functions_named(listed),
            wanted,
            lambda one, _: self.function(one, **options),
            exact=False,
        )


READABLE = ("explicit", "explicit_torque")
"""Functions that equations give as they are printed."""


class Equations(ExplicitModel):
    """The explicit equations of a robot and what one can do with them; see :class:`taut.explicit.ExplicitModel`."""

    def generate(
        self,
        directory: str | Path,
        functions: Sequence[str] | str = READABLE,
        *,
        language: str = "c",
        precision: str = "double",
        trig: str = "poly",
        batch: bool = False,
        name: str | None = None,
    ) -> Generated:
        """Write the equations as code, computed as they are printed: constants K once, terms T and V, elements.

        Args:
            directory: new, empty, or with code that taut wrote for the same robot.
            functions: ``explicit``, all elements, and ``explicit_torque``, these and the torque; both by default.
            language: as in :meth:`taut.api.Robot.generate`, like the four that follow.
            precision: of C.
            trig: of C.
            batch: of C.
            name: that files and functions begin with.
        """
        chosen = functions_named(functions if isinstance(functions, str) else ",".join(functions))
        for one, _ in chosen:
            if one not in READABLE:
                advice = f"choose from {', '.join(READABLE)}, or generate the robot's own"
                raise InputError(f"{one} is not made of elements as they are printed", "generate", advice)
        wanted = Wanted(language, precision, trig, batch, name)
        return generate(
            self.robot,
            str(directory),
            chosen,
            wanted,
            lambda one, _: self.function("readable", torque=one == "explicit_torque"),
            exact=False,
        )

    @classmethod
    def of(cls, model: ExplicitModel) -> Self:
        """Return the equations with the data of ``model``."""
        return cls(**{f.name: getattr(model, f.name) for f in fields(ExplicitModel)})

    def abbreviate(
        self,
        threshold: float = 0.01,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        rule: str = "armstrong",
        operations: int | None = None,
    ) -> ShorterEquations:
        """Return shorter equations together with their torque error; see :func:`taut.reduce.abbreviate.abbreviate`.

        >>> import taut
        >>> print(taut.load("puma560").explicit(verify=False).abbreviate(0.01, rule="torque"))  # doctest: +ELLIPSIS
        puma560 by rule torque: ... terms, ... operations with torque, worst torque error ... %
        """
        found = abbreviate(self, threshold, scenario, rule, operations)
        return ShorterEquations(**{f.name: getattr(found, f.name) for f in fields(Abbreviated)})
