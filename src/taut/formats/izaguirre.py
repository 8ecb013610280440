"""The reader of the specification file of Izaguirre's program.

Source: Izaguirre, Hashimoto, Paul, Hayward, "A New Computational Structure for Real-Time Dynamics", appendix A,
which prints the file of the PUMA 260. One keyword a line, one entry a link after it, ``%`` starts a comment::

    number_links N
    sigma            joint kinds: 0 revolute, 1 prismatic
    alpha dpar apar  standard Denavit-Hartenberg rows: twist [degrees], distance d and length a [m]
    mass             link masses [kg]
    xgrav ygrav zgrav    first moments, mass times centre [kg m]
    adyna ... fdyna  Ixx Iyy Izz Ixy Iyz Ixz [kg m^2]
    (no keyword)     one line of N entries is the motor inertias, reflected to the joints [kg m^2]
    option, option.update    only "moment": the inertial numbers are moments, as above
    variable NAME x, constant NAME x    what a name measures
    stop             end of the file

First and second moments are about the origin of the link's distal frame, in its axes. The paper does not tell the
sign of the products of inertia; they are read as elements of the inertia tensor. Gravity is not in the file: 9.81 m/s^2
down along the base's z, as in the paper's generated code.

The printed file has rows of five zeros for six links (sigma, bdyna, ddyna, edyna, fdyna, xgrav). So a row that is
all zeros may be one entry short, and only such a row; the robot's ``source`` then names the rows completed.
"""

from __future__ import annotations

import math
import re
from pathlib import PurePath
from typing import Any

from taut.errors import InputError, UnsupportedError
from taut.formats.document import build
from taut.formats.formula import parse, parse_constant
from taut.formats.table import closest, nearest
from taut.graph import Graph, Node
from taut.robot import Tree
from taut.spatial import Scalar

ROWS = (
    *("mass", "sigma", "alpha", "dpar", "apar"),
    *("adyna", "bdyna", "cdyna", "ddyna", "edyna", "fdyna"),
    *("xgrav", "ygrav", "zgrav"),
)
KEYWORDS = ("number_links", *ROWS, "option", "option.update", "variable", "constant", "stop")
TENSOR = ("adyna", "ddyna", "bdyna", "fdyna", "edyna", "cdyna")
"""The rows in the order Ixx, Ixy, Iyy, Ixz, Iyz, Izz."""
MOTORS = "motor inertia"
MOST_LINKS = 1000
_WHOLE = re.compile("[0-9]{1,9}")


def read_izaguirre(text: str, place: str = "") -> Tree:
    """Return the robot of a specification file.

    >>> spec = '''number_links 1
    ... sigma 0
    ... alpha 90
    ... dpar 0
    ... apar a1
    ... mass m1
    ... constant a1 0.2
    ... stop'''
    >>> read_izaguirre(spec).values["a1"].value
    0.2
    """
    return _Reader(place).read(text)


