"""Which links could not exist, and which joints move nothing?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taut.graph import Node, topological
from taut.report.base_count import MOST_LINKS, matters, stacked_regressor
from taut.report.stand_in import stand_in
from taut.robot import PARAMETER_NAMES, Tree
from taut.robot.inertial import faults
from taut.spatial import Inertia

if TYPE_CHECKING:
    from taut.api import Robot

LARGE_MASS = 1e9
"""[kg] Of a link whose mass has no effect."""


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


def check(robot: Robot) -> Check:
    """Judge the inertia of every link whose numbers are known.

    A link without any inertia is legal. A link merged from several by fixed joints is judged as
    the one body it moves as. A link that is given moments and no mass is at fault where its mass has an
    effect on some torque; a link that only turns about a vertical axis needs none.
    """
    numbers = stand_in(robot)
    without_effect = _without_effect(numbers)
    found: list[tuple[str, str]] = []
    notes: list[tuple[str, str]] = []
    for i, joint in enumerate(robot.joints):
        link, written, body = joint.link.name, joint.link.inertia, numbers.inertia(i)
        nodes = [x for x in written.parameters if isinstance(x, Node)]
        missing = {n.data for n in topological(nodes) if n.op == "symbol"} - set(robot.values)
        if missing:
            notes.append((f"link '{link}'", "has symbols without values and is not judged"))
        elif body.m == 0 and "m" in without_effect[i] and not faults(_completed(body, without_effect[i])):
            notes += [(f"link '{link}'", f"{fault}; here mass has no effect") for fault in faults(body)]
        else:
            found += [(link, fault) for fault in faults(body)]
    notes += [
        (f"joint '{joint.name}'", "moves nothing that has inertia, so M is singular")
        for joint, loaded in zip(numbers.joints, _loaded(numbers), strict=True)
        if not loaded
    ]
    return Check(tuple(found), tuple(notes))


def _without_effect(robot: Robot) -> list[set[str]]:
    """Return for every link the parameters that no torque depends on."""
    if len(robot.joints) > MOST_LINKS:
        return [set() for _ in robot.joints]
    effect = matters(stacked_regressor(robot)).reshape(-1, len(PARAMETER_NAMES))
    return [{name for name, matter in zip(PARAMETER_NAMES, row, strict=True) if not matter} for row in effect]


def _completed(body: Inertia, free: set[str]) -> Inertia:
    """Return the body with its free parameters chosen so that it exists if any choice does.

    A large mass makes the moments about the centre those about the origin; free moments of inertia
    equal the largest given one, which satisfies every triangle inequality that can be.
    """
    given = dict(zip(PARAMETER_NAMES, map(float, body.parameters), strict=True))
    largest = max((given[name] for name in ("Ixx", "Iyy", "Izz") if name not in free), default=1.0)
    choice = {"m": LARGE_MASS, "Ixx": largest, "Iyy": largest, "Izz": largest}
    return Inertia.from_parameters(tuple(choice.get(n, 0.0) if n in free else x for n, x in given.items()))


def _loaded(robot: Tree) -> list[bool]:
    """Return for every joint whether its rotor or a link beyond it has inertia."""
    heavy = [any(x != 0 for x in joint.link.inertia.parameters) for joint in robot.joints]
    for i, joint in reversed(list(enumerate(robot.joints))):
        if heavy[i] and joint.parent >= 0:
            heavy[joint.parent] = True
    return [beyond or joint.drive.rotor_inertia != 0 for beyond, joint in zip(heavy, robot.joints, strict=True)]
