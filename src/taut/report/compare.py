"""The papers' algorithms side by side: operation counts as traced and tightened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from taut.analysis.opcount import Operations
from taut.derive import Function
from taut.errors import InputError
from taut.questions.question import Method
from taut.questions.table import asked
from taut.report.counts import Settings, derived
from taut.report.table import paragraph, table
from taut.robot import Tree


@dataclass(frozen=True)
class Contender:
    """One method on one robot: its derivation, or why it cannot serve."""

    method: Method
    derivation: Function | None
    reason: str = ""

    @property
    def traced(self) -> Operations | None:
        """The count of the algorithm as written, folded and shared but not searched."""
        return self.derivation.steps[0].operations if self.derivation else None

    @property
    def tightened(self) -> Operations | None:
        """The count after the passes; None where there were none."""
        if self.derivation is None or self.derivation.effort == "none":
            return None
        return self.derivation.operations


@dataclass(frozen=True)
class Comparison:
    """All methods of one function of one robot, the cheapest first, those that cannot serve last."""

    robot: str
    function: str
    settings: Settings
    contenders: tuple[Contender, ...]
    interrupted: bool


def compare(robot: Tree, function: str, settings: Settings) -> Comparison:
    """Derive a function by every method; Ctrl-C keeps what is there."""
    function = asked(function, "--function").label
    found: list[Contender] = []
    interrupted = False
    for contender in _contenders(robot, function, settings):
        found.append(contender)
        if contender.derivation and contender.derivation.interrupted:
            interrupted = True
            break
    if all(contender.derivation is None for contender in found):
        raise InputError(found[0].reason)

    def cost(contender: Contender) -> tuple[bool, int]:
        final = contender.tightened or contender.traced
        return final is None, final.total if final else 0

    return Comparison(robot.name, function, settings, tuple(sorted(found, key=cost)), interrupted)


def _contenders(robot: Tree, function: str, settings: Settings) -> Iterator[Contender]:
    for method in asked(function).question.choices:
        try:
            yield Contender(method, derived(robot, function, replace(settings, method=method.name)))
        except InputError as error:
            yield Contender(method, None, str(error))


def comparison_data(found: Comparison) -> dict[str, Any]:
    """Return the comparison for a program to read."""
    rows = []
    for contender in found.contenders:
        row: dict[str, Any] = {"method": contender.method.name, "authors": contender.method.authors}
        if contender.derivation is None:
            row["reason"] = contender.reason
        else:
            row["traced"] = _operations_data(contender.traced)
            row["tightened"] = _operations_data(contender.tightened)
            row["verified"] = contender.derivation.proof is not None
            row["seconds"] = round(contender.derivation.seconds, 3)
        rows.append(row)
    return {"robot": found.robot, "function": found.function, "effort": found.settings.effort, "methods": rows}


def _operations_data(ops: Operations | None) -> dict[str, int] | None:
    return None if ops is None else {"mul": ops.mul, "add": ops.add, "total": ops.total, "depth": ops.depth}


def comparison_text(found: Comparison) -> str:
    """Return the comparison as a table for a person."""
    served = [(c, c.derivation) for c in found.contenders if c.derivation is not None]
    searched = any(contender.tightened for contender, _ in served)
    rows = []
    for contender, derivation in served:
        counts = [contender.traced, contender.tightened] if searched else [contender.traced]
        cells = [str(x) for ops in counts if ops for x in (ops.mul, ops.add, ops.total)]
        names = [contender.method.title, contender.method.authors]
        proof = "proved" if derivation.proof else "not proved"
        rows.append([*names, *cells, f"{derivation.seconds:.2f}", proof])
    tightened = ["mul", "add", "tightened"] if searched else []
    head = ["method", "after", "mul", "add", "traced", *tightened, "seconds", "exact"]
    first = served[0][1]
    lines = [
        f"{found.function} of {found.robot}, parameters {first.parameters}, effort {first.effort}",
        "",
        table(head, rows, left=2),
    ]
    refused = [contender for contender in found.contenders if contender.derivation is None]
    if refused:
        lines += ["", *(paragraph(f"  {c.method.title}: ", c.reason) for c in refused)]
    if found.interrupted:
        lines += ["", "note: interrupted, the last method is its best so far and those after it are not here"]
    return "\n".join(lines)
