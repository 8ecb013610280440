"""Operations and time against the number of joints: torque and M of general arms of 2 to 40 joints.

``python -m taut.report.growth`` writes ``docs/growth.md`` and its figure. Needs matplotlib, of the extra ``report``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from taut.derive import derive
from taut.errors import InputError
from taut.report.complexity import formula
from taut.report.general_chain import general_chain
from taut.report.markdown import markdown_table, root_of_the_clone

JOINTS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 36, 40)
TICKS = (2, 4, 6, 10, 20, 40)
FUNCTIONS = {"inverse_dynamics": "torque", "mass_matrix": "M"}


@dataclass(frozen=True)
class Size:
    """What one arm took: counted operations and the CPU time to derive and prove them."""

    joints: int
    mul: int
    add: int
    seconds: float

    @property
    def total(self) -> int:
        """Multiplications and additions."""
        return self.mul + self.add


def sizes(function: str, joints: Sequence[int] = JOINTS) -> list[Size]:
    """Derive a function of general arms without search, each proved exact."""
    found = []
    for n in joints:
        started = time.process_time()
        operations = derive(general_chain(n), function, parameters="symbolic", effort="none", fresh=True).operations
        found.append(Size(n, operations.mul, operations.add, time.process_time() - started))
    return found


def page(found: dict[str, list[Size]], figure: str) -> str:
    """Return the page as Markdown."""
    torque, matrix = found["inverse_dynamics"], found["mass_matrix"]
    rows = [[str(t.joints), *_cells(t), *_cells(m)] for t, m in zip(torque, matrix, strict=True)]
    return PAGE.format(
        figure=figure,
        torque_formula=_formulas(torque),
        matrix_formula=_formulas(matrix),
        table=markdown_table(["n", "torque", "seconds", "M", "seconds"], rows),
    )


def _formulas(part: Sequence[Size]) -> str:
    """Return the polynomials of multiplications and additions, or that there are none.

    >>> _formulas([Size(n, 3 * n, n * n, 0.0) for n in range(2, 8)])
    '(3n) + (n^2)'
    >>> _formulas([Size(n, 2**n, n, 0.0) for n in range(9)])
    'no polynomial of low degree'
    """
    joints = [size.joints for size in part]
    found = [formula(joints, [size.mul for size in part]), formula(joints, [size.add for size in part])]
    return " + ".join(f"({text})" for text in found) if all(found) else "no polynomial of low degree"


def _cells(size: Size) -> list[str]:
    return [f"{size.mul} + {size.add} = {size.total}", f"{size.seconds:.2f}"]


PAGE = """\
# Growth with the number of joints

Made by `make tables`; do not edit. General arms of n revolute joints, every number a symbol, `--effort none`: the
second-moment recursions traced, counted and proved exact. Seconds are CPU time of the whole
derivation, proof included.

![operations and seconds against the number of joints]({figure})

Multiplications + additions from n = 3 on, exactly: torque {torque_formula};
M {matrix_formula}, for its n (n + 1) / 2 entries.

{table}
"""


def draw(found: dict[str, list[Size]], path: Path) -> None:
    """Write the figure."""
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("the figure needs matplotlib", str(path), "pip install 'taut[report]'") from None
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    FigureCanvasSVG(figure)
    counts, times = figure.subplots(1, 2)
    for name, part in found.items():
        joints = [size.joints for size in part]
        counts.plot(joints, [size.total for size in part], marker="o", markersize=3, label=FUNCTIONS[name])
        times.plot(joints, [size.seconds for size in part], marker="o", markersize=3, label=FUNCTIONS[name])
    slope = found["inverse_dynamics"][-1]
    for axes, title in ((counts, "operations"), (times, "CPU seconds to derive and prove")):
        axes.set(xlabel="joints", ylabel=title, xscale="log", yscale="log")
        axes.set_xticks(TICKS, [str(n) for n in TICKS])
        axes.set_xticks([], minor=True)
        axes.grid(visible=True, which="both", color="0.9")
    line = [size.joints * slope.total / slope.joints for size in found["inverse_dynamics"]]
    counts.plot([size.joints for size in found["inverse_dynamics"]], line, "--", color="0.6", label="proportional to n")
    counts.legend()
    times.legend()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "taut"}):  # text as text, the same bytes every time
        figure.savefig(path, format="svg", metadata={"Date": None})


def main() -> None:
    """Derive, draw and write the page."""
    docs = root_of_the_clone() / "docs"
    found = {function: sizes(function) for function in FUNCTIONS}
    (docs / "figures").mkdir(exist_ok=True)
    draw(found, docs / "figures" / "growth.svg")
    (docs / "growth.md").write_text(page(found, "figures/growth.svg"), encoding="utf-8")
    print(f"wrote {docs / 'growth.md'} and its figure")


if __name__ == "__main__":
    main()
