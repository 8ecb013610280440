"""What an explicit model says: text, names, relations, limits."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest

import taut
from explicit.arms import general_arm, planar_arm
from taut.errors import InputError, UnsupportedError
from taut.explicit import Term, explicit_size
from taut.explicit.hierarchy import Hierarchy, brackets_of
from taut.explicit.text import element_text, hierarchy_text
from taut.graph.operation import Op
from taut.graph.text import to_text

DOUBLE_PENDULUM = """\
double_pendulum: explicit equations, 2 joints, 5 constants
tau_i = sum_j M_ij qdd_j + sum_{j<k} b_ijk qd_j qd_k + sum_j c_ij qd_j^2 + g_i

Notation
S1 = sin(q1), S12 = sin(q1 + q2), S2 = sin(q2), C2 = cos(q2)

Constants
K1 = m1*L1^2 + m2*(L1^2 + L2^2)
K2 = L1*m2*L2
K3 = m2*L2^2
K4 = L1*g*(m1 + m2)
K5 = m2*L2*g

Mass matrix
M11 = K1 + 2*K2*C2
M12 = K3 + K2*C2
M22 = K3

Coriolis coefficients, b_ijk of qd_j qd_k
b112 = -2*K2*S2
zero: b212

Centrifugal coefficients, c_ij of qd_j^2
c12 = (1/2)*b112
c21 = -(1/2)*b112
zero: c11, c22

Gravity
g1 = K4*S1 + K5*S12
g2 = K5*S12
"""


@pytest.fixture(scope="module")
def pendulum():
    return taut.load("double_pendulum").explicit()


@pytest.fixture(scope="module")
def burdick():
    return taut.load("puma560_burdick").explicit()


@pytest.fixture(scope="module")
def stanford():
    return taut.load("stanford").explicit()


def test_text_of_a_model(pendulum):
    assert pendulum.text() == DOUBLE_PENDULUM


def test_elements_are_found_by_their_indices(pendulum):
    assert str(pendulum.M[1, 0]) == "M12 = K3 + K2*C2"
    assert pendulum.b[0, 1, 0] is pendulum.elements["b112"]
    assert pendulum.c[1, 0].terms == (Term(Fraction(1), "K2", (("S2", 1),)),)
    assert str(pendulum.g[-1]) == "g2 = K5*S12"
    assert pendulum.b[1, 0, 1].is_zero
    assert element_text(pendulum.c[1, 0], own=True) == "c21 = K2*S2"
    for wrong in ((2, 0), (0, 0, 0), 0):
        with pytest.raises(IndexError):
            pendulum.M[wrong]
    with pytest.raises(IndexError, match="use c"):
        pendulum.b[0, 1, 1]


def test_relations_are_discovered(burdick):
    """What Burdick's rules say of his arm, eqs. (26)-(29) and (34)-(35), and of its parallel joints."""
    texts = {relation.text for relation in burdick.relations}
    assert {"b413 = -b314", "b412 = -b214", "b234 = b224", "b134 = b124", "c32 = -(1/2)*b223"} <= texts
    first, second = burdick.M[1, 2].relation, burdick.M[1, 1].relation
    assert first.parts == ((Fraction(1), "M33"),)  # M23 = M33 + eta
    assert len(first.extra) == 4
    assert second.parts[0][1] in ("M23", "M33")
    assert burdick.M[0, 1].relation.parts == ((Fraction(1), "M13"),)
    assert burdick.elements["b212"].relation.kind == "zero"


def test_relations_can_be_left_out(burdick):
    plain = taut.load("puma560_burdick").explicit(relations=False)
    assert plain.M[1, 2].relation is None
    assert plain.M[1, 2].terms == burdick.M[1, 2].terms
    assert plain.unique_christoffel == burdick.unique_christoffel


def test_terms_of_one_constant_stand_in_one_bracket(burdick):
    text = str(burdick.M[0, 5])
    assert text == f"M16 = {burdick.M[0, 5].terms[0].constant}*(C23*C5 - S23*C4*S5)"


def test_constants_are_formulas_with_whole_factors(burdick):
    for element in burdick.elements.values():
        if not (element.relation and element.relation.parts):
            assert all(term.factor.denominator == 1 for term in element.terms), element.name
    formulas = [to_text(constant.formula) for constant in burdick.constants.values()]
    assert len(set(formulas)) == len(formulas)
    assert "Izz6" in formulas


def test_formulas_are_factored_masses_together_and_squares_closed():
    """As a person writes them: Armstrong's I1, I13 and G1 [Table A2]."""
    formulas = {to_text(c.formula) for c in taut.load("puma560").explicit().constants.values()}
    assert {"a3*(m4 + m5 + m6)*(d2 + d3)", "-g*(m2*rx2 + a2*(m3 + m4 + m5 + m6))"} <= formulas
    assert any("(m4 + m5 + m6)*(a3^2 + a2^2 + (d2 + d3)^2)" in formula for formula in formulas)


def test_numbers_of_a_file_are_named_and_keep_their_values(stanford):
    known = {name for c in stanford.constants.values() for name in _symbols(c.formula)}
    assert {"m4", "mz4", "Ixx4", "d4", "my5", "g"} <= known
    assert stanford.values["d4"] == 0.6
    assert stanford.values["mz4"] == pytest.approx(0.1)
    assert all(constant.value is not None for constant in stanford.constants.values())
    assert not any(name.startswith(("Ixy", "mx")) for name in known)  # zeros of the file stay zero


