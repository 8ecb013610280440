"""Tolerances of Armstrong's constants: Table A3 beside propagated and drawn tolerances, as a page.

``make tables`` writes ``docs/tolerances.md``.
"""

from __future__ import annotations

from pathlib import Path

import taut
from papers.formulas import load
from taut.explicit.tolerance import Spread, monte_carlo, propagate
from taut.formats.formula import parse
from taut.graph import Graph, Node
from taut.graph.substitute import substitute
from taut.report.markdown import markdown_table
from taut.robot.parts import Value

PAGE = Path(__file__).parents[2] / "docs" / "tolerances.md"

ASSEMBLED = {
    "m3": "m36 - m4 - m5 - m6",
    "ry3": "(m36*ry36 + m4*(d4 + rz4) + m5*d4 + m6*(d4 + rz6))/(m36 - m4 - m5 - m6)",
}
"""Link 3 as it was measured, with the wrist on it: the wrist is at y = -d4 of frame 3, stretched out along -y."""


def constants() -> dict[str, dict]:
    """Return Table A2 and A3: formulas with their misprints corrected, printed values and tolerances."""
    return load("puma560_armstrong.json")["constants"]


def formulas() -> dict[str, Node]:
    """Return the formulas of Table A2 over one graph; a drive inertia is a parameter of its own."""
    graph = Graph()
    return {name: graph.lift(parse(row.get("formula", name), graph)) for name, row in constants().items()}


def values() -> dict[str, Value]:
    """Return what the library has of Tables 4 to 6 and A1, and what the formulas need besides."""
    return {"g": Value(9.81), "m1": Value(0.0), "ry1": Value(0.0), **taut.load("puma560").tree.values}


def assembled(given: dict[str, Node], known: dict[str, Value]) -> Spread:
    """Return the tolerances when mass and centre of link 3 come from the measurement with the wrist."""
    graph = next(iter(given.values())).graph
    number = {name: value.value for name, value in known.items()}
    total = sum(number[f"m{k}"] for k in (3, 4, 5, 6))
    wrist = [("m4", number["rz4"]), ("m5", 0.0), ("m6", number["rz6"])]
    first = number["m3"] * number["ry3"] - sum(number[m] * (number["d4"] + rz) for m, rz in wrist)
    together = {"m36": Value(total, 0.01 + 0.01 * total), "ry36": Value(first / total, 0.003)}
    replaced = substitute(
        list(given.values()), {graph.symbol(name): parse(text, graph) for name, text in ASSEMBLED.items()}
    )
    return propagate(dict(zip(given, replaced, strict=True)), {**known, **together})


def page() -> str:
    """Return the page as Markdown."""
    given, known = formulas(), values()
    linear, drawn, joined = propagate(given, known), monte_carlo(given, known), assembled(given, known)
    rows = []
    for k, (name, row) in enumerate(constants().items()):
        own, printed = linear.tolerances[name] or 0.0, row["tolerance"]
        rows.append(
            [
                name,
                f"{linear.values[k]:.4g}",
                f"{row['printed']:.4g}",
                f"{own:.2g}",
                f"{own / (drawn.tolerances[name] or 1.0):.3f}",
                f"{printed:.2g}",
                f"{own / printed:.2f}",
                f"{(joined.tolerances[name] or 0.0) / printed:.2f}",
                ", ".join(f"{p} {100 * (x / own) ** 2:.0f} %" for p, x in list(linear.contributions[name].items())[:2]),
                ", ".join(p for p in linear.exact[name] if known[p].value) or "-",
            ]
        )
    head = ["constant", "value", "A3", "tolerance", "beside Monte Carlo", "A3's", "beside A3", "with the wrist"]
    at = {name: k for k, name in enumerate(linear.names)}
    pairs = [("I2", "I3"), ("I5", "I6"), ("I10", "I12"), ("I15", "I16"), ("I1", "I4"), ("I19", "I21"), ("I9", "I11")]
    return TEXT.format(
        table=markdown_table([*head, "mostly from", "taken as exact"], rows),
        correlations=", ".join(f"{a} and {b} {linear.correlation[at[a], at[b]]:.2f}" for a, b in pairs),
        farthest=max(abs((linear.tolerances[n] or 0) / (drawn.tolerances[n] or 1) - 1) for n in given) * 100,
    )


TEXT = """\
# Tolerances of the PUMA 560's constants

Made by `make tables`; do not edit. The lumped constants of Armstrong, Khatib and Burdick (1986), Table A2 with its
misprints corrected, over the parameters of Tables 4 to 6 and A1 as `puma560` of the library has them. A tolerance is
the root of the sum of squares of (exact derivative of the formula) times (tolerance of the parameter);
`taut.explicit.tolerance` does it for the constants of any robot whose file gives tolerances.

{table}

- **Tolerances of the inputs.** Masses of links 2 and 3: 0.01 kg + 1 %, added linearly (0.184 and 0.058 kg). Centres
  of mass: 3 mm. Inertias: 3, 5 and 3 % (link 2); 4, 5 and 4 % of the inertia with the wrist (link 3). Wrist: 25 % of
  masses and centres, 50 % of inertias. Drive inertias as in Table A3.
- **Missing inputs.** The paper has no tolerance for the lengths a2, a3, d2, d3, d4, for Izz1 and for g; they count as
  exact. It does not say how tolerances of the wrist enter those of link 3, whose centre and inertia were obtained by
  taking the wrist's off.
- **Beside Monte Carlo**: first order over the spread of 40 000 normal draws; farthest from one by {farthest:.1f} %,
  where two parameters of 25 % are multiplied.
- **Beside A3**: first order over the printed tolerance. Many agree to the printed digit. Where the ratio is far from
  one the paper's number cannot come from its own tables by this rule: I14 (0.00007 where Izz4 alone has 0.00065) and
  G1 (0.05 where 17.4 kg at 68 mm, known to 3 mm, has 0.5) look like slipped digits.
- **With the wrist**: the same ratio when mass and centre of link 3 are replaced by those of link 3 and wrist together,
  which were measured, less the wrist's: sums over links 3 to 6 become better known, differences do not. It explains G2
  to the digit, and leaves of G1 a factor of ten.

Constants share parameters, so they are not off independently. Correlations:
{correlations}.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
