"""The choice of the parameters that stay when others are regrouped into them.

A null space leaves a choice, the gauge. taut's default is Khalil's: of a revolute link m, the first moment along
the axis and one transverse moment of inertia go (m, mz, Iyy for an axis z), of a prismatic link the inertia
tensor; a rotor goes before the link's moment about the axis it drives. Links further out go first.
"""

from __future__ import annotations

from collections.abc import Sequence

from taut.errors import InputError
from taut.identify.null_space import ROTOR
from taut.robot import Joint, SingleAxis, Tree

FIRST = (1, 2, 3)
"""Places of mx, my, mz among the ten."""

SECOND = ((4, 5, 7), (5, 6, 8), (7, 8, 9))
"""Places of the moments of inertia."""


def local_order(joint: Joint) -> list[int]:
    """Return the parameters of a link (ROTOR among them) from the first to go to the last."""
    axis = tuple(joint.motion.axis) if isinstance(joint.motion, SingleAxis) else (0, 0, 1)
    k = max(range(3), key=lambda j: abs(axis[j]))
    i, j = (k + 1) % 3, (k + 2) % 3
    products = [SECOND[i][j], SECOND[i][k], SECOND[j][k]]
    if joint.motion.pure_slide:
        return [*(SECOND[a][a] for a in (i, j, k)), *products, FIRST[k], ROTOR, FIRST[j], FIRST[i], 0]
    return [0, FIRST[k], SECOND[j][j], ROTOR, SECOND[i][i], FIRST[j], FIRST[i], *products, SECOND[k][k]]


def elimination_order(tree: Tree, places: dict[tuple[int, int], int], count: int) -> list[int]:
    """Return all columns from the first to go to the last.

    Args:
        tree: the robot.
        places: {(link, place in the link's local order): column}.
        count: how many columns there are; those without a place (friction) go last.
    """
    order = [
        places[i, k] for i in reversed(range(len(tree.joints))) for k in local_order(tree.joints[i]) if (i, k) in places
    ]
    return order + [k for k in range(count) if k not in set(order)]


def keeping(order: Sequence[int], names: Sequence[str], keep: Sequence[str]) -> list[int]:
    """Return the order with the parameters of ``keep`` last, the first of them last of all."""
    unknown = [name for name in keep if name not in names]
    if unknown:
        raise InputError(f"no parameter '{unknown[0]}'", "keep", f"parameters: {', '.join(names[:12])}, ...")
    wanted = [names.index(name) for name in dict.fromkeys(keep)]
    return [k for k in order if k not in set(wanted)] + wanted[::-1]
