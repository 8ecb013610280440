"""Closed-form kinematics against numbers: inverses, determinants, lost ranks, poses, refusals."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import taut
import taut.api
from taut.closed_form.writing import written
from taut.errors import UnsupportedError
from taut.graph.evaluate import evaluate

SQUARE = ["puma560", "stanford", "scara", "ur5e", "rx90", "tx40", "puma260", "double_pendulum", "stanford_rrp"]
RNG = np.random.default_rng(4)


def numeric(robot: taut.api.Robot) -> taut.api.Robot:
    """Return a robot whose lengths all have values; inertias do not matter here."""
    missing = {"L1": 0.7, "L2": 0.4, "d2": 0.3}
    symbols = taut.robot.edit.symbols(robot.tree) - set(robot.tree.values)
    return robot.with_values({name: missing.get(name, 0.25) for name in symbols})


def at(arm, q: np.ndarray, polynomials) -> np.ndarray:
    """Return the values of a matrix of polynomials."""
    names = [s.data for s in arm.chain.model.symbols("q")]
    given = {**arm.chain.model.naming.values, **dict(zip(names, q, strict=True))}
    nodes = [[arm.chain.ring.node(x) for x in row] for row in polynomials]
    return np.array([evaluate(row, given) for row in nodes], dtype=float)


@pytest.mark.parametrize("name", SQUARE)
def test_the_inverse_times_the_jacobian_is_one(name):
    robot = numeric(taut.load(name))
    arm = robot.kinematics()
    f = arm.inverse_function(axes="world", effort="none")
    assert f.proof is not None and f.proof.points >= 3
    q = RNG.uniform(0.3, 1.2, (20, robot.nq))
    G, J = f(q), robot.jacobian(q)
    assert np.abs(G @ J - np.eye(robot.nv)).max() < 1e-9


@pytest.mark.parametrize("name", ["puma560", "stanford", "ur5e", "rx90", "tx40", "puma260"])
def test_the_factors_multiply_to_the_determinant(name):
    robot = numeric(taut.load(name))
    arm = robot.kinematics()
    q = RNG.uniform(-3, 3, robot.nq)
    factors = at(arm, q, [arm.inverse.determinant.factors])[0]
    found = float(arm.inverse.determinant.number) * np.prod(factors ** np.array(arm.inverse.determinant.powers))
    assert found == pytest.approx(np.linalg.det(robot.jacobian(q)), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "determinant", "words"),
    [
        ("puma560", "-a2*S5*(a3*S3 - d4*C3)*(a2*C2 + a3*C23 + d4*S23)", ["wrist", "elbow", "shoulder"]),
        ("stanford", "S2*S5*(q3 + d4)^2", ["shoulder", "wrist", "shoulder"]),
        ("scara", "a2*a3*S2", ["elbow"]),
        ("ur5e", "a2*a3*S3*S5*(a2*C2 + a3*C23 + d5*S234)", ["elbow", "wrist", "shoulder"]),
    ],
)
def test_determinants_and_what_they_mean(name, determinant, words):
    arm = taut.load(name).kinematics()
    assert arm.determinant == determinant
    assert [s.words.partition(":")[0] for s in arm.singularities] == words


@pytest.mark.parametrize("name", ["puma560", "stanford", "ur5e", "tx40"])
def test_singular_configurations_lose_rank(name):
    """Along a joint that a factor depends on, the factor changes sign; there the numeric Jacobian is singular."""
    robot = numeric(taut.load(name))
    arm = robot.kinematics()
    for singularity in arm.singularities:
        q = _zero_of(arm, singularity.factor, robot.nq)
        values = np.linalg.svd(robot.jacobian(q), compute_uv=False)
        assert values[-1] < 1e-7 * values[0], singularity.formula


def _zero_of(arm, factor, n: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    for _ in range(200):
        a, b = rng.uniform(-3, 3, (2, n))
        ends = [at(arm, q, [[factor]])[0, 0] for q in (a, b)]
        if ends[0] * ends[1] < 0:
            for _ in range(80):
                middle = (a + b) / 2
                value = at(arm, middle, [[factor]])[0, 0]
                a, b = (middle, b) if value * ends[0] > 0 else (a, middle)
            return (a + b) / 2
    raise AssertionError(f"{written(arm.chain.ring, factor)} has one sign")


@pytest.mark.parametrize("name", ["puma560", "scara", "iiwa14", "panda"])
def test_the_pose(name):
    robot = numeric(taut.load(name))
    arm = robot.kinematics()
    q = RNG.uniform(-3, 3, robot.nq)
    chain = q[[k - 1 for k in arm.chain.numbers]] if len(arm.chain.numbers) < robot.nq else q
    assert len(chain) == arm.chain.n
    assert np.abs(at(arm, q, arm.forward) - robot.forward_kinematics(q)).max() < 1e-12


@pytest.mark.parametrize(
    ("axes", "at_link"), [("world", None), ("link3", "link4"), ("link6", "link2"), ("link1", None)]
)
def test_the_jacobian_in_chosen_axes_at_a_chosen_point(axes, at_link):
    robot = taut.load("puma560")
    arm = robot.kinematics()
    q = RNG.uniform(-3, 3, 6)
    T = {name: robot.forward_kinematics(q, name) for name in ("link1", "link2", "link3", "link4", "link6")}
    R = np.eye(3) if axes == "world" else T[axes][:3, :3]
    r = T[at_link or "link6"][:3, 3] - T["link6"][:3, 3]
    J = robot.jacobian(q, "link6")
    expected = np.vstack([R.T @ (J[:3] - np.cross(r, J[3:], axisb=0, axisc=0)), R.T @ J[3:]])
    assert np.abs(at(arm, q, arm.jacobian(axes, at_link).matrix) - expected).max() < 1e-12


@pytest.mark.parametrize("name", ["iiwa14", "panda"])
def test_a_redundant_arm_has_a_right_inverse(name):
    robot = taut.load(name)
    arm = robot.kinematics()
    assert arm.redundant
    with pytest.raises(UnsupportedError, match="7 joints for 6 velocities"):
        arm.determinant  # noqa: B018
    f = arm.inverse_function(axes="world", effort="none")
    q = RNG.uniform(0.3, 1.2, (5, 7))
    assert np.abs(f(q) - np.linalg.pinv(robot.jacobian(q))).max() < 1e-8


def test_an_arm_without_structure_says_so():
    arm = taut.load("general_6r").kinematics()
    with pytest.raises(UnsupportedError, match="joints 1, 2, 3, 4, 5 have to be solved together"):
        arm.inverse  # noqa: B018


def test_rows_may_be_asked_for():
    arm = taut.load("puma560").lock({"joint4": 0.0, "joint6": 0.0}).kinematics(rows=["vx", "vy", "vz", "wy"])
    assert arm.inverse.columns == ("vx", "vy", "vz", "wy")
    assert arm.inverse_function(effort="none").proof is not None
    with pytest.raises(UnsupportedError, match="no row 'up'"):
        taut.load("puma560").kinematics(rows=["up"]).task  # noqa: B018


def test_what_has_no_closed_form_is_refused_in_a_sentence():
    with pytest.raises(UnsupportedError, match="is free"):
        taut.load("puma560", base="free").kinematics()
    with pytest.raises(taut.errors.InputError, match="no axes 'elbow'"):
        taut.load("puma560").kinematics().jacobian("elbow")


@pytest.mark.parametrize("seed", range(6))
def test_random_arms_with_a_spherical_wrist(seed):
    """Any three joints before three that meet: the wrist is found and solved apart."""
    rng = np.random.default_rng(seed)
    quarters = [0.0, np.pi / 2, -np.pi / 2, np.pi]
    rows = [
        {
            "alpha": 0.0 if k == 0 else float(rng.choice(quarters)),
            "a": float(rng.choice([0, 0.3, 0.5])) if k else 0.0,
            "d": float(rng.choice([0.0, 0.2, 0.35])),
            "theta": 0.0,
        }
        for k in range(4)
    ]
    rows[1]["alpha"], rows[2]["a"], rows[3]["alpha"] = np.pi / 2, 0.4, -np.pi / 2
    rows += [
        {"alpha": np.pi / 2, "a": 0.0, "d": 0.0, "theta": 0.0},
        {"alpha": -np.pi / 2, "a": 0.0, "d": 0.0, "theta": 0.0},
    ]
    robot = taut.from_dh("modified", rows)
    arm = robot.kinematics()
    if arm.task.jacobian.rank() < 6:
        assert np.linalg.matrix_rank(robot.jacobian(rng.uniform(-3, 3, 6))) < 6
        return
    assert max(len(block.rows) for block in arm.task.blocks) <= 3
    assert arm.task.jacobian.point_name == "wrist centre"
    G = arm.inverse_function(axes="world", effort="none")
    q = rng.uniform(0.3, 1.2, 6)
    assert np.abs(G(q) @ robot.jacobian(q) - np.eye(6)).max() < 1e-8


def test_the_counts_of_the_analytic_inverse_are_those_of_the_page():
    """The search may find a few more or fewer as it is changed."""
    page = (Path(__file__).parents[2] / "docs" / "inverse_jacobian.md").read_text("utf-8")
    for name in ("puma560", "stanford", "scara"):
        determinant, total = re.search(rf"^\| {name} \| `(.*)` \| \d+\+\d+ = (\d+) \|", page, re.M).groups()
        arm = taut.load(name).kinematics()
        assert arm.determinant == determinant
        assert arm.inverse_function().operations.total == pytest.approx(int(total), rel=0.1)
