"""Pinocchio's model of an SDF text, built through its API by a reader that shares nothing with taut's.

Serves one model with poses relative to the model or to links, joints in their child, and joints of one axis, ball and
fixed joints; of several joints with one child the one named by ``carries`` is taken. Loops and gears are left open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin


def numbers(text: str | None) -> np.ndarray:
    return np.array([float(word) for word in (text or "").split()])


def se3(element: ElementTree.Element | None) -> pin.SE3:
    if element is None:
        return pin.SE3.Identity()
    x, y, z, roll, pitch, yaw = numbers(element.text)
    return pin.SE3(pin.rpy.rpyToMatrix(roll, pitch, yaw), np.array([x, y, z]))


def inertia(link: ElementTree.Element) -> pin.Inertia:
    given = link.find("inertial")
    assert given is not None
    moment = {tag: float(given.findtext(f"inertia/{tag}", "0")) for tag in ("ixx", "ixy", "iyy", "ixz", "iyz", "izz")}
    I = np.array(  # noqa: E741 - the book's letter
        [
            [moment["ixx"], moment["ixy"], moment["ixz"]],
            [moment["ixy"], moment["iyy"], moment["iyz"]],
            [moment["ixz"], moment["iyz"], moment["izz"]],
        ]
    )
    at = se3(given.find("pose"))
    return at.act(pin.Inertia(float(given.findtext("mass", "1")), np.zeros(3), I))


def pinocchio_model(text: str, root: str, carries: Callable[[str], bool]) -> pin.Model:
    """Return the tree of an SDF model that hangs on a root link, whose joints are named as in the text.

    Args:
        text: the document.
        root: the base link.
        carries: whether a joint is part of the tree.
    """
    return model_and_loops(text, root, carries)[0]


class Loop(NamedTuple):
    """A joint that closes a loop: its name, its type, its axis in its frame, and (joint, frame there) at both ends."""

    name: str
    kind: str
    axis: np.ndarray
    ends: list[tuple[int, pin.SE3]]


def model_and_loops(text: str, root: str, carries: Callable[[str], bool]) -> tuple[pin.Model, list[Loop]]:
    """Return the tree of an SDF model, and the joints between links of it that are no part of the tree."""
    document = ElementTree.fromstring(text)
    sdf = document.find("model") if document.find("world") is None else document.find("world/model")
    assert sdf is not None
    links = {link.attrib["name"]: link for link in sdf.findall("link")}
    poses = {name: se3(link.find("pose")) for name, link in links.items()}
    poses.setdefault(root, se3(sdf.find("pose")).inverse())  # the world itself
    model = pin.Model()
    ids, frames = {root: 0}, {root: pin.SE3.Identity()}
    base = se3(sdf.find("pose")) * poses[root]
    left = [joint for joint in sdf.findall("joint") if carries(joint.attrib["name"])]
    while left:
        known = [j for j in left if j.findtext("parent", "").strip() in ids]
        joint = max(known, key=lambda j: ids[j.findtext("parent", "").strip()])  # Pinocchio counts depth first
        left.remove(joint)
        parent, child = (joint.findtext(tag, "").strip() for tag in ("parent", "child"))
        at = poses[child] * se3(joint.find("pose"))
        axis = numbers(joint.findtext("axis/xyz", "0 0 1"))
        if joint.findtext("axis/use_parent_model_frame", "0").strip() in ("1", "true"):
            axis = at.rotation.T @ axis
        axis /= np.linalg.norm(axis)
        kinds = {
            "revolute": lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
            "prismatic": lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
            "ball": pin.JointModelSpherical,
        }
        place = frames[parent] * (poses[parent].inverse() * at)
        if ids[parent] == 0:
            place = (base * (poses[parent].inverse() * at)) if parent == root else place
        ids[child] = model.addJoint(ids[parent], kinds[joint.attrib["type"]](), place, joint.attrib["name"])
        frames[child] = at.inverse() * poses[child]
        model.appendBodyToJoint(ids[child], inertia(links[child]), frames[child])
    loops = []
    for joint in sdf.findall("joint"):
        parent, child = (joint.findtext(tag, "").strip() for tag in ("parent", "child"))
        if joint.attrib["type"] in ("gearbox", "fixed") or carries(joint.attrib["name"]) or parent not in ids:
            continue
        at = poses[child] * se3(joint.find("pose"))
        ends = [(ids[link], frames[link] * (poses[link].inverse() * at)) for link in (child, parent)]
        loops.append(
            Loop(joint.attrib["name"], joint.attrib["type"], numbers(joint.findtext("axis/xyz", "0 0 1")), ends)
        )
    return model, loops
