"""The robot itself: a frozen tree of joints and links.

Joint i carries link i, so both are "body i"; parents come before children, depth first,
siblings in the order of the description. The world is body -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from taut.errors import InputError
from taut.robot.closures import Loops
from taut.robot.content import Content, content, restored
from taut.robot.coordinates import Spread
from taut.robot.parts import Drive, Frame, Joint, Measure, Mimic, Value
from taut.robot.placement import Placement
from taut.spatial import NO_INERTIA, Inertia, Scalar, Transform, Vec3

STANDARD_GRAVITY = Vec3(0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Tree:
    """A robot as data.

    Attributes:
        joints: moving joints with their links; mimicking joints included.
        frames: named places: links merged by fixed joints, flanges, tools.
        base: placement of the base frame in the world.
        base_name: name of the base link.
        base_inertia: of the base link and what is fixed to it; matters once the base floats.
        gravity_acceleration: in the world frame [m/s^2]; the world is the base unless ``base`` is given.
        mimics: joints that follow others.
        loops: what closes loops of the tree.
        coupling: (drive, joint, ratio): the drive of joint ``drive`` also turns by ratio * qd of ``joint``.
        values: numbers of the named symbols.
        measures: what the named symbols measure, as far as the description states it.
        source: where the numbers come from.
        convention: Denavit-Hartenberg label and rows the description was given in, for display.
    """

    name: str
    joints: tuple[Joint, ...]
    frames: tuple[Frame, ...] = ()
    base: Placement = field(default_factory=Placement)
    base_name: str = "base"
    base_inertia: Inertia = NO_INERTIA
    gravity_acceleration: Vec3 = STANDARD_GRAVITY
    mimics: tuple[Mimic, ...] = ()
    coupling: tuple[tuple[int, int, Scalar], ...] = ()
    loops: Loops = field(default_factory=Loops)
    values: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    measures: Mapping[str, Measure] = field(default_factory=lambda: MappingProxyType({}), compare=False)
    source: str = ""
    convention: tuple[str, tuple[tuple[Scalar, ...], ...]] | None = None

    # -- as a value -----------------------------------------------------------

    @cached_property
    def _content(self) -> Content:
        return content(self, ordered=False)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (content(self),)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.outline}>"

    @property
    def outline(self) -> str:
        """Name, kinds of the joints, degrees of freedom and joint names, in at most 400 characters."""
        kinds = "".join(joint.motion.kind[0].upper() for joint in self.joints)
        names = ", ".join(self.joint_names) if len(self.joint_names) <= 8 else f"{len(self.joint_names)} joints"
        return _shortened(f"{self.name}: {_shortened(kinds, 60)}, dof {self.dof}, {names}", 400)

    # -- coordinates ----------------------------------------------------------

    @property
    def tied(self) -> bool:
        """Whether some joints depend on others."""
        return bool(self.mimics or self.loops)

    @cached_property
    def own(self) -> tuple[int, ...]:
        """Indices of the joints that follow no other."""
        followers = {mimic.joint for mimic in self.mimics}
        return tuple(i for i in range(len(self.joints)) if i not in followers)

    @cached_property
    def placed(self) -> tuple[int, ...]:
        """Indices of the joints whose positions are q: those of :attr:`own` that no closed form gives."""
        given = {i for dyad in self.loops.dyads for i in dyad.joints}
        return tuple(i for i in self.own if i not in given)

    @property
    def must_close(self) -> bool:
        """Whether only some q are positions: those at which closures hold, or which rolling can reach."""
        return bool(self.loops) and sum(self.joints[i].motion.nv for i in self.placed) != self.nv

    @cached_property
    def independent_rates(self) -> tuple[int, ...]:
        """Which of the rates of the own joints, counted one after the other, are qd: those no closure determines."""
        dependent = {rate for _, rate in self.settled_loops.pivots or ()}
        count = sum(self.joints[i].motion.nv for i in self.own)
        return tuple(k for k in range(count) if k not in dependent)

    @cached_property
    def settled_loops(self) -> Loops:
        """The loops with their dependent rates chosen."""
        if not self.loops or self.loops.pivots is not None:
            return self.loops
        from taut.robot.dependent_rates import settled

        return settled(self)

    @cached_property
    def independent(self) -> tuple[int, ...]:
        """Indices of the joints with a rate in qd; they have the positions q, too, unless there are closures."""
        if not self.loops:
            return self.own
        rates = [i for i in self.own for _ in range(self.joints[i].motion.nv)]
        return tuple(dict.fromkeys(rates[k] for k in self.independent_rates))

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the independent joints: the order of every vector."""
        return tuple(self.joints[i].name for i in self.independent)

    @cached_property
    def nq(self) -> int:
        """Length of q."""
        return sum(self.joints[i].motion.nq for i in self.placed)

    @cached_property
    def nv(self) -> int:
        """Length of qd, qdd and tau."""
        return len(self.independent_rates)

    @property
    def dof(self) -> int:
        """Degrees of freedom, the same as ``nv``."""
        return self.nv

    @cached_property
    def quaternions(self) -> tuple[int, ...]:
        """Where the unit quaternions start in q."""
        starts, at = [], 0
        for i in self.placed:
            motion = self.joints[i].motion
            starts += [at + start for start in motion.quaternions]
            at += motion.nq
        return tuple(starts)

    def at(self, q: Sequence[Scalar] | None = None) -> Spread:
        """Return all joints at a position; without one, what rates and torques need where joint ratios are constant."""
        return Spread(self, q)

    # -- structure ------------------------------------------------------------

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Bodies carried by each body."""
        lists: list[list[int]] = [[] for _ in self.joints]
        for i, joint in enumerate(self.joints):
            if joint.parent >= 0:
                lists[joint.parent].append(i)
        return tuple(tuple(c) for c in lists)

    def support(self, i: int) -> Iterator[int]:
        """Yield body i and the bodies between it and the base, outermost first."""
        while i >= 0:
            yield i
            i = self.joints[i].parent

    @cached_property
    def rest_poses(self) -> tuple[Transform, ...]:
        """Constant pose of every joint frame in its parent body, or in the world."""
        return tuple((self.base.then(j.placement) if j.parent < 0 else j.placement).transform for j in self.joints)

    def pose(self, i: int, q: Sequence[Scalar]) -> Transform:
        """Return X_PB of body i in its parent at joint position q."""
        return self.rest_poses[i] @ self.joints[i].motion.transform(q)

    def inertia(self, i: int) -> Inertia:
        """Return the inertia of link i about its joint's origin."""
        return self.joints[i].link.inertia

    @cached_property
    def single_axis(self) -> bool:
        """Whether every joint has one coordinate, with its derivative as rate."""
        return all(joint.motion.nq == 1 for joint in self.joints)

    @cached_property
    def _places(self) -> dict[str, Frame]:
        places = {self.base_name: Frame(self.base_name, -1)}
        places |= {joint.link.name: Frame(joint.link.name, i) for i, joint in enumerate(self.joints)}
        places |= {frame.name: frame for frame in self.frames}
        return places

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Every name :meth:`frame` answers to: base, links, named frames."""
        return tuple(self._places)

    def frame(self, name: str | None = None) -> Frame:
        """Return a named frame; without a name the last frame that joints move, or the last link."""
        if name is None:
            moved = [frame.name for frame in self.frames if frame.body >= 0]
            name = moved[-1] if moved else self.joints[-1].link.name
        try:
            return self._places[name]
        except KeyError:
            known = ", ".join(list(self._places)[:12]) + (", ..." if len(self._places) > 12 else "")
            raise InputError(f"no frame '{name}' on robot '{self.name}'", advice=f"known frames: {known}") from None

    # -- drives ---------------------------------------------------------------

    def drive_rates(self, qd: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        """Return K qd: the rate of every joint's drive, coupled joints included (0 where a joint has several)."""
        rates = [part[0] if len(part) == 1 else 0 for part in qd]
        coupled = list(rates)
        for drive, joint, ratio in self.coupling:
            coupled[drive] = coupled[drive] + ratio * rates[joint]
        return coupled

    def drive_torques(self, torques: Sequence[Scalar]) -> list[list[Scalar]]:
        """Return K^T tau: drive torques as they act on the joints."""
        at_joint = list(torques)
        for drive, joint, ratio in self.coupling:
            at_joint[joint] = at_joint[joint] + ratio * torques[drive]
        return [[t] if j.motion.nv == 1 else [0] * j.motion.nv for t, j in zip(at_joint, self.joints, strict=True)]

    # -- numbers --------------------------------------------------------------

    def map(
        self,
        number: Callable[[Scalar], Scalar],
        *,
        angle: Callable[[Scalar], Scalar] | None = None,
        inertial: Callable[[Scalar], Scalar] | None = None,
        drive: Callable[[Scalar], Scalar] | None = None,
    ) -> Self:
        """Return the robot with every number replaced: lengths and gravity, angles, inertias, drives."""
        angle, inertial, drive = angle or number, inertial or number, drive or number

        def inertia_mapped(body: Inertia) -> Inertia:
            return Inertia.from_parameters(tuple(inertial(x) for x in body.parameters))

        def joint_mapped(joint: Joint) -> Joint:
            new_drive = Drive(**{f.name: drive(getattr(joint.drive, f.name)) for f in fields(Drive)})
            return replace(
                joint,
                placement=joint.placement.map(number, angle),
                link=replace(joint.link, inertia=inertia_mapped(joint.link.inertia)),
                drive=new_drive,
            )

        return replace(
            self,
            joints=tuple(joint_mapped(joint) for joint in self.joints),
            frames=tuple(replace(f, placement=f.placement.map(number, angle)) for f in self.frames),
            base=self.base.map(number, angle),
            base_inertia=inertia_mapped(self.base_inertia),
            gravity_acceleration=Vec3(*(number(x) for x in self.gravity_acceleration)),
            mimics=tuple(m.map(number) for m in self.mimics),
            loops=self.settled_loops.map(number, angle),
            coupling=tuple((d, j, number(ratio)) for d, j, ratio in self.coupling),
        )


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 4]} ..."
