"""taut's own format: everything it can say is read, written and read again to an equal robot."""

import math
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taut.formats.toml
from taut.errors import InputError
from taut.formats import read, read_path
from taut.formats.toml import read_toml
from taut.formats.toml_writer import write_toml
from taut.graph import Graph, Node
from taut.graph.evaluate import evaluate
from taut.graph.operation import Op
from taut.graph.walk import symbols_of
from taut.robot import (
    Drive,
    Frame,
    Free,
    Joint,
    Limits,
    Link,
    Mimic,
    Placement,
    Prismatic,
    Revolute,
    Tree,
    Value,
    edit,
)
from taut.robot.edit import numeric, with_values
from taut.spatial import Inertia, Vec3

LIBRARY = sorted((Path(taut.formats.__file__).parents[1] / "library").glob("*.toml"))

EVERYTHING = """
name = "every 'thing'"
source = "measured by \\"hand\\""
gravity = [0, "g*sin(tilt)", -9.81]
base = { xyz = [0, 0, "h"], rpy = ["90 deg", 0, 0.25] }
base_link = { name = "pedestal", mass = 5, com = [0, 0, 0.5], inertia = [1, 0, 1, 0, 0, 0.5], about = "com" }
convention = "modified"
coupling = [{ drive = "wrist", joint = "elbow", ratio = "-1/3" }]

[values]
g = 9.81
a2 = { value = 0.4318, tolerance = 1e-4 }
"odd name" = { value = 2 }

[[joint]]
name = "shoulder"
dh = { alpha = "-90 deg", a = 0.1, d = "d1", theta = "180 deg" }
limits = { lower = "-160 deg", upper = 2.5, velocity = 3, effort = 100 }
drive = { rotor_inertia = "Im", gear_ratio = 60, coulomb = 5, viscous = 4, offset = 0.1, stiffness = 2, rest = 0.3 }
[joint.link]
name = "upper arm"
mass = "m1"
com = ["rx1", 0, -0.1]
inertia = [1, 0.1, 2, 0.2, 0.3, "Izz1"]
about = "com"

[[joint]]
name = "elbow"
kind = "prismatic"
xyz = ["a2", 0, 0]
turns = [["x", "-90 deg"], ["z", "t0"], ["y", "500 deg"]]
axis = [0, 3, 4]
[joint.link]
mass = 2
moment = [0.1, "2*`odd name`", 0]

[[joint]]
name = "plate"
kind = "fixed"
xyz = [0, 0, 0.1]
link = { name = "plate", mass = 1, com = [0, 0.1, 0] }

[[joint]]
name = "wrist"
parent = "plate"

[[joint]]
name = "finger"
parent = "plate"
mimic = { joint = "wrist", multiplier = -1, offset = "o" }

[[frame]]
name = "camera"
link = "pedestal"
xyz = [1, 2, 3]

[[frame]]
name = "tool"
link = "plate"
turns = [["z", 0.5]]
"""


def same(a, b, values):
    """Whether two parts are equal: numbers to the bit, formulas at the given values."""
    if isinstance(a, Node) or isinstance(b, Node):
        if not (isinstance(a, Node) and isinstance(b, Node)):
            return False
        positions = {node.name: 0.7 for node in symbols_of([a])}  # those a law is a formula of
        x, y = (evaluate([formula], positions | values)[0] for formula in (a, b))
        return abs(x - y) <= 1e-12 * max(1.0, abs(x))
    if is_dataclass(a):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name), values) for f in fields(a))
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(same(x, y, values) for x, y in zip(a, b, strict=True))
    if isinstance(a, MappingProxyType):
        return list(a) == list(b) and all(same(a[key], b[key], values) for key in a)
    return a == b


