"""Links that are physically impossible, and joints that move no mass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.algorithms.composite_bodies import composite_inertias
from taut.api import Robot
from taut.derive.checks.truth import of_decided
from taut.graph import Node
from taut.graph.walk import names_of
from taut.report.base_count import MOST_LINKS, matters, stacked_regressor
from taut.report.stand_in import SEED, stand_in
from taut.robot import PARAMETER_NAMES, Joint, Tree
from taut.robot.inertial import faults
from taut.robot.meaning import decided
from taut.robot.states import random_states
from taut.spatial import Inertia

SINGULAR = "moves nothing that has inertia, so M is singular"

ROUNDING = 1e-15
"""Part of a body's parameters that is left of a moment about an axis through its centre."""

LARGE_MASS = 1e9
"""[kg] Of a link whose mass has no effect."""


@dataclass(frozen=True)
class Check:
    """What a look at the inertias found.

    Attributes:
        faults: (link, what is not physical about it).
        notes: (place, what is allowed but unusual).
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

    A link without any inertia is legal where its joint moves other bodies or a rotor, and in a robot that has
    no inertia at all; anywhere else M is singular, and the link is at fault. A link merged from several by fixed
    joints is judged as the one body it moves as. A link that is given moments and no mass is at fault where its
    mass has an effect on some torque; a link that only turns about a vertical axis needs none.
    """
    numbers = Robot(stand_in(robot.tree))
    without_effect = _without_effect(numbers)
    found: list[tuple[str, str]] = []
    notes: list[tuple[str, str]] = []
    for i, joint in enumerate(robot.tree.joints):
        link, written, body = joint.link.name, joint.link.inertia, numbers.tree.inertia(i)
        nodes = [x for x in written.parameters if isinstance(x, Node)]
        missing = names_of(nodes) - set(robot.tree.values)
        if missing:
            notes.append((f"link '{link}'", "has symbols without values and is not judged"))
        elif body.m == 0 and "m" in without_effect[i] and not faults(_completed(body, without_effect[i])):
            notes += [(f"link '{link}'", f"{fault}; here mass has no effect") for fault in faults(body)]
        else:
            found += [(link, fault) for fault in faults(body)]
    if numbers.tree.base_inertia.m < 0:
        found += [(robot.tree.base_name, fault) for fault in faults(numbers.tree.base_inertia)]
    idle = _idle(numbers.tree)
    if len(idle) < len(numbers.tree.independent):
        found += [(joint.link.name, f"joint '{joint.name}' {SINGULAR}") for joint in idle]
    else:
        notes += [(f"joint '{joint.name}'", SINGULAR) for joint in idle]
    return Check(tuple(found), (*notes, *_angles(robot.tree)))


def _angles(robot: Tree) -> Iterator[tuple[str, str]]:
    """Yield what written angles are taken for when functions are derived, and how much that changes the torque."""
    meaning = decided(robot)
    if meaning.taken:
        yield "angles", of_decided(robot, meaning, "inverse_dynamics").text
    if meaning.coarse:
        snapped = decided(robot, meaning.needed)
        changed = of_decided(robot, snapped, "inverse_dynamics").stated
        said = f"{meaning.hint} keep their digits; --snap {meaning.needed:g} takes them for these"
        yield "angles", f"{said}, torques change by up to {changed:.0e} of their scale"


def _without_effect(robot: Robot) -> list[set[str]]:
    """Return for every link the parameters that no torque depends on."""
    if len(robot.tree.joints) > MOST_LINKS:
        return [set() for _ in robot.tree.joints]
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


def _idle(robot: Tree) -> list[Joint]:
    """Return the independent joints that move no inertia, neither their own nor through joints that mimic them."""
    moved = _moved_inertias(robot)
    effective = {i: moved[i] != 0 for i in robot.independent}
    for mimic in robot.mimics:
        effective[mimic.leader] |= moved[mimic.joint] != 0 and mimic.multiplier != 0
    return [robot.joints[i] for i, has_effect in effective.items() if not has_effect]


def _moved_inertias(robot: Tree) -> list[float]:
    """Return for every joint its diagonal element of M at a random state, the least of a free joint's; 0 for rounding.

    Rounding is judged against the inertia of the same bodies if they were next to the axis instead of on it.
    """
    q, _, _ = random_states(robot, np.random.default_rng(SEED), (), limited=False)
    Q = robot.at(list(map(float, q))).positions
    composites = composite_inertias(robot, [robot.pose(i, part) for i, part in enumerate(Q)])
    found = []
    for joint, body in zip(robot.joints, composites, strict=True):
        size = max(abs(float(x)) for x in body.parameters)
        forces = [joint.motion.project(body @ column) for column in joint.motion.columns]
        least = min(float(force[k]) + float(joint.drive.rotor_inertia) for k, force in enumerate(forces))
        found.append(least if abs(least) > ROUNDING * size else 0.0)
    return found
