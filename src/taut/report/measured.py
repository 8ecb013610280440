"""The results of a measurement sheet as a page and as plain data."""

from __future__ import annotations

from typing import Any

from taut.measuring.sheet import Result, Sheet
from taut.report.page import Page
from taut.report.page.parts import Listing, Prose, Section, Table


def sheet_page(sheet: Sheet) -> Page:
    """Return quantities, tolerances and origins as a table, then what the cross-checks found."""
    rows = tuple((r.owner, r.quantity, f"{r.value:.5g}", _tolerance(r), r.unit, r.source) for r in sheet.results())
    sections = [Section("", (Table(("of", "quantity", "value", "tolerance", "unit", "by"), rows, left=2),))]
    failed = tuple(finding.text for finding in sheet.findings if finding.failed)
    passed = tuple(finding.text for finding in sheet.findings if not finding.failed)
    for title, group in (("contradictions", failed), ("remarks", passed)):
        if group:
            sections.append(Section(title, (Listing(group),)))
    if not failed:
        sections.append(Section("", (Prose("no contradictions"),)))
    return Page(f"{sheet.name}: measured", tuple(sections))


def sheet_data(sheet: Sheet) -> dict[str, Any]:
    """Return the results of a sheet for a program."""
    return {
        "name": sheet.name,
        "consistent": bool(sheet.consistent),
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
        "findings": [{"text": finding.text, "failed": bool(finding.failed)} for finding in sheet.findings],
    }


def _tolerance(result: Result) -> str:
    if not result.tolerance:
        return "-"
    share = f" ({100 * result.tolerance / abs(result.value):.2g} %)" if result.value else ""
    return f"{result.tolerance:.2g}{share}"
