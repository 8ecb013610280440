"""Files made to exhaust a reader: each is answered with one sentence, or read, in time and memory linear in its size.

``python hostile_files.py NAME`` (with PYTHONPATH) reads one case and prints seconds, megabytes and the answer.
"""

from __future__ import annotations

import re
import sys
import time
import warnings
from pathlib import Path

from taut.errors import InputError, InputWarning
from taut.formats import read

LINK = """<link name="l{0}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = '<joint name="j{1}" type="revolute"><parent link="l{0}"/><child link="l{1}"/>{2}</joint>'


def robot(count: int, inside: str = "", link: str = LINK) -> str:
    """Return a URDF chain; ``inside`` every joint, {0} its leader."""
    links = "".join(link.format(i) for i in range(count + 1))
    joints = "".join(JOINT.format(i, i + 1, inside.format(i + 2) if i + 1 < count else "") for i in range(count))
    return f'<robot name="r">{links}{joints}</robot>'


def mujoco(world: str, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody><body><joint/>{world}</body></worldbody></mujoco>"


def _defaults() -> str:
    tags = "".join(f'<t{i} a="1"/>' for i in range(6000))
    classes = "".join(f'<default class="c{i}"/>' for i in range(6000))
    return mujoco('<geom size="1"/>', f"<default>{tags}{classes}</default>")


def _attributes() -> str:
    many = " ".join(f'a{i}="1"' for i in range(5000))
    return mujoco('<geom size="1"/>' * 5000, f"<default><geom {many}/></default>")


CASES = {
    "6000 defaults in 6000 classes": _defaults,
    "5000 default attributes of 5000 geoms": _attributes,
    "nested classes": lambda: mujoco(
        '<geom size="1"/>', "".join(f'<default class="c{i}">' for i in range(50_000)) + "</default>" * 50_000
    ),
    "newlines": lambda: "\n" * 200_000,
    "newlines before a word": lambda: "\n" * 200_000 + "x",
    "blanks": lambda: " " * 200_000 + "NL",
    "chained mimics": lambda: robot(19_999, '<mimic joint="j{0}"/>'),
    "chained mimics that grow": lambda: robot(19_999, '<mimic joint="j{0}" multiplier="1.1"/>'),
    "mimics in a ring": lambda: robot(19_999, '<mimic joint="j{0}"/>').replace(
        "</joint></robot>", '<mimic joint="j1"/></joint></robot>'
    ),
    "a row of TOML": lambda: "[[joint]]\n[joint.link]\nmass = 1\ninertia = [" + "1," * 5_000_000 + "]",
    "a row of URDF": lambda: robot(1).replace("<child", f'<origin xyz="{"1 " * 5_000_000}"/><child'),
    "a row of MJCF": lambda: mujoco(f'<geom type="box" size="{"1 " * 5_000_000}"/>'),
    "a row of SYMORO": lambda: "NL = 1\nNJ = 1\nM = {" + "1," * 5_000_000 + "}",
    "a row of a specification": lambda: "number_links 1\nmass " + "1 " * 5_000_000 + "\nstop",
    "a shorter row of a specification": lambda: "number_links 1\nmass " + "1 " * 2_000_000 + "\nstop",
    "a shorter row of SYMORO": lambda: "NL = 1\nNJ = 1\nsigma = {" + "1," * 2_000_000 + "}",
    "a shorter row of TOML": lambda: "[[joint]]\nxyz = [" + "1," * 2_000_000 + "]",
    "a number of a million digits": lambda: robot(1).replace('value="1"', f'value="{"1" * 1_000_000}"'),
    "a formula of a million digits": lambda: f'[[joint]]\nxyz = ["{"1" * 1_000_000}", 0, 0]',
    "a TOML number of a million digits": lambda: f"[[joint]]\nxyz = [{'1' * 1_000_000}, 0, 0]",
    "a name of a million letters": lambda: robot(1).replace("l1", "l" * 1_000_000).replace("l0", "l" * 1_000_000),
    "empty joints of URDF": lambda: "<robot>" + "<joint/>" * 400_000 + "</robot>",
    "empty joints of MJCF": lambda: "<mujoco><worldbody><body>" + "<joint/>" * 290_000 + "</body></worldbody></mujoco>",
    "empty joints of TOML": lambda: "[[joint]]\n" * 400_000,
    "empty frames of TOML": lambda: "[[joint]]\n" + "[[frame]]\n" * 400_000,
    "values of TOML": lambda: "[[joint]]\n[values]\n" + "".join(f"a{i} = 1\n" for i in range(400_000)),
    "huge masses of URDF": lambda: robot(2).replace('value="1"', 'value="1e308"'),
    "huge masses of MJCF": lambda: mujoco('<geom size="1" mass="1e308"/>'),
    "huge masses of TOML": lambda: "[[joint]]\nlink = { mass = 1e308, com = [1e308, 0, 0] }",
    "huge masses of SYMORO": lambda: "NL = 1\nNJ = 1\nType = 0\nant = {0}\nsigma = {0}\nM = {1e308}\nMX = {1e308}",
    "a tiny multiplier of URDF": lambda: robot(2, '<mimic joint="j{0}" multiplier="1e-320"/>'),
    "a tiny multiplier of TOML": lambda: '[[joint]]\n[[joint]]\nmimic = { joint = "joint1", multiplier = 1e-320 }',
    "deep bodies": lambda: mujoco("<body>" * 100_000 + "</body>" * 100_000),
    "deep frames": lambda: mujoco("<frame pos='1 0 0' euler='1 2 3'>" * 100_000 + "<body/>" + "</frame>" * 100_000),
    "many sites": lambda: mujoco("<site name='a' euler='1 2 3'/>" * 100_000),
    "many welds": lambda: mujoco(
        "<site name='s'/><site name='t' pos='1 0 0'/><body pos='1 0 0'><joint/><geom size='1'/><site name='u'/></body>"
    ).replace("</mujoco>", "<equality>" + "<weld site1='t' site2='u'/>" * 100_000 + "</equality></mujoco>"),
    "welds that do not close": lambda: mujoco(
        "<geom size='1'/><site name='t' pos='1 0 0'/><body pos='2 0 0'><joint/><geom size='1'/><site name='u'/></body>"
    ).replace("</mujoco>", "<equality>" + "<weld site1='t' site2='u'/>" * 60 + "</equality></mujoco>"),
    "a long loop": lambda: mujoco(
        "".join(f'<body name="b{i}" pos="1 0 0"><joint/><geom size="1"/>' for i in range(5000)) + "</body>" * 5000
    ).replace("</mujoco>", '<equality><connect body1="b4999" anchor="0 0 0"/></equality></mujoco>'),
    "a cam of 400 digits": lambda: (
        '[[joint]]\nname = "a"\n[[joint]]\nname = "b"\n[[cam]]\njoint = "b"\nfollows = "a"\nlaw = "' + "9" * 400 + '*x"'
    ),
    "an entity bomb": lambda: '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><robot name="&c;"/>',
}
"""Texts by name; each is built when it is asked for."""


def answer(name: str) -> tuple[float, float, str]:
    """Return CPU seconds, megabytes at most, and the sentence ("" for a robot) of one case."""
    text = CASES[name]()
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        try:
            read(text, "hostile")
            sentence = ""
        except InputError as error:
            sentence = str(error)
    spent = time.process_time() - start
    return spent, peak_megabytes(), sentence


def peak_megabytes() -> float:
    """Return the peak resident memory of this program; `ru_maxrss` would start at the peak of the parent process."""
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return float(re.findall(r"^VmHWM:\s+(\d+) kB", status, re.M)[0]) / 1024


if __name__ == "__main__":
    seconds, megabytes, sentence = answer(sys.argv[1])
    print(f"{seconds:.2f}\n{megabytes:.0f}\n{sentence}")