class _Reader:
    """The lines of one file, gathered."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.graph = Graph()
        self.links = 0
        self.rows: dict[str, list[Scalar]] = {}
        self.values: dict[str, dict[str, Any]] = {}
        self.completed: list[str] = []

    def read(self, text: str) -> Tree:
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split("%", 1)[0].split()
            if not words:
                continue
            place = f"{self.place}: line {number}" if self.place else f"line {number}"
            if words == ["stop"]:
                return build(self.description(), self.place, self.graph)
            self.line(words, place)
        raise InputError("no 'stop' line", self.place, "the file may be cut off; end it with stop")

    def line(self, words: list[str], place: str) -> None:
        keyword, *entries = words
        if keyword == "number_links":
            self.number_links(entries, place)
        elif keyword in ("variable", "constant"):
            self.value(keyword, entries, place)
        elif keyword in ("option", "option.update"):
            if entries != ["moment"]:
                raise UnsupportedError(f"{keyword} {' '.join(entries)[:60]}", place, "only 'moment' is known")
        elif not self.links:
            raise InputError(f"'{keyword[:60]}' before number_links", place, "begin with number_links N")
        elif keyword in ROWS:
            self.row(keyword, entries, place)
        elif len(words) == self.links and closest(keyword, KEYWORDS) is None:
            self.row(MOTORS, words, place)
        else:
            advice = nearest(keyword, KEYWORDS) + f" (a line of {self.links} entries without keyword is motor inertias)"
            raise InputError(f"unknown keyword '{keyword[:60]}'", place, advice)

    def number_links(self, entries: list[str], place: str) -> None:
        if self.links:
            raise InputError("number_links twice", place, "keep one")
        if len(entries) != 1 or not _WHOLE.fullmatch(entries[0]) or not 0 < int(entries[0]) <= MOST_LINKS:
            advice = f"write number_links N, N from 1 to {MOST_LINKS}"
            raise InputError(f"found '{' '.join(entries)[:60]}'", place, advice)
        self.links = int(entries[0])

    def value(self, keyword: str, entries: list[str], place: str) -> None:
        if len(entries) != 2:
            raise InputError(f"found {len(entries)} words after {keyword}", place, f"write {keyword} NAME NUMBER")
        name, number = entries
        if name in self.values:
            raise InputError(f"'{name[:60]}' has two values", place, "keep one")
        value = parse_constant(number, f"{place}: {keyword} {name[:60]}")
        self.values[name] = {"value": value, "run_time": keyword == "variable"}

    def row(self, keyword: str, entries: list[str], place: str) -> None:
        if keyword in self.rows:
            raise InputError(f"{keyword} twice", place, "keep one")
        if len(entries) > self.links:
            raise InputError(f"{keyword} has {len(entries)} entries, expected {self.links}", place, "one entry a link")
        numbers = [parse(x, self.graph, f"{place}: {keyword}: entry {i}") for i, x in enumerate(entries, 1)]
        all_zero = not any(isinstance(x, Node) or x for x in numbers)
        if all_zero and 0 < len(numbers) == self.links - 1:
            numbers.append(0.0)
            self.completed.append(keyword)
        if len(numbers) != self.links:
            raise InputError(f"{keyword} has {len(numbers)} entries, expected {self.links}", place, "one entry a link")
        self.rows[keyword] = numbers

    def description(self) -> dict[str, Any]:
        missing = [key for key in ("sigma", "alpha", "dpar", "apar", "mass") if key not in self.rows]
        if missing:
            raise InputError(f"no {' and no '.join(missing)}", self.place, "give one row of entries each")
        source = "robot file of Izaguirre's program"
        if self.completed:
            source += f"; one zero added to the short rows {', '.join(self.completed)}"
        return {
            "name": PurePath(self.place).stem or "robot",
            "source": source,
            "convention": "standard",
            "values": self.values,
            "joint": [self.joint(i) for i in range(self.links)],
        }

    def joint(self, i: int) -> dict[str, Any]:
        def entry(keyword: str) -> Scalar:
            return self.rows[keyword][i] if keyword in self.rows else 0.0

        kinds = {0.0: "revolute", 1.0: "prismatic"}
        sigma = entry("sigma")
        if isinstance(sigma, Node) or sigma not in kinds:
            raise InputError(f"sigma of link {i + 1} is neither 0 nor 1", self.place, "0 is revolute, 1 prismatic")
        return {
            "kind": kinds[sigma],
            "dh": {"alpha": _radians(entry("alpha")), "d": entry("dpar"), "a": entry("apar")},
            "drive": {"rotor_inertia": entry(MOTORS)},
            "link": {
                "mass": entry("mass"),
                "moment": [entry(key) for key in ("xgrav", "ygrav", "zgrav")],
                "inertia": [entry(key) for key in TENSOR],
                "about": "origin",
            },
        }


def _radians(degrees: Scalar) -> Scalar:
    """Return an angle in radians; as a formula where it is a number, so that 90 stays a right angle."""
    return degrees * (math.pi / 180) if isinstance(degrees, Node) else f"{degrees!r} deg"
