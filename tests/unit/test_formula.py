"""Formulas: their values, their round trip, and what they refuse."""

import math
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taut
from taut.cli import main
from taut.errors import InputError
from taut.formats.formula import parse, parse_angle, parse_constant
from taut.formats.formula_grammar import LONGEST
from taut.formats.formula_writer import to_formula
from taut.formats.toml import read_toml
from taut.graph import Graph, Node
from taut.graph.evaluate import evaluate
from taut.robot.placement import QuarterTurns, right_angle

NAMES = ("a", "b2", "μ", "class", "x y", "pi", "sin", "deg", "nan", "e1", "__import__", "1st", "a'b\"c")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3", 7.0),
        ("-2**2", -4.0),
        ("(-2)**2", 4.0),
        ("2**-2", 0.25),
        ("8/2/2", 2.0),
        ("1 - 2 - 3", -4.0),
        ("2*-3", -6.0),
        ("--3", 3.0),
        (".5e1", 5.0),
        ("pi/2", math.pi / 2),
        ("30 deg", math.radians(30)),
        ("2 rad", 2.0),
        ("sqrt(2)*cos(pi/3)", math.sqrt(2) * math.cos(math.pi / 3)),
        ("cos(90 deg)", 0.0),
        ("sin(-90 deg)", -1.0),
        ("sign(-3)", -1.0),
        ("1/3", 1 / 3),
        ("0**0", 1.0),
    ],
)
def test_value(text, value):
    result = parse(text, Graph())
    assert type(result) is float
    assert result == value


@pytest.mark.parametrize("count", range(-9, 10))
def test_right_angles_are_the_multiples_of_half_pi(count):
    angle = parse(f"{90 * count} deg", Graph())
    assert angle == count * (math.pi / 2)
    assert right_angle(angle) == (QuarterTurns(count) if count % 4 else 0)
    assert (parse(f"sin({90 * count} deg)", Graph()), parse(f"cos({90 * count} deg)", Graph())) == (
        (0, 1, 0, -1)[count % 4],
        (1, 0, -1, 0)[count % 4],
    )


def test_digits_are_kept_as_written():
    for text in ("1.57079632679", "1.5707963267949", "3.1415926536", "1e-14", "90.0000000001 deg"):
        angle = parse_angle(text, Graph())
        assert angle == (math.radians(float(text[:-4])) if text.endswith("deg") else float(text))
        assert right_angle(angle) is angle


def test_names_are_symbols_of_one_graph():
    g = Graph()
    assert parse("a2 + 1", g) is parse("1 + a2", g)
    assert parse("`x y`*2", g) is g.symbol("x y") * 2
    assert parse("a - a", g) == 0.0
    assert parse("a/3", g) is g.symbol("a") * Fraction(1, 3)  # whole numbers are exact


@st.composite
def expressions(draw, depth=4):
    """Draw (text, function of the symbols' values), written by different code than the parser."""
    if depth == 0 or draw(st.booleans()):
        if draw(st.booleans()):
            name = draw(st.sampled_from(("a", "b", "c")))
            return name, lambda v: v[name]
        number = draw(st.integers(1, 99))
        return str(number), lambda v: float(number)
    (s, f), (t, g) = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    kind = draw(st.sampled_from("+-*/usqc"))
    if kind == "+":
        return f"{s} + ({t})", lambda v: f(v) + g(v)
    if kind == "-":
        return f"{s} - ({t})", lambda v: f(v) - g(v)
    if kind == "*":
        return f"({s}) * ({t})", lambda v: f(v) * g(v)
    if kind == "/":
        return f"({s})/(3 + ({t})*({t}))", lambda v: f(v) / (3 + g(v) * g(v))
    if kind == "u":
        return f"-({s})", lambda v: -f(v)
    if kind == "s":
        return f"sin({s})", lambda v: math.sin(f(v))
    if kind == "q":
        return f"sqrt(({s})**2)", lambda v: abs(f(v))
    return f"(2 + cos({s}))**-2", lambda v: 1 / (2 + math.cos(f(v))) ** 2


def value_of(result, values):
    return evaluate([result], values)[0] if isinstance(result, Node) else result


@given(expressions(), st.integers(0, 10**6))
def test_formula_means_what_python_says(expression, seed):
    text, function = expression
    values = {name: 0.3 + (seed * k % 997) / 700 for k, name in enumerate("abc", 1)}
    expected = function(values)
    result = value_of(parse(text, Graph()), values)
    # Sums of a few dozen roundings; cancellation is measured against the size of the parts.
    assert abs(result - expected) <= 1e-9 * max(1.0, abs(expected))


@given(expressions(), st.integers(0, 10**6))
def test_text_reads_back_to_the_same_value(expression, seed):
    node = parse(expression[0], Graph())
    values = {name: 0.3 + (seed * k % 997) / 700 for k, name in enumerate("abc", 1)}
    again = parse(to_formula(node), Graph())
    assert isinstance(again, Node) == isinstance(node, Node)
    before, after = value_of(node, values), value_of(again, values)
    assert abs(before - after) <= 1e-12 * max(1.0, abs(before))


