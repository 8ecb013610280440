"""taut beside FIGAROH on the UR10 recording: held-out error and seconds on the same samples.

FIGAROH has more than sixty dependencies, so it runs in an environment of its own (``pip install figaroh``)::

    TAUT_RECORDINGS=FOLDER PYTHONPATH=src:tests python benchmarks/figaroh_beside.py /path/to/its/bin/python

FIGAROH's part is what its ``BaseIdentification.solve`` does with ``wls=True``: regressor with viscous and dry friction,
rotor inertia and offset, columns of zeros out, base parameters by QR, weighted least squares. It gets taut's filtered
positions, rates, accelerations and torques; errors are RMSE in % of the RMS of the filtered torque, last 30 % held out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

FIGAROH = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np, pinocchio as pin
from figaroh.tools.regressor import RegressorBuilder, RegressorConfig, get_index_eliminate, build_regressor_reduced
from figaroh.tools.qrdecomposition import QRDecomposer
data = np.load(sys.argv[2])
begun = time.process_time()
robot = pin.RobotWrapper.BuildFromURDF(sys.argv[1])
n = robot.model.nv
config = RegressorConfig(has_friction=True, has_actuator_inertia=True, has_joint_offset=True)
builder = RegressorBuilder(robot, config)
def regressor(part):
    at = slice(*data[part])
    W = builder.build_basic_regressor(data["q"][at], data["qd"][at], data["qdd"][at], {"act_idxv": list(range(n))})
    return W, data["tau"][at].T.reshape(-1)
W, tau = regressor("fitted")
names = {f"p{k}": 0.0 for k in range(W.shape[1])}
out, left = get_index_eliminate(W, names, 1e-6)
W_e = build_regressor_reduced(W, out)
decomposer = QRDecomposer()
base = list(decomposer._identify_base_parameters(W_e, left)[0])
W_b = W_e[:, base]
x = np.linalg.lstsq(W_b, tau, rcond=None)[0]
rest = (tau - W_b @ x).reshape(n, -1)
sigma = np.repeat(np.sqrt((rest ** 2).sum(1) / (rest.shape[1] - len(base))), rest.shape[1])
x = np.linalg.lstsq(W_b / sigma[:, None], tau / sigma, rcond=None)[0]
seconds = time.process_time() - begun
W, tau = regressor("held")
rest, tau = ((y).reshape(n, -1) for y in (tau - build_regressor_reduced(W, out)[:, base] @ x, tau))
print(seconds, len(base), *(100 * np.sqrt((rest ** 2).mean(1) / (tau ** 2).mean(1))))
"""

LIMITED = 'type="revolute"><limit lower="-9" upper="9" effort="1000" velocity="100"/>'
"""Pinocchio gives a joint without limits two coordinates, FIGAROH one."""


def main() -> None:
    """Print both."""
    from identification.recorded import ROWS, fitted, recordings_of
    from taut.api import Robot
    from taut.recordings.conditioning import low_pass, motion_of
    from taut.recordings.stamps import regular

    row = ROWS["ur10, last 30 %"]
    begun = time.process_time()
    fit = fitted(row)
    seconds = time.process_time() - begun
    piece = regular(recordings_of(row.file, row.fit)[0])[0][0]
    motion = motion_of(piece, fit.filter)
    edge, count = int(fit.filter.edge * motion.rate), len(motion.q)
    border = int(edge + 0.7 * (count - 2 * edge))
    with tempfile.TemporaryDirectory() as folder:
        urdf, data = Path(folder, "robot.urdf"), Path(folder, "data.npz")
        urdf.write_text(Robot(fit.robot.tree).to_urdf().replace('type="continuous">', LIMITED), "utf-8")
        torque = low_pass(motion.tau, motion.rate, fit.filter.cutoff)
        np.savez(
            data,
            **{"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, "tau": torque},
            **{"fitted": [edge, border], "held": [border, count - edge]},
        )
        ran = subprocess.run([sys.argv[1], "-c", FIGAROH, urdf, data], stdout=subprocess.PIPE, text=True, check=True)
    theirs = [float(x) for x in ran.stdout.split()]
    ours = list(fit.held_out.values())
    print(f"taut    {seconds:6.1f} s  mean {np.mean(ours):6.2f} %  ", np.round(ours, 2))
    print(f"FIGAROH {theirs[0]:6.1f} s  mean {np.mean(theirs[2:]):6.2f} %  ", np.round(theirs[2:], 2))


if __name__ == "__main__":
    main()
