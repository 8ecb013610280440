"""Reads a table of a file safely: every access is checked, every error names its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from taut.errors import InputError
from taut.formats.formula import parse, parse_angle, parse_constant
from taut.graph import Graph
from taut.spatial import Scalar, Vec3


def closest(name: object, known: Collection[str]) -> str | None:
    """Return the known name most like a given one, if any is like it."""
    return next(iter(get_close_matches(str(name)[:80], list(known), 1, 0.6)), None)


def nearest(name: object, known: Collection[str]) -> str:
    """Return advice that names the nearest known name, or all of them."""
    close = closest(name, known)
    if close is not None:
        return f"did you mean '{close}'?"
    listed = sorted(known)
    return f"known: {', '.join(listed[:12])}" + (", ..." if len(listed) > 12 else "") if listed else "none is known"


class Table:
    """Named fields of one part of a description.

    Args:
        data: the fields.
        place: where the table stands, for errors.
        graph: owner of the symbols in formulas.
        known: the fields that may occur; any other is refused.
    """

    def __init__(self, data: object, place: str, graph: Graph, known: Collection[str]) -> None:
        if not isinstance(data, Mapping):
            raise InputError(f"found {_kind(data)}, expected a table", place, f"it has the keys {', '.join(known)}")
        for key in data:
            if key not in known:
                raise InputError(f"unknown key '{key}'", place, nearest(key, known))
        self.data, self.place, self.graph = data, place, graph

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def where(self, key: str) -> str:
        """Return the place of a field."""
        return f"{self.place}: {key}" if self.place else key

    def text(self, key: str, default: str | None = None) -> str:
        """Return a field that is text; without a default it must be there and not be empty."""
        if key not in self.data and default is not None:
            return default
        value = self.data.get(key)
        if not isinstance(value, str) or not (value or default is not None):
            found = "nothing" if key not in self.data else _kind(value)
            raise InputError(f"found {found}, expected text", self.where(key), f'write {key} = "..."')
        return value

    def choice(self, key: str, options: Collection[str], default: str | None = None) -> str:
        """Return a field that is one of a few words."""
        word = self.text(key, default)
        if word not in options:
            expected, advice = ", ".join(options), "choose one of these"
            if closest(word, options) is not None:
                advice = nearest(word, options)
            raise InputError(f"found '{word}', expected one of {expected}", self.where(key), advice)
        return word

    def number(self, key: str, default: float | None = None) -> Scalar:
        """Return a number or formula."""
        return parse(self._given(key, default), self.graph, self.where(key))

    def angle(self, key: str, default: float | None = None) -> Scalar:
        """Return an angle in radians."""
        return parse_angle(self._given(key, default), self.graph, self.where(key))

    def constant(self, key: str) -> float:
        """Return a number without symbols."""
        return parse_constant(self._given(key, None), self.where(key))

    def truth(self, key: str) -> bool | None:
        """Return a field that is true or false, None where it is absent."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise InputError(f"found {_kind(value)}, expected true or false", self.where(key), f"write {key} = true")
        return value

    def entries(self, key: str, length: int | None = None) -> Sequence[Any]:
        """Return a field that is a list, of a given length if one is named."""
        value = self._given(key, None)
        if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
            raise InputError(f"found {_kind(value)}, expected a list", self.where(key), f"write {key} = [...]")
        if length is not None and len(value) != length:
            raise InputError(f"found {len(value)} entries, expected {length}", self.where(key), "give one entry each")
        return value

    def numbers(self, key: str, length: int) -> list[Scalar]:
        """Return a list of numbers or formulas."""
        return [parse(x, self.graph, f"{self.where(key)}[{i}]") for i, x in enumerate(self.entries(key, length))]

    def angles(self, key: str, length: int) -> list[Scalar]:
        """Return a list of angles."""
        return [parse_angle(x, self.graph, f"{self.where(key)}[{i}]") for i, x in enumerate(self.entries(key, length))]

    def vector(self, key: str, default: Vec3) -> Vec3:
        """Return three numbers or formulas."""
        return Vec3(*self.numbers(key, 3)) if key in self.data else default

    def table(self, key: str, known: Collection[str]) -> Table:
        """Return a table inside this one, empty if it is not there."""
        return Table(self.data.get(key, {}), self.where(key), self.graph, known)

    def tables(self, key: str, known: Collection[str], noun: str) -> Iterator[Table]:
        """Yield the tables of a list, each named in errors by its ``name`` where it has one."""
        for i, entry in enumerate(self.entries(key) if key in self.data else ()):
            name = entry.get("name") if isinstance(entry, Mapping) else None
            label = f"{noun} '{name}'" if isinstance(name, str) else f"{noun} {i + 1}"
            yield Table(entry, f"{self.place}: {label}" if self.place else label, self.graph, known)

    def _given(self, key: str, default: float | None) -> Any:
        value = self.data.get(key, default)
        if value is None:
            raise InputError(f"'{key}' is missing", self.place, f"give {key}")
        return value


def _kind(value: object) -> str:
    for kind, name in ((bool, "true or false"), (str, "text"), (Mapping, "a table"), (Sequence, "a list")):
        if isinstance(value, kind):
            return name if value or kind is bool else f"{name} without content"
    return f"a value of type {type(value).__name__}"
