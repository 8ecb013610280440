"""Verdicts on the numbers that Armstrong, Khatib and Burdick print: counts, rates, rules, parameters."""

from __future__ import annotations

import taut
from papers.armstrong import ALIAS, CONSTANTS, ELEMENTS, TABLE
from papers.audit import (
    ASSUMPTION,
    PUBLISHED,
    Verdict,
    as_value,
    differs,
    equal,
    kept,
    literal,
    normal,
    quoted,
)
from papers.burdick_page import added_for_torque
from papers.formulas import load
from taut.analysis.opcount import Operations
from taut.explicit import explicit_size
from taut.explicit.model import ExplicitModel
from taut.graph.derivative import jacobian
from taut.graph.prove import disproof
from taut.reduce.rules import JOINT_SHARE

SHORT = load("puma560_armstrong_abbreviated.json")["elements"]

MURRAY_NEUMAN = (
    "Jzz3*CC23 + Jyy3*SS23 + Jzx3 + d3**2*m3 + 2*Mz3*a2*C2*C23 + a2**2*m3*CC2 + 2*Mz3*a3*CC23 + a3**2*m3*CC23"
    " + 2*a2*a3*m3*C2*C23 + Jyy2*SS2 + Jzx2*CC2 + 2*d2*d3*m3 + 2*Mz2*a2*CC2 + a2**2*m2*CC2 + d2**2*m3 + d2**2*m2"
    " + Jzx22 + Jzx1 + Jzz1"
)
"""Equation 2, squares of cosines and sines as one factor."""

REDUCED = "I1 + I2*CC2 + I3*C2C23 + I4*CC23"
"""Equation 3, products of cosines as one factor."""

TRIG_PRODUCTS, RATE_PRODUCTS, SINES = 12, 21, 12
"""Products such as SC23 and CC4 that the tables name; products of two rates; sines and cosines of the six angles
q2, q3, q4, q5, q2 + q3 and 2 q2 + q3."""

FLOPS = 100_000


def literal_tables() -> tuple[Operations, int]:
    """Return Tables A4 to A7 counted as they stand, without aliases, and the minus signs in front."""
    return literal(f for f in ELEMENTS.values() if f != "0" and not ALIAS.fullmatch(f))


def derivatives(model: ExplicitModel) -> tuple[int, int]:
    """Return how many dM_ij/dq_k (i <= j) are not zero, and how many of them differ beyond their sign."""
    q = model.symbols("q")
    nodes = [model.sum_node(e.terms) for e in model.elements.values() if e.kind == "M"]
    found = [x for row in jacobian(nodes, q) for x in row if not x.is_zero]
    unique: list = []
    for x in found:
        if not any(disproof([x], [y], 1) is None or disproof([x], [-y], 1) is None for y in unique):
            unique.append(x)
    return len(found), len(unique)


def simple_parameters() -> int:
    """Return his measured numbers: those of Tables 4 to 6 and A1 that are not zero, m1, ry1, and six drive inertias."""
    return sum(1 for value in TABLE["parameters"].values() if value) + 2 + 6


