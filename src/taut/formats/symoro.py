"""The reader of ``.par`` files of SYMORO+ and OpenSYMORO.

A file holds comments ``(* ... *)``, settings ``NL = 6`` and lists ``alpha = {0, pi/2, ...}`` over one or several
lines; keywords are read in any case::

    Robotname            in a comment: (* Robotname = 'RX90' *)
    NL NJ NF Type        links, joints, frames; 0 chain, 1 tree, 2 closed loops
    is_floating          1 for a free base, whose inertia then leads the lists of links; is_mobile: wheels
    ant sigma            antecedent frame, 0 is the base; 0 revolute, 1 prismatic, 2 fixed
    gamma b alpha d theta r    Khalil's rows; theta of a revolute and r of a prismatic joint name its coordinate
    mu                   1 where a joint is actuated
    XX XY XZ YY YZ ZZ MX MY MZ M    inertia about the link frame's origin, first moments, mass
    IA FV FS             rotor inertia, viscous and Coulomb friction, at the joint
    FX FY FZ CX CY CZ    wrench on the surroundings: an input of taut's functions, not of the robot; skipped
    QP QDP GAM           names of rates, accelerations, torques; skipped
    eta k                elastic joints: eta must be 0
    W0 WP0 V0 VP0        motion of the base: must be 0
    G Z                  gravity in the base's axes; pose of the base in the world, row by row

Convention: Khalil and Kleinfinger 1986. Closed loops, wheeled bases and elastic joints are refused.
Source: format of the files of the OpenSYMORO project.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.errors import InputError, UnsupportedError
from taut.formats.convention import ANGLES
from taut.formats.document import build
from taut.formats.formula import parse, parse_angle
from taut.formats.formula_grammar import plain
from taut.formats.table import nearest
from taut.graph import Graph, Node, topological
from taut.graph.walk import symbols_of
from taut.robot import Placement, Tree
from taut.robot.edit import free_base
from taut.robot.placement import turns_of
from taut.spatial import Scalar, Vec3

SETTINGS = ("nl", "nj", "nf", "type", "is_floating", "is_mobile")
FRAMES = ("ant", "sigma", "b", "d", "r", "gamma", "alpha", "mu", "theta")
LINKS = ("xx", "xy", "xz", "yy", "yz", "zz", "mx", "my", "mz", "m", "ia", "fv", "fs")
BASE = ("w0", "wp0", "v0", "vp0")
SKIPPED = ("fx", "fy", "fz", "cx", "cy", "cz", "qp", "qdp", "gam")
KNOWN = (*SETTINGS, *FRAMES, *LINKS, *BASE, *SKIPPED, "eta", "k", "g", "z")
TRUE, FALSE = ("1", "true"), ("0", "false")
MOST_LINKS = 1000

_ROBOT = re.compile(r"\(\*\s*Robotname\s*=\s*'([^'\n]*)'\s*\*\)", re.IGNORECASE)
_SPACE = re.compile(r"\s*")
_WHOLE = re.compile("[0-9]{1,9}")
_ENTRY = re.compile(r"(\w+)\s*=\s*(?:\{([^{}]*)\}|([^\s{}=]+))[ \t]*;?")


def read_symoro(text: str, place: str = "") -> Tree:
    """Return the robot of a ``.par`` text.

    >>> tree = read_symoro("NL = 1 NJ = 1 ant = {0} sigma = {0} theta = {th1} M = {2.5} MX = {MX1}")
    >>> tree.joints[0].link.inertia.parameters[:2]
    (2.5, MX1)
    """
    found = _ROBOT.search(text)
    reader = _Reader(_fields(_without_comments(text, place), place), place)
    description = reader.description(found[1].strip() if found else "robot")
    tree = build(description, place, reader.graph)
    return free_base(tree) if reader.floating else tree


def _without_comments(text: str, place: str) -> str:
    kept, position = [], 0
    while (start := text.find("(*", position)) >= 0:
        end = text.find("*)", start + 2)
        if end < 0:
            line = text.count("\n", 0, start) + 1
            raise InputError("a comment without end", f"{place}: line {line}", "close it with *)")
        kept += [text[position:start], " ", "\n" * text.count("\n", start, end)]
        position = end + 2
    return "".join([*kept, text[position:]])


def _fields(text: str, place: str) -> dict[str, str]:
    """Return the text of every keyword, in lower case."""
    fields: dict[str, str] = {}
    position = _end_of(_SPACE, text, 0)
    while position < len(text):
        match = _ENTRY.match(text, position)
        if match is None:
            line = text.count("\n", 0, position) + 1
            shown = text[position : position + 40].split(maxsplit=1)[0]
            raise InputError(f"cannot read '{shown}'", f"{place}: line {line}", "expected KEYWORD = {..., ...}")
        key = match[1].lower()
        if key not in KNOWN:
            raise InputError(f"unknown keyword '{match[1][:40]}'", place, nearest(key, KNOWN))
        if key in fields:
            raise InputError(f"{match[1]} twice", place, "keep one")
        fields[key] = match[2] if match[2] is not None else match[3]
        position = _end_of(_SPACE, text, match.end())
    return fields


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position


class _Reader:
    """The fields of one file, asked for by name and link."""

    def __init__(self, fields: Mapping[str, str], place: str) -> None:
        self.fields, self.place, self.graph = fields, place, Graph()
        self.links = self.count("nl", None)
        self.floating = self.switch("is_floating")
        if self.switch("is_mobile"):
            raise UnsupportedError("a wheeled mobile base", self.where("is_mobile"), "set is_mobile = 0")
        joints, frames = self.count("nj", self.links), self.count("nf", self.links)
        if self.count("type", 0) == 2 or joints > self.links or frames > self.links:
            message = f"a robot with closed loops ({joints} joints for {self.links} links)"
            raise UnsupportedError(message, self.where("Type"), "open the loops: taut reads chains and trees")
        for key in ("eta", *BASE):
            if any(isinstance(x, Node) or x for x in self.numbers(key, self.links if key == "eta" else 3)):
                what = "elastic joints" if key == "eta" else "a base that is moved"
                raise UnsupportedError(f"{what}: {key} is not zero", self.where(key), f"set {key} to zeros")

    def where(self, key: str) -> str:
        return f"{self.place}: {key}" if self.place else key

    def count(self, key: str, default: int | None) -> int:
        text = self.fields.get(key, "" if default is None else str(default)).strip()
        if not _WHOLE.fullmatch(text) or int(text) > MOST_LINKS or (key == "nl" and int(text) == 0):
            message = f"found '{text[:40]}', expected a whole number up to {MOST_LINKS}"
            raise InputError(message, self.where(key.upper()), f"write {key.upper()} = 6")
        return int(text)

    def switch(self, key: str) -> bool:
        text = self.fields.get(key, "0").strip().lower()
        if text not in (*TRUE, *FALSE):
            raise InputError(f"found '{text[:40]}', expected 0 or 1", self.where(key), f"write {key} = 0")
        return text in TRUE

    def numbers(self, key: str, length: int) -> list[Scalar]:
        """Return a list's numbers; zeros where the file does not have it."""
        if key not in self.fields:
            return [0.0] * length
        entries = re.sub(r"\bPi\b", "pi", self.fields[key]).split(",")
        if len(entries) != length:
            raise InputError(f"found {len(entries)} entries, expected {length}", self.where(key), "one entry each")
        read = parse_angle if key in ANGLES else parse
        return [read(x.strip(), self.graph, f"{self.where(key)}: entry {i}") for i, x in enumerate(entries, 1)]

    def whole(self, key: str, allowed: int) -> list[int]:
        """Return a list of whole numbers from 0 to below ``allowed``."""
        if key not in self.fields:
            raise InputError(f"no {key}", self.place, f"give {key} = {{...}}")
        numbers = self.numbers(key, self.links)
        for i, x in enumerate(numbers, 1):
            if isinstance(x, Node) or x not in range(allowed):
                place = f"{self.where(key)}: entry {i}"
                raise InputError(f"expected a whole number from 0 to {allowed - 1}", place, "correct it")
        return [int(x) for x in numbers]

    def description(self, name: str) -> dict[str, Any]:
        """Return the robot in taut's own words."""
        kinds = [("revolute", "prismatic", "fixed")[s] for s in self.whole("sigma", 3)]
        parents = self.whole("ant", self.links + 1)
        geometry = {key: self.numbers(key, self.links) for key in ("gamma", "b", "alpha", "d", "theta", "r")}
        for i, kind in enumerate(kinds):
            if kind != "fixed":
                own = geometry["theta" if kind == "revolute" else "r"]
                own[i] = self.offset(own[i], i, kind)
        lead = 1 if self.floating else 0
        bodies = {key: self.numbers(key, self.links + lead) for key in LINKS}
        joints = []
        for i, kind in enumerate(kinds):
            dh = {key: _in_radians(column[i]) if key in ANGLES else column[i] for key, column in geometry.items()}
            joint = {"kind": kind, "dh": dh, "parent": _link(parents[i]), "link": _body(bodies, i + lead)}
            if kind != "fixed":
                roles = (("rotor_inertia", "ia"), ("viscous", "fv"), ("coulomb", "fs"))
                joint["drive"] = {field: bodies[key][i + lead] for field, key in roles}
            joints.append(joint)
        base = _body(bodies, 0) if self.floating else {}
        pose, gravity = self.world()
        return {
            **{"name": name, "source": "SYMORO .par file", "convention": "khalil", "base": pose, "gravity": gravity},
            **{"base_link": {"name": _link(0), **base}, "joint": joints},
        }

    def offset(self, value: Scalar, i: int, kind: str) -> Scalar:
        """Return what is added to a joint's coordinate in its column, e.g. pi/2 of ``th3 + pi/2``."""
        letters = ("th", "t", "q", "theta") if kind == "revolute" else ("r", "q")
        column = "theta" if kind == "revolute" else "r"
        place = f"{self.where(column)}: entry {i + 1}"
        symbols = symbols_of([value]) if isinstance(value, Node) else []
        usual = {f"{letter}{i + 1}" for letter in letters}
        own = [s for s in symbols if s.name.lower() in usual] or (symbols if len(symbols) == 1 else [])
        advice = f"name it {letters[0]}{i + 1}, alone or plus an offset"
        if len(own) != 1:
            raise InputError(f"the coordinate of {kind} joint {i + 1} is not given", place, advice)
        rest = plain(value - own[0])
        if isinstance(rest, Node) and own[0] in topological([rest]):
            raise UnsupportedError(f"the coordinate '{own[0].data}' does not stand alone", place, advice)
        return rest

    def world(self) -> tuple[dict[str, Any], list[Scalar]]:
        """Return the base's placement and gravity in the world's axes."""
        gravity = self.numbers("g", 3) if "g" in self.fields else [0.0, 0.0, -9.81]
        if "z" not in self.fields:
            return {}, gravity
        rows = np.array(self.numbers("z", 16), dtype=object).reshape(4, 4)
        turn = rows[:3, :3]
        numeric = not any(isinstance(x, Node) for x in [*turn.flat, *rows[3]])
        if not numeric or not _is_pose(np.array(turn, dtype=float), rows[3]):
            raise InputError("no pose: expected a rotation of numbers and 0 0 0 1", self.where("Z"), "correct it")
        turns = turns_of(np.array(turn, dtype=float))
        placed = {"xyz": list(rows[:3, 3]), "turns": [["xyz"[axis], angle] for axis, angle in turns]}
        return placed, list(Placement(turns=turns).transform.R @ Vec3(*gravity))


def _is_pose(turn: np.ndarray, last: np.ndarray) -> bool:
    rounded = 1e-6  # files carry rounded cosines
    bounded = np.abs(turn).max() <= 1 + rounded
    orthogonal = bounded and np.abs(turn @ turn.T - np.eye(3)).max() < rounded and np.linalg.det(turn) > 0
    return bool(orthogonal and list(last) == [0, 0, 0, 1])


def _link(number: int) -> str:
    return f"link{number}"


def _body(bodies: Mapping[str, list[Scalar]], i: int) -> dict[str, Any]:
    return {
        "mass": bodies["m"][i],
        "moment": [bodies[key][i] for key in ("mx", "my", "mz")],
        "inertia": [bodies[key][i] for key in ("xx", "xy", "yy", "xz", "yz", "zz")],
        "about": "origin",
    }


def _in_radians(angle: Scalar) -> Scalar:
    """Return an angle that was checked already, with its unit."""
    return angle if isinstance(angle, Node) else f"{angle!r} rad"
