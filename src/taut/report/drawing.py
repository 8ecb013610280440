"""The robot at its zero pose, drawn with characters or as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase, digits

import numpy as np

from taut.algorithms.kinematics import body_poses
from taut.errors import InputError
from taut.report.stand_in import stand_in
from taut.robot import Tree
from taut.robot.states import neutral
from taut.spatial import Vec3

COLUMNS, ROWS = 60, 20
TALL = 2.0
"""A character is about twice as high as wide."""

MARKS = digits[1:] + ascii_lowercase
"""One mark a joint; further joints share the last."""

PICTURES = (".pdf", ".png", ".svg")


@dataclass(frozen=True)
class Skeleton:
    """Points of the zero pose in the world [m] and which of them are joined.

    Attributes:
        points: base, then the origin of every joint, then the ends, shape (n, 3).
        bones: pairs of points.
        axes: direction of every joint's axis, zero for a free joint, shape (joints, 3).
        names: of the joints.
    """

    points: np.ndarray
    bones: tuple[tuple[int, int], ...]
    axes: np.ndarray
    names: tuple[str, ...]


def skeleton(robot: Tree) -> Skeleton:
    """Return the zero pose; symbols without values get seeded draws."""
    robot = stand_in(robot)
    rest = robot.at(neutral(robot).tolist()).positions
    poses = body_poses(robot, rest)
    points = [robot.base.transform.p, *(pose.p for pose in poses)]
    bones = [(joint.parent + 1, i + 1) for i, joint in enumerate(robot.joints)]
    carrying = {joint.parent for joint in robot.joints}
    for frame in robot.frames:
        if frame.body >= 0 and frame.body not in carrying:
            bones.append((frame.body + 1, len(points)))
            points.append(poses[frame.body].point(frame.transform.p))
    axes = [
        pose.R @ getattr(joint.motion, "axis", Vec3(0, 0, 0)) for pose, joint in zip(poses, robot.joints, strict=True)
    ]
    return Skeleton(_array(points), tuple(bones), _array(axes), tuple(joint.name for joint in robot.joints))


def _array(vectors: list[Vec3]) -> np.ndarray:
    return np.array([[float(x) for x in v] for v in vectors]).reshape(-1, 3)


def characters(robot: Tree) -> str:
    """Return a view of the zero pose drawn with characters, the plane chosen to show the most."""
    drawn = skeleton(robot)
    extent = np.ptp(drawn.points, axis=0)
    across = int(extent[1] > extent[0])
    up = 2 if extent[2] > 1e-9 or extent.max() < 1e-9 else 1 - across
    size = max(extent[across] / (COLUMNS - 1), extent[up] / ((ROWS - 1) * TALL), 1e-9)
    flat = drawn.points[:, [across, up]]
    corner = np.array([flat[:, 0].min(), flat[:, 1].max()])
    cells = np.rint((flat - corner) * [1 / size, -1 / (TALL * size)]).astype(int)
    canvas = [[" "] * (cells[:, 0].max() + 1) for _ in range(cells[:, 1].max() + 1)]
    for a, b in drawn.bones:
        steps = max(1, int(np.abs(cells[b] - cells[a]).max()))
        for column, row in np.rint(np.linspace(cells[a], cells[b], steps + 1)).astype(int):
            canvas[row][column] = "."
    ends = len(cells) - 1 - len(drawn.names)
    marks = ["#", *(MARKS[min(k, len(MARKS) - 1)] for k in range(len(drawn.names))), *["x"] * ends]
    shared: dict[tuple[int, int], str] = {}
    for mark, (column, row) in zip(marks, cells.tolist(), strict=True):
        shared[column, row] = shared.get((column, row), "") + mark
    for (column, row), here in shared.items():
        canvas[row][column] = here[0]
    hidden = [here for here in shared.values() if len(here) > 1]
    said = [f"# base, 1 first joint, x end; {'xyz'[across]} to the right, {'xyz'[up]} up, a column is {size:.2g} m"]
    if hidden:
        said.append(f"in one place here: {', '.join(hidden)}")
    picture = ["".join(row).rstrip() for row in canvas]
    return "\n".join(f"  {line}".rstrip() for line in [*picture, "", *said])


def picture(robot: Tree, path: str | Path) -> None:
    """Write a picture of the zero pose: links as lines, joint axes as arrows."""
    path = Path(path)
    if path.suffix.lower() not in PICTURES:
        raise InputError(f"'{path.suffix}' is no picture format", str(path), f"end the name in {', '.join(PICTURES)}")
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "a picture needs matplotlib, which is not installed", str(path), "pip install 'taut[report]'"
        ) from None
    drawn = skeleton(robot)
    figure = Figure(figsize=(6, 6), layout="constrained")
    FigureCanvasAgg(figure)
    view = figure.add_subplot(projection="3d")
    for a, b in drawn.bones:
        view.plot(*drawn.points[[a, b]].T, color="0.35", linewidth=3, solid_capstyle="round")
    reach = max(float(np.ptp(drawn.points, axis=0).max()), 1e-3)
    joints = drawn.points[1 : len(drawn.names) + 1]
    view.quiver(*joints.T, *(drawn.axes * 0.12 * reach).T, color="tab:red", linewidth=1.5)
    view.scatter(*joints.T, color="tab:blue", s=30, depthshade=False)
    view.scatter(*drawn.points[0], color="black", marker="s", s=50, depthshade=False)
    labels: dict[tuple[float, ...], list[str]] = {}
    for place, name in zip(joints + 0.14 * reach * drawn.axes, drawn.names, strict=True):
        labels.setdefault(tuple(np.round(place, 6)), []).append(name)
    for at, names in labels.items():
        view.text(*at, ", ".join(names).replace("$", r"\$"), fontsize=8)
    centre = (drawn.points.min(axis=0) + drawn.points.max(axis=0)) / 2
    view.set(
        xlabel="x [m]",
        ylabel="y [m]",
        zlabel="z [m]",
        title=f"{robot.name} at its zero pose".replace("$", r"\$"),
        **{f"{name}lim": (c - 0.6 * reach, c + 0.6 * reach) for name, c in zip("xyz", centre, strict=True)},
    )
    view.set_box_aspect((1, 1, 1))
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError(f"cannot write: {error.strerror}", str(path), "name a file in a folder that exists") from None
