"""Shapes of robot files: read in their link's frame, made coarse enough for a page, refused in one sentence."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.api.descriptions import drawn_shapes
from taut.errors import InputError
from taut.formats.shapes.collada import read_collada
from taut.report.living.meshes import coarser, mesh_data

trimesh = pytest.importorskip("trimesh")

SQUARE = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong>
<diffuse><color>1 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#p" offset="1"/><vcount>4</vcount><p>0 0 1 0 2 0 3 0</p></polylist>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 3</translate><rotate>0 0 1 90</rotate>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""

ARM = """<robot name="arm"><material name="red"><color rgba="1 0 0 1"/></material>
<link name="base"><visual><geometry><box size="0.2 0.2 0.1"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<link name="tip"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="1 0 0"/><geometry><cylinder radius="0.1" length="0.4"/></geometry><material name="red"/></visual>
<visual><geometry><mesh filename="{file}" scale="2 2 2"/></geometry></visual></link></robot>"""


def _arm(folder: Path, file: str) -> Path:
    path = folder / "arm.urdf"
    path.write_text(ARM.format(file=file), "utf-8")
    return path


def _points(mesh: dict[str, object]) -> np.ndarray:
    steps = np.frombuffer(b64decode(str(mesh["vertices"])), dtype="<u2").reshape(-1, 3)
    return np.array(mesh["low"]) + float(str(mesh["step"])) * steps


def test_collada_has_its_unit_its_nodes_and_its_colours() -> None:
    [piece] = read_collada(SQUARE.encode(), "square.dae")
    assert piece.colour == (1.0, 0.5, 0.0)
    assert piece.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert np.allclose(piece.vertices, [[0, 0, 0.03], [0, 0.01, 0.03], [-0.01, 0.01, 0.03], [-0.01, 0, 0.03]])


@pytest.mark.parametrize("text", ["", "<COLLADA/>", SQUARE.replace("2 0 3 0", "2 0 9 0"), SQUARE.replace("1 1 0", "x")])
def test_a_damaged_collada_file_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"square\.dae: .*; check the mesh"):
        read_collada(text.encode(), "square.dae")


@pytest.mark.parametrize("name", ["part.dae", "package://meshes/part.dae", "package://{package}/meshes/part.dae"])
def test_urdf_shapes_stand_on_their_links(tmp_path: Path, name: str) -> None:
    (tmp_path / "meshes").mkdir()
    for folder in (tmp_path, tmp_path / "meshes"):
        (folder / "part.dae").write_text(SQUARE, "utf-8")
    path = _arm(tmp_path, name.format(package=tmp_path.name))
    meshes, undrawn = mesh_data(taut.load(path).tree, drawn_shapes(str(path)))
    assert undrawn == ""
    box, cylinder, square = meshes
    assert [mesh["body"] for mesh in meshes] == [-1, 0, 0]
    assert [mesh["colour"] for mesh in meshes] == [None, "#ff0000", "#ff8000"]
    assert np.allclose(np.ptp(_points(box), axis=0), [0.2, 0.2, 0.1], atol=1e-5)
    assert np.allclose(_points(cylinder).mean(axis=0), [1, 0, 0], atol=1e-3)
    assert np.allclose(_points(square)[:, 2], 0.06, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gone.stl", "no such file"),
        ("../secret.stl", "outside of the description's own folder.*--root"),
        ("package://other/part.stl", "package 'other' is not known.*--package other=DIR"),
        ("part.mesh", "unknown kind 'mesh'"),
        ("broken.stl", "not readable as STL|holds no triangles"),
    ],
)
def test_what_is_not_drawn_is_said_in_one_sentence(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "broken.stl").write_bytes(b"solid\n\0nothing")
    (tmp_path / "part.mesh").write_bytes(b"?")
    path = _arm(tmp_path, name)
    meshes, undrawn = mesh_data(taut.load(path).tree, drawn_shapes(str(path)))
    assert len(meshes) == 2
    assert undrawn.startswith("1 of 3 shapes of the robot file are not drawn; the first: ")
    assert re.search(said, undrawn), undrawn


def test_mjcf_shows_geoms_of_the_groups_that_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    trimesh.creation.box(extents=(1, 1, 1)).export(tmp_path / "cube.stl")
    path.write_text(
        '<mujoco><asset><mesh name="cube" file="cube.stl" scale="0.1 0.2 0.3"/><material name="blue" rgba="0 0 1 1"/>'
        '</asset><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="0 0 1"><joint name="j" axis="0 1 0"/>'
        '<geom type="mesh" mesh="cube" pos="1 0 0" material="blue"/>'
        '<geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.1" rgba="0 1 0 1"/>'
        '<geom type="sphere" size="0.5" group="3"/></body></worldbody></mujoco>',
        "utf-8",
    )
    meshes, undrawn = mesh_data(taut.load(path).tree, drawn_shapes(str(path)))
    assert undrawn == ""
    cube, capsule = meshes
    assert (cube["colour"], capsule["colour"]) == ("#0000ff", "#00ff00")
    assert np.allclose(np.ptp(_points(cube), axis=0), [0.1, 0.2, 0.3], atol=1e-5)
    assert np.allclose(_points(cube).mean(axis=0), [1, 0, 0], atol=1e-5)
    assert np.allclose(np.ptp(_points(capsule), axis=0), [0.8, 0.2, 0.2], atol=5e-3)
    assert np.allclose(_points(capsule).min(axis=0), [-0.1, -0.1, -0.1], atol=5e-3)


def test_a_mesh_is_made_coarser_and_keeps_its_size() -> None:
    ball = trimesh.creation.icosphere(subdivisions=5)
    found = coarser({0: (np.asarray(ball.vertices), np.asarray(ball.faces))}, 4000)
    vertices, faces = found[0]
    assert 1000 < len(faces) <= 4000
    assert np.abs(np.linalg.norm(vertices, axis=1) - 1).max() < 0.02
    outward = np.einsum(
        "fi,fi->f",
        np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]),
        vertices[faces].mean(axis=1),
    )
    assert (outward > 0).mean() > 0.99


def test_a_robot_of_the_library_draws_nothing() -> None:
    assert drawn_shapes("puma560") == []
