"""The documents that a model is put together from: the main one, and those of ``<attach>``.

As in MuJoCo (checked by experiment): the elements of an attached model keep the compiler settings, default classes and
meshes of their own document; their names get the prefix of the ``<attach>``. A joint equality comes along where both of
its joints do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from taut.formats.files import Files, decoded
from taut.formats.mjcf.include import include
from taut.formats.mjcf.meshes import Meshes
from taut.formats.mjcf.replicate import replicate
from taut.formats.mjcf.settings import MAIN, Settings, read_settings
from taut.formats.xml import Element, read_xml, shown

DEEPEST = 10
"""Models attached to models attached to models."""

SAVE = "load it in MuJoCo and save the compiled model (mj_saveLastXML), then give that"
_GENERATED = ("composite", "flexcomp", "deformable")


@dataclass(frozen=True)
class Source:
    """One document of a model.

    Attributes:
        root: its outermost element, includes and copies put in.
        settings: of its compiler, and its default classes.
        meshes: of its assets.
        files: that it may name.
        prefix: before its names in the whole model.
        ending: behind them.
        depth: of its attachment.
        models: the documents that its assets name, as far as they have been read.
    """

    root: Element
    settings: Settings
    meshes: Meshes
    files: Files
    prefix: str = ""
    ending: str = ""
    depth: int = 0
    models: dict[Path, Source] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Element, files: Files) -> Source:
        """Return the document of an outermost element, which is changed in place."""
        if root.tag != "mujoco":
            root.wrong(f"the outermost element is <{shown(root.tag)[1:-1]}>, expected <mujoco>", "give an MJCF model")
        include(root, files)
        for element in root.everything():
            if element.tag in _GENERATED:
                element.unsupported(f"<{element.tag}> is not followed", SAVE)
        settings = read_settings(root)
        replicate(root, settings)
        meshes = (mesh for asset in root.all("asset") for mesh in asset.all("mesh"))
        return cls(root, settings, Meshes.of(settings, files, meshes), files)

    def name(self, given: str) -> str:
        """Return what a name of the document is in the whole model; no name stays none."""
        return f"{self.prefix}{given}{self.ending}" if given else ""

    def named(self, element: Element) -> str:
        """Return the name of an element in the whole model, empty if it has none."""
        return self.name(element.attributes.get("name", ""))

    def attached(self, attach: Element) -> tuple[Source, Element, str]:
        """Return the document that an ``<attach>`` names, the body in it, and the default class around that body."""
        if self.depth == DEEPEST:
            attach.wrong(f"models are attached more than {DEEPEST} deep", "attach the model directly")
        model, body = attach.required("model"), attach.attributes.get("body", "")
        if not body:
            attach.unsupported("an <attach> without a body is not followed", "name the body of the model")
        source = self._model(attach, model)
        if source.settings.total_mass > 0:
            attach.unsupported("settotalmass of an attached model is not followed", "remove it")
        prefix = self.prefix + attach.attributes.get("prefix", "")
        ending = attach.attributes.get("ending", "") + self.ending
        placed = replace(source, prefix=prefix, ending=ending, depth=self.depth + 1)
        for world in source.root.all("worldbody"):
            waiting = [(child, MAIN) for child in world]
            while waiting:
                element, around = waiting.pop()
                if element.tag == "body" and element.attributes.get("name") == body:
                    return placed, element, around
                inner = element.attributes.get("childclass", around)
                waiting += [(child, inner) for child in element]
        attach.wrong(f"the model {shown(model)} has no body {shown(body)}", "correct body")

    def _model(self, attach: Element, name: str) -> Source:
        models = [model for asset in self.root.all("asset") for model in asset.all("model")]
        found = next((model for model in models if model.attributes.get("name") == name), None)
        if found is None:
            attach.wrong(f"model {shown(name)} does not exist", "define it in <asset>")
        folders = [folder for folder in (self.files.folder, found.folder) if folder is not None]
        path = self.files.find(found.required("file"), folders, found.place)
        if path not in self.models:
            text = decoded(self.files.read(path, found.place), f"{found.place}: {path.name}")
            allowed = (*self.files.roots, *([self.files.folder] if self.files.folder else []))
            files = replace(self.files, folder=path.parent, roots=allowed)
            self.models[path] = replace(
                Source.of(read_xml(text, f"{found.file}: {path.name}"), files), models=self.models
            )
        return self.models[path]

    def renamed(self, equality: Element, keys: Mapping[str, str]) -> Element:
        """Return an equality with the names that its elements have in the whole model."""
        return replace(
            equality, attributes={**equality.attributes, **{key: self.name(name) for key, name in keys.items()}}
        )
