"""Files on disk: a description is read safely, and so are the files it names, inside folders the user allows.

A description may name files below its own folder. Any other folder must be named by the user (``--root DIR``,
``--package NAME=DIR``) or by the ROS path variables. Links are followed before a path is judged.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from taut.errors import InputError

LARGEST_FILE = 64 * 2**20
"""Bytes beyond which a file is no robot description and no mesh of one."""

LARGEST_SUM = 1024 * 2**20
"""Bytes that one description may read from the files it names."""

MOST_FILES = 5000
"""Files that one description may name."""

PACKAGE = "package://"


@dataclass
class Files:
    """The files that one description may name.

    Attributes:
        folder: of the description itself; None for a text that comes from no file.
        roots: further folders that files may be read from.
        packages: {name: folder} that ``package://name/...`` stands for, besides the ROS path variables.
    """

    folder: Path | None = None
    roots: tuple[Path, ...] = ()
    packages: Mapping[str, Path] = field(default_factory=dict)
    _read: int = 0
    _count: int = 0

    def find(self, name: str, folders: Iterable[Path], place: str) -> Path:
        """Return the first of the places where a named file may stand that holds one.

        Args:
            name: as the description writes it: relative, absolute or ``package://``.
            folders: where a relative name is looked for, in this order.
            place: of the name in the description, for errors.
        """
        if self.folder is None:
            raise InputError(f"names the file {name!r}", place, "a text has no other files: load it by its path")
        if name.startswith(PACKAGE):
            return package_file(name, self.packages, place)
        candidates = [_resolved(folder / name) for folder in folders]
        found = next((path for path in candidates if os.path.exists(path)), candidates[0])
        allowed = [_resolved(folder) for folder in (self.folder, *self.roots)]
        if not any(found.is_relative_to(folder) for folder in allowed):
            common = Path(os.path.commonpath([allowed[0], found.parent]))
            root = found.parent if common == common.parent else common  # never the whole file system
            raise InputError(
                f"names {name!r}, outside of the description's own folder", place, f"allow it by --root {root}"
            )
        return found

    def read(self, path: Path, place: str) -> bytes:
        """Return the content of a file that :meth:`find` has found.

        Args:
            path: of the file.
            place: where the description names it, for errors.
        """
        self._count += 1
        if self._count > MOST_FILES:
            raise InputError(f"names more than {MOST_FILES} files", place, "split the description")
        data = read_bytes(path, f"{place}: {path}")
        self._read += len(data)
        if self._read > LARGEST_SUM:
            raise InputError(f"names files of more than {LARGEST_SUM} bytes", place, "use smaller meshes")
        return data


def read_bytes(path: Path, place: str) -> bytes:
    """Return the content of a regular file of reasonable size.

    Args:
        path: of the file.
        place: its name, for errors.
    """
    try:
        status = path.stat()
        regular, size = stat.S_ISREG(status.st_mode), status.st_size
        data = path.read_bytes() if regular and size <= LARGEST_FILE else b""
    except FileNotFoundError:
        raise InputError("no such file", place, "check the path") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", place, "check the path and its permissions") from None
    if not regular:
        what = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise InputError(f"is {what}", place, "name a robot file")
    if size > LARGEST_FILE:
        raise InputError(
            f"has {size} bytes, more than {LARGEST_FILE}", place, "check the path; descriptions are smaller"
        )
    return data


def decoded(data: bytes, place: str) -> str:
    """Return a description's text; blank and NUL bytes at its end are no part of it.

    Args:
        data: content of the file.
        place: its name, for errors.
    """
    data = data.rstrip(b"\0 \t\r\n") + b"\n"
    if b"\0" in data:
        raise InputError("is a binary file", place, "robot descriptions are text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"is not UTF-8 at line {line}", place, "save it as UTF-8") from None


def package_folder(name: str, packages: Mapping[str, Path], place: str = "") -> Path:
    """Return the folder of the package that ``package://NAME/...`` names.

    Args:
        name: the address.
        packages: {name: folder} given by the user; they win over the ROS path variables.
        place: where the address stands, for errors.
    """
    package = name.removeprefix(PACKAGE).partition("/")[0]
    folders = [packages[package]] if package in packages else list(_ros_folders(package))
    found = next((folder for folder in folders if os.path.isdir(folder)), None)
    if not package or found is None:
        raise InputError(
            f"package {package!r} is not known", place or name, f"name its folder by --package {package or 'NAME'}=DIR"
        )
    return _resolved(found)


def package_file(name: str, packages: Mapping[str, Path], place: str = "") -> Path:
    """Return the path that ``package://NAME/...`` stands for; arguments as for :func:`package_folder`."""
    home = package_folder(name, packages, place)
    path = _resolved(home / name.removeprefix(PACKAGE).partition("/")[2])
    if not path.is_relative_to(home):
        raise InputError(f"{name!r} leads out of its package", place or name, "name a file of the package")
    return path


def _ros_folders(package: str) -> Iterable[Path]:
    """Yield where ROS keeps a package: in or at a folder of ROS 1's path, in share/ of a prefix of ROS 2 or catkin."""
    if not package or package in (".", ".."):
        return
    for entry in filter(None, os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)):
        yield from (path for path in (Path(entry), Path(entry) / package) if path.name == package)
    for variable in ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH"):
        for prefix in filter(None, os.environ.get(variable, "").split(os.pathsep)):
            yield Path(prefix) / "share" / package


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # a null byte, a loop of links
        return Path(os.path.abspath(str(path).replace("\0", "?")))
