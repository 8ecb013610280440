"""The parts a robot is made of: links, joints, drives, limits, named frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields

from taut.robot.law import ARGUMENT, Law
from taut.robot.motion import Fixed, JointMotion
from taut.robot.placement import Placement
from taut.robot.torque_formula import TorqueFormula
from taut.spatial import NO_INERTIA, Inertia, Scalar, Transform


@dataclass(frozen=True, repr=False)
class Drive:
    """Motor and transmission of one joint, every quantity reflected to the joint.

    Attributes:
        rotor_inertia: inertia of motor and gear at the joint [kg m^2, or kg for a slide].
        gear_ratio: motor turns per joint turn; only converts motor-side signals.
        coulomb: dry friction [N m or N].
        viscous: friction per rate [N m s or N s/m]; on a free joint on each of its six rates.
        offset: constant torque, e.g. of a current sensor [N m or N].
        stiffness: spring about ``rest`` [N m/rad or N/m].
        rest: position at which the spring is slack.
        smoothing: speed below which dry friction falls off, v / sqrt(v^2 + smoothing^2) instead of sign(v); 0 is sign.
        stribeck: dry friction at low speed beyond ``coulomb``, falling as 1 / (1 + (v / stribeck_speed)^2).
        stribeck_speed: speed at which half of it is left; not 0.
        root: friction per square root of speed.
        square: friction per square of speed.
        asymmetry: torque per ``|v|``: viscous friction is ``viscous`` plus or minus this by direction.
        load_friction: dry friction per torque that the joint carries, by its own rate; at least 0 and below 1.
        joint_coulomb: dry friction at the joint itself, by its own rate, where the gears couple the drive to others.
        joint_viscous: viscous friction at the joint itself.
        cos1: torque per cos(q) of the joint, e.g. of a counterbalance or of a cogging gear; sin1, cos2, sin2 likewise.
        spring_crank: counterbalance: distance of the spring's (or cylinder's) end on the link from the joint axis [m].
        spring_ground: distance of its other end from the joint axis [m].
        spring_angle: angle between the two at q = 0; the spring's length l follows from the cosine rule.
        spring_length: length l0 to which the three next refer [m].
        spring_force: its force at l0 [N].
        spring_rate: change of force with length [N/m].
        spring_curve: change of force with the square of l - l0 [N/m^2].
        gear_stiffness: spring between motor and joint [N m/rad or N/m]; 0 is a rigid drive. Only the functions of
            elastic joints know it, see :mod:`taut.robot.elastic`.
        spin_x: of a rotor as a spinning body: its inertia about its axis times the gear ratio, along the axis, in the
            joint frame at rest [kg m^2]; spin_y and spin_z likewise. The motor is on the link that carries the joint,
            to which its mass, and its inertia as if it were locked, belong.
    """

    rotor_inertia: Scalar = 0.0
    gear_ratio: Scalar = 1.0
    coulomb: Scalar = 0.0
    viscous: Scalar = 0.0
    offset: Scalar = 0.0
    stiffness: Scalar = 0.0
    rest: Scalar = 0.0
    smoothing: Scalar = 0.0
    stribeck: Scalar = 0.0
    stribeck_speed: Scalar = 1.0
    root: Scalar = 0.0
    square: Scalar = 0.0
    asymmetry: Scalar = 0.0
    load_friction: Scalar = 0.0
    joint_coulomb: Scalar = 0.0
    joint_viscous: Scalar = 0.0
    cos1: Scalar = 0.0
    sin1: Scalar = 0.0
    cos2: Scalar = 0.0
    sin2: Scalar = 0.0
    spring_crank: Scalar = 0.0
    spring_ground: Scalar = 0.0
    spring_angle: Scalar = 0.0
    spring_length: Scalar = 0.0
    spring_force: Scalar = 0.0
    spring_rate: Scalar = 0.0
    spring_curve: Scalar = 0.0
    gear_stiffness: Scalar = 0.0
    spin_x: Scalar = 0.0
    spin_y: Scalar = 0.0
    spin_z: Scalar = 0.0

    def __repr__(self) -> str:
        said = ((f.name, getattr(self, f.name), f.default) for f in fields(self))
        return f"Drive({', '.join(f'{name}={value!r}' for name, value, default in said if value != default)})"


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
        formulas: torques at the joint beyond those of its drive, which add to them.
    """

    name: str
    parent: int
    placement: Placement
    motion: JointMotion
    link: Link
    drive: Drive = field(default_factory=Drive)
    limits: Limits = field(default_factory=Limits)
    formulas: tuple[TorqueFormula, ...] = ()


@dataclass(frozen=True)
class Mimic:
    """Joint ``joint`` follows joint ``leader``: q = multiplier * q_leader + offset.

    Several of one joint add up, as where gears or a parallelogram make a joint follow two others. With a law, as of a
    cam, q = law(q_leader) instead.
    """

    joint: int
    leader: int
    multiplier: Scalar = 1.0
    offset: Scalar = 0.0
    law: Law | None = None

    def map(self, number: Callable[[Scalar], Scalar]) -> Mimic:
        """Return the same with every number replaced."""
        law = None if self.law is None else self.law.map(number)
        return Mimic(self.joint, self.leader, number(self.multiplier), number(self.offset), law)

    def position(self, q: Scalar) -> Scalar:
        """Return its part of the follower's position where the leader stands at q."""
        return self.multiplier * q + self.offset if self.law is None else self.law.at({ARGUMENT: q})

    def ratio(self, q: Scalar) -> Scalar:
        """Return the follower's rate per rate of the leader, which stands at q."""
        return self.multiplier if self.law is None else self.law.slope().at({ARGUMENT: q})

    def curvature(self, q: Scalar) -> Scalar:
        """Return the follower's acceleration per squared rate of the leader."""
        return 0 if self.law is None else self.law.slope().slope().at({ARGUMENT: q})


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
    """What a named symbol measures.

    Attributes:
        value: the number.
        tolerance: of the measurement.
        source: where the number came from.
        run_time: whether the file asks for it at run time (True) or written into the code (False), whatever the
            way of deriving; None leaves it open.
    """

    value: float
    tolerance: float | None = None
    source: str = ""
    run_time: bool | None = None


@dataclass(frozen=True)
class Measure:
    """What a number of a robot measures.

    Attributes:
        quantity: in words, such as ``mass``.
        unit: SI.
        of: the link, joint or frame it belongs to.
        point: the point and the axes it refers to, empty where there are none.
    """

    quantity: str
    unit: str
    of: str
    point: str = ""


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
    formulas: tuple[TorqueFormula, ...] = ()
