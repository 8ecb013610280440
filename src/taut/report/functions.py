"""The functions that can be asked of a robot, as text and as plain data."""

from __future__ import annotations

from typing import Any

from taut.questions.table import NAMED_ONLY, QUESTIONS
from taut.report.table import paragraph


def functions_data() -> list[dict[str, Any]]:
    """Return one entry per function for a program to read."""
    return [
        {
            "name": known.name,
            "arguments": list(known.arguments),
            "frame": known.on_frame,
            "letter": known.result.letter,
            "result": known.result.text,
            "space": known.space.value,
            "aliases": list(known.aliases),
            "methods": [method.name for method in known.choices],
        }
        for known in (QUESTIONS | NAMED_ONLY).values()
    ]


def functions_text() -> str:
    """Return one paragraph per function: spelling, arguments, result, aliases."""
    rows = []
    for known in (QUESTIONS | NAMED_ONLY).values():
        frame = ":FRAME" if known.on_frame else ""
        also = f"; also {', '.join(known.aliases)}" if known.aliases else ""
        call = f"{known.result.letter} = {known.name}{frame}({', '.join(known.arguments)})"
        rows += [f"  {call}", paragraph("      ", f"{known.result.text}{also}")]
    total = len(QUESTIONS) + len(NAMED_ONLY)
    said = (
        f"{total} functions for derive, count, generate and Robot.evaluate; the last {len(NAMED_ONLY)} are not in 'all'"
    )
    return "\n".join([*rows, "", said])