def numbers(model: ExplicitModel, abbreviated: int, abbreviated_M: int) -> dict[int, Verdict]:
    """Return the verdicts on the printed numbers.

    Args:
        model: taut's explicit equations of the arm.
        abbreviated: operations of the model abbreviated at 1 %, with torque.
        abbreviated_M: of its M, products such as CC2 given.
    """
    full, rne, short = PUBLISHED[7]["value"]["total"], PUBLISHED[6]["value"], PUBLISHED[8]["value"]
    elements, signs = literal_tables()
    sums = added_for_torque()
    plain = elements.total + TRIG_PRODUCTS + sums.total
    implied = FLOPS / PUBLISHED[11]["value"]["Hz"]
    left_over = round(implied) - full
    slow, fast = PUBLISHED[12]["value"]["config_Hz"], PUBLISHED[12]["value"]["torque_Hz"]
    torque_part = (FLOPS - slow * full) / (fast - slow)
    torque_part_implied = (FLOPS - slow * implied) / (fast - slow)
    M_full, _ = literal(f for name, f in ELEMENTS.items() if name[0] == "a" and f != "0")
    M_short, _ = literal(f for name, f in SHORT.items() if name[0] == "a" and f != "0")
    nonzero, unique = derivatives(model)
    rules = PUBLISHED[21]["value"]
    weeks, hours = PUBLISHED[23]["value"]["weeks"], PUBLISHED[23]["value"]["hours"]
    tight = kept("puma560", "inverse_dynamics")
    test = "pytest tests/papers/test_audit.py"
    return {
        6: differs(
            6,
            ASSUMPTION,
            as_value(tight),
            "taut count puma560 --parameters pattern --generic",
            f"Luh's 852 + 738 for six joints are {852 + 738}, 30 more; taut: {tight.total} for this arm",
        ),
        7: differs(
            7,
            ASSUMPTION,
            {"total": plain, "mult": elements.mul + TRIG_PRODUCTS + sums.mul, "add": elements.add + sums.add},
            test,
            f"739 + 426 = 1165 holds; his tables counted as they stand, with {TRIG_PRODUCTS} products of sines, "
            f"{RATE_PRODUCTS} of rates and the sums of the torque, have {plain} ({signs} minus signs in front apart); "
            f"taut: {model.function('readable', torque=True).operations.total} in readable form",
        ),
        8: differs(
            8,
            ASSUMPTION,
            abbreviated,
            "taut abbreviate puma560 --scenario armstrong",
            "which products of rates he forms is not said; taut counts everything",
        ),
        9: equal(9, round(short / rne, 3), test, "305 / 1560", holds=abs(short / rne - 0.2) < 0.01),
        10: equal(
            10, f"{100 * (1 - full / rne):.1f} %", test, "1165 / 1560", holds=round(100 * (1 - full / rne)) == 25
        ),
        11: differs(
            11,
            ASSUMPTION,
            f"{FLOPS / full:.1f} Hz",
            test,
            f"78 Hz at 100 kFLOP/s are {implied:.0f} operations a pass, {left_over} more than Table 1. They may be the "
            f"{SINES} sines and cosines that the text leaves out of its counts: {left_over / SINES:.1f} operations "
            "each, about those of a polynomial of degree nine",
        ),
        12: differs(
            12,
            ASSUMPTION,
            f"torque part {torque_part:.0f}",
            test,
            f"50 and 200 Hz share 100 kFLOP/s if the part for each torque has {torque_part:.0f} of 1165 operations, or "
            f"{torque_part_implied:.0f} of {implied:.0f}; the plain sums have {sums.total}: the {left_over} are in the "
            "part that depends on configuration, as sines would be",
        ),
        13: quoted(
            "Walker and Orin's columns of M by repeated Newton-Euler passes of falling order, not composite bodies; "
            "which passes are shortened is not said",
            as_value(kept("puma560", "mass_matrix")),
            "taut count puma560 --function mass_matrix --parameters pattern --generic",
        ),
        14: differs(
            14,
            ASSUMPTION,
            M_full.total + TRIG_PRODUCTS - 1,
            test,
            f"Table A4 as it stands has {M_full.mul} + {M_full.add}, and {TRIG_PRODUCTS - 1} products of sines; taut: "
            f"{kept('puma560', 'mass_matrix').total}",
        ),
        15: quoted(
            "Izaguirre and Paul's simplified matrix; its parameters are not printed",
            normal("puma260", "mass_matrix"),
            "taut count puma260 --function mass_matrix",
        ),
        16: equal(16, M_short.total, test, f"Table A4, abbreviated, as it stands; taut: {abbreviated_M}"),
        17: quoted(
            "EMDEG's output before anything was lumped; taut multiplies out to fewer terms, each a constant and sines",
            f"{explicit_size(taut.load('puma560').tree).terms} terms",
            "taut derive puma560 --form explicit",
        ),
        18: equal(18, as_value(literal([MURRAY_NEUMAN])[0]), test, "equation 2 recounted; the text after (3) has 35"),
        19: equal(19, as_value(literal([REDUCED])[0]), test, "products of cosines given"),
        20: equal(
            20,
            {"lumped": len(CONSTANTS) + 6, "simple": simple_parameters()},
            test,
            f"23 of inertia, 5 of gravity and 6 drives; simple ones with g, m1 and ry1. taut: {len(model.constants)}",
        ),
        21: differs(
            21,
            ASSUMPTION,
            {"possible": 6 * 21, "unique_nonzero": model.unique_christoffel, "by all rules": 126 - 39},
            "taut derive puma560 --form explicit --json",
            f"{rules['by_7_8']} + {rules['by_9']} + {rules['by_10']} = 126 - 39 holds; his tables print 35, as taut "
            "does: four more become equal when the derivatives are formed",
        ),
        22: differs(
            22,
            ASSUMPTION,
            {"needed": unique, "possible": 126, "not zero": nonzero},
            test,
            "derivatives of M that are not zero, and those that differ beyond their sign; which he formed is not said",
        ),
        23: equal(
            23,
            f"{100 * hours / (weeks * 50):.0f} %",
            test,
            "5 hours of 5 weeks of 50 hours; of 40 hours 2.5 %",
            holds=round(100 * hours / (weeks * 50)) == PUBLISHED[23]["value"]["percent"],
        ),
        24: equal(
            24,
            {"of_greatest_term": 0.01, "of_largest_joint_constant": 0.01 * JOINT_SHARE},
            "taut abbreviate puma560 --threshold 0.01",
            "the rule `armstrong`",
        ),
        25: equal(
            25,
            "largest torque / 2^11",
            test,
            "12 bits with a sign",
            holds=2**11 == 2048,
        ),
        26: equal(
            26,
            "tables",
            "taut show puma560",
            "the library's puma560; constants and their formulas are compared above",
            holds=_library_is_the_tables(),
        ),
    }


def _library_is_the_tables() -> bool:
    values = {name: value.value for name, value in taut.load("puma560").tree.values.items()}
    shared = [name for name in TABLE["parameters"] if name in values]
    return len(shared) > 25 and all(abs(values[name] - TABLE["parameters"][name]) < 1e-12 for name in shared)
