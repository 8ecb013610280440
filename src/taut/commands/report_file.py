"""``--report FILE``: what a command found as a page for a reader, in the notation that the file's ending asks for."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from taut.commands.output import write_whole
from taut.errors import InputError
from taut.report.page import Page, ending


def report_option(parser: ArgumentParser) -> None:
    """Declare --report."""
    parser.add_argument(
        "--report", metavar="FILE", type=report_name, help="write the report there: .html, .md, .tex or .txt"
    )


def report_name(path: str) -> str:
    """Return the name of a report, refused before any work is done where its ending is none of a page's."""
    try:
        ending(path)
    except InputError as error:
        raise ArgumentTypeError(str(error)) from None
    return path


def write_report(path: str | None, page: Page) -> None:
    """Write a page where --report asks for one."""
    if path is not None:
        write_whole(path, page.written(path))