@pytest.mark.parametrize("name", NAMES)
def test_any_name_survives(name):
    g = Graph()
    node = g.symbol(name) * 2 + 1
    assert parse(to_formula(node), g) is node


@given(st.fractions() | st.floats(allow_nan=False, allow_infinity=False).map(Fraction))
def test_coefficients_survive_exactly(coefficient):
    g = Graph()
    node = g.scale(coefficient, g.symbol("x"))
    again = parse(to_formula(node), g)
    assert again is node if isinstance(again, Node) else coefficient == 0


def test_unprintable_symbol_is_refused():
    with pytest.raises(InputError, match="cannot stand in a formula"):
        to_formula(Graph().symbol("a`b"))


def test_a_shared_expression_too_long_as_text_is_refused_quickly():
    g = Graph()
    node = g.symbol("x")
    for _ in range(200):  # 2^200 characters as a tree
        node = (node + 1) * (node + 2)
    start = time.perf_counter()
    with pytest.raises(InputError, match="longer than"):
        to_formula(node)
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "missing"),
        ("1 +", "missing"),
        ("(1", "')' is missing"),
        ("1)", "unexpected ')'"),
        ("1/0", "division by zero"),
        ("1/(a - a)", "division by zero"),
        ("(a-a)**-1", "division by zero"),
        ("1e999", "out of range"),
        ("sin(1e308*10)", "out of range"),
        ("(1e308*10 - 1e308*10)*2", "out of range"),
        ("1e308 + 1e308", "out of range"),
        ("1e300*1e300", "out of range"),
        ("nan", "no finite number"),
        ("2*Inf", "no finite number"),
        ("2 3", "unexpected '3'"),
        ("2a", "unexpected 'a'"),
        ("a b", "unexpected 'b'"),
        ("a.b", "unexpected '.'"),
        ("a[0]", "unexpected '['"),
        ("1,5", "unexpected ','"),
        ("tan(1)", "unknown function 'tan'"),
        ("__import__('os')", "unexpected"),
        ("sin", "wrong place"),
        ("a deg", "unexpected 'deg'"),
        ("sqrt(-1)", "square root"),
        ("2**a", "exponent"),
        ("2**0.5", "exponent"),
        ("9**9**9", "unexpected"),
        ("((9**60)**60)", "powers of powers"),
        ("9" * 3000, "digits"),
        ("(" * 500 + "1" + ")" * 500, "nested"),
        ("1+" * LONGEST, "characters"),
        ("-" * 9000, "missing"),
    ],
)
def test_refused_in_words_and_at_once(text, complaint):
    start = time.perf_counter()
    with pytest.raises(InputError, match=complaint.replace("'", ".").replace(")", r"\)").replace("[", r"\[")) as caught:
        parse(text, Graph(), "arm.toml: joint 'one': mass")
    assert time.perf_counter() - start < 1
    assert str(caught.value).startswith("arm.toml: joint 'one': mass: ")
    assert caught.value.advice


@pytest.mark.parametrize("value", [True, None, [1], {"a": 1}, math.nan, math.inf, 10**400, b"1"])
def test_no_number(value):
    with pytest.raises(InputError):
        parse(value, Graph())


def test_degrees_written_as_radians_are_refused():
    with pytest.raises(InputError, match='radians are expected; write "90 deg"'):
        parse_angle(90, Graph())
    with pytest.raises(InputError, match="radians"):
        parse_angle("-180", Graph())
    for fine in (6.28, "450 deg", "5*pi/2", "7.5 rad", "2*beta"):
        parse_angle(fine, Graph())


def test_constants_have_no_names():
    assert parse_constant("160 deg") == math.radians(160)
    with pytest.raises(InputError, match="free names"):
        parse_constant("2*a")


@pytest.mark.parametrize(
    ("formula", "value", "sentence"),
    [
        ("1/a", "0", r"the formula 1/a has no finite value where a = 0; correct"),
        ("sqrt(a)", "-1", r"the formula sqrt\(a\) has no finite value where a = -1"),
        ("a**64", "1e30", r"the formula a\^64 has no finite value where a = 1e\+30"),
    ],
)
def test_a_formula_without_a_value_is_named(
    formula: str, value: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "arm.toml"
    file.write_text(f'[values]\na = {value}\n[[joint]]\nxyz = ["{formula}", 0, 0]\nlink = {{ mass = 1 }}\n')
    with pytest.raises(InputError, match=sentence):
        taut.load(file).mass_matrix([0.0])
    assert main(["show", str(file)]) == 2
    assert "has no finite value" in capsys.readouterr().err


def test_a_law_without_a_value_is_named() -> None:
    links = '[[joint]]\nname = "a"\nlink = { mass = 1 }\n[[joint]]\nname = "b"\nlink = { mass = 1 }\n'
    robot = taut.Robot(read_toml(f'{links}[[cam]]\njoint = "b"\nfollows = "a"\nlaw = "sqrt(x + 1)"'))
    assert robot.inverse_dynamics([0.0], [0.0], [0.0]).shape == (1,)
    with pytest.raises(InputError, match=r"the formula .*sqrt\(x \+ 1\) has no finite value where x = -2"):
        robot.inverse_dynamics([-2.0], [0.0], [0.0])
