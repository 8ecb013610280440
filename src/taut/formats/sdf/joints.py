"""Axes, drives, limits and motions of SDF joints.

An axis is given in the joint's frame, in the model's by ``use_parent_model_frame`` and before version 1.5, or in the
frame that ``expressed_in`` names (from 1.7 on). ``thread_pitch`` of a screw is in rad/m and positive for a left-handed
thread; ``screw_thread_pitch`` (from 1.10 on) is in metres a turn and positive for a right-handed one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from taut.formats.orientation import joint_axis
from taut.formats.sdf.frames import MODEL, Frames
from taut.formats.xml import Element, shown
from taut.robot import Ball, Drive, Fixed, Helical, JointMotion, Limits, Prismatic, Revolute
from taut.robot.compound import Compound, Universal
from taut.spatial import Vec3

UNBOUNDED = 1e15
"""Limits from here on stand for none; SDF writes 1e16."""

CLOSES = {"revolute": "pin", "continuous": "pin", "prismatic": "slide", "ball": "ball", "fixed": "weld"}
"""{type of joint: kind of closure} of a joint whose child has a parent already."""


@dataclass(frozen=True)
class Reader:
    """Reads the joints of one model.

    Attributes:
        frames: of the document.
        scope: what names of the model begin with.
        version: of SDF.
    """

    frames: Frames
    scope: str
    version: tuple[int, ...]

    def motion(self, joint: Element) -> JointMotion | Fixed | Compound:
        """Return how a joint moves."""
        kind = joint.required("type")
        match kind:
            case "fixed":
                return Fixed()
            case "ball":
                return Ball()
            case "revolute" | "continuous":
                return Revolute(self.axis(joint))
            case "prismatic":
                return Prismatic(self.axis(joint))
            case "screw":
                return Helical(self.axis(joint), _pitch(joint))
            case "universal" | "revolute2":
                return Universal(self.axis(joint), self.axis(joint, "axis2"))
        known = "revolute, continuous, prismatic, fixed, ball, universal, revolute2, screw or gearbox"
        joint.wrong(f"unknown joint type {shown(kind)}", f"use {known}")

    def axis(self, joint: Element, tag: str = "axis") -> Vec3:
        """Return a unit axis in the joint's frame."""
        direction = self.direction(joint, tag)
        return self.frames.pose(self.scope + joint.required("name"), joint).transform.R.T @ direction

    def direction(self, joint: Element, tag: str) -> Vec3:
        """Return a unit axis in the world's axes."""
        axis = joint.child(tag)
        xyz = axis.first("xyz")
        unit = joint_axis(joint, xyz.values(3) if xyz else (0.0, 0.0, 1.0))
        home = self.scope + joint.required("name")
        expressed = xyz.attributes.get("expressed_in") if xyz else None
        if expressed:
            home = self.frames.qualified(self.scope, expressed)
        elif self.version < (1, 5) or truth(axis.first("use_parent_model_frame")):
            home = self.scope + MODEL
        return self.frames.pose(home, joint).transform.R @ unit


def drive(axis: Element | None) -> Drive:
    """Return the drive of an axis."""
    dynamics = axis.first("dynamics") if axis else None
    if dynamics is None:
        return Drive()
    names = {"damping": "viscous", "friction": "coulomb", "spring_stiffness": "stiffness", "spring_reference": "rest"}
    return Drive(**{field: number(dynamics.first(tag), 0.0) for tag, field in names.items()})


def limits(axis: Element | None, joint: Element) -> Limits:
    """Return the limits of an axis."""
    limit = axis.first("limit") if axis else None
    if limit is None:
        return Limits()
    lower, upper, velocity, effort = (_bound(limit.first(tag)) for tag in ("lower", "upper", "velocity", "effort"))
    if joint.required("type") == "continuous":
        lower = upper = None
    if lower is not None and upper is not None and lower > upper:
        limit.wrong(f"lower {lower:g} is above upper {upper:g}", "exchange them")
    velocity, effort = (None if bound is None or bound < 0 else bound for bound in (velocity, effort))
    return Limits(lower, upper, velocity, effort)


def number(element: Element | None, default: float) -> float:
    """Return the number in an element, or the default where there is none."""
    return default if element is None else element.values(1)[0]


def truth(element: Element | None) -> bool:
    """Return whether an element holds true or 1."""
    return element is not None and element.text.strip().lower() in ("1", "true")


def _bound(element: Element | None) -> float | None:
    if element is None or "inf" in element.text.lower():
        return None
    [bound] = element.values(1)
    return bound if abs(bound) < UNBOUNDED else None


def _pitch(joint: Element) -> float:
    """Return the way per angle of a screw [m/rad]."""
    new = joint.first("screw_thread_pitch")
    if new is not None:
        return new.values(1)[0] / (2 * math.pi)
    pitch = number(joint.first("thread_pitch"), 1.0)
    if pitch == 0:
        joint.wrong("thread_pitch is 0 rad/m", "give the angle per way, or screw_thread_pitch in metres a turn")
    return -1 / pitch
