"""The library's arms move as independent URDFs of the same arms do.

The URDFs come with the packages example-robot-data, rtb-data and pybullet; Pinocchio reads them.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pinocchio
import pytest

from taut import library
from taut.formats.toml import read_toml
from taut.questions.kinematics import forward_kinematics
from taut.robot import Tree
from taut.robot.edit import numeric, with_values

PI_DIGITS = 1e-9
"""Right angles are rounded to ten digits in some of these URDFs."""


def folder(package: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None and found.submodule_search_locations
    return Path(found.submodule_search_locations[0])


def example_robot(path: str) -> Path:
    prefix = Path(pinocchio.__file__).parents[4]
    return prefix / "share" / "example-robot-data" / "robots" / path


def pose(model: pinocchio.Model, q: np.ndarray, frame: str) -> np.ndarray:
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, np.concatenate([q, np.zeros(model.nq - len(q))]))
    return data.oMf[model.getFrameId(frame)].homogeneous


def assert_moves_alike(robot: Tree, urdf: Path, frames: list[tuple[str, str]], base: str, tolerance: float) -> None:
    model = pinocchio.buildModelFromUrdf(str(urdf))
    rng = np.random.default_rng(7)
    for _ in range(10):
        q = rng.uniform(-3, 3, robot.nq)
        root = np.linalg.inv(pose(model, q, base))
        for ours, theirs in frames:
            found = np.array(forward_kinematics(robot, list(q), ours), dtype=float)
            np.testing.assert_allclose(found, root @ pose(model, q, theirs), rtol=0, atol=tolerance)


def robot(name: str) -> Tree:
    return numeric(read_toml(library.text(name)))


def test_panda() -> None:
    urdf = example_robot("panda_description/urdf/panda.urdf")
    names = [f"panda_link{i}" for i in range(1, 9)]
    assert_moves_alike(robot("panda"), urdf, [(name, name) for name in names], "panda_link0", 1e-12)


def test_panda_has_the_inertias_of_the_same_description() -> None:
    model = pinocchio.buildModelFromUrdf(str(example_robot("panda_description/urdf/panda.urdf")))
    for i, joint in enumerate(robot("panda").joints[:6], 1):  # the seventh link carries the hand there
        expected = model.inertias[i].toDynamicParameters()
        np.testing.assert_allclose([float(x) for x in joint.link.inertia.parameters], expected, rtol=1e-12, atol=1e-15)


def test_iiwa() -> None:
    urdf = folder("pybullet_data") / "kuka_iiwa" / "model.urdf"
    shared = [2, 4, 6]  # joints whose origin in the URDF is the one of Craig's rule
    model = pinocchio.buildModelFromUrdf(str(urdf))
    turned = {2: np.pi, 4: 0.0, 6: np.pi}
    arm, rng = robot("iiwa14"), np.random.default_rng(3)
    for _ in range(10):
        q = rng.uniform(-3, 3, 7)
        for i in shared:
            c, s = np.cos(turned[i]), np.sin(turned[i])
            about_z = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
            found = np.array(forward_kinematics(arm, list(q), f"iiwa_link_{i}"), dtype=float) @ about_z
            np.testing.assert_allclose(found, pose(model, q, f"lbr_iiwa_link_{i}"), rtol=0, atol=PI_DIGITS)
        last = np.array(forward_kinematics(arm, list(q), "flange"), dtype=float)
        last[:3, 3] -= 0.045 * last[:3, 2]  # the flange is 45 mm in front of the URDF's last link
        np.testing.assert_allclose(last, pose(model, q, "lbr_iiwa_link_7"), rtol=0, atol=PI_DIGITS)


def test_iiwa_of_the_maker() -> None:
    urdf = folder("rtbdata") / "xacro/kuka_description/kuka_lbr_iiwa/urdf/lbr_iiwa_14_r820.urdf"
    # That URDF moves joints 2 and 3 by 0.43624 mm to the side of the first axis and back.
    assert_moves_alike(robot("iiwa14"), urdf, [("flange", "tool0")], "base_link", 2 * 0.43624e-3)


@pytest.mark.parametrize(
    ("name", "urdf", "lengths"),
    [
        ("ur5e", "ur5", {"d1": 0.089159, "a2": -0.425, "a3": -0.39225, "d4": 0.10915, "d5": 0.09465, "d6": 0.0823}),
        ("ur10e", "ur10", {"d1": 0.1273, "a2": -0.612, "a3": -0.5723, "d4": 0.163941, "d5": 0.1157, "d6": 0.0922}),
    ],
)
def test_ur_with_the_lengths_of_the_older_series(name: str, urdf: str, lengths: dict[str, float]) -> None:
    arm = numeric(with_values(read_toml(library.text(name)), lengths))
    path = example_robot(f"ur_description/urdf/{urdf}_robot.urdf")
    assert_moves_alike(arm, path, [("flange", "tool0")], "base", PI_DIGITS)
