"""The results of a measurement sheet as text and as plain data."""

from __future__ import annotations

from typing import Any

from taut.measuring.sheet import Result, Sheet
from taut.report.table import printable, table


def sheet_text(sheet: Sheet) -> str:
    """Return quantities, tolerances and origins as a table, then what the cross-checks found."""
    rows = [
        [printable(r.owner), r.quantity, f"{r.value:.5g}", _tolerance(r), r.unit, printable(r.source)]
        for r in sheet.results()
    ]
    lines = [table(["of", "quantity", "value", "tolerance", "unit", "by"], rows, left=2)]
    failed = [finding for finding in sheet.findings if finding.failed]
    passed = [finding for finding in sheet.findings if not finding.failed]
    for head, group in (("contradictions", failed), ("remarks", passed)):
        if group:
            lines += ["", f"{head}:", *(f"  {printable(finding.text)}" for finding in group)]
    if not failed:
        lines += ["", "no contradictions"]
    return "\n".join(lines)


def sheet_data(sheet: Sheet) -> dict[str, Any]:
    """Return the results of a sheet for a program."""
    return {
        "name": sheet.name,
        "consistent": sheet.consistent,
        "quantities": [
            {
                "of": r.owner,
                "quantity": r.quantity,
                "value": r.value,
                "tolerance": r.tolerance,
                "unit": r.unit,
                "source": r.source,
            }
            for r in sheet.results()
        ],
        "findings": [{"text": finding.text, "failed": finding.failed} for finding in sheet.findings],
    }


def _tolerance(result: Result) -> str:
    if not result.tolerance:
        return "-"
    share = f" ({100 * result.tolerance / abs(result.value):.2g} %)" if result.value else ""
    return f"{result.tolerance:.2g}{share}"
