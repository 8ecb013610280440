"""Spheres on links that must not meet: what an exciting trajectory keeps clear of.

Two spheres are compared unless one link carries both, or a joint lies between their links. A motion pays for each pair
that is closer than a margin, so that the search moves away from contact:

.. math:: f_c = w \\sum_{pairs} \\mathrm{mean}_t\\, \\max(0, 1 - d(t) / d_0)^2
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from taut.algorithms.kinematics import body_poses
from taut.batch import evaluate
from taut.errors import InputError
from taut.robot import Tree
from taut.robot.edit import numeric
from taut.spatial import Vec3

MARGIN = 0.03
"""Distance d_0 below which a pair costs [m]."""

STEP = 1e-6


@dataclass(frozen=True)
class Sphere:
    """A sphere on a link or a named frame; centre in its axes [m]."""

    link: str
    centre: tuple[float, float, float]
    radius: float


def read_spheres(path: str) -> list[Sphere]:
    """Return the spheres of a TOML file: ``[[sphere]]`` tables with link, centre and radius."""
    try:
        tables = tomllib.loads(Path(path).read_text("utf-8-sig")).get("sphere", [])
    except OSError:
        raise InputError("no such file", path, "check the path of the spheres") from None
    except ValueError as error:
        raise InputError(f"not TOML: {error}", path, "correct the text there") from None
    found = []
    for number, table in enumerate(tables, 1):
        try:
            x, y, z = (float(c) for c in table.get("centre", (0, 0, 0)))
            found.append(Sphere(str(table["link"]), (x, y, z), float(table["radius"])))
        except (AttributeError, KeyError, TypeError, ValueError):
            advice = 'give link = "forearm", centre = [0, 0, 0.1] and radius = 0.08 [m]'
            raise InputError(f"sphere {number} is not complete", path, advice) from None
    if len(found) < 2:
        raise InputError(f"{len(found)} spheres", path, "give two [[sphere]] tables or more")
    return found


class Spheres:
    """The spheres of a robot.

    Args:
        robot: that carries them.
        spheres: on its links, its base or its frames.
    """

    def __init__(self, robot: Tree, spheres: Sequence[Sphere]) -> None:
        self.robot, self.spheres = numeric(robot), list(spheres)
        self.frames = [self.robot.frame(sphere.link) for sphere in self.spheres]
        parents = [joint.parent for joint in self.robot.joints]

        def apart(a: int, b: int) -> bool:
            return a != b and (a < 0 or parents[a] != b) and (b < 0 or parents[b] != a)

        bodies = [frame.body for frame in self.frames]
        self.pairs = [(i, j) for i, j in combinations(range(len(bodies)), 2) if apart(bodies[i], bodies[j])]

    @cached_property
    def _radii(self) -> np.ndarray:
        return np.array([self.spheres[i].radius + self.spheres[j].radius for i, j in self.pairs])

    def distances(self, q: np.ndarray) -> np.ndarray:
        """Return the distance between the surfaces of each pair, (..., pairs); negative where they meet."""

        def centres(q: list[Any]) -> list[list[Any]]:
            poses = body_poses(self.robot, self.robot.at(q).positions)
            carriers = [self.robot.base.transform if f.body < 0 else poses[f.body] for f in self.frames]
            placed = [carrier @ frame.transform for carrier, frame in zip(carriers, self.frames, strict=True)]
            return [list(X.p + X.R @ Vec3(*s.centre)) for X, s in zip(placed, self.spheres, strict=True)]

        at = evaluate(centres, {"q": q}, (len(self.spheres), 3))
        first, second = (at[..., [pair[k] for pair in self.pairs], :] for k in (0, 1))
        distance: np.ndarray = np.linalg.norm(first - second, axis=-1) - self._radii
        return distance

    def cost(self, q: np.ndarray, weight: float) -> tuple[float, np.ndarray]:
        """Return f_c over samples (samples, joints), and its derivative by each position."""
        n = q.shape[1]
        changed = np.concatenate([q[None], q + STEP * np.eye(n)[:, None, :]])  # (1 + n, samples, n)
        by_sample = (np.maximum(0.0, 1 - self.distances(changed) / MARGIN) ** 2).sum(-1) * weight / len(q)
        return float(by_sample[0].sum()), ((by_sample[1:] - by_sample[0]) / STEP).T

    def refuse_contact(self, q: np.ndarray) -> None:
        """Raise an error where two spheres meet."""
        distances = self.distances(q)
        if distances.size and distances.min() < 0:
            i, j = self.pairs[int(np.argmin(distances.min(0)))]
            raise InputError(
                f"the spheres on {self.spheres[i].link} and {self.spheres[j].link} meet in every trajectory tried",
                self.robot.name,
                "narrow the joints' limits, make the spheres smaller, or try another --seed",
            )
