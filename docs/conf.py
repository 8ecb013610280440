"""The documentation site: `make docs` builds it with warnings as errors."""

from importlib.metadata import version as installed

from sphinx.application import Sphinx

from taut.report.functions import functions_data
from taut.report.markdown import markdown_table

project = "taut"
author = "the taut authors"
project_copyright = author
release = version = installed("taut")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx_design",
]
exclude_patterns = ["figures"]
suppress_warnings = ["ref.python"]  # single letters in docstrings, such as B, that several classes have

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "taut"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#8ab8ff", "color-brand-content": "#8ab8ff"},
}
html_show_copyright = False


# Pages link to files of the repository as a reader of the repository sees them; here these are pages of the site.
PLACES = {"](../benchmarks/results/": "](results/", "](docs/": "](", "](../CONTRIBUTING.md": "](contributing.md"}


def linked_within_the_site(app: Sphinx, document: str, content: list[str]) -> None:
    """Turn links to files outside of ``docs`` into links to the pages that include them."""
    for outside, inside in PLACES.items():
        content[0] = content[0].replace(outside, inside)


def functions_of_a_robot(app: Sphinx, document: str, content: list[str]) -> None:
    """Write the table of all functions into its page."""
    rows = [
        [f"`{one['name']}`", ", ".join(one["arguments"]), one["result"].replace("|", r"\|"), ", ".join(one["aliases"])]
        for one in functions_data()
    ]
    table = markdown_table(["function", "arguments", "result", "also"], rows, left=4)
    content[0] = content[0].replace("<!-- table of functions -->", table)


def setup(app: Sphinx) -> None:
    """Enter what is done to the text of a page before it is read."""
    app.connect("source-read", linked_within_the_site)
    app.connect("source-read", functions_of_a_robot)
    app.connect("include-read", lambda app, path, document, content: linked_within_the_site(app, document, content))
