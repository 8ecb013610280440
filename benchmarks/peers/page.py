"""The page of the comparison: targets, all figures as tables, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from peers import build
from peers.targets import ARMS, ONE, Row, Target
from taut.report.machine import processor
from taut.report.markdown import markdown_table

DOCS = Path(__file__).parents[2] / "docs"
PACKAGES = ("pin", "casadi", "cmeel-cppad", "cmeel-cppadcodegen", "mujoco", "jax", "adam-robotics")
SHORT = {
    "inverse_dynamics": "inverse dynamics",
    "mass_matrix": "M",
    "forward_dynamics": "forward dynamics",
    "inverse_dynamics_derivatives": "derivatives of inverse dynamics",
    "forward_dynamics_derivatives": "derivatives of forward dynamics",
}
COLOURS = {
    "taut": "#c0392b",
    "hand-written, CasADi": "#7f8c8d",
    "Pinocchio, CasADi": "#2e86c1",
    "Pinocchio, CppADCodeGen": "#85c1e9",
    "Pinocchio": "#566573",
    "MuJoCo": "#aeb6bf",
}


def machine() -> dict[str, str]:
    """Return what ran the comparison."""
    found = {"processor": processor(), "flags": " ".join(build.FLAGS)}
    found |= {name: build.version(name) for name in build.compilers()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def judged(lines: Sequence[Target]) -> str:
    """Return the lines that have to be shown, each with what was asked and what was reached."""
    said = {True: "yes", False: "no", None: "not measured"}
    rows = []
    for line in lines:
        sign, unit = ("at most", "") if line.most else ("at least", " x")
        unit = "" if "seconds" in line.what else unit if unit else " x"
        reached = "-" if line.reached is None else f"{line.reached:.2f}{unit}"
        equal = "" if line.equal_sines is None else f"{line.equal_sines:.2f} x"
        asked = f"{sign} {line.wanted:g}{unit}"
        split = [f"{line.by_compiler[c]:.2f} x" if c in line.by_compiler else "" for c in ("gcc", "clang")]
        rows.append([line.what, line.robot, line.against, asked, reached, said[line.met], *split, equal])
    head = ["how many times taut's time", "robot", "best of them", "asked", "reached", "met"]
    head += ["both gcc", "both clang", "with taut's sines"]
    return markdown_table(head, rows, left=3)


def everything(rows: Sequence[Row], missing: dict[str, dict[str, str]], ran: dict[str, str]) -> str:
    """Return all figures: nanoseconds a state by compiler, and instructions."""
    told = ["# Side by side: nanoseconds a state", "", _conditions(ran), ""]
    for robot in dict.fromkeys(row.robot for row in rows):
        told += [f"## {robot}", "", _table([row for row in rows if row.robot == robot]), ""]
        told += [f"- not measured: {who}: {why}" for who, why in missing.get(robot, {}).items()]
        told += [""] if missing.get(robot) else []
    return "\n".join(told).rstrip() + "\n"


def write(
    rows: Sequence[Row], lines: Sequence[Target], missing: dict[str, dict[str, str]], ran: dict[str, str]
) -> None:
    """Write docs/speed.md and its figure."""
    (DOCS / "figures").mkdir(exist_ok=True)
    draw(rows, DOCS / "figures" / "speed.svg")
    tables = []
    for robot in ARMS:
        tables += [f"### {robot}", "", _best_table([row for row in rows if row.robot == robot and row.way == ONE]), ""]
    absent = [f"- {robot}: {who}: {why}" for robot, all_of in missing.items() for who, why in all_of.items()]
    text = PAGE.format(
        conditions=_conditions(ran),
        judged=judged(lines),
        tables="\n".join(tables).rstrip(),
        missing="\n".join(absent) or "Everyone took part.",
    )
    (DOCS / "speed.md").write_text(text, encoding="utf-8")


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write the figure: each contestant's best time of one state, as generated, logarithmic."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.2), layout="constrained")
    FigureCanvasSVG(figure)
    for axes, robot in zip(figure.subplots(1, 2, sharey=True), ARMS, strict=True):
        chosen = [row for row in rows if (row.robot, row.way, row.sines) == (robot, ONE, "own")]
        questions = list(dict.fromkeys(row.question for row in chosen))
        for k, (who, colour) in enumerate(COLOURS.items()):
            best = {q: [r.nanoseconds for r in chosen if (r.question, r.who) == (q, who)] for q in questions}
            places = [i + (k - 2.5) * 0.14 for i, q in enumerate(questions) if best[q]]
            axes.bar(places, [min(x) for x in best.values() if x], 0.14, color=colour, label=who)
        names = [
            SHORT.get(q, q).replace(" of ", " of\n").replace("forward dynamics", "forward\ndynamics") for q in questions
        ]
        axes.set_xticks(range(len(questions)), names, rotation=60, ha="right", fontsize=8)
        axes.set(yscale="log", title=robot)
        axes.grid(visible=True, axis="y", color="0.9")
        axes.set_axisbelow(True)
    figure.axes[0].set_ylabel("nanoseconds, one state")
    figure.axes[1].legend(fontsize=7)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "taut"}):  # text as text, the same bytes every time
        figure.savefig(path, format="svg", metadata={"Date": None})


def _conditions(told: dict[str, str]) -> str:
    compilers = "; ".join(told[name] for name in build.COMPILERS if name in told)
    versions = ", ".join(f"{name} {told[name]}" for name in PACKAGES)
    return (
        f"{told['processor']}; {compilers}; flags {told['flags']} for everyone.\n"
        f"Packages: {versions}.\n"
        "Process CPU time, least of many interleaved repeats in three copies of each library, since where it lies in\n"
        "memory makes a difference of up to a quarter; answers agree to 1e-9 before timing.\n"
        "Made by `make bench`."
    )


def _cell(rows: Sequence[Row]) -> str:
    return f"{min(row.nanoseconds for row in rows):.1f}" if rows else "-"


def _table(rows: Sequence[Row]) -> str:
    cells = []
    for row in rows:
        count = "" if row.instructions is None else f"{row.instructions:.0f}"
        built = f"{row.seconds:.1f}" if row.seconds else ""
        name = SHORT.get(row.question, row.question)
        cells.append([name, row.way, row.who, row.sines, row.compiler, f"{row.nanoseconds:.1f}", count, built])
    head = ["function", "called", "who", "sines", "compiler", "ns", "instructions", "seconds to compile"]
    return markdown_table(head, cells, left=5)


def _best_table(rows: Sequence[Row]) -> str:
    """Return one line a question: everyone's time by gcc and by clang, as generated and with taut's sines."""
    who = list(dict.fromkeys(row.who for row in rows))
    cells = []
    for question in dict.fromkeys(row.question for row in rows):
        line = [SHORT.get(question, question)]
        for name in who:
            of = [row for row in rows if (row.question, row.who) == (question, name)]
            own, given = ([row for row in of if row.sines == sines] for sines in ("own", "taut"))
            times = " / ".join(_cell([row for row in own if row.compiler == c]) for c in build.compilers())
            line.append(times + (f" ({_cell(given)})" if given else ""))
        cells.append(line)
    return markdown_table(["function", *who], cells)


PAGE = """\
# Speed beside the peers

Do not edit. {conditions}

![nanoseconds of one state, by function and contestant](figures/speed.svg)

Who takes part: **Pinocchio** is the C++ library, its headers compiled here with everyone's flags (asserts off, answers
left in its own memory). **Pinocchio, CasADi** and **Pinocchio, CppADCodeGen** are C generated from Pinocchio's
templates, common subexpressions shared. **hand-written, CasADi** is Newton-Euler customised by hand for the robot,
numbers folded in, as C that CasADi writes; M, the regressor and derivatives by its own differentiation. **MuJoCo** is
its C library, the part of its pipeline that a question needs. **taut** is what `taut generate` writes by default (for
the legged robots with `--effort quick`). Right angles written with a few digits in the robot files are made exact for
everyone.

## Targets

Each side's best compiler counts. The last column gives the peers taut's vector sines and tidied scalars, so that the
gain is not the sines alone.

{judged}

## One state, nanoseconds with gcc / clang

In brackets: with taut's sines, the better of the two compilers.

{tables}

Every figure, instruction counts too: `benchmarks/results/peers.md`. `taut bench ROBOT` times a robot of your own
beside the packages you have.

## Who is missing

{missing}
"""
