"""Files that a description names, and files that end or begin strangely."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taut.api import load
from taut.cli import main
from taut.errors import InputError, InputWarning

INERTIAL = '<inertial pos="0.1 0 0" mass="2" diaginertia="1 2 2.5"/>'
BODY = f'<body name="tip"><joint name="elbow"/>{INERTIAL}</body>'
LINK = (
    '<link name="block"><inertial><mass value="2"/>'
    '<inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def mjcf(path: Path, world: str, before: str = "") -> Path:
    return written(path, f"<mujoco>{before}<worldbody>{world}</worldbody></mujoco>")


def test_includes_stand_where_they_are_named(tmp_path: Path) -> None:
    main_file = mjcf(tmp_path / "main.xml", '<include file="parts/arm.xml"/>')
    written(tmp_path / "parts" / "arm.xml", f'<mujoco>{BODY}<include file="more.xml"/></mujoco>')
    written(tmp_path / "parts" / "more.xml", BODY.replace("tip", "top").replace("elbow", "wrist").join(["<a>", "</a>"]))
    assert load(main_file).joint_names == ("elbow", "wrist")
    # A file of that name in the main file's folder comes first.
    written(tmp_path / "more.xml", BODY.replace("tip", "head").replace("elbow", "neck").join(["<a>", "</a>"]))
    assert load(main_file).joint_names == ("elbow", "neck")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('<include file="main.xml"/>', "the file 'main.xml' is included twice"),
        ('<include file="a.xml"/><include file="./a.xml"/>', "the file './a.xml' is included twice"),
        ('<include file="a.xml"><body/></include>', "has elements of its own"),
        ('<include file="none.xml"/>', "none.xml: no such file"),
        ('<include file="."/>', "is a directory"),
        ("<include/>", "attribute file is missing"),
        ('<include file="../out.xml"/>', "outside of the description's own folder; allow it by --root "),
        ('<include file="/dev/zero"/>', "outside of the description's own folder; allow it by --root /dev"),
        (
            '<include file="package://nobody/a.xml"/>',
            "package 'nobody' is not known; name its folder by --package nobody=",
        ),
        ('<include file="broken.xml"/>', "not well-formed XML"),
        ('<include file="link.xml"/>', "outside of the description's own folder"),
    ],
)
def test_what_cannot_be_included_is_refused(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH"):
        monkeypatch.delenv(variable, raising=False)
    home = tmp_path / "home"
    written(home / "a.xml", f"<mujoco>{BODY}</mujoco>")
    written(home / "broken.xml", "<mujoco>")
    written(tmp_path / "out.xml", f"<mujoco>{BODY}</mujoco>")
    (home / "link.xml").symlink_to(tmp_path / "out.xml")
    with pytest.raises(InputError) as caught:
        load(mjcf(home / "main.xml", text))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_is_allowed_by_name(tmp_path: Path) -> None:
    main_file = mjcf(tmp_path / "home" / "main.xml", '<include file="../parts/arm.xml"/>')
    written(tmp_path / "parts" / "arm.xml", f"<mujoco>{BODY}</mujoco>")
    assert load(main_file, roots=[tmp_path]).dof == 1
    assert main(["show", str(main_file), "--root", str(tmp_path / "parts")]) == 0
    assert main(["show", str(main_file)]) == 2


def test_packages_are_found_by_name_and_by_the_ros_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = mjcf(tmp_path / "share" / "arm" / "mjcf" / "arm.xml", '<include file="package://arm/parts/tip.xml"/>')
    written(tmp_path / "share" / "arm" / "parts" / "tip.xml", f"<mujoco>{BODY}</mujoco>")
    address = f"package://arm/mjcf/{robot.name}"
    assert load(address, packages={"arm": tmp_path / "share" / "arm"}).dof == 1
    assert main(["show", address, "--package", f"arm={tmp_path / 'share' / 'arm'}"]) == 0
    assert main(["show", address, "--package", "arm"]) == 2
    assert "--package: cannot read 'arm'; give NAME=DIR" in capsys.readouterr().err
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"/nowhere:{tmp_path}")
    assert load(address).dof == 1
    monkeypatch.delenv("AMENT_PREFIX_PATH")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "share"))
    assert load(address).dof == 1
    with pytest.raises(InputError, match="leads out of its package"):
        load("package://arm/../other.xml")


@pytest.mark.parametrize("end", [b"\0", b"\0\0\n", b"\n\0"])
def test_a_file_may_end_in_nul(end: bytes, tmp_path: Path) -> None:
    path = mjcf(tmp_path / "arm.xml", BODY)
    path.write_bytes(path.read_bytes() + end)
    assert load(path).dof == 1


def test_a_single_body_is_a_robot_once_it_floats(tmp_path: Path) -> None:
    path = written(tmp_path / "block.urdf", f'<robot name="block">{LINK}</robot>')
    robot = load(path, base="free")
    assert robot.mass_matrix([0, 0, 0, 0, 0, 0, 1]) == pytest.approx(np.diag([2, 2, 2, 1, 2, 2.5]))
    assert main(["show", str(path), "--base", "free"]) == 0
    with pytest.raises(InputError, match=r"robot 'block' has no moving joint; .*base='free'"):
        load(path)


def test_a_mocap_body_drives_from_outside(tmp_path: Path) -> None:
    path = mjcf(tmp_path / "arm.xml", '<body name="goal" mocap="true"/>' + BODY)
    tied = path.read_text().replace("</mujoco>", '<equality><weld body1="goal" body2="tip"/></equality></mujoco>')
    with pytest.warns(InputWarning, match="the mocap body 'goal' drives the robot from outside"):
        assert load(written(path, tied)).dof == 1
