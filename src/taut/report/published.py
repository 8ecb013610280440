"""What others count for the same arms: facts from papers, and peers counted by the rules of this project."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """A published count.

    Attributes:
        robots: which of our robots it is for.
        function: which function.
        operations: multiplications and additions.
        source: who counts it, or how it was measured.
    """

    robots: tuple[str, ...]
    function: str
    operations: int
    source: str


TORQUE, MATRIX, EXPLICIT, WITH_TORQUE = "inverse_dynamics", "mass_matrix", "explicit", "explicit_torque"

PAPERS = (
    Published(("puma560_burdick",), EXPLICIT, 291 + 131, "EMDEG (Burdick 1986)"),
    Published(("puma560_burdick",), WITH_TORQUE, 401 + 254, "EMDEG (Burdick 1986)"),
    Published(("puma560",), WITH_TORQUE, 739 + 426, "Armstrong, Khatib, Burdick 1986, all terms"),
    Published(("puma560",), MATRIX, 278, "Armstrong, Khatib, Burdick 1986, explicit"),
    Published(
        ("puma560",), MATRIX, 2737, "Newton-Euler passes of falling order (Walker, Orin 1982), as counted by Armstrong"
    ),
    Published(("general_6r",), TORQUE, 521 + 435, "Kane's equations (Angeles, Ma, Rojas 1989)"),
    Published(("general_6r",), TORQUE, 538 + 478, "Khalil, Kleinfinger, Gautier 1986"),
    Published(("general_6r",), TORQUE, 425 + 369, "Khalil, Kleinfinger, Gautier 1986, minimum parameters"),
    Published(("general_6r",), TORQUE, 489 + 420, "Balafoutis, Patel"),
    Published(("general_6r",), TORQUE, 459 + 390, "Li, Sankar"),
    Published(("general_6r",), MATRIX, (10 * 36 + 22 * 6 - 32) + (6 * 36 + 37 * 6 - 43), "composite bodies, n = 6"),
    Published(("stanford_full",), TORQUE, 646 + 394, "Kane, Levinson 1983"),
)

_CASADI = ("puma560_burdick", "puma560_full", "general_6r", "panda", "iiwa14", "stanford_full")

PEERS = (
    Published(("puma560_full",), TORQUE, 663, "SymPyBotics, ten parameters a link"),
    Published(("iiwa14",), TORQUE, 743, "SymPyBotics on a KUKA LWR, ten parameters a link"),
    *(
        Published((robot,), TORQUE, total, "CasADi, Newton-Euler traced, constants folded")
        for robot, total in zip(_CASADI, (486, 721, 1030, 854, 800, 643), strict=True)
    ),
    *(
        Published((robot,), MATRIX, total, "CasADi, M by n recursions")
        for robot, total in zip(_CASADI, (650, 1055, 2120, 1669, 1515, 822), strict=True)
    ),
    *(
        Published((robot,), EXPLICIT, total, "CasADi, second derivatives")
        for robot, total in (("puma560_burdick", 3442), ("puma560_full", 6194), ("panda", 13573))
    ),
    Published(("puma560_burdick",), EXPLICIT, 627, "SymPy cse on the expanded equations"),
    Published(("puma560_burdick",), EXPLICIT, 421, "FORM O3 on the expanded equations"),
    *(
        Published((robot,), TORQUE, total, "customised recursion with base parameters")
        for robot, total in (("puma560", 320), ("puma560_full", 494), ("iiwa14", 567), ("panda", 600))
    ),
)
"""Peers, measured with the count rules of this project."""


def others(robot: str, function: str) -> list[Published]:
    """Return what others count for a robot and a function, the lowest first."""
    found = [known for known in (*PAPERS, *PEERS) if robot in known.robots and known.function == function]
    return sorted(found, key=lambda known: known.operations)