def assert_same(one, two):
    rng = np.random.default_rng(1)
    assert edit.symbols(one) == edit.symbols(two)
    shown = {
        n.name
        for t in (one, two)
        if t.convention
        for row in t.convention[1]
        for n in row
        if isinstance(n, Node) and n.op is Op.SYMBOL
    }
    for _ in range(3):
        values = {name: rng.uniform(0.5, 1.5) for name in edit.symbols(one) | shown}
        for f in (f for f in fields(Tree) if f.compare):
            assert same(getattr(one, f.name), getattr(two, f.name), values), f.name


def test_everything_is_read():
    tree = read_toml(EVERYTHING, "arm.toml")
    assert tree.name == "every 'thing'"
    assert [joint.name for joint in tree.joints] == ["shoulder", "elbow", "wrist", "finger"]
    assert [frame.name for frame in tree.frames] == ["plate", "camera", "tool"]
    shoulder, elbow, wrist, _ = tree.joints
    assert shoulder.limits == Limits(math.radians(-160), 2.5, 3.0, 100.0)
    assert (shoulder.drive.gear_ratio, shoulder.drive.rotor_inertia.name) == (60.0, "Im")
    assert elbow.motion == Prismatic(Vec3(0.0, 0.6, 0.8))
    assert elbow.placement.turns[0] == (0, -math.pi / 2)
    assert wrist.parent == 1
    assert tree.mimics[0].joint == 3
    assert tree.mimics[0].leader == 2
    assert tree.coupling[0][:2] == (2, 1)
    assert tree.coupling[0][2] == -1 / 3
    assert tree.values["a2"] == Value(0.4318, 1e-4)
    assert tree.base_name == "pedestal"
    # Steiner: 5 kg half a metre up.
    assert tree.base_inertia.parameters == (5.0, 0.0, 0.0, 2.5, 2.25, 0.0, 2.25, 0.0, 0.0, 0.5)
    # The plate is a point mass of 1 kg at (0, 0.1, 0.1) of the elbow's link.
    assert tree.joints[1].link.inertia.m == 3.0
    assert tree.joints[1].link.inertia.I.xx == pytest.approx(0.02, rel=1e-15)
    assert tree.convention[0] == "modified"


def test_round_trip_of_everything():
    tree = read_toml(EVERYTHING)
    assert_same(read_toml(write_toml(tree)), tree)


def test_round_trip_with_a_free_base():
    tree = edit.free_base(read_toml(EVERYTHING))
    again = read_toml(write_toml(tree))
    assert_same(again, tree)
    assert isinstance(again.joints[0].motion, Free)


@pytest.mark.parametrize("path", LIBRARY, ids=lambda p: p.stem)
def test_round_trip_of_the_library(path):
    tree = read_path(path)
    text = write_toml(tree)
    assert_same(read_toml(text), tree)
    # Reading orders terms by first appearance, after which the text is at rest.
    settled = write_toml(read_toml(text))
    assert write_toml(read_toml(settled)) == settled


# -- random robots, straight from parts ---------------------------------------

numbers = st.floats(-10, 10) | st.integers(-3, 3)
names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)


@st.composite
def scalars(draw, graph):
    if draw(st.integers(0, 3)):
        return float(draw(numbers))
    node = graph.symbol(draw(st.sampled_from(("a", "m-1", "sin", "int"))))
    return node * draw(st.floats(0.25, 4)) + draw(numbers) if draw(st.booleans()) else node


def meant(multiplier):
    """Whether a number may be the multiplier of a mimicking joint."""
    return isinstance(multiplier, Node) or multiplier == 0 or abs(multiplier) > 1e-9


