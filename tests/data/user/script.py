"""A user's script over taut's public names; checked by mypy --strict, and run."""

import numpy as np

import taut
from taut import Function, Robot

robot: Robot = taut.load("puma560")
joints: tuple[str, ...] = robot.joint_names
q = robot.random_position(5, seed=1)
qd: np.ndarray = np.zeros((5, robot.nv))
tau: np.ndarray = robot.inverse_dynamics(q, qd, qd)
M: np.ndarray = robot.mass_matrix(q)
there: np.ndarray = robot.step(q, qd, 0.1)
way: np.ndarray = robot.difference(q, there)
loaded: Robot = robot.with_load(2.0, (0.0, 0.0, 0.1)).with_tool((0.0, 0.0, 0.2), name="gripper")
heavier: Robot = robot.with_parameters(1.1 * robot.parameters)
gravity: Function = robot.derive("gravity", effort="none")
total: int = gravity.operations.total
held: np.ndarray = gravity(q)
model = robot.explicit(verify=False)
name: str = model.M[0, 0].name
base: int = robot.base_parameters().count
determinant: str = robot.kinematics().determinant
upper: np.ndarray = robot.limits.upper
text: str = robot.to_toml()
assert np.abs(held - robot.gravity(q)).max() < 1e-9 and there.shape == q.shape and way.shape == qd.shape
assert {robot: 1}[taut.load("puma560")] == 1
arm: Robot = taut.load("puma560", lock={"joint6": 0.0}).with_load(1.0, np.array([0.0, 0.0, 0.1]))
n: int = arm.dof
moved: np.ndarray = arm.simulate(t=0.1).q
assert n == 5 and moved.shape[-1] == n
fast = gravity.compile()
assert np.allclose(fast(q), held)
try:
    taut.load("nothing")
except taut.InputError as error:
    print(error)
