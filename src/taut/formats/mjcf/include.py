"""``<include>``: the elements of another file take the place of the element that names it.

As in MuJoCo, a name is looked for in the folder of the main file, then in that of the including file; no file
is included twice, so that a cycle cannot occur.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from taut.formats.files import Files, decoded
from taut.formats.xml import MOST_ELEMENTS, Element, read_xml, shown

DEEPEST = 50
"""Includes within includes."""


def include(root: Element, files: Files) -> None:
    """Replace every ``<include>`` below an element by the elements of the file that it names.

    Args:
        root: of the document; changed in place. Every element is given the folder of its file.
        files: that the document may name.
    """
    expansion = _Expansion(files)
    root.folder = files.folder
    waiting = [root]
    while waiting:
        element = waiting.pop()
        element.children = list(expansion.expanded(element.children, element.folder, 0))
        waiting += element.children


@dataclass
class _Expansion:
    """The files included so far."""

    files: Files
    seen: set[Path] = field(default_factory=set)
    elements: int = 0

    def expanded(self, children: list[Element], folder: Path | None, depth: int) -> Iterator[Element]:
        """Yield elements, those of included files in place of their ``<include>``."""
        for child in children:
            child.folder = folder
            if child.tag != "include":
                yield child
                continue
            if depth == DEEPEST:
                child.wrong(f"includes are nested more than {DEEPEST} deep", "include the file directly")
            path, root = self._included(child)
            yield from self.expanded(root.children, path.parent, depth + 1)

    def _included(self, element: Element) -> tuple[Path, Element]:
        """Return the path and the root of the file that one ``<include>`` names."""
        name = element.required("file")
        if element.children:
            element.wrong("has elements of its own", "move them out of <include>")
        folders = [folder for folder in (self.files.folder, element.folder) if folder is not None]
        path = self.files.find(name, folders, element.place)
        if path in self.seen:
            element.wrong(f"the file {shown(name)} is included twice", "include every file once")
        self.seen.add(path)
        text = decoded(self.files.read(path, element.place), f"{element.place}: {name}")
        root = read_xml(text, f"{element.file}: {name}")
        self.elements += sum(1 for _ in root.everything())
        if self.elements > MOST_ELEMENTS:
            element.wrong(f"more than {MOST_ELEMENTS} elements with all includes", "remove what is not the robot")
        return path, root
