"""``<replicate>`` makes the bodies that MuJoCo makes: same names, places and joint equalities."""

from __future__ import annotations

from pathlib import Path

import mujoco
import pytest

from oracle.examine import with_mujoco
from oracle.robot_files import RobotFile
from taut.errors import InputError
from taut.formats.mjcf import read_mjcf

TEXT = """<mujoco><compiler eulerseq="zyx"/><worldbody><body name="a"><joint name="base"/><geom size=".1"/>
<replicate count="{count}" offset="1 2 0.5" euler="{euler}" sep="_">
 <body name="b" pos="0.5 0 0"><joint name="j"/><joint name="k" axis="1 0.2 0"/>
 <geom name="g" size=".1 .2" type="capsule"/>
 <site name="s" pos="0 0.1 0"/>
 <replicate count="2" offset="0 0.3 1">
 <body name="c"><joint name="l" axis="0 1 0"/><geom size=".05"/></body></replicate>
 </body>
</replicate></body></worldbody>
<equality><joint joint1="j" joint2="k" polycoef="0 2"/><joint joint1="l" joint2="base"/></equality></mujoco>"""


@pytest.mark.parametrize(("count", "euler"), [(3, "0 0 30"), (2, "10 20 30"), (1, "0 0 0"), (10, "0 45 0")])
def test_agrees_with_mujoco(tmp_path: Path, count: int, euler: str) -> None:
    file = tmp_path / "copies.xml"
    file.write_text(TEXT.format(count=count, euler=euler))
    verdict = with_mujoco(RobotFile("copies", file, tmp_path))
    assert verdict.result == "agreed", verdict.reason
    robot, model = read_mjcf(file.read_text(), "copies"), mujoco.MjModel.from_xml_path(str(file))
    assert [joint.name for joint in robot.joints] == [model.joint(i).name for i in range(model.njnt)]
    assert {model.body(i).name for i in range(1, model.nbody)} <= set(robot.frame_names)
    ties = {(model.joint(model.eq_obj1id[i]).name, model.joint(model.eq_obj2id[i]).name) for i in range(model.neq)}
    names = [joint.name for joint in robot.joints]
    assert {(names[mimic.joint], names[mimic.leader]) for mimic in robot.mimics} == ties


@pytest.mark.parametrize(
    ("count", "sentence"), [("1e9", "more than 10000 elements with all copies"), ("2.5", "count is 2.5")]
)
def test_a_count_that_cannot_be_is_refused(count: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_mjcf(TEXT.format(count=count, euler="0 0 0"), "copies")


def test_nesting_is_bounded() -> None:
    text = "<replicate count='9'>" * 30 + "<body><joint/></body>" + "</replicate>" * 30
    with pytest.raises(InputError, match="nested more than 20 deep"):
        read_mjcf(f"<mujoco><worldbody>{text}</worldbody></mujoco>", "copies")
    chain = "<body><joint/>" * 5000 + "<replicate count='2'><geom size='1'/></replicate>" + "</body>" * 5000
    with pytest.raises(InputError, match="nested more than 200 deep"):
        read_mjcf(f"<mujoco><worldbody>{chain}</worldbody></mujoco>", "copies")
