"""Numbers for robots without: seeded draws of parameters that some real body could have."""

from __future__ import annotations

import numpy as np

from taut.robot import Tree
from taut.robot.edit import symbols


def consistent_values(tree: Tree, seed: int) -> dict[str, float]:
    """Return a value for each symbol that has none: solid links, centres of mass near their joints.

    Moments of inertia are alike and outweigh products and m r^2, so that every second-moment matrix is positive.
    """
    draw = np.random.default_rng(seed)
    found = {}
    for name in sorted(symbols(tree) - set(tree.values)):
        letter = name.rstrip("0123456789")
        if letter.startswith("I"):
            found[name] = draw.uniform(0.3, 0.4) if letter[-1] == letter[-2] else draw.uniform(-0.03, 0.03)
        elif letter in ("rx", "ry", "rz", "mx", "my", "mz"):
            found[name] = draw.uniform(-0.1, 0.1)
        elif letter == "m":
            found[name] = draw.uniform(1.0, 3.0)
        else:
            found[name] = draw.uniform(0.3, 0.9)
    return {name: float(value) for name, value in found.items()}
