"""Inertias of meshes by every rule and file format, compared with MuJoCo."""

from __future__ import annotations

import builtins
import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

from taut.api import Robot, load
from taut.errors import InputError

VERTICES = np.array([(0, 0, 0), (2, 0, 0), (0, 2.5, 0), (0, 0, 1.5), (0.2, 0.25, 0.3), (1.0, -0.4, 0.1)])
FACES = np.array([(0, 2, 5), (2, 1, 5), (0, 5, 3), (5, 1, 3), (0, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)])
"""A dented tetrahedron: not convex, closed, oriented."""


def obj(second: bool = False) -> bytes:
    lines = [f"v {x} {y} {z}" for x, y, z in VERTICES] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
    more = ["o other", "v 9 9 9", "v 9 8 9", "v 8 8 9", "f 7 8 9"] if second else []
    return "\n".join(["# mesh", "o first", *lines, *more]).encode()


def stl() -> bytes:
    triangles = b"".join(struct.pack("<12fH", 0, 0, 0, *VERTICES[face].ravel(), 0) for face in FACES)
    return bytes(80) + struct.pack("<I", len(FACES)) + triangles


def msh() -> bytes:
    counts = struct.pack("<4i", len(VERTICES), 0, 0, len(FACES))
    return counts + VERTICES.astype("<f4").tobytes() + FACES.astype("<i4").tobytes()


FILES = {"m.obj": obj(), "m.stl": stl(), "m.msh": msh(), "two.obj": obj(second=True)}


def model(mesh: str, geom: str, compiler: str = "") -> str:
    return f"""<mujoco><compiler {compiler}/><asset><mesh name="m" {mesh}/></asset>
<worldbody><body name="b"><freejoint/><geom pos="0.1 0.2 0.3" euler="10 20 30" {geom}/></body></worldbody></mujoco>"""


def both(folder: Path, text: str) -> tuple[Robot, mujoco.MjModel]:
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    path = folder / "model.xml"
    path.write_text(text)
    return load(path), mujoco.MjModel.from_xml_path(str(path))


CASES = {
    **{rule: (f'file="m.obj" inertia="{rule}"', 'type="mesh" mesh="m"', "") for rule in ("legacy", "convex", "exact")},
    "shell": ('file="m.obj" inertia="shell"', 'type="mesh" mesh="m" density="3"', ""),
    "default rule": ('file="m.obj"', 'type="mesh" mesh="m"', ""),
    "STL": ('file="m.stl" inertia="exact"', 'type="mesh" mesh="m"', ""),
    "MSH": ('file="m.msh" inertia="exact"', 'type="mesh" mesh="m"', ""),
    "first shape": ('file="two.obj" inertia="exact"', 'type="mesh" mesh="m"', ""),
    "mirrored": ('file="m.stl" inertia="exact" scale="1 -2 0.5"', 'type="mesh" mesh="m"', ""),
    "reference": ('file="m.stl" refpos="1 2 3" refquat="1 1 0 0.5" scale="2 1 1"', 'type="mesh" mesh="m"', ""),
    "given mass": ('file="m.stl"', 'type="mesh" mesh="m" mass="4"', ""),
    "distance field": ('file="m.stl"', 'type="sdf" mesh="m"', ""),
    "vertices alone": ('vertex="0 0 0 1 0 0 0 1 0 0 0 1"', 'type="mesh" mesh="m"', ""),
    "vertices, faces": (
        'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 0 3 2"',
        'type="mesh" mesh="m"',
        "",
    ),
    "folder": ('file="x/y/m.stl"', 'type="mesh" mesh="m"', 'strippath="true" meshdir="."'),
    **{
        f"{kind} {fit}": ('file="m.stl"', f'type="{kind}" mesh="m" fitscale="1.5"', fit)
        for kind in ("box", "sphere", "capsule", "cylinder", "ellipsoid")
        for fit in ("", 'fitaabb="true"')
    },
    **{
        f"hollow {kind}": ('file="m.stl"', f'type="{kind}" size="0.1 0.2 0.3" shellinertia="true" density="7"', "")
        for kind in ("box", "sphere", "capsule", "cylinder")
    },
}


@pytest.mark.parametrize(("mesh", "geom", "compiler"), CASES.values(), ids=CASES.keys())
def test_agrees_with_mujoco(mesh: str, geom: str, compiler: str, tmp_path: Path) -> None:
    robot, oracle = both(tmp_path, model(mesh, geom, compiler))
    data = mujoco.MjData(oracle)
    data.qpos[:] = 0, 0, 0, 1, 0, 0, 0
    mujoco.mj_forward(oracle, data)
    full = np.zeros((6, 6))
    mujoco.mj_fullM(oracle, data, full)
    assert robot.mass_matrix([0, 0, 0, 0, 0, 0, 1]) == pytest.approx(full, rel=1e-6, abs=1e-6 * np.abs(full).max())


def test_a_mesh_without_mass_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "model.xml"
    for massless in ('mass="0"', 'density="0"', 'group="4"'):
        text = model('file="none.stl"', f'type="mesh" mesh="m" {massless}', 'inertiagrouprange="0 3"')
        path.write_text(text.replace("</body>", '<geom size="0.1"/></body>'))
        assert load(path).dof == 6


NOTHING_READ = "is not readable as STL|holds no triangles"
"""Where a package that guesses encodings is installed, trimesh reads a damaged file as text without triangles."""


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "holds no triangles"),
        (stl()[:-3], NOTHING_READ),
        (bytes(80) + b"\xff\xff\xff\x7f", NOTHING_READ),
        (bytes(80) + struct.pack("<I", 1) + bytes(50), "the volume of the mesh is too small"),
    ],
)
def test_a_damaged_mesh_is_refused(data: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "bad.stl").write_bytes(data)
    path = tmp_path / "model.xml"
    path.write_text(model('file="bad.stl"', 'type="mesh" mesh="m"'))
    with pytest.raises(InputError, match=sentence):
        load(path)


def test_without_trimesh_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.stl").write_bytes(stl())
    path = tmp_path / "model.xml"
    path.write_text(model('file="m.stl"', 'type="mesh" mesh="m"'))
    kept = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name == "trimesh":
            raise ImportError(name)
        return kept(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"needs trimesh.*extra 'mesh'.*saveinertial=\"true\""):
        load(path)
