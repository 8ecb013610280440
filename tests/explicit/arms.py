"""Arms to write explicit equations of."""

from __future__ import annotations

from taut import formats, library
from taut.api import Robot


def general_arm(joints: int) -> Robot:
    """Return the first joints of the general arm: every twist, length, offset and inertial parameter a symbol."""
    head, *parts = library.text("general_6r").split("[[joint]]")
    text = "[[joint]]".join([head, *parts[:joints]]).replace("general_6r", f"general_{joints}r")
    return Robot(formats.read(text, "general.toml", "toml"))


PLANAR = """
name = "planar"
convention = "modified"
gravity = [0, "-g", 0]
[values]
g = 9.81
"""


def planar_arm(joints: int) -> Robot:
    """Return parallel revolute joints in a vertical plane, point masses at the ends of the links."""
    text = PLANAR
    for i in range(1, joints + 1):
        a = f'"L{i - 1}"' if i > 1 else "0"
        text += f"""
[[joint]]
name = "joint{i}"
kind = "revolute"
dh = {{ alpha = 0, a = {a}, d = 0, theta = 0 }}
[joint.link]
name = "link{i}"
mass = "m{i}"
com = ["L{i}", 0, 0]
inertia = [0, 0, 0, 0, 0, 0]
about = "com"
"""
    return Robot(formats.read(text, "planar.toml", "toml"))
