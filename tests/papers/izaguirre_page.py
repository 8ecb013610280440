"""Izaguirre, Hashimoto, Paul and Hayward's PUMA 260 beside taut: generated code, counts, parameters, as a page.

``make tables`` writes ``docs/izaguirre.md``.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

import taut
from papers import test_izaguirre_code as code
from papers.audit import (
    ASSUMPTION,
    DOCS,
    EQUAL,
    MISPRINT,
    PUBLISHED,
    Verdict,
    as_value,
    differs,
    equal,
    literal,
    normal,
    numbers_table,
    quoted,
)
from papers.formulas import load
from taut.analysis.opcount import Operations
from taut.report.markdown import markdown_table

PAGE = DOCS / "izaguirre.md"
TABLE = load("puma260_izaguirre.json")
DEAD = 3
"""Products of the printed program that nothing needs, and that the data leaves out: C1C1, S1C1, S1S1."""

EQUATIONS = (
    ("eq. 1", "D_ijk q_i' q_k'", "q_j' q_k'", "open"),
    ("eq. 8, entry (3,3)", "ljx^2 + ljz^2", "ljx^2 + ljy^2", "copy"),
    ("mass recursion", "M_j = M_(j+1) + m_(j+1)", "M_(j+1) + m_j", "open"),
    ("eq. 16", "m_j (d^ + d^)", "m_j d^ d^", "copy"),
    ("eq. 20", "U = w^ + v^ w^", "U = w'^ + w^ w^", "copy"),
    ("eq. 24", "L_(i+1) x v'", "first moment of link i x v'", "copy"),
    ("code, JS412 and JS312", "unbalanced brackets", "one ) more", "copy"),
    ("code, JS233", "unbalanced brackets", "one ) fewer", "copy"),
    ("Table 1, text", "53 parameters", "52", "paper"),
    ("section 8", "200 + 150 with a load", "190 + 150, as in the abstract", "paper: rounded"),
    ("Table 2, z6", "0.014041", "0.01401, as in the file, the code and c15", "paper"),
)
"""Where, what the copy reads, what is meant, whose slip."""


def literal_code() -> Operations:
    """Return the operations of the printed program, counted as the paper does.

    Every product counts; of the sums those of two angles are free, and a minus in front counts as an addition.
    """
    before = next(k for k, name in enumerate(TABLE["formulas"]) if name.startswith("S"))  # defines come first
    lines = [f for f in list(TABLE["formulas"].values())[before:] if "sin" not in f and "cos" not in f]
    found, signs = literal(lines)
    return Operations(found.mul + DEAD, found.add + signs)


@cache
def identified() -> tuple[int, int, int]:
    """Return columns, rank, and independent moments of the torque's regressor at 100 random states.

    The parameters are those of the paper: ten moments a link, motor inertia, Coulomb and viscous friction. Motor
    inertias and friction are taken first, as the paper does, so that moments are what is left to explain.
    """
    robot, rng = taut.load("puma260"), np.random.default_rng(260)
    q, qd, qdd = (rng.uniform(-3, 3, (100, 6)) for _ in range(3))
    moments = robot.regressor(q, qd, qdd).reshape(600, -1)
    drives = robot.drive_regressor(qd, qdd).reshape(600, 6, 4)[:, :, :3].reshape(600, -1)
    both = np.hstack([moments, drives])
    rank, first = _rank(both), _rank(drives)
    return both.shape[1], rank, rank - first


def _rank(columns: np.ndarray) -> int:
    sizes = np.linalg.norm(columns, axis=0)
    moving = sizes > 1e-10 * sizes.max()  # the others are rounding
    values = np.linalg.svd(columns[:, moving] / sizes[moving], compute_uv=False)
    return int(np.sum(values > 1e-10 * values[0]))


@cache
def with_load(function: str) -> Operations:
    """Return the operations of a function with a load whose ten parameters are inputs at run time."""
    robot = taut.load("puma260")
    return robot.derive(function, effort="none", load=robot.tree.frames[-1].name).operations


def gravity_coefficients() -> dict[str, float]:
    """Return the coefficients of the gravity torques from the parameters."""
    m = TABLE["moments"]
    a2, d4 = TABLE["rows"][1][1], TABLE["rows"][3][2]
    return {
        "c15": round(-9.81 * m["z6"], 5),
        "c13": round(9.81 * (m["y4"] + m["m6"] * d4), 4),
        "c12": round(9.81 * m["m6"] * a2, 4),
    }


def impossible_rows() -> list[tuple[str, str]]:
    """Return the rows of Tables 1 and 2 whose mean or deviation cannot be that of numbers in their range."""
    found = []
    for table in ("table1", "table2"):
        for name, (mean, deviation, most, least) in TABLE[table].items():
            if least > most:
                found.append((f"{table}, {name}", f"maximum {most} below minimum {least}: exchanged"))
            elif not least <= mean <= most:
                found.append((f"{table}, {name}", f"mean {mean} outside {least} to {most}"))
            elif deviation > (largest := 1.06 * math.sqrt((most - mean) * (mean - least))):
                found.append((f"{table}, {name}", f"deviation {deviation}, at most {largest:.3f} for 10 numbers"))
    return found


def numbers() -> dict[int, Verdict]:
    """Return the verdicts on the printed numbers."""
    columns, rank, moments = identified()
    mass, gravity, bias = (normal("puma260", name) for name in ("mass_matrix", "gravity", "bias"))
    both = Operations(mass.mul + gravity.mul, mass.add + gravity.add)
    M_load, g_load, b_load = (with_load(name) for name in ("mass_matrix", "gravity", "bias"))
    loaded = Operations(M_load.mul + g_load.mul, M_load.add + g_load.add)
    counted = literal_code()
    low, high = PUBLISHED[48]["value"]["52 params"], PUBLISHED[48]["value"]["23 params"]
    ratio = (high[0] / high[1]) / (low[0] / low[1])
    background = sum(sum(PUBLISHED[k]["value"].values()) for k in (30, 31))
    test = "pytest tests/papers/test_audit.py"
    count = "taut count puma260 --function"
    return {
        30: equal(
            30, as_value(counted), test, f"the printed code, recounted; taut: {both.mul} + {both.add} for M and g"
        ),
        31: differs(31, ASSUMPTION, bias, f"{count} bias", "his code for it is not printed; taut's includes gravity"),
        32: differs(
            32,
            ASSUMPTION,
            loaded,
            "taut generate puma260 -o out --load flange",
            "the code is not printed; taut: M and g one after the other, effort none",
        ),
        33: differs(
            33, ASSUMPTION, b_load, "taut generate puma260 -o out --load flange", "not printed; gravity included"
        ),
        34: equal(
            34,
            {"mult": round(counted.mul, -1), "add": round(counted.add, -1)},
            test,
            "98 + 70 rounded",
        ),
        35: equal(
            35,
            {"mult": 6, "add": 5 + 1},
            "taut generate puma260 -o out",
            "a row of the inertias times the accelerations, 6 + 5, and the torque of the background task, 1",
        ),
        36: quoted(
            f"{background} operations without load in 20 ms are {20e3 / background:.0f} us each, sines apart",
            f"{20e3 / background:.0f} us an operation",
        ),
        37: quoted("nothing to check it by in the paper"),
        38: quoted(
            "Luh's own figures are 852 + 738; 800 + 595 is Walker and Orin's form of the same recursion",
            {"mult": 137 * 6 - 22, "add": 101 * 6 - 11},
            "python -m taut.report.complexity",
        ),
        39: quoted(
            "105n - 92 and 94n - 86 at n = 6, rounded: holds",
            {"mult": 105 * 6 - 92, "add": 94 * 6 - 86},
            "python -m taut.report.complexity",
        ),
        40: quoted(
            f"852 + 738 operations in 4.5 ms are {4.5e3 / (852 + 738):.1f} us each, sines apart",
            f"{4.5e3 / (852 + 738):.1f} us an operation",
        ),
        41: quoted(f"'a factor of 2': (800 + 600) / (460 + 260) = {1400 / 720:.2f}: holds", f"{1400 / 720:.2f}"),
        42: quoted(
            f"(800 + 600) / (320 + 280) = {1400 / 600:.2f} from six processors: {1400 / 600 / 6:.0%} of each is used",
            f"{1400 / 600:.2f}",
        ),
        43: quoted(
            f"'two orders of magnitude' is not what the latency gives: (800 + 600) / (15 + 43) = {1400 / 58:.0f}; "
            "a pipeline's throughput may",
            f"{1400 / 58:.0f}",
        ),
        44: quoted(
            f"(800 + 600) / (11 + 28) = {1400 / 39:.0f}; logarithmic in the joints, nothing to check it by here",
            f"{1400 / 39:.0f}",
        ),
        45: quoted("nothing to check it by in the paper"),
        46: equal(
            46,
            {
                "total": columns,
                "independent": rank,
                "moments": columns - 18,
                "independent_moments": moments,
                "significant": len(TABLE["significant"]),
            },
            test,
            "columns and ranks of the regressor; 23 are the rows of Table 2, what his recordings found significant",
        ),
        47: equal(
            47,
            f"600 by {columns}, rank {rank}",
            test,
            "the same test at 100 random states; the minutes are his machine's",
            holds=PUBLISHED[47]["value"]["matrix"] == [600, columns] and rank == 52,
        ),
        48: equal(
            48,
            f"ratio {ratio:.1f}",
            test,
            "the ratio follows from the four values; these are of his recordings",
            holds=round(ratio) == PUBLISHED[48]["value"]["ratio"],
        ),
        49: quoted("settings of his experiment; `taut identify` takes any"),
        50: equal(
            50,
            {"fraction_of_max_torque": 0.01},
            "taut abbreviate puma560 --rule torque",
            "the default of the rule by torque",
        ),
        51: quoted(
            f"90 deg at 180 deg/s take {90 / 180 + 0:.1f} s; the error is of his robot, its recording is not printed"
        ),
        52: quoted("Lloyd's; within 1 % of the ones below but c15 and, by the parameters, c13"),
        53: differs(
            53,
            MISPRINT,
            gravity_coefficients(),
            test,
            "c15 and c12 follow from the parameters; c13 is 9.81 (y4 + m6 d4), so 1.76644 with a stray 1 is likely",
        ),
        54: equal(
            54,
            "tables",
            "taut show puma260",
            "the library's puma260; Tables 1 and 2 are checked below",
            holds=taut.load("puma260").dof == 6 and len(TABLE["table1"]) == rank,
        ),
    }


def _program_rows() -> list[list[str]]:
    rows = []
    for name, formula in TABLE["formulas"].items():
        repaired = TABLE["repairs"].get(name)
        right = f"`{repaired}`" if repaired else ""
        rows.append([name, f"`{formula}`", MISPRINT if repaired else EQUAL, right])
    return rows


def errors_as_printed() -> dict[str, tuple[float, float]]:
    """Return {element: (largest error, its share of the largest value)} of the program as printed."""
    worst: dict[str, float] = dict.fromkeys(code.NAMES, 0.0)
    largest = dict(worst)
    for q in np.random.default_rng(260).uniform(-math.pi, math.pi, (500, 6)).tolist():
        printed, repaired = code.program(q, repaired=False), code.program(q, repaired=True)
        for name in code.NAMES:
            worst[name] = max(worst[name], abs(printed[name] - repaired[name]))
            largest[name] = max(largest[name], abs(repaired[name]))
    return {name: (error, error / largest[name]) for name, error in worst.items() if error > 1e-14}


def page() -> str:
    """Return the page as Markdown."""
    off = errors_as_printed()
    return TEXT.format(
        numbers=numbers_table(numbers()),
        program=markdown_table(["", "printed", "verdict", "right"], _program_rows(), 4),
        off="; ".join(
            f"{name} by up to {error:.1e} kg m^2, {100 * share:.1f} %" for name, (error, share) in off.items()
        ),
        equations=markdown_table(["where", "reads", "has to be", "slip of"], [list(row) for row in EQUATIONS], 4),
        rows=markdown_table(["row", "why it cannot be"], [list(row) for row in impossible_rows()], 2),
    )


TEXT = """\
# Izaguirre's generated code for the PUMA 260, audited

Made by `make tables`; do not edit. A. Izaguirre, M. Hashimoto, R. P. Paul, V. Hayward, *A new computational structure
for real-time dynamics*, Int. J. Robotics Research 1992: counts, parameters, and the program of Appendix A line by line,
beside taut. A verdict is *equal*, *misprint* (with the right one), *unknown assumption* (which), or *quoted* from
elsewhere (whether its arithmetic holds).

## Numbers

{numbers}

## The generated program

Five lines lack a term each, which is the generator's slip: the printed count of 98 products fits only without them. As
printed the first row of the inertias is wrong and the rest right to rounding (shares are of the element's largest
value): {off}.
With the five repairs all 21 inertias and 6 gravity torques equal taut's compound links and Newton-Euler
(`tests/papers/test_izaguirre_code.py`).

{program}

## Rows of Tables 1 and 2 that cannot be

For ten trajectories a deviation is at most 1.06 sqrt((max - mean)(mean - min)).

{rows}

## Text and equations

*Copy*: looks like a slip of the scanned copy that was read; *paper*: the paper's own; *open*: cannot be told.

{equations}
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
