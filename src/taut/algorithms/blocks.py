"""Matrices over the rates of a tree, put together from one block a pair of joints."""

from __future__ import annotations

from collections.abc import Iterator

from taut.robot import Tree
from taut.spatial import Scalar

Blocks = dict[tuple[int, int], list[list[Scalar]]]
"""{(i, j): rows over the rates of joint i, columns over those of joint j}; missing blocks are zero."""


def unit_rates(robot: Tree) -> Iterator[list[list[Scalar]]]:
    """Yield rates that are one for one coordinate of the tree and zero for the others, in joint order."""
    sizes = [joint.motion.nv for joint in robot.joints]
    for k, size in enumerate(sizes):
        for r in range(size):
            unit: list[list[Scalar]] = [[0] * n for n in sizes]
            unit[k][r] = 1
            yield unit


def matrix(robot: Tree, blocks: Blocks) -> list[list[Scalar]]:
    """Return the full matrix, rows and columns in joint order."""
    sizes = [joint.motion.nv for joint in robot.joints]
    rows = []
    for i, height in enumerate(sizes):
        for r in range(height):
            row: list[Scalar] = []
            for j, width in enumerate(sizes):
                row += blocks[i, j][r] if (i, j) in blocks else [0] * width
            rows.append(row)
    return rows


def symmetric_matrix(robot: Tree, lower: Blocks) -> list[list[Scalar]]:
    """Return the full matrix from blocks (i, j), j <= i, mirrored."""
    mirrored = {(j, i): [list(column) for column in zip(*block, strict=True)] for (i, j), block in lower.items()}
    return matrix(robot, mirrored | lower)
