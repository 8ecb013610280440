"""The library's closed chains read without taut: joints, bodies and closures as plain numbers, for the oracles."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files


def number(x):
    """Return a number of the files: plain, or degrees in quotes."""
    return math.radians(float(x.removesuffix(" deg"))) if isinstance(x, str) else float(x)


@dataclass
class Body:
    name: str
    kind: str
    parent: int
    xyz: list[float]
    turns: list[tuple[str, float]]
    axis: list[float]
    mass: float
    com: list[float]
    inertia: list[float]


@dataclass
class Pin:
    name: str
    kind: str
    body: int
    xyz: list[float]
    turns: list
    other: int
    at: list[float]
    at_turns: list


@dataclass
class Plain:
    """A robot file as plain data; bodies are counted from 0, the base is -1."""

    bodies: list[Body]
    pins: list[Pin]
    gravity: list[float]
    cams: dict = field(default_factory=dict)
    rolling: list = field(default_factory=list)


def plain(name: str) -> Plain:
    """Return a file of the library that uses xyz, turns, axis, and inertias about the mass centre alone."""
    data = tomllib.loads(files("taut.library").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return plain_data(data)


def plain_data(data) -> Plain:
    index = {"base": -1}
    bodies = []
    for i, joint in enumerate(data["joint"]):
        link = joint.get("link", {})
        turns = [(axis, number(angle)) for axis, angle in joint.get("turns", [])]
        bodies.append(
            Body(
                joint["name"],
                joint.get("kind", "revolute"),
                index[joint["parent"]],
                [number(x) for x in joint.get("xyz", (0, 0, 0))],
                turns,
                [float(x) for x in joint.get("axis", (0, 0, 1))],
                float(link.get("mass", 0)),
                [float(x) for x in link.get("com", (0, 0, 0))],
                [float(x) for x in link.get("inertia", (0,) * 6)],
            )
        )
        assert "inertia" not in link or link["about"] == "com"
        index[link["name"]] = i
    pins = [
        Pin(
            loop["name"],
            loop["kind"],
            index[loop["link"]],
            [float(x) for x in loop.get("xyz", (0, 0, 0))],
            [(a, number(t)) for a, t in loop.get("turns", [])],
            index[loop["to"]],
            [float(x) for x in loop.get("at", {}).get("xyz", (0, 0, 0))],
            [(a, number(t)) for a, t in loop.get("at", {}).get("turns", [])],
        )
        for loop in data.get("loop", [])
    ]
    gravity = [float(x) for x in data.get("gravity", (0, 0, -9.81))]
    names = {body.name: i for i, body in enumerate(bodies)}
    cams = {names[cam["joint"]]: (names[cam["follows"]], cam["law"]) for cam in data.get("cam", [])}
    rolling = [{names[j]: str(c) for j, c in row["rates"].items()} for row in data.get("rolling", [])]
    return Plain(bodies, pins, gravity, cams, rolling)
