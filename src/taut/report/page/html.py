"""A page as one HTML file that needs nothing else, in the look of the living report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from taut.report.page.parts import Chart, Equation, Lines, Listing, Part, Prose, Section, Table
from taut.report.page.terminal import broken_text
from taut.report.table import printable

WIDE, HIGH, LEFT, BELOW = 860, 190, 62, 26
"""Width and height of a chart with the room left of and below its frame [px]."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(title: str, sections: Sequence[Section]) -> str:
    """Return the page; nothing of a robot file can end an element."""
    name = _shown(title)
    rows = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}; img-src data:">',
        f'<title>{name}</title>\n<link rel="icon" href="data:,">\n<style>\n{look()}</style>\n</head>',
        f'<body class="sheet">\n<main>\n<h1>{name}</h1>',
    ]
    for section in sections:
        rows += ["<section>", *([f"<h2>{_shown(section.title)}</h2>"] if section.title else [])]
        rows += [line for part in section.parts for line in _lines(part)]
        rows.append("</section>")
    return "\n".join([*rows, "</main>\n</body>\n</html>"]) + "\n"


def look() -> str:
    """Return the style that all pages share."""
    return files("taut.report.page").joinpath("look.css").read_text("utf-8")


def _shown(text: str) -> str:
    return escape(printable(text))


def _lines(part: Part) -> Iterator[str]:
    if isinstance(part, Prose):
        yield f"<p>{_shown(part.text)}</p>"
    elif isinstance(part, Listing):
        items = "".join(f"<li>{_shown(line)}</li>" for line in part.lines)
        yield f"<ul>{items}</ul>" if items else ""
    elif isinstance(part, Lines):
        plain = _escaped_lines([printable(line) for line in part.lines])
        yield f'<pre tabindex="0" role="region" aria-label="drawing">{plain}</pre>'
    elif isinstance(part, Equation):
        yield f"<pre>{_escaped_lines(broken_text(*part.text))}</pre>"
    elif isinstance(part, Chart):
        yield _chart(part)
    else:
        shown = part if isinstance(part, Table) else part.table
        if shown is not None:
            yield _table(shown)


def _escaped_lines(lines: Sequence[str]) -> str:
    return escape("\n".join(lines))


def _table(part: Table) -> str:
    """Return a table that scrolls by itself where the window is narrow; by keyboard, too."""

    def cell(text: str, k: int, tag: str) -> str:
        kind = "" if k < part.left else ' class="number"'
        return f"<{tag}{kind}>{_shown(text)}</{tag}>"

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(cell(text, k, tag) for k, text in enumerate(cells)) + "</tr>"

    body = "".join(line(row, "td") for row in part.text)
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="table">'
        f'<table class="data"><thead>{line(part.head, "th")}</thead><tbody>{body}</tbody></table></div>'
    )


def _chart(part: Chart) -> str:
    left, right, low, high = part.frame
    wide, high_px = WIDE - LEFT - 8, HIGH - BELOW - 8

    def at(x: float, y: float) -> str:
        return f"{LEFT + wide * (x - left) / (right - left):.1f},{8 + high_px * (high - y) / (high - low):.1f}"

    shapes = [f'<rect x="{LEFT}" y="8" width="{wide}" height="{high_px}"/>']
    if low < 0 < high:
        shapes.append(f'<path class="rule" d="M{at(left, 0)} L{at(right, 0)}"/>')
    for curve in part.curves:
        shapes.append(f'<path class="{curve.kind}" d="M{" ".join(at(x, y) for x, y in curve.points)}"/>')
    for y, place in ((high, 20), (low, 8 + high_px)):
        shapes.append(f'<text x="{LEFT - 8}" y="{place}" text-anchor="end">{y:.3g}</text>')
    shapes.append(f'<text x="{LEFT}" y="{HIGH - 6}">{left:.3g}</text>')
    shapes.append(f'<text x="{LEFT + wide}" y="{HIGH - 6}" text-anchor="end">{right:.3g}</text>')
    middle = LEFT + wide / 2
    shapes.append(f'<text x="{middle:.0f}" y="{HIGH - 6}" text-anchor="middle">{_shown(part.axis)}</text>')
    named = "".join(
        f'<span class="key {curve.kind}">{_shown(curve.name)}</span>' for curve in part.curves if curve.name
    )
    words = escape(printable(f"{part.caption}: {part.spans}"), quote=True)
    return (
        f'<figure><figcaption>{_shown(part.caption)} {named}</figcaption><svg class="lines" role="img" '
        f'aria-label="{words}" viewBox="0 0 {WIDE} {HIGH}">{"".join(shapes)}</svg></figure>'
    )
