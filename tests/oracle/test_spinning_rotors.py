"""Rotors as spinning bodies against Pinocchio with one more body a rotor, on random chains that nobody here drew."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import taut
from taut.robot import DescribedJoint, Drive, Link, Placement, Prismatic, Revolute, assemble
from taut.spatial import Inertia, Sym3, Vec3


def symmetric(rng: np.random.Generator, size: float) -> np.ndarray:
    a = rng.normal(size=(3, 3))
    return size * (a @ a.T + np.eye(3))


class Chain:
    """A chain of n joints, each driven by a round rotor on the link before it, for taut and for Pinocchio."""

    def __init__(self, n: int, seed: int, slide: int | None = None) -> None:
        rng = np.random.default_rng(seed)
        self.n, self.model = n, pin.Model()
        self.model.gravity.linear = np.array([0.3, -0.5, -9.81])
        self.ratios = rng.uniform(20, 100, n) * rng.choice([-1, 1], n)
        angles, offsets = rng.uniform(-3, 3, (n, 3)), rng.uniform(-0.5, 0.5, (n, 3))
        links, joints, self.rotor_joints, self.arm_joints = [Link("base")], [], [], []
        bodies, drives, parent = [], [], 0
        for i in range(n):
            turns = tuple((axis, float(angle)) for axis, angle in zip((2, 1, 0), angles[i], strict=True))
            placement = Placement(Vec3(*map(float, offsets[i])), turns)
            R = np.array([list(row) for row in placement.transform.R.matrix.rows], dtype=float)
            pose = pin.SE3(R, offsets[i])
            axis = rng.normal(size=3)
            axis /= np.linalg.norm(axis)
            J, across, mass, centre = rng.uniform(1e-4, 1e-3), 2e-4, rng.uniform(0.1, 1), rng.uniform(-0.3, 0.3, 3)
            tensor = across * np.eye(3) + (J - across) * np.outer(R @ axis, R @ axis)
            rotor = self.model.addJoint(
                parent, pin.JointModelRevoluteUnaligned(R @ axis), pin.SE3(np.eye(3), centre), f"rotor{i}"
            )
            self.model.appendBodyToJoint(rotor, pin.Inertia(mass, np.zeros(3), tensor), pin.SE3.Identity())
            if i:  # its mass, and its inertia as if it were locked, are the carrying link's
                bodies[-1] += pin.Inertia(mass, centre, tensor)
            N = self.ratios[i]
            s = [float(x) for x in J * N * axis]
            drives.append(Drive(float(J * N * N), float(N), spin_x=s[0], spin_y=s[1], spin_z=s[2]))
            kind = pin.JointModelPZ() if i == slide else pin.JointModelRZ()
            parent = self.model.addJoint(parent, kind, pose, f"joint{i}")
            body = pin.Inertia(rng.uniform(1, 5), rng.uniform(-0.3, 0.3, 3), symmetric(rng, 0.02))
            self.model.appendBodyToJoint(parent, body, pin.SE3.Identity())
            bodies.append(body)
            self.rotor_joints.append(rotor)
            self.arm_joints.append(parent)
            motion = Prismatic() if i == slide else Revolute()
            joints.append((placement, motion))
        for i, body in enumerate(bodies):
            m, c, t = body.mass, body.lever, body.inertia
            about = Sym3(*(float(t[a, b]) for a, b in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))))
            links.append(Link(f"link{i}", Inertia.about_centre(float(m), Vec3(*map(float, c)), about)))
        described = [
            DescribedJoint(f"j{i}", "base" if i == 0 else f"link{i - 1}", f"link{i}", placement, motion, drives[i])
            for i, (placement, motion) in enumerate(joints)
        ]
        gravity = Vec3(0.3, -0.5, -9.81)
        self.robot = taut.Robot(assemble(f"chain{n}", links, described, gravity_acceleration=gravity))

    def oracle(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Return the drive torques with every rotor turning at its gear's rate."""
        data = self.model.createData()
        whole = [np.zeros(self.model.nv) for _ in range(3)]
        for i, (rotor, joint) in enumerate(zip(self.rotor_joints, self.arm_joints, strict=True)):
            for x, part in zip(whole, (q, qd, qdd), strict=True):
                x[self.model.idx_vs[rotor]] = self.ratios[i] * part[i]
                x[self.model.idx_vs[joint]] = part[i]
        tau = pin.rnea(self.model, data, *whole)
        at = self.model.idx_vs
        return np.array(
            [
                tau[at[j]] + N * tau[at[r]]
                for j, r, N in zip(self.arm_joints, self.rotor_joints, self.ratios, strict=True)
            ]
        )


CHAINS = [(2, 1, None), (4, 2, None), (6, 3, None), (5, 4, 2)]


@pytest.mark.parametrize(("n", "seed", "slide"), CHAINS)
def test_drive_torques_are_pinocchios(n: int, seed: int, slide: int | None) -> None:
    chain = Chain(n, seed, slide)
    robot, rng = chain.robot, np.random.default_rng(seed)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, n))
        expected = chain.oracle(q, qd, qdd)
        np.testing.assert_allclose(robot.joint_torque(q, qd, qdd), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
        without = robot.joint_torque(q, qd, qdd) - robot.rotor_torque(q, qd, qdd)
        assert np.abs(without - expected).max() > 1e-4 * np.abs(expected).max()  # they matter
        np.testing.assert_allclose(
            robot.contributions(q, qd, qdd).torque, expected, rtol=0, atol=1e-12 * np.abs(expected).max() + 1e-9
        )


def test_columns_of_the_regressor() -> None:
    chain = Chain(4, 7)
    robot, (q, qd, qdd) = chain.robot, np.random.default_rng(7).uniform(-2, 2, (3, 4))
    spins = np.array([[getattr(j.drive, f"spin_{a}") for a in "xyz"] for j in robot.tree.joints]).ravel()
    np.testing.assert_allclose(
        robot.rotor_regressor(q, qd, qdd) @ spins, robot.rotor_torque(q, qd, qdd), rtol=1e-12, atol=1e-14
    )


def test_derived_and_emitted(tmp_path) -> None:
    robot = Chain(3, 5).robot
    q, qd, qdd = np.random.default_rng(5).uniform(-2, 2, (3, 10, 3))
    for name in ("rotor_torque", "joint_torque"):
        function = robot.derive(name, effort="none")
        expected = robot.evaluate(name, q, qd, qdd)
        assert function.proof
        for found in (function(q, qd, qdd), function.compile()(q, qd, qdd)):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    done = robot.generate(tmp_path / "code", ["joint_torque", "rotor_torque"], effort="none")
    assert not done.partial and all(row.error < 1e-12 for row in done.functions)


def test_rotors_of_the_library_spin_on_request_only() -> None:
    puma, (q, qd, qdd) = taut.load("puma560"), np.random.default_rng(1).uniform(-1, 1, (3, 6))
    assert not np.any(puma.rotor_torque(q, qd, qdd))
    spinning = puma.with_spinning_rotors()
    assert np.any(spinning.rotor_torque(q, qd, qdd))
    np.testing.assert_array_equal(spinning.inverse_dynamics(q, qd, qdd), puma.inverse_dynamics(q, qd, qdd))
    with pytest.raises(taut.errors.InputError, match="no joint 'elbow'"):
        puma.with_spinning_rotors({"elbow": (0, 0, 1)})
