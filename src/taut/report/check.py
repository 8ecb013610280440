"""Which links could not exist, and which joints move nothing?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taut.graph import Node, topological
from taut.report.stand_in import stand_in
from taut.robot import Tree
from taut.robot.inertial import faults
from taut.spatial import Inertia


@dataclass(frozen=True)
class Check:
    """What a look at the inertias found.

    Attributes:
        faults: (link, what is not physical about it).
        notes: (place, what is legal and worth knowing).
    """

    faults: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]

    @property
    def passed(self) -> bool:
        """Whether every link could exist."""
        return not self.faults

    @property
    def data(self) -> dict[str, Any]:
        """The findings as JSON holds them."""
        return {
            "passed": self.passed,
            "faults": [{"link": link, "fault": fault} for link, fault in self.faults],
            "notes": [{"place": place, "note": note} for place, note in self.notes],
        }


def check(robot: Tree) -> Check:
    """Judge the inertia of every link whose numbers are known.

    A link without any inertia is legal. A link merged from several by fixed joints is judged as
    the one body it moves as.
    """
    numbers = stand_in(robot)
    found: list[tuple[str, str]] = []
    notes: list[tuple[str, str]] = []
    for link, written, body in zip(_links(robot), _inertias(robot), _inertias(numbers), strict=True):
        nodes = [x for x in written.parameters if isinstance(x, Node)]
        missing = {n.data for n in topological(nodes) if n.op == "symbol"} - set(robot.values)
        if missing:
            notes.append((f"link '{link}'", "has symbols without values and is not judged"))
        else:
            found += [(link, fault) for fault in faults(body)]
    notes += [
        (f"joint '{joint.name}'", "moves nothing that has inertia, so M is singular")
        for joint, loaded in zip(numbers.joints, _loaded(numbers), strict=True)
        if not loaded
    ]
    return Check(tuple(found), tuple(notes))


def _links(robot: Tree) -> list[str]:
    return [robot.base_name, *(joint.link.name for joint in robot.joints)]


def _inertias(robot: Tree) -> list[Inertia]:
    return [robot.base_inertia, *(joint.link.inertia for joint in robot.joints)]


def _loaded(robot: Tree) -> list[bool]:
    """Return for every joint whether its rotor or a link beyond it has inertia."""
    heavy = [any(x != 0 for x in joint.link.inertia.parameters) for joint in robot.joints]
    for i, joint in reversed(list(enumerate(robot.joints))):
        if heavy[i] and joint.parent >= 0:
            heavy[joint.parent] = True
    return [beyond or joint.drive.rotor_inertia != 0 for beyond, joint in zip(heavy, robot.joints, strict=True)]