def test_slides_are_generators(stanford):
    assert ("q3", 2) in {factor for term in stanford.M[0, 0].terms for factor in term.monomial}
    assert "q3^2" in str(stanford.M[0, 0])
    assert stanford.angles["q3"] == ((2, 1),)


def test_symbolic_parameters_free_ten_a_link():
    robot = taut.load("stanford_rrp")
    free = robot.explicit(parameters="symbolic")
    assert len(free.M[0, 0].terms) > len(robot.explicit().M[0, 0].terms)
    with pytest.raises(InputError, match="choose one of pattern, symbolic"):
        robot.explicit(parameters="numeric")


def test_a_symbol_without_a_value_leaves_constants_without_one(pendulum):
    assert pendulum.constants["K1"].value is None


def test_readable_program_has_the_count_of_its_text(pendulum):
    """M11: 1+1 (2*K2 is a constant), M12: 1 addition (K2*C2 shared once more), b112: 1, halves: 1, g: 2+1."""
    function = pendulum.function()
    assert (function.operations.mul, function.operations.add) == (6, 3)
    assert function.proof is pendulum.proof
    with pytest.raises(InputError, match="choose readable or tight"):
        pendulum.function("short")


def test_tight_form_answers_the_same_question(pendulum):
    q = np.array([0.3, -0.7])
    parameters = {"m1": 1.0, "m2": 2.0, "L1": 0.5, "L2": 0.4, "g": 9.81}
    tight = pendulum.function("tight", effort="none")
    assert tight(q, parameters=parameters) == pytest.approx(pendulum.function()(q, parameters=parameters))


def test_shared_brackets_are_numbered_in_the_order_in_which_the_elements_show_them() -> None:
    shared = Hierarchy(taut.load("rx90").explicit())
    shown = [bracket for terms in shared.printed.values() for _, _, bracket in brackets_of(terms)]
    numbered = list(shared.brackets.values())
    assert len(numbered) > 50
    assert numbered == [bracket for bracket in dict.fromkeys(shown) if bracket in numbered]


def test_terms_t_and_brackets_v_are_shared(burdick):
    text = hierarchy_text(burdick)
    shared = Hierarchy(burdick)
    assert "T1 = " in text
    assert "V1 = " in text
    printed = text[text.index("Elements") :]
    for name in shared.brackets:
        assert printed.count(f"*{name}") > 1, name


def test_abbreviation_drops_relations_that_no_longer_hold(burdick):
    kept = burdick.b[2, 0, 3].terms[:1]
    small = burdick.with_terms({"b314": kept})
    assert small.elements["b314"].terms == kept
    assert small.elements["b413"].relation is None
    assert small.elements["b412"].relation is not None
    both = burdick.with_terms({"b314": kept, "b413": [term.times(-1) for term in kept]})
    assert both.elements["b413"].relation.text == "b413 = -b314"


def test_constants_can_be_renamed(pendulum):
    model = pendulum.renamed({"K1": "I1"})
    assert str(model.M[0, 0]) == "M11 = I1 + 2*K2*C2"
    assert model.prove().points == 3
    with pytest.raises(InputError, match="one name"):
        pendulum.renamed({"K1": "K2"})


def test_emdegs_example_takes_seconds():
    """Ten minutes on a VAX 11/780 [Burdick 1986, section 6]; the aim is ten seconds, proof included."""
    started = time.process_time()
    model = taut.load("puma560_burdick").explicit()
    assert time.process_time() - started < 10
    assert model.proof is not None


# -- size ---------------------------------------------------------------------------


def test_the_size_is_told_before_anything_is_written():
    size = explicit_size(taut.load("panda").tree)
    assert 20_000 < size.terms < 40_000
    told = []
    taut.load("scara").explicit(progress=lambda text, count: told.append((text, count)))
    assert "124 terms" in told[0][0]
    assert told[0][1] == 124


def test_a_model_beyond_the_limit_is_refused_with_advice():
    with pytest.raises(InputError, match=r"29,420 terms.*limit of 10,000.*tight form"):
        taut.load("panda").explicit(limit=10_000)
    with pytest.raises(InputError, match="tight form"):
        taut.load("general_6r").explicit(limit=5_000)


def test_the_size_is_an_upper_bound():
    robot = planar_arm(3)
    model = robot.explicit()
    assert sum(len(e.terms) for e in model.elements.values()) <= explicit_size(robot.tree).terms == model.size.terms


def test_free_joints_are_refused():
    with pytest.raises(UnsupportedError, match="free or ball joint"):
        taut.load("double_pendulum", base="free").explicit()


def test_general_arm_has_general_constants():
    """Twists stay symbols: their sines and cosines are in the constants, none in the terms."""
    model = general_arm(2).explicit()
    assert any("sin(alpha2)" in to_text(c.formula) for c in model.constants.values())
    assert {name[1:] for name in model.generators} == {"1", "2"}


def _symbols(formula):
    return {node.name for node in formula.graph.nodes[: formula.serial + 1] if node.op is Op.SYMBOL}
