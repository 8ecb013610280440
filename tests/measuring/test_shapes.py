"""Inertias of solids and shells against sums over many small masses."""

import numpy as np
import pytest

from taut.measuring.shapes import SHAPES

SIZES = {"x": 0.31, "y": 0.17, "z": 0.23, "radius": 0.14, "height": 0.29}
POINTS = 400_000


def samples(name: str, rng: np.random.Generator) -> np.ndarray:
    """Return points spread evenly over the volume or the surface of a shape."""
    u, v, w = rng.uniform(size=(3, POINTS))
    x, y, z, r, h = (SIZES[key] for key in ("x", "y", "z", "radius", "height"))
    turn = 2 * np.pi * v
    if name == "box":
        return np.array([x * (u - 0.5), y * (v - 0.5), z * (w - 0.5)])
    if name == "box shell":
        areas = np.array([y * z, x * z, x * y])
        face = rng.choice(3, POINTS, p=areas / areas.sum())
        points = np.array([x * (u - 0.5), y * (v - 0.5), z * (w - 0.5)])
        side = np.sign(rng.uniform(-1, 1, POINTS))
        for k, size in enumerate((x, y, z)):
            points[k] = np.where(face == k, side * size / 2, points[k])
        return points
    if name in ("sphere", "sphere shell"):
        direction = rng.normal(size=(3, POINTS))
        direction /= np.linalg.norm(direction, axis=0)
        return direction * r * (u ** (1 / 3) if name == "sphere" else 1)
    if name == "cylinder":
        rho, height = r * np.sqrt(u), h * (w - 0.5)
    elif name == "tube":
        rho, height = np.full(POINTS, r), h * (w - 0.5)
    elif name == "cylinder shell":
        lid = rng.uniform(size=POINTS) < r / (r + h)
        rho = np.where(lid, r * np.sqrt(u), r)
        height = np.where(lid, np.sign(w - 0.5) * h / 2, h * (w - 0.5))
    elif name == "cone":
        height = h * (1 - u ** (1 / 3))
        rho = r * (1 - height / h) * np.sqrt(w)
    else:
        slant = np.hypot(r, h)
        base = rng.uniform(size=POINTS) < r / (r + slant)
        height = np.where(base, 0, h * (1 - np.sqrt(u)))
        rho = np.where(base, r * np.sqrt(u), r * (1 - height / h))
    return np.array([rho * np.cos(turn), rho * np.sin(turn), height])


@pytest.mark.parametrize("name", SHAPES)
def test_moments_equal_those_of_many_points(name):
    points = samples(name, np.random.default_rng(3))
    centre = points.mean(axis=1)
    squares = ((points - centre[:, None]) ** 2).mean(axis=1)
    inertia = 2.0 * np.array([squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]])
    height, found = SHAPES[name].moments(2.0, SIZES)
    assert height == pytest.approx(centre[2], abs=5e-4)
    np.testing.assert_allclose(found, inertia, rtol=5e-3)