@st.composite
def trees(draw):
    graph = Graph()
    number = scalars(graph)
    count = draw(st.integers(1, 5))
    unique = draw(st.lists(names, min_size=2 * count + 3, max_size=2 * count + 3, unique=True))

    def placement():
        turns = draw(st.lists(st.tuples(st.integers(0, 2), number), max_size=3))
        kept = [t for i, t in enumerate(turns) if i == 0 or turns[i - 1][0] != t[0]]
        placed = Placement().then(Placement(Vec3(*(draw(number) for _ in range(3))), tuple(kept)))
        return Placement().then(placed)  # a turn by 0 between two about one axis is gone now: join them

    def inertia():
        return Inertia.from_parameters(tuple(draw(number) for _ in range(10)))

    joints = []
    for i in range(count):
        raw = [draw(st.floats(-1, 1)) for _ in range(3)]
        size = math.hypot(*raw)
        axis = Vec3(*(x / size for x in raw)) if size > 0.1 else Vec3(0.0, 0.0, 1.0)
        motion = draw(st.sampled_from((Revolute(axis), Prismatic(axis))))
        drive = Drive(*(draw(number) for _ in range(7)))
        bound = st.none() | st.floats(0, 9)
        limits = Limits(draw(st.none() | st.floats(-9, 0)), draw(bound), draw(bound), draw(bound))
        # A chain, so that depth first is the order given.
        joints.append(Joint(unique[i], i - 1, placement(), motion, Link(unique[count + i], inertia()), drive, limits))
    mimics = (
        (Mimic(count - 1, 0, draw(number.filter(meant)), draw(number)),) if count > 1 and draw(st.booleans()) else ()
    )
    coupling = ((count - 1, 0, draw(number)),) if count > 1 else ()
    values = {
        name: Value(draw(numbers) * 1.0, draw(st.none() | st.floats(0, 1))) for name in draw(st.sets(names, max_size=3))
    }
    return Tree(
        draw(names),
        tuple(joints),
        (Frame(unique[-1], count - 1, placement()), Frame(unique[-2], -1, placement())),
        base=placement(),
        base_name=unique[-3],
        base_inertia=inertia(),
        gravity_acceleration=Vec3(*(draw(number) for _ in range(3))),
        mimics=mimics,
        coupling=coupling,
        values=MappingProxyType(values),
        source=draw(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)),
        convention=draw(st.none() | st.just(("standard", ((0.0, 1.0, graph.symbol("a"), 0.5),)))),
    )


@pytest.mark.filterwarnings("ignore:.*negative mass:taut.errors.InputWarning")
@given(trees())
def test_round_trip_of_random_robots(tree):
    assert_same(read_toml(write_toml(tree)), tree)


def test_round_trip_of_a_single_body_and_of_numbers_near_the_smallest_float():
    body = read_toml(
        'name = "block"\nbase_link = { name = "a", mass = 2, inertia = [1, 0, 2, 0, 0, 2.5], about = "com" }', "block"
    )
    assert not body.joints and read_toml(write_toml(body), "again") == body
    text = '[[joint]]\nlink = { mass = "m1", com = ["rx1", 1e-320, 0], inertia = [1, 0, 1, 0, 0, 1], about = "com" }'
    tiny = read_toml(text, "tiny")
    again = read_toml(write_toml(tiny), "again")
    known = {"m1": 2.0, "rx1": 3.0}
    parts = [numeric(with_values(tree, known)).inertia(0).parameters for tree in (tiny, again)]
    assert parts[0] == parts[1]


def test_a_robot_that_no_file_can_hold():
    tree = read_toml("[[joint]]")
    with pytest.raises(InputError, match="no file can hold"):
        write_toml(replace(tree, name="\ud800"))
    with pytest.raises(InputError, match="cannot be written"):
        write_toml(replace(tree, gravity_acceleration=Vec3(0.0, 0.0, math.inf)))


def test_the_documented_schema_is_a_robot():
    """The example in the module's docstring, comments included, reads as it stands but for its loose names."""
    block = taut.formats.toml.__doc__.split("::\n", 1)[1].split("\n``com``")[0]
    text = "\n".join(line[4:] for line in block.splitlines())
    extra = '[[joint]]\nname = "joint{}"\nlink = {{ name = "link{}" }}\n'
    more = "".join(extra.format(i, i) for i in (2, 5, 6))
    text = text.replace('"link0"', '"base"').replace("\n[[frame]]", f"\n{more}\n[[frame]]")
    tree = read_toml(text)
    assert tree.name == "puma560"
    assert tree.frame().name == "tool"
    assert tree.joints[0].link.inertia.m.name == "m1"


