"""Program text: what is written reads back to the same program, anything else is refused in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taut.errors import InputError
from taut.graph import Graph, Stage
from taut.graph.lower import lower
from taut.graph.program import Line, Program, Signed
from taut.graph.program_text import parse_program
from unit.random_expressions import expressions

TEXT = """\
t0 = input "m"  # parameter
t1 = 2/3  # constant
t2 = t0 * t1  # parameter
t3 = input "q"  # configuration
t4 = t3 + t3  # configuration, free
t5 = sin(t4)  # configuration
t6 = t5 / t2  # configuration
t7 = -t6  # configuration
output 0 = -t7
output 1 = t2
"""


@given(expressions())
def test_reads_back(outputs):
    program = lower(outputs)
    assert parse_program(program.to_text()) == program


def test_every_form():
    program = parse_program(TEXT)
    assert program.to_text() == TEXT
    assert [line.op for line in program.lines] == ["input", "constant", "mul", "input", "add", "sin", "div", "neg"]
    assert program.lines[4] == Line("add", (3, 3), Stage.CONFIGURATION, None, free=True)
    assert program.outputs == (Signed(-1, 7), Signed(1, 2))


def test_comments_are_skipped():
    assert parse_program(f"# a title\n\n{TEXT}\n# an end\n").to_text() == TEXT


@pytest.mark.parametrize("name", ["q", "ä name", 'a "quoted" one', "back\\slash", "line\nend", "#", "  # velocity"])
def test_names_of_any_kind(name):
    graph = Graph()
    program = lower([graph.symbol(name, Stage.VELOCITY) ** 2])
    assert parse_program(program.to_text()) == program


@pytest.mark.parametrize("value", [0, 7, 0.1, 1e300, 5e-324, 2**0.5])
def test_constants_are_exact(value):
    graph = Graph()
    program = lower([graph.constant(value) * graph.symbol("x", Stage.VELOCITY)])
    assert parse_program(program.to_text()) == program


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("t2 = t0 * t1", "t2 = t0 ** t1", "line 3: found"),
        ("t2 = t0 * t1", "t2 = t0 * t9", "not defined before its use"),
        ("t5 = sin(t4)", "t5 = tan(t4)", "line 6: found"),
        ("t5 = sin(t4)", "t5 = sin t4", "line 6: found"),
        ("t5 = sin(t4)", "t6 = sin(t4)", "number 6, expected 5"),
        ("t7 = -t6", "t7 = -(t6)", "line 8: found"),
        ("2/3  # constant", "2/0  # constant", "line 2: 2/0 is no number"),
        ("2/3  # constant", "1e999  # constant", "line 2"),
        ("2/3  # constant", "__import__('os')  # constant", "line 2: found"),
        ("# parameter\nt1", "# later\nt1", "no stage 'later'"),
        ("t6 = t5 / t2  # configuration", "t6 = t5 / t2  # velocity", "is not that of its latest operand"),
        ('input "m"', "input m", "expected a quoted name"),
        ('input "m"', "input 3", "expected a quoted name"),
        ('input "q"', 'input "m"', "a second input named 'm'"),
        ("output 1 = t2", "output 2 = t2", "number 2, expected 1"),
        ("output 1 = t2", "output 1 = t20", "does not exist"),
        ("output 0 = -t7\n", "output 0 = -t7\nt8 = 1  # constant\n", "nothing but outputs"),
    ],
)
def test_refusals_name_the_line(old, new, message):
    assert old in TEXT
    with pytest.raises(InputError) as refused:
        parse_program(TEXT.replace(old, new))
    assert "program text" in str(refused.value)
    assert message in str(refused.value)


@given(st.text(max_size=200))
def test_any_text_is_a_program_or_refused(text):
    try:
        assert isinstance(parse_program(text), Program)
    except InputError:
        pass


@given(st.data())
def test_a_damaged_program_is_a_program_or_refused(data):
    at = data.draw(st.integers(0, len(TEXT) - 1))
    damaged = TEXT[:at] + data.draw(st.text(max_size=3)) + TEXT[at + data.draw(st.integers(0, 3)) :]
    try:
        assert parse_program(damaged).faults() == []
    except InputError:
        pass
