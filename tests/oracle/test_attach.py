"""``<attach>`` puts bodies of another file into a model as MuJoCo does: their settings, names and equalities."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from oracle.examine import with_mujoco
from oracle.robot_files import RobotFile
from taut.api import load
from taut.errors import InputError

CHILD = """<mujoco model="child"><compiler angle="radian"/>
<default><joint damping="0.5" armature="0.01"/><geom density="500"/>
  <default class="c"><joint armature="0.7"/></default></default>
<worldbody><body name="root" pos="0.1 0 0.2" euler="0.3 0 0"><joint name="j" range="-1 1"/>
  <geom name="g" size="0.1 0.2" type="capsule" pos="0 0.1 0"/><site name="s" pos="0 0 0.1"/>
  <body name="tip" childclass="c" pos="0 0 0.3"><joint name="k" axis="1 0 0" ref="0.2"/>
  <geom size="0.1" pos="0.1 0 0"/></body></body>
  <body name="other"><joint name="o"/><geom size=".1"/></body></worldbody>
<equality><joint joint1="k" joint2="j" polycoef="0 2"/></equality></mujoco>"""

MAIN = """<mujoco model="main"><default><joint damping="9" armature="3"/><geom density="70"/></default>
<asset><model name="m" file="sub/child.xml"/></asset>
<worldbody><body name="base"><joint name="b" axis="0 1 0"/><geom size=".2"/>{}</body></worldbody></mujoco>"""

ATTACHMENTS = {
    "in a frame, and a part": '<frame pos="0 1 0" euler="0 0 90"><attach model="m" body="root" prefix="L_"/></frame>'
    '<attach model="m" body="tip" prefix="R_"/>',
    "copied": '<replicate count="3" offset="0.2 0 0" sep="-"><attach model="m" body="root" prefix="p"/></replicate>',
}


def written(folder: Path, attached: str, child: str = CHILD) -> Path:
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "sub" / "child.xml").write_text(child)
    file = folder / "main.xml"
    file.write_text(MAIN.format(attached))
    return file


@pytest.mark.parametrize("attached", ATTACHMENTS.values(), ids=ATTACHMENTS.keys())
def test_agrees_with_mujoco(tmp_path: Path, attached: str) -> None:
    file = written(tmp_path, attached)
    verdict = with_mujoco(RobotFile("attached", file, tmp_path))
    assert verdict.result == "agreed", verdict.reason
    robot, model = load(file).tree, mujoco.MjModel.from_xml_path(str(file))
    assert [joint.name for joint in robot.joints] == [model.joint(i).name for i in range(model.njnt)]
    assert {model.body(i).name for i in range(1, model.nbody)} <= set(robot.frame_names)
    assert {model.site(i).name for i in range(model.nsite)} <= set(robot.frame_names)
    assert [float(joint.drive.viscous) for joint in robot.joints] == list(model.dof_damping)
    assert len(robot.mimics) == model.neq


@pytest.mark.parametrize(
    ("attached", "child", "sentence"),
    [
        ('<attach model="x" body="root"/>', CHILD, "model 'x' does not exist; define it in <asset>"),
        ('<attach model="m" body="x"/>', CHILD, "the model 'm' has no body 'x'; correct body"),
        ('<attach model="m"/>', CHILD, "an <attach> without a body is not followed; name the body"),
        ('<attach model="m" body="root"/>', "<robot/>", "the outermost element is <robot>, expected <mujoco>"),
    ],
)
def test_what_cannot_be_attached_is_refused(tmp_path: Path, attached: str, child: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        load(written(tmp_path, attached, child))


def test_a_model_that_attaches_itself_ends(tmp_path: Path) -> None:
    itself = CHILD.replace("<worldbody>", '<asset><model name="m" file="child.xml"/></asset><worldbody>').replace(
        "<geom size=", '<attach model="m" body="root" prefix="x"/><geom size=', 1
    )
    with pytest.raises(InputError, match="attached more than 10 deep"):
        load(written(tmp_path, ATTACHMENTS["copied"], itself))