def test_frames_and_children_stand_in_the_conventions_link_frame():
    tree = read_toml(
        """
        convention = "standard"
        [[joint]]
        dh = { a = 0.5, d = 0.2 }
        [[joint]]
        xyz = [0.1, 0, 0]
        [[frame]]
        name = "here"
        link = "link1"
        """
    )
    assert tree.joints[1].placement.p == Vec3(0.6, 0.0, 0.2)
    assert tree.frame("here").placement.p == tree.frame("flange").placement.p == Vec3(0.5, 0.0, 0.2)


# -- refusals -----------------------------------------------------------------

ONE = '[[joint]]\nname = "one"\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no joints"),
        ("name = ", "not TOML"),
        ("name = 1\n" + ONE, "expected text"),
        ("name = 'a'\nname = 'b'\n" + ONE, "not TOML"),
        ("gravty = [0, 0, 0]\n" + ONE, "did you mean 'gravity'"),
        ("gravity = [0, -9.81]\n" + ONE, "found 2 entries, expected 3"),
        ("gravity = 9.81\n" + ONE, "expected a list"),
        ("gravity = [nan, 0, 0]\n" + ONE, "no finite number"),
        ("gravity = [0, 0, inf]\n" + ONE, "no finite number"),
        ("gravity = [0, 0, 2020-01-01]\n" + ONE, "expected a number"),
        ("x = " + "[" * 5000, "not TOML|nested too deeply"),
        ("x = " + "9" * 5000, "not TOML"),
        ("base = { rpy = [90, 0, 0] }\n" + ONE, "radians are expected"),
        ("joint = 3", "expected a list"),
        ("joint = [3]", "expected a table"),
        (ONE + "dh = { alpha = 0 }", "no convention, expected one of"),
        ('convention = "craig"\n' + ONE, "found 'craig'"),
        (ONE + ONE, "two joints are named 'one'"),
        (ONE + 'kind = "hinge"', "expected one of revolute"),
        (ONE + "axis = [0, 0, 0]", "no direction"),
        (ONE + 'axis = [0, 0, "a"]', "free names"),
        (ONE + 'kind = "fixed"\naxis = [0, 0, 1]', "makes no sense for a fixed joint"),
        (ONE + 'kind = "fixed"', "no moving joint"),
        (ONE + "rpy = [0, 0, 0]\nturns = []", "both rpy and turns"),
        (ONE + 'turns = [["w", 1]]', "an axis and an angle"),
        (ONE + "turns = [1]", "an axis and an angle"),
        (ONE + 'turns = [["x", 90]]', 'write "90 deg"'),
        (ONE + "limits = { lower = 2, upper = 1 }", "above upper"),
        (ONE + "limits = { lower = nan }", "no finite number"),
        (ONE + "limits = { effort = -1 }", "0 or more"),
        (ONE + "limits = { low = 2 }", "did you mean 'lower'"),
        (ONE + "drive = { coulom = 2 }", "did you mean 'coulomb'"),
        (ONE + 'kind = "free"\ndrive = { stiffness = 2 }', "stiffness on a free joint is not modelled; remove"),
        (ONE + 'kind = "ball"\ndrive = { stiffness = 2, rest = 1 }', "rest on a ball joint is not modelled; remove"),
        (ONE + 'kind = "free"\ndrive = { formula = "q" }', "formula on a free joint is not modelled; remove"),
        (ONE + "mimic = { multiplier = 2 }", "found nothing, expected text"),
        (ONE + 'mimic = { joint = "two" }', "mimics 'two'"),
        (ONE + 'mimic = { joint = "one" }', "mimics 'one'"),
        (ONE + 'parent = "link1"', "cycle"),
        (ONE + 'parent = "bas"', "did you mean 'base'"),
        (ONE + 'link = { name = "base" }', "two links are named 'base'"),
        (ONE + 'name2 = ""', "unknown key 'name2'"),
        (ONE + 'link = { name = "" }', "an empty name"),
        (ONE + "link = { com = [0, 0, 1] }", "com needs a mass"),
        (ONE + "link = { mass = 1, com = [0, 0, 1], moment = [0, 0, 1] }", "excludes moment"),
        (ONE + "link = { mass = 1, inertia = [1, 0, 1, 0, 0, 1] }", "inertia and about go together"),
        (ONE + 'link = { mass = 1, about = "com" }', "inertia and about go together"),
        (ONE + 'link = { inertia = [1, 0, 1, 0, 0, 1], about = "centre" }', "expected one of com, origin"),
        (
            ONE + 'link = { moment = [0, 0, 1], inertia = [1, 0, 1, 0, 0, 1], about = "com" }',
            "moment with an inertia about the com",
        ),
        (ONE + 'link = { mass = "1/0" }', "division by zero"),
        (ONE + "[values]\na = 'b'", "free names"),
        (ONE + "[values]\na = { tolerance = 1 }", "'value' is missing"),
        (ONE + "[values]\na = { value = 1, tolerance = -1 }", "0 or more"),
        ("coupling = [{ drive = 'two', joint = 'one', ratio = 1 }]\n" + ONE, "no single-axis joint 'two'"),
        (
            "coupling = [{ drive = 'one', joint = 'one', ratio = 1 }, { drive = 'one', joint = 'one', ratio = 1 }]\n"
            + ONE,
            "coupled twice",
        ),
        (ONE + "[[frame]]\nname = 'one'\nlink = 'link2'", "did you mean 'link1'"),
        (ONE + "[[frame]]\nname = 'link1'\nlink = 'link1'", "is taken"),
        (ONE + "[[frame]]\nlink = 'link1'", "expected text"),
        ("given_as = { convention = 'standard', rows = [[1, 2]] }\n" + ONE, "a list of 4 numbers"),
    ],
)
def test_bad_files(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        read_toml(text, "arm.toml")
    assert str(caught.value).startswith("arm.toml: ")
    assert caught.value.advice


# -- files --------------------------------------------------------------------


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    cases = {
        "missing.toml": (None, "no such file"),
        "binary.toml": (b"\x00\x01", "binary"),
        "latin.toml": (b"name = 'a'\nsource = '\xe9'", "not UTF-8 at line 2"),
        "big.toml": (b"#" * 200, "more than 100"),
        "page.xml": (b"<!-- hello --><html/>", "<html>"),
    }
    monkeypatch.setattr(taut.formats.files, "LARGEST_FILE", 100)
    for name, (data, complaint) in cases.items():
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=complaint):
            read_path(tmp_path / name)
    with pytest.raises(InputError, match="is a directory"):
        read_path(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_path("null\0byte.toml")
    with pytest.raises(InputError, match="unknown format 'step'"):
        read("", "x", "step")


def test_format_is_told_by_extension_or_content(tmp_path):
    body = ONE + "[joint.link]\nmass = 1\n"
    for name in ("arm.toml", "arm", "arm.txt"):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + body.encode())  # as some editors begin a file
        assert read_path(tmp_path / name).dof == 1
    urdf = (
        '<?xml version="1.0"?><!-- a --><!-- <mujoco> --><robot name="r"><link name="a"/><link name="b"/>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    (tmp_path / "arm.xml").write_text(urdf)
    assert read_path(tmp_path / "arm.xml").joint_names == ("j",)
    mjcf = '<mujoco><worldbody><body name="b"><joint name="h"/><geom size="1"/></body></worldbody></mujoco>'
    (tmp_path / "arm2.xml").write_text(mjcf)
    assert read_path(tmp_path / "arm2.xml").joint_names == ("h",)
