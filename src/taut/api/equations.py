"""The explicit equations of a robot together with their abbreviation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taut.api.writing import WritesCode
from taut.derive.function import Function
from taut.errors import InputError
from taut.explicit import ExplicitModel
from taut.generate import Generated, Wanted, functions_named, generate
from taut.reduce.abbreviate import Abbreviated, abbreviate
from taut.reduce.functions import DEFAULT, abbreviated_function
from taut.reduce.scenario import Scenario
from taut.tasks.abbreviated import abbreviated_tasks
from taut.tasks.generate import DEFAULT as TORQUE
from taut.tasks.generate import generate_tasks


class ShorterEquations(Abbreviated, WritesCode):
    """Abbreviated equations, their error and their code; see :class:`taut.reduce.abbreviate.Abbreviated`."""

    def function(self, name: str, effort: str = "normal", **options: Any) -> Function:
        """Return a function of the shorter model; see :func:`taut.reduce.functions.abbreviated_function`."""
        return abbreviated_function(self, name, effort, **options)

    def _write_tasks(
        self, directory: str, functions: str | None, wanted: Wanted, tasks: str, recompute: int, **options: Any
    ) -> Generated:
        made, proved = abbreviated_tasks(self, functions_named(functions or TORQUE), tasks, recompute, **options)
        return generate_tasks(self.full.robot, directory, made, wanted, proved)

    def _write(self, directory: str, functions: str | None, wanted: Wanted, **options: Any) -> Generated:
        chosen = functions_named(functions or DEFAULT)
        return generate(
            self.full.robot, directory, chosen, wanted, lambda one, _: self.function(one, **options), exact=False
        )


READABLE = ("explicit", "explicit_torque")
"""Functions that equations give as they are printed."""


class Equations(ExplicitModel, WritesCode):
    """The explicit equations of a robot and what one can do with them; see :class:`taut.explicit.ExplicitModel`."""

    def _write(self, directory: str, functions: str | None, wanted: Wanted, **options: Any) -> Generated:
        """Write the equations as they are printed: constants K once, terms T and V, elements."""
        chosen = functions_named(functions or ",".join(READABLE))
        for one, _ in chosen:
            if one not in READABLE:
                advice = f"choose from {', '.join(READABLE)}, or generate the robot's own"
                raise InputError(f"{one} is not made of elements as they are printed", "generate", advice)
        if options:
            raise InputError(f"explicit equations take no option {', '.join(options)}", "generate", "leave it out")
        return generate(
            self.robot,
            directory,
            chosen,
            wanted,
            lambda one, _: self.function("readable", torque=one == "explicit_torque"),
            exact=False,
        )

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
        found = abbreviate(self, threshold, scenario, rule, operations, made=ShorterEquations)
        assert isinstance(found, ShorterEquations)
        return found
