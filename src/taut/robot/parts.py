"""The parts a robot is made of: links, joints, drives, limits, named frames."""

from __future__ import annotations

from dataclasses import dataclass, field

from taut.robot.motion import Fixed, JointMotion
from taut.robot.placement import Placement
from taut.spatial import NO_INERTIA, Inertia, Scalar, Transform


@dataclass(frozen=True)
class Drive:
    """Motor and transmission of one joint, every quantity reflected to the joint.

    Attributes:
        rotor_inertia: inertia of motor and gear at the joint [kg m^2, or kg for a slide].
        gear_ratio: motor turns per joint turn; only converts motor-side signals.
        coulomb: dry friction [N m or N].
        viscous: friction per rate [N m s or N s/m].
        offset: constant torque, e.g. of a current sensor [N m or N].
        stiffness: spring about ``rest`` [N m/rad or N/m].
        rest: position at which the spring is slack.
    """

    rotor_inertia: Scalar = 0.0
    gear_ratio: Scalar = 1.0
    coulomb: Scalar = 0.0
    viscous: Scalar = 0.0
    offset: Scalar = 0.0
    stiffness: Scalar = 0.0
    rest: Scalar = 0.0


@dataclass(frozen=True)
class Limits:
    """Bounds of one joint; None where the description gives none."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True)
class Link:
    """A named rigid body; its inertia is about its joint's origin, in the joint frame's axes."""

    name: str
    inertia: Inertia = NO_INERTIA


@dataclass(frozen=True)
class Joint:
    """A joint and the link it carries.

    Attributes:
        parent: index of the joint that carries the parent link, -1 for the base.
        placement: the joint frame at rest in the parent's frame.
        motion: what the joint does; its axis is given in the joint frame.
    """

    name: str
    parent: int
    placement: Placement
    motion: JointMotion
    link: Link
    drive: Drive = field(default_factory=Drive)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Mimic:
    """Joint ``joint`` follows joint ``leader``: q = multiplier * q_leader + offset."""

    joint: int
    leader: int
    multiplier: Scalar = 1.0
    offset: Scalar = 0.0


@dataclass(frozen=True)
class Frame:
    """A named place on a link (or on the base, body -1): a merged link, a flange, a tool."""

    name: str
    body: int
    placement: Placement = field(default_factory=Placement)

    @property
    def transform(self) -> Transform:
        """The frame's pose in its body."""
        return self.placement.transform


@dataclass(frozen=True)
class Value:
    """What a named symbol measures: its value and the tolerance of the measurement."""

    value: float
    tolerance: float | None = None


@dataclass(frozen=True)
class DescribedJoint:
    """A joint as a description file states it, by link names; may be fixed or mimic another."""

    name: str
    parent: str
    child: str
    placement: Placement = field(default_factory=Placement)
    motion: JointMotion | Fixed = field(default_factory=Fixed)
    drive: Drive = field(default_factory=Drive)
    limits: Limits = field(default_factory=Limits)
    mimic: tuple[str, Scalar, Scalar] | None = None
