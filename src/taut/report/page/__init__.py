"""A report as one value, a title and sections, with writers for terminal, Markdown, HTML and LaTeX.

The content of a page is decided where it is made; here it is laid out.
"""

from __future__ import annotations

from dataclasses import dataclass

from taut.errors import InputError
from taut.report.page.html import to_html
from taut.report.page.latex import to_latex
from taut.report.page.markdown import to_markdown
from taut.report.page.parts import Section
from taut.report.page.terminal import to_text

ENDINGS = ("html", "md", "tex", "txt")
"""Endings of the files that a page is written to."""


@dataclass(frozen=True)
class Page:
    """A title and sections."""

    title: str
    sections: tuple[Section, ...]

    def to_text(self) -> str:
        """Return the page for a terminal."""
        return to_text(self.title, self.sections)

    def to_latex(self) -> str:
        """Return the page as a document of its own."""
        return to_latex(self.title, self.sections)

    def to_markdown(self) -> str:
        """Return the page in Markdown."""
        return to_markdown(self.title, self.sections)

    def to_html(self) -> str:
        """Return the page as one HTML file."""
        return to_html(self.title, self.sections)

    def written(self, path: str) -> str:
        """Return the page as the ending of a file's name asks for it."""
        return {"html": self.to_html, "md": self.to_markdown, "tex": self.to_latex, "txt": self.to_text}[ending(path)]()


def ending(path: str) -> str:
    """Return the ending of a report's name, one of :data:`ENDINGS`."""
    found = path.rpartition(".")[2].lower()
    if found not in ENDINGS:
        raise InputError("is no name of a report", path, f"end it in .{', .'.join(ENDINGS)}")
    return found
