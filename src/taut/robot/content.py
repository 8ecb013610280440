"""The content of a robot as plain data: what is compared, hashed and pickled instead of nodes of a graph."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from taut.graph.node import Graph, Node
from taut.graph.text import dump, parse


class _Reference(NamedTuple):
    """The place of a symbolic number among the outputs of the text."""

    place: int


class _Object(NamedTuple):
    kind: type
    entries: tuple[Any, ...]


class _Table(NamedTuple):
    pairs: tuple[tuple[Any, Any], ...]


class Content(NamedTuple):
    """Nested tuples, and the symbolic numbers in them as the text of one graph."""

    data: Hashable
    formulas: str


def content(value: Any, ordered: bool = True) -> Content:
    """Return the content of a dataclass of numbers, names, tuples and mappings.

    Args:
        value: e.g. a :class:`taut.robot.Tree`.
        ordered: whether mappings and sums keep their order; equal ones have equal contents without it.
    """
    nodes: dict[Node, int] = {}

    def plain(x: Any) -> Any:
        if isinstance(x, Node):
            return _Reference(nodes.setdefault(x, len(nodes)))
        if is_dataclass(x) and not isinstance(x, type):
            return _Object(type(x), tuple(plain(getattr(x, f.name)) for f in fields(x)))
        if isinstance(x, Mapping):
            items = x.items() if ordered else sorted(x.items())
            return _Table(tuple((key, plain(entry)) for key, entry in items))
        return tuple(plain(entry) for entry in x) if type(x) in (tuple, list) else x

    data = plain(value)
    outputs = list(nodes)
    if not ordered or len({node.graph for node in nodes}) > 1:
        graph = Graph()  # one for all, so that equal formulas have equal texts wherever they were built
        outputs = [graph.lift(node) for node in nodes]
    return Content(data, dump(outputs) if outputs else "")


def restored(found: Content) -> Any:
    """Return what a content came from, its symbols in a graph of their own."""
    nodes = parse(found.formulas)[1] if found.formulas else []

    def built(x: Any) -> Any:
        if isinstance(x, _Reference):
            return nodes[x.place]
        if isinstance(x, _Object):
            return x.kind(**{f.name: built(entry) for f, entry in zip(fields(x.kind), x.entries, strict=True)})
        if isinstance(x, _Table):
            return MappingProxyType({key: built(entry) for key, entry in x.pairs})
        return tuple(built(entry) for entry in x) if type(x) is tuple else x

    return built(found.data)
