"""An explicit model in a notebook: equations in which every constant links to its formula and value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from taut.explicit.text import SECTIONS, constant_text, element_text

if TYPE_CHECKING:
    from taut.explicit.model import Element, ExplicitModel

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def model_html(model: ExplicitModel) -> str:
    """Return the model as HTML; names of constants and elements in formulas are links to where they are defined."""
    place = re.sub(r"[^A-Za-z0-9]+", "-", model.robot.name)
    rows = [f"<h3>Explicit equations of {escape(model.robot.name)}</h3>", "<details><summary>"]
    rows += [f"{len(model.constants)} constants</summary><table>"]
    rows += [
        f'<tr id="{place}-{escape(name)}"><td><code>{escape(constant_text(constant))}</code></td></tr>'
        for name, constant in model.constants.items()
    ]
    rows += ["</table></details>"]
    for kind, title in SECTIONS:
        elements = [e for e in model.elements.values() if e.kind == kind]
        rows += [f"<h4>{escape(title)}</h4>", *_section(model, elements, place)]
    return "\n".join(rows)


def _section(model: ExplicitModel, elements: Sequence[Element], place: str) -> list[str]:
    rows = []
    for element in elements:
        if not element.is_zero:
            left, _, right = element_text(element).partition(" = ")
            linked = _linked(model, right, place)
            rows.append(f'<div id="{place}-{escape(element.name)}"><code>{escape(left)} = {linked}</code></div>')
    zero = ", ".join(e.name for e in elements if e.is_zero)
    return [*rows, f"<div>zero: {escape(zero)}</div>"] if zero else rows


def _linked(model: ExplicitModel, formula: str, place: str) -> str:
    """Return a formula whose constants and elements are links; a constant's link shows its formula."""

    def link(match: re.Match[str]) -> str:
        name = match[0]
        if name in model.constants:
            title = escape(constant_text(model.constants[name]), quote=True)
            return f'<a href="#{place}-{name}" title="{title}">{name}</a>'
        return f'<a href="#{place}-{name}">{name}</a>' if name in model.elements else name

    return _WORD.sub(link, escape(formula))
