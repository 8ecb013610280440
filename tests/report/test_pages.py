"""One value a report: the same page for a terminal, in Markdown, HTML and LaTeX."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.report.bench import Bench, Timing, bench_page
from taut.report.page import ENDINGS, Page
from taut.report.page.parts import Chart, Curve, Equation, Lines, Listing, Matrix, Prose, Section, Table
from taut.report.simulated import simulation_page

HOSTILE = "</table><script>alert(1)</script> 100 % & _x_ $1"


class Balance(HTMLParser):
    """Counts the elements that are open; a page leaves none."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "link", "rect", "path"):
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "path"):
            assert self.stack.pop() == tag


@pytest.fixture(scope="module")
def page() -> Page:
    x = np.linspace(0, 1, 5000)
    parts = (
        Prose(HOSTILE),
        Listing((HOSTILE, "two")),
        Lines((f"  {HOSTILE}", r"\end{verbatim}\input{/etc/passwd}")),
        Equation(("a", "b + c"), ("a", "b + c")),
        Matrix("M", (("a", "b"), ("c", "d")), Table(("", "1"), (("1", "a"),))),
        Table(("name", "value"), ((HOSTILE, "1"),)),
        Chart(HOSTILE, "time [s]", (Curve.of("sine", "main", x, np.sin(9 * x)), Curve.of("", "band", x, 0 * x))),
    )
    return Page(HOSTILE, (Section("All parts", parts, "M"), Section("Charts alone", parts[-1:])))


def test_html_holds_everything_and_nothing_of_a_file_is_an_element(page: Page) -> None:
    text = page.to_html()
    balance = Balance()
    balance.feed(text)
    assert balance.stack == []
    assert {"table", "li", "svg", "pre"} <= balance.seen and "script" not in balance.seen
    assert "http" not in text.replace("http-equiv", "")


def test_other_notations_escape_what_they_give_a_meaning(page: Page) -> None:
    assert "<script" not in page.to_markdown()
    latex = page.to_latex()
    assert r"\usepackage{tikz}" in latex and r"\begin{itemize}" in latex
    assert r"100 \% \& \_x\_ \$1" in latex
    assert latex.count(r"\begin{") == latex.count(r"\end{")


def test_a_terminal_has_no_section_of_charts_alone(page: Page) -> None:
    assert "# All parts" in page.to_text() and "# Charts alone" not in page.to_text()
    assert "sine -1 to 1" in page.to_markdown()


def test_a_long_curve_keeps_its_peaks() -> None:
    y = np.zeros(100_000)
    y[54_321] = 7
    curve = Curve.of("peak", "main", np.arange(len(y)), y)
    assert len(curve.points) < 1000 and (54_321.0, 7.0) in curve.points


def test_a_motion_and_a_benchmark_are_pages() -> None:
    robot = taut.load("four_bar")
    motion = simulation_page(taut.load("puma560").simulate([0.1] * 6, [0] * 6, t=0.01))
    assert motion.to_html().count("<svg") == 13  # six positions, six torques, energy
    assert robot.name not in motion.to_text() and "# State at the end" in motion.to_text()
    found = Bench("arm", "a processor", "cc", [Timing("gravity", "taut", "C, batch", 2.0, 0.0)], {"peer": "absent"})
    assert "peer: not measured, absent" in bench_page(found).to_markdown()


def test_the_command_writes_the_report_in_every_notation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begins = {"html": "<!doctype html>", "md": "# puma560", "tex": r"\documentclass", "txt": "puma560: simulated"}
    for kind in ENDINGS:
        file = tmp_path / f"report.{kind}"
        assert main(["simulate", "puma560", "-t", "0.01", "--report", str(file)]) == 0
        assert file.read_text("utf-8").startswith(begins[kind])
    assert main(["simulate", "puma560", "-t", "0.01", "--report", str(file)]) == 2
    assert "--force" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["simulate", "no_such_robot", "--report", "report.doc"])
    assert "end it in .html, .md, .tex, .txt" in capsys.readouterr().err


def test_a_robot_its_counts_and_its_rates_are_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arm = tmp_path / "arm.toml"
    held = dict.fromkeys(taut.load("ur5e").joint_names[2:], 0.0)
    arm.write_text(taut.load("ur5e").lock(held).to_toml(), "utf-8")
    commands = {
        "show": ["show", "double_pendulum", "--check"],
        "count": ["count", "double_pendulum", "--effort", "none"],
        "rates": ["rates", "double_pendulum", "--effort", "none"],
        "abbreviate": ["abbreviate", str(arm), "--equations"],
    }
    for name, words in commands.items():
        page, text = tmp_path / f"{name}.html", tmp_path / f"{name}.txt"
        assert main([*words, "--report", str(page)]) == 0
        printed = capsys.readouterr().out
        balance = Balance()
        balance.feed(page.read_text("utf-8"))
        assert balance.stack == [] and "table" in balance.seen
        if name == "show":
            assert main([*words, "--report", str(text), "--quiet"]) == 0
            assert text.read_text("utf-8") == printed
            assert "# Tree" in printed and "Check: every link" in printed
