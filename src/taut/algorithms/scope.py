"""Which robots an algorithm serves, and the sentence that refuses the others."""

from __future__ import annotations

from taut.errors import UnsupportedError
from taut.robot import Tree


def single_axis_only(robot: Tree, algorithm: str) -> None:
    """Refuse a robot with a joint that is neither revolute nor prismatic.

    Args:
        robot: the tree.
        algorithm: name of the algorithm, for the message.
    """
    for joint in robot.joints:
        if not joint.motion.turns_or_slides:
            raise UnsupportedError(
                f"{algorithm} serves revolute and prismatic joints, this one is {joint.motion.kind}",
                f"robot '{robot.name}': joint '{joint.name}'",
                "use newton_euler or composite_bodies",
            )
