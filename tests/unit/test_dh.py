"""Denavit-Hartenberg tables: every convention against plain 4x4 products and against each other."""

import math

import numpy as np
import pytest

from taut.algorithms.newton_euler import newton_euler
from taut.errors import InputError
from taut.formats.convention import COLUMNS
from taut.formats.dh import from_dh
from taut.formats.formula_writer import to_formula
from taut.graph import Node
from taut.spatial import Vec3

ROUNDING = 1e-12
"""Numbers of order one through some hundred operations of 1e-16 each."""


# -- the conventions by homogeneous matrices, independent of taut -------------


def turn(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    matrix = np.eye(4)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def move(axis, length):
    matrix = np.eye(4)
    matrix[axis, 3] = length
    return matrix


def step(label, row, kind, q):
    """Return the matrix from link frame to link frame, with the coordinate put in."""
    row = dict(row)
    own = "theta" if kind == "revolute" else "r" if label == "khalil" else "d"
    if kind != "fixed":
        row[own] += q
    if label == "standard":
        return turn(2, row["theta"]) @ move(2, row["d"]) @ move(0, row["a"]) @ turn(0, row["alpha"])
    if label == "modified":
        return turn(0, row["alpha"]) @ move(0, row["a"]) @ turn(2, row["theta"]) @ move(2, row["d"])
    foot = turn(2, row["gamma"]) @ move(2, row["b"]) @ turn(0, row["alpha"]) @ move(0, row["d"])
    return foot @ turn(2, row["theta"]) @ move(2, row["r"])


def matrix_of(transform):
    out = np.eye(4)
    out[:3, :3] = [list(row) for row in transform.R.matrix.rows]
    out[:3, 3] = list(transform.p)
    return out


def world_poses(tree, q):
    """Return every body's 4x4 pose from the tree's own placements."""
    poses = []
    for i, joint in enumerate(tree.joints):
        local = matrix_of(tree.pose(i, [q[i]]))
        poses.append(local if joint.parent < 0 else poses[joint.parent] @ local)
    return poses


def frame_pose(tree, q, name):
    frame = tree.frame(name)
    body = np.eye(4) if frame.body < 0 else world_poses(tree, q)[frame.body]
    return body @ matrix_of(frame.transform)


# -- random arms --------------------------------------------------------------


def random_row(rng, label):
    quarter = rng.integers(-2, 3) * math.pi / 2
    angles = {"alpha", "theta", "gamma"}
    return {
        c: (quarter if rng.random() < 0.4 else rng.uniform(-3, 3)) if c in angles else rng.uniform(-1, 1)
        for c in COLUMNS[label]
    }


def random_body(rng):
    """Return mass, centre and the tensor about it of a few random points."""
    points = rng.normal(size=(5, 3))
    mass = rng.uniform(1, 3)
    centre = points.mean(axis=0)
    arms = points - centre
    tensor = mass / 5 * sum(np.dot(r, r) * np.eye(3) - np.outer(r, r) for r in arms)
    return mass, centre, tensor


def link_table(mass, centre, tensor):
    six = [tensor[0, 0], tensor[0, 1], tensor[1, 1], tensor[0, 2], tensor[1, 2], tensor[2, 2]]
    return {"mass": mass, "com": list(map(float, centre)), "inertia": list(map(float, six)), "about": "com"}


def torques(tree, q, qd, qdd):
    return np.array([t for [t] in newton_euler(tree, *([[x] for x in v] for v in (q, qd, qdd)))])


# -- kinematics ---------------------------------------------------------------


@pytest.mark.parametrize("label", COLUMNS)
@pytest.mark.parametrize("seed", range(20))
def test_poses_are_the_products_of_the_rows(label, seed):
    rng = np.random.default_rng(seed)
    rows = [random_row(rng, label) for _ in range(5)]
    kinds = [*rng.choice(["revolute", "prismatic", "fixed"], 4), "revolute"]
    tree = from_dh(label, [{**row, "kind": str(kind)} for row, kind in zip(rows, kinds, strict=True)])
    q = rng.uniform(-2, 2, len(tree.joints))
    expected, coordinates = np.eye(4), iter(q)
    for i, (row, kind) in enumerate(zip(rows, kinds, strict=True)):
        expected = expected @ step(label, row, kind, 0.0 if kind == "fixed" else next(coordinates))
        last = i == len(rows) - 1
        if kind == "fixed" or last or label != "standard":
            name = "flange" if last and label == "standard" else f"link{i + 1}"
            np.testing.assert_allclose(frame_pose(tree, q, name), expected, atol=ROUNDING)


def test_khalil_tree_with_branches():
    rng = np.random.default_rng(3)
    rows = [random_row(rng, "khalil") for _ in range(5)]
    parents = ["base", "link1", "link1", "link2", "link3"]
    tree = from_dh("khalil", [{**row, "parent": p} for row, p in zip(rows, parents, strict=True)])
    q = dict(zip([joint.link.name for joint in tree.joints], rng.uniform(-2, 2, 5), strict=True))
    poses = {"base": np.eye(4)}
    for i, (row, parent) in enumerate(zip(rows, parents, strict=True), 1):
        poses[f"link{i}"] = poses[parent] @ step("khalil", row, "revolute", q[f"link{i}"])
        np.testing.assert_allclose(frame_pose(tree, list(q.values()), f"link{i}"), poses[f"link{i}"], atol=ROUNDING)


# -- dynamics -----------------------------------------------------------------


@pytest.mark.parametrize("label", COLUMNS)
@pytest.mark.parametrize("seed", range(5))
def test_mass_matrix_is_that_of_the_bodies_in_their_link_frames(label, seed):
    """M = sum m Jv^T Jv + Jw^T I Jw, with poses and axes from 4x4 products."""
    rng = np.random.default_rng(100 + seed)
    n = 4
    rows = [random_row(rng, label) for _ in range(n)]
    kinds = [str(k) for k in rng.choice(["revolute", "prismatic"], n)]
    bodies = [random_body(rng) for _ in range(n)]
    q = rng.uniform(-2, 2, n)
    tree = from_dh(
        label,
        [{**r, "kind": k, "link": link_table(*b)} for r, k, b in zip(rows, kinds, bodies, strict=True)],
        gravity=[0, 0, 0],
    )
    zero = np.zeros(n)
    found = np.array([torques(tree, q, zero, row) for row in np.eye(n)]).T

    frames = [np.eye(4)]
    for row, kind, x in zip(rows, kinds, q, strict=True):
        frames.append(frames[-1] @ step(label, row, kind, x))
    # The axis of joint i: z of frame i-1 in the standard convention, of frame i in the others.
    bearing = [frames[i if label == "standard" else i + 1] for i in range(n)]
    expected = np.zeros((n, n))
    for i, (mass, centre, tensor) in enumerate(bodies):
        frame = frames[i + 1]
        point = (frame @ [*centre, 1])[:3]
        world = frame[:3, :3] @ tensor @ frame[:3, :3].T
        jv, jw = np.zeros((3, n)), np.zeros((3, n))
        for k in range(i + 1):
            z, p = bearing[k][:3, 2], bearing[k][:3, 3]
            if kinds[k] == "revolute":
                jv[:, k], jw[:, k] = np.cross(z, point - p), z
            else:
                jv[:, k] = z
        expected += mass * jv.T @ jv + jw.T @ world @ jw
    np.testing.assert_allclose(found, expected, atol=ROUNDING * max(1.0, np.abs(expected).max()) * 100)


@pytest.mark.parametrize("seed", range(10))
def test_standard_and_modified_tables_of_one_arm_give_the_same_torques(seed):
    rng = np.random.default_rng(seed)
    n = 6
    modified = [random_row(rng, "modified") for _ in range(n)]
    kinds = [str(k) for k in rng.choice(["revolute", "prismatic"], n)]
    bodies = [random_body(rng) for _ in range(n)]
    # Standard frame i stands where modified frame i is moved on by the next row's Rx(alpha) Tx(a).
    onward = [(row["alpha"], row["a"]) for row in modified[1:]] + [(0.3, 0.2)]
    standard = [
        {"theta": row["theta"], "d": row["d"], "a": a, "alpha": alpha}
        for row, (alpha, a) in zip(modified, onward, strict=True)
    ]
    first = modified[0]
    base = {"xyz": [first["a"], 0, 0], "turns": [["x", first["alpha"]]]}

    def moved(body, alpha, a):
        mass, centre, tensor = body
        back = turn(0, alpha)[:3, :3].T
        return mass, back @ (centre - [a, 0, 0]), back @ tensor @ back.T

    one = from_dh(
        "modified",
        [{**r, "kind": k, "link": link_table(*b)} for r, k, b in zip(modified, kinds, bodies, strict=True)],
        gravity=[1.0, 2.0, -9.81],
    )
    other = from_dh(
        "standard",
        [
            {**r, "kind": k, "link": link_table(*moved(b, *o))}
            for r, k, b, o in zip(standard, kinds, bodies, onward, strict=True)
        ],
        base=base,
        gravity=[1.0, 2.0, -9.81],
    )
    khalil = from_dh(
        "khalil",
        [
            {"alpha": r["alpha"], "d": r["a"], "theta": r["theta"], "r": r["d"], "kind": k, "link": link_table(*b)}
            for r, k, b in zip(modified, kinds, bodies, strict=True)
        ],
        gravity=[1.0, 2.0, -9.81],
    )
    q, qd, qdd = rng.uniform(-2, 2, (3, n))
    expected = torques(one, q, qd, qdd)
    for tree in (other, khalil):
        assert np.abs(torques(tree, q, qd, qdd) - expected).max() <= ROUNDING * np.abs(expected).max() * 10


# -- exactness ----------------------------------------------------------------


def test_right_angles_leave_no_dust_in_symbolic_numbers():
    link = {"mass": "m", "moment": ["mx", "my", "mz"], "inertia": ["A", "D", "B", "F", "E", "C"], "about": "origin"}
    row = {"alpha": "-90 deg", "a": "a", "d": "d", "link": link}
    for label, renamed in (
        ("standard", row),
        ("modified", row),
        ("khalil", {**row, "r": "d", "d": "a", "gamma": "90 deg"}),
    ):
        if label == "khalil":
            renamed = {key: value for key, value in renamed.items() if key != "a"}
        tree = from_dh(label, [renamed, renamed])
        for joint in tree.joints:
            for x in (*joint.placement.p, *joint.link.inertia.parameters):
                if isinstance(x, Node):
                    assert "e-" not in to_formula(x)
                else:
                    assert x == 0.0
        # A permutation at most: the mass stays a symbol and the angle the float of a right angle.
        assert tree.joints[0].link.inertia.m.name == "m"
        assert -math.pi / 2 in [angle for _, angle in tree.joints[1].placement.turns]


def test_offsets_are_placements():
    tree = from_dh(
        "standard", [{"theta": "t0", "alpha": 0.2, "a": 0.1}, {"theta": "90 deg", "kind": "prismatic", "d": "d0"}]
    )
    assert [axis for axis, _ in tree.joints[0].placement.turns] == [2]
    assert tree.joints[0].placement.turns[0][1].name == "t0"
    assert tree.joints[1].placement.turns == ((0, 0.2), (2, math.pi / 2))
    assert tree.joints[1].placement.p == Vec3(0.1, 0.0, 0.0)
    assert tree.frame("flange").placement.p.z.name == "d0"


def test_convention_is_kept_for_display():
    label, rows = from_dh("modified", [{"alpha": "90 deg", "d": "d1"}]).convention
    assert label == "modified"
    assert rows[0][:3] == (math.pi / 2, 0.0, 0.0)


# -- refusals -----------------------------------------------------------------


@pytest.mark.parametrize("label", ["", "dh", "Standard", "craig", None, 3])
def test_label_is_mandatory(label):
    with pytest.raises(InputError, match="expected one of standard, modified, khalil"):
        from_dh(label, [{}])


@pytest.mark.parametrize(
    ("label", "row", "complaint"),
    [
        ("standard", {"alpha": 90}, 'write "90 deg"'),
        ("standard", {"theta": -180.0}, 'write "-180 deg"'),
        ("standard", {"alfa": 0}, "did you mean 'alpha'"),
        ("standard", {"r": 1}, "unknown key 'r'"),
        ("standard", {"gamma": 0}, "unknown key 'gamma'"),
        ("khalil", {"a": 1}, "length along x 'd'"),
        ("modified", {"d": math.nan}, "no finite number"),
        ("modified", {"d": math.inf}, "no finite number"),
        ("modified", {"d": "1/0"}, "division by zero"),
        ("modified", {"d": True}, "expected a number"),
        ("modified", {"kind": "revolut"}, "did you mean 'revolute'"),
        ("modified", {"kind": "free"}, "makes no sense for a free joint"),
        ("modified", {"parent": "link7"}, "no link 'link7'"),
        ("modified", {"axis": [0, 0, 1]}, "unknown key 'axis'"),
        ("modified", [0, 0, 0, 0], "expected a mapping"),
        ("modified", {"link": {"inertia": [1, 2, 3], "about": "com"}}, "found 3 entries, expected 6"),
        ("modified", {"link": {"inertia": [1, 0, 1, 0, 0, 1]}}, "inertia and about go together"),
    ],
)
def test_bad_rows(label, row, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        from_dh(label, [row], name="arm")
    assert str(caught.value).startswith("arm: ")


def test_empty_table():
    with pytest.raises(InputError, match="no joints"):
        from_dh("standard", [])
