"""Whatever a file holds, the readers answer with a robot or an InputError, soon."""

import time

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from taut.errors import InputError
from taut.formats import read, read_path
from taut.formats.dh import from_dh
from taut.formats.document import JOINT, LINK, PLACE, TOP, build
from taut.formats.formula import parse
from taut.formats.izaguirre import KEYWORDS, read_izaguirre
from taut.formats.symoro import KNOWN, read_symoro
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml
from taut.graph import Graph, Node
from taut.robot import Tree

SLOWEST = 5.0
"""Seconds; what hostile text of a few kilobytes may cost at most."""

TOML = """name = "arm"
convention = "standard"
gravity = [0, 0, "-g"]
coupling = [{ drive = "b", joint = "a", ratio = 0.5 }]
[values]
g = { value = 9.81, tolerance = 0.01 }
[[joint]]
name = "a"
dh = { alpha = "-90 deg", a = "a1", d = 0.2, theta = "t0 + pi/2" }
limits = { lower = -1, upper = "160 deg" }
drive = { rotor_inertia = 1.1, coulomb = 5 }
[joint.link]
mass = "m1"
com = ["rx1", 0, 0]
inertia = [1, 0, 1, 0, 0, 1]
about = "com"
[[joint]]
name = "b"
kind = "prismatic"
xyz = [1, 2, 3]
turns = [["x", "30 deg"]]
axis = [0, 1, 0]
mimic = { joint = "a", multiplier = 2 }
[[frame]]
name = "tool"
link = "link2"
rpy = [0, 0, 1]
"""
SPEC = """number_links 2 % two
mass m1 2
sigma 0 1
alpha 90 -90
dpar 0 d2
apar a1 0
adyna 1 2
xgrav 0
ia1 ia2
option moment
variable m1 2.5
constant a1 0.2
stop
"""
PAR = """(* Robotname = 'x' *)
NL = 2
NJ = 2
Type = 0
ant = {0,1}
sigma = {0,1}
alpha = {0,Pi/2}
d = {0,D2}
theta = {th1,0}
r = {0,r2}
M = {1,M2}
IA = {IA1,0}
G = {0,0,G3}
Z = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}
"""
READERS = {"toml": (read_toml, TOML), "izaguirre": (read_izaguirre, SPEC), "symoro": (read_symoro, PAR)}

pieces = st.sampled_from(
    [
        *("", " ", "\n", "0", "-", "1e999", "nan", "9" * 50, "{", "}", "[", "]", "[[", '"', "'", "=", ",", "(*", "*)"),
        *("%", "a/0", "sqrt(-1)", "**99", "(((", "deg", "`", "\x00", "\ud800", "é", "²", "٣", "Ω", "__import__", "#"),
        *("stop", "joint", "NL = 3", "Type = 2", "inf", "true", "2020-01-01", "kind", "free", "fixed", "parent"),
    ]
)


@st.composite
def damaged(draw, text):
    """Draw a valid text with some slices replaced."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(pieces | st.text(max_size=4)) + text[end:]
    return text


def tried(reader, *arguments):
    """Return the robot, or None where the reader refused in words."""
    start = time.process_time()
    try:
        result = reader(*arguments)
    except InputError as error:
        assert str(error)
        result = None
    assert time.process_time() - start < SLOWEST
    return result


@pytest.mark.parametrize("kind", READERS)
def test_the_seeds_are_robots(kind):
    reader, text = READERS[kind]
    assert isinstance(tried(reader, text, "seed"), Tree)


@pytest.mark.parametrize("kind", READERS)
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files(kind, data):
    reader, text = READERS[kind]
    tree = tried(reader, data.draw(damaged(text)), "fuzz")
    if tree is not None:
        tried(write_toml, tree)


@pytest.mark.parametrize("kind", [None, *READERS])
@given(text=st.text(max_size=200) | st.lists(pieces, max_size=30).map("".join))
@example(text="x=" + "[" * 2000)
@example(text="x=" + "{a=" * 2000)
@example(text="a." * 2000 + "b=1")
@example(text="(*" * 5000)
@example(text="<!-- -->" * 50 + "x")
@example(text="number_links 1000\nsigma " + "0 " * 999)
@example(text="NL=1000 NJ=1000 ant={0" + ",0" * 999 + "}")
def test_any_text(kind, text):
    tried(read, text, "fuzz", kind)


words = st.sampled_from([*KEYWORDS, "ia1", "0", "1", "m1", "1/0", "%", "\n", "moment", "6", "2"])


@given(st.lists(st.lists(words, max_size=8).map(" ".join), max_size=12).map("\n".join))
def test_izaguirre_word_salad(text):
    tried(read_izaguirre, "number_links 2\n" + text + "\nstop", "fuzz")


lists = st.lists(st.sampled_from(["0", "1", "2", "th1", "pi", "r2", "1/0", ""]), min_size=1, max_size=3).map(",".join)


@given(st.lists(st.tuples(st.sampled_from(KNOWN), lists), max_size=10))
def test_symoro_word_salad(fields):
    tried(read_symoro, "NL=2 NJ=2 " + " ".join(f"{key} = {{{entries}}}" for key, entries in fields), "fuzz")


keys = st.sampled_from(
    sorted({*TOP, *JOINT, *LINK, *PLACE, "alpha", "a", "d", "theta", "lower", "value", "drive", "ratio"})
)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(
        ["standard", "modified", "khalil", "fixed", "free", "link1", "base", "joint1", "90 deg", "a", "origin"]
    )
    | st.text(max_size=5)
)
anything = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@settings(max_examples=400)
@given(st.dictionaries(keys, anything, max_size=5), st.lists(st.dictionaries(keys, anything, max_size=4), max_size=3))
def test_any_tables(top, joints):
    tried(build, {**top, "joint": joints}, "fuzz")


@given(
    st.sampled_from(["standard", "modified", "khalil"]) | leaves,
    st.lists(st.dictionaries(keys, anything, max_size=4), max_size=3),
)
def test_any_dh_rows(label, rows):
    tried(from_dh, label, rows)


marks = st.sampled_from(
    [*"+-*/()", "**", "sin(", "sqrt(", "a", "b", "pi", "deg", "2", "0", "1e300", ".5", " ", "`", "64", "9" * 40]
)


@settings(max_examples=1000)
@given(st.text(max_size=30) | st.lists(marks, max_size=40).map("".join))
@example("(" * 64 + "(1)**64" + ")" * 64)
@example("+".join(["(9999999999)**64"] * 1000))
@example("*".join(["(9999999999*a)**64"] * 1000))
@example("+".join(f"a{i}" for i in range(3000)))
@example("+".join(f"(a+b{i})" for i in range(2000)))
def test_any_formula(text):
    value = tried(parse, text, Graph(), "fuzz")
    assert value is None or isinstance(value, (float, Node))


@given(data=st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes(data, tmp_path):
    for name in ("x.toml", "x.par", "x.robot", "x"):
        (tmp_path / name).write_bytes(data)
        tried(read_path, tmp_path / name)
