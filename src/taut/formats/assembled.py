"""The last step of every reader: parts become a robot; errors name the file, impossible masses are reported."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from taut.errors import InputError, InputWarning, shown
from taut.graph.node import is_number
from taut.robot import DescribedJoint, Link, Tree, assemble
from taut.robot.edit import lock
from taut.robot.linear_loops import with_linear_loops

MOST_NAMED = 5
"""Links that one warning names."""


def assembled(place: str, name: str, links: Sequence[Link], joints: Sequence[DescribedJoint], **rest: Any) -> Tree:
    """Return the robot of a file's links and joints.

    Args:
        place: the file, for errors and warnings.
        name: the robot's name.
        links: every link, the root among them, before fixed joints merge any.
        joints: every joint.
        rest: further arguments of :func:`taut.robot.assemble`.
    """
    _warn_of_negative_masses(place, links)
    try:
        return assemble(name, links, joints, **rest)
    except InputError as error:
        raise (error.at(place) if place else error) from None


def recognised(place: str, tree: Tree, held: Mapping[str, float] = MappingProxyType({})) -> Tree:
    """Return a robot of numbers with its closures tried, and those replaced that whole ratios satisfy.

    Args:
        place: the file, for errors.
        tree: as assembled.
        held: {joint: position} of joints that do not move.
    """
    try:
        return lock(tree, held) if held else with_linear_loops(tree)
    except InputError as error:
        raise (error.at(place) if place else error) from None


def _warn_of_negative_masses(place: str, links: Sequence[Link]) -> None:
    negative = [link for link in links if is_number(link.inertia.m) and link.inertia.m < 0]
    for link in negative[:MOST_NAMED]:
        message = f"link '{link.name}' has the negative mass {float(link.inertia.m):g} kg"
        warnings.warn(shown(f"{place}: {message}" if place else message), InputWarning, stacklevel=4)
    if len(negative) > MOST_NAMED:
        message = f"{len(negative) - MOST_NAMED} more links have negative masses"
        warnings.warn(shown(f"{place}: {message}" if place else message), InputWarning, stacklevel=4)
