"""The geometric errors a robot can have between its base and one frame, each a named parameter.

Every joint frame may be displaced (``x``, ``y``, ``z``) and turned (``rx``, ``ry``, ``rz``), as may the base and the
tool: Trans(x, y, z) Rz Ry Rx behind the nominal placement. A joint reads a constant ``offset`` too little; it may
also have an ``eccentric`` gear (a sine and a cosine of its position) and a ``compliance`` to its gravity torque.
The set holds Denavit-Hartenberg's parameters and Hayati's turn about ``y`` for parallel axes, and is redundant on
purpose: :mod:`taut.calibration.identifiable` chooses from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from taut.errors import InputError
from taut.robot import Tree

SHIFTS = ("x", "y", "z")
TURNS = ("rx", "ry", "rz")
BASE, TOOL = "base", "tool"


@dataclass(frozen=True)
class Parameter:
    """One geometric error.

    Attributes:
        place: ``base``, ``tool`` or a joint's name.
        kind: ``x`` ... ``rz``, ``offset``, ``sine``, ``cosine`` or ``compliance``.
        unit: of its value.
    """

    place: str
    kind: str
    unit: str

    @property
    def name(self) -> str:
        """Name for people: ``joint2.offset``."""
        return f"{self.place}.{self.kind}"


def path(tree: Tree, frame: str | None) -> list[int]:
    """Return the joints between the base and a frame, from the base outward."""
    place = tree.frame(frame)
    joints = list(reversed(list(tree.support(place.body)))) if place.body >= 0 else []
    if not joints:
        raise InputError(f"frame '{place.name}' does not move", "calibrate", "name a frame on a moving link")
    for i in joints:
        if tree.joints[i].motion.nv != 1:
            raise InputError(
                f"joint '{tree.joints[i].name}' has {tree.joints[i].motion.nv} degrees of freedom",
                "calibrate",
                "calibrate robots with a fixed base and joints of one coordinate",
            )
    return joints


def parameters(
    tree: Tree, frame: str | None, *, frames: bool = True, eccentric: bool = False, compliance: bool = False
) -> list[Parameter]:
    """Return the errors to be distinguished, the ones to keep first in front.

    Args:
        tree: the robot.
        frame: that was measured.
        frames: whether base, tool and joint frames may be off; else only the joint offsets.
        eccentric: whether gears may be eccentric.
        compliance: whether joints may give way to gravity.
    """
    names = [tree.joints[i].name for i in path(tree, frame)]
    unit = {tree.joints[i].name: "rad" if _turns(tree, i) else "m" for i in path(tree, frame)}
    found = [Parameter(name, "offset", unit[name]) for name in names]
    if frames:
        found += [Parameter(place, kind, _unit(kind)) for place in (BASE, TOOL) for kind in (*SHIFTS, *TURNS)]
        # Lengths and twists of Denavit and Hartenberg first, Hayati's turn next, the redundant ones last.
        for kind in ("x", "rx", "z", "ry", "y", "rz"):
            found += [Parameter(name, kind, _unit(kind)) for name in names]
    if eccentric:
        found += [Parameter(n, kind, "rad") for kind in ("sine", "cosine") for n in names if unit[n] == "rad"]
    if compliance:
        found += [Parameter(n, "compliance", "rad/(N m)" if unit[n] == "rad" else "m/N") for n in names]
    return found


def _turns(tree: Tree, joint: int) -> bool:
    return any(not all(x == 0 for x in column.w) for column in tree.joints[joint].motion.columns)


def _unit(kind: str) -> str:
    return "m" if kind in SHIFTS else "rad"
