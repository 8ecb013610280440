"""``<replicate>``: its elements several times, each copy moved on from the one before, its names numbered.

As in MuJoCo (checked by experiment): copy k stands at the k-th power of the offset and rotation, its names end in
``sep`` and k with leading zeros; of nested ones the inner number comes first. An equality between elements of one
``<replicate>`` holds in every copy; one that leads out of it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from taut.formats.mjcf.settings import Settings
from taut.formats.xml import Element
from taut.robot import Placement

DEEPEST, DEEPEST_BODY = 20, 200
"""One ``<replicate>`` within another, and elements within elements of a document that has some."""

MOST_COPIED = 10_000
"""Elements of all copies: a short file must not make a robot that takes long to read."""

REFERENCES = ("joint1", "joint2", "body1", "body2", "site1", "site2")
"""Attributes of an equality that name what it ties together."""


def replicate(root: Element, settings: Settings) -> None:
    """Replace every ``<replicate>`` below an element by ``<frame>`` elements with its copies.

    Args:
        root: of the document; changed in place.
        settings: of the document.
    """
    if not any(element.tag == "replicate" for element in root.everything()):
        return
    copying = _Copying(settings)
    for world in root.all("worldbody"):
        world.children = list(copying.expanded(world.children, 0, 0))
    for equalities in root.all("equality"):
        equalities.children = [copy for equality in equalities for copy in copying.copies_of(equality)]


@dataclass
class _Copying:
    """What was copied so far: the endings of each name, and how many elements there are."""

    settings: Settings
    endings: dict[str, list[str]] = field(default_factory=dict)
    elements: int = 0

    def expanded(self, children: list[Element], depth: int, level: int) -> Iterator[Element]:
        """Yield elements, those of a ``<replicate>`` as many times as it asks for."""
        for child in children:
            if child.tag == "replicate":
                if depth == DEEPEST:
                    child.wrong(f"replicates are nested more than {DEEPEST} deep", "write them flatter")
                yield from self._copies(child, depth, level)
            else:
                if level == DEEPEST_BODY:
                    child.wrong(f"beside <replicate>, elements are nested more than {level} deep", "write them out")
                child.children = list(self.expanded(child.children, depth, level + 1))
                yield child

    def _copies(self, element: Element, depth: int, level: int) -> Iterator[Element]:
        written = element.number("count")
        count = int(written)
        if count != written:
            element.wrong(f"count is {written:g}", "give a whole number")
        inside = list(self.expanded(element.children, depth + 1, level + 1))
        size = sum(1 for child in inside for _ in child.everything())
        self.elements += max(count, 0) * (size + 1)
        if self.elements > MOST_COPIED:
            element.wrong(f"more than {MOST_COPIED} elements with all copies", "lower count")
        names = [e.attributes["name"] for child in inside for e in child.everything() if e.attributes.get("name")]
        step = {"pos": element.attributes.get("offset", "0 0 0"), "euler": element.attributes.get("euler", "0 0 0")}
        offset, turn = _numbers(self.settings.placement(replace(element, attributes=step)))
        angles = element.numbers("euler", 3, default=(0.0, 0.0, 0.0))
        endings = [f"{element.attributes.get('sep', '')}{k:0{len(str(count))}}" for k in range(count)]
        p, R = np.zeros(3), np.eye(3)
        for k, ending in enumerate(endings):
            where = {"pos": _text(p)} | _orientation(R, angles, k)
            copies = [_named(child, ending) for child in inside]
            yield replace(element, tag="frame", attributes=where, children=copies)
            p, R = p + R @ offset, R @ turn
        self._note(names, endings)

    def _note(self, names: list[str], endings: list[str]) -> None:
        """Keep what the names of the document have become; those of an inner ``<replicate>`` have an ending already."""
        known = {name + ending: name for name, found in self.endings.items() for ending in found}
        longer: dict[str, list[str]] = {}
        for name in names:
            first = known.get(name, name)
            longer.setdefault(first, []).extend(f"{name[len(first) :]}{ending}" for ending in endings)
        self.endings |= longer

    def copies_of(self, equality: Element) -> list[Element]:
        """Return an equality as often as the elements that it ties together were copied."""
        named = {key: equality.attributes[key] for key in REFERENCES if key in equality.attributes}
        copied = [self.endings.get(name) for name in named.values()]
        if not any(copied):
            return [equality]
        if any(endings != copied[0] for endings in copied):
            return []
        return [
            replace(equality, attributes={**equality.attributes, **{key: name + end for key, name in named.items()}})
            for end in copied[0] or []
        ]


def _named(element: Element, ending: str) -> Element:
    """Return a copy of an element and all below it, with an ending on every name."""
    attributes = dict(element.attributes)
    if attributes.get("name"):
        attributes["name"] += ending
    if element.tag == "attach":  # the names of the attached model get it, too
        attributes["ending"] = attributes.get("ending", "") + ending
    return replace(element, attributes=attributes, children=[_named(child, ending) for child in element.children])


def _numbers(place: Placement) -> tuple[np.ndarray, np.ndarray]:
    """Return translation and rotation matrix of a placement."""
    X = place.transform
    return np.array([float(x) for x in X.p]), np.array([[float(x) for x in row] for row in X.R.matrix.rows])


def _orientation(R: np.ndarray, angles: list[float], k: int) -> dict[str, str]:
    """Return the attribute that turns copy k; about one axis it is k times the angle, as the file would write it."""
    if sum(angle != 0 for angle in angles) <= 1:
        return {"euler": _text(k * angle for angle in angles)}
    return {"xyaxes": _text(R[:, :2].T.ravel())}


def _text(numbers: Iterable[float]) -> str:
    return " ".join(repr(float(x)) for x in numbers)
