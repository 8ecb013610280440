"""Which robot files the installed packages bring: every URDF and MJCF, by package."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"

_MOVING = re.compile(rb"<joint\b[^>]*\btype\s*=\s*[\"'](?!fixed)[^>]*>")


@dataclass(frozen=True)
class RobotFile:
    """A file, the short name tests and tables call it by, and the folder of the package that brings it."""

    name: str
    path: Path
    package: Path

    @property
    def text(self) -> bytes:
        return self.path.read_bytes()

    @property
    def decoded(self) -> str:
        return self.text.decode("utf-8", errors="replace")

    @cached_property
    def may_move(self) -> bool:
        """Whether a joint in it is of a type other than fixed."""
        return _MOVING.search(self.text) is not None


def urdf_files() -> list[RobotFile]:
    """Return every URDF of the packages and of this repository."""
    return [
        *_files("example-robot-data", _example_robot_data(), "*.urdf"),
        *_files("rtb-data", _package("rtbdata"), "*.urdf"),
        *_files("pybullet", _package("pybullet_data"), "*.urdf"),
        *_files("taut", DATA / "urdf", "*.urdf"),
    ]


def moving_urdf_files() -> list[RobotFile]:
    """Return every URDF with a joint that is not fixed."""
    return [file for file in urdf_files() if file.may_move]


def files_below(folder: Path) -> list[RobotFile]:
    """Return every URDF with a moving joint and every MJCF below a folder, such as one of an unpacked package."""
    found = [RobotFile(str(path.relative_to(folder)), path, folder) for path in sorted(folder.rglob("*"))]
    urdfs = [file for file in found if file.path.suffix == ".urdf" and file.path.is_file()]
    mjcfs = [file for file in found if file.path.suffix in (".xml", ".mjcf") and file.path.is_file()]
    return [f for f in urdfs if f.may_move] + [f for f in mjcfs if b"<mujoco" in f.text]


def mjcf_files() -> list[RobotFile]:
    """Return every MJCF of the packages and of this repository."""
    folders = [("pybullet", _package("pybullet_data")), ("mujoco", _package("mujoco")), ("taut", DATA / "mjcf")]
    files = [file for name, folder in folders for file in _files(name, folder, "*.xml")]
    return [file for file in files if b"<mujoco" in file.text]


@cache
def _files(package: str, folder: Path, pattern: str) -> tuple[RobotFile, ...]:
    found = sorted(folder.rglob(pattern))
    if not found:
        raise FileNotFoundError(f"{package} brings no {pattern}; install the test packages")
    return tuple(RobotFile(f"{package}/{path.relative_to(folder)}", path, folder) for path in found)


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{name} is missing; install the test packages")
    return Path(spec.submodule_search_locations[0])


def _example_robot_data() -> Path:
    distribution = importlib.metadata.distribution("example-robot-data")
    return Path(str(distribution.locate_file("cmeel.prefix/share/example-robot-data/robots")))
