"""Compiler settings, and the default classes that fill in what an element omits.

Source: MuJoCo's XML reference (sections ``compiler`` and ``default``), checked against the MuJoCo library.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from taut.formats.orientation import Turns, axis_angle_turns, quaternion_turns, two_axes_turns, z_axis_turns
from taut.formats.xml import Element, shown
from taut.robot import Placement
from taut.spatial import Vec3

MAIN = "main"
"""The class of elements that name none."""

DEEPEST_CLASS = 200
"""Default classes within default classes, and ``<default>`` elements that add to one class."""

_ORIENTATIONS = ("quat", "euler", "axisangle", "xyaxes", "zaxis")

Attributes = dict[str, str]


@dataclass
class DefaultClass:
    """The content of one ``<default>``, and the class whose attributes it inherits as they are at that point."""

    around: DefaultClass | None = None
    depth: int = 0
    given: dict[str, Attributes] = field(default_factory=dict)

    def layers(self, tag: str) -> list[Attributes]:
        """Return the attributes of a tag, the innermost class first."""
        own = [self.given[tag]] if tag in self.given else []
        return own if self.around is None else own + self.around.layers(tag)


@dataclass
class Settings:
    """The ``<compiler>`` settings that matter to dynamics, with MuJoCo's defaults, and the default classes.

    Attributes:
        degrees: whether angles are in degrees.
        euler_order: three of ``xyz`` (turning axes) or ``XYZ`` (fixed axes).
        auto_limits: whether a range alone makes a joint limited.
        inertia_from_geom: ``auto`` (where a body has no inertial), ``true`` or ``false``.
        inertia_groups: first and last geom group that counts.
        total_mass: what the masses are scaled to add up to; not positive for no scaling.
        least_mass: smaller masses of bodies are raised to it [kg].
        least_inertia: smaller principal moments are raised to it [kg m^2].
        balance_inertia: whether impossible principal moments are replaced by their mean.
        mesh_folder: in which mesh files are looked for, relative to the main file.
        strip_path: whether only the last part of a mesh file's name counts.
        fit_box: whether a geom is fitted to the box around its mesh instead of the box of equal inertia.
        classes: the default classes by name.
    """

    degrees: bool = True
    euler_order: str = "xyz"
    auto_limits: bool = True
    inertia_from_geom: str = "auto"
    inertia_groups: tuple[float, float] = (0, 5)
    total_mass: float = -1.0
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balance_inertia: bool = False
    mesh_folder: str = ""
    strip_path: bool = False
    fit_box: bool = False
    classes: dict[str, DefaultClass] = field(default_factory=lambda: {MAIN: DefaultClass()})

    def angle(self, value: float) -> float:
        """Return an angle of the file in radians."""
        return math.radians(value) if self.degrees else value

    def filled(self, element: Element, child_class: str, tag: str = "") -> Element:
        """Return an element with the attributes of its default class filled in.

        Args:
            element: as written.
            child_class: the class of elements here that name none.
            tag: under which the class lists the attributes; the element's own by default.
        """
        name = element.attributes.get("class", child_class)
        if name not in self.classes:
            element.wrong(f"default class {shown(name)} does not exist", "define it in <default>")
        layers = self.classes[name].layers(tag or element.tag)
        return replace(element, attributes=ChainMap(dict(element.attributes), *layers)) if layers else element

    def placement(self, element: Element) -> Placement:
        """Return where an element's ``pos`` and orientation put it."""
        return Placement(Vec3(*element.numbers("pos", 3, default=(0.0, 0.0, 0.0))), self._turns(element))

    def _turns(self, element: Element) -> Turns:
        given = _orientation(element.attributes)
        if len(given) > 1:
            element.wrong(f"{given[0]} and {given[1]} both give the orientation", "keep one")
        match given:
            case ["quat"]:
                return quaternion_turns(element, element.numbers("quat", 4))
            case ["axisangle"]:
                *axis, angle = element.numbers("axisangle", 4)
                return axis_angle_turns(element, axis, self.angle(angle))
            case ["xyaxes"]:
                numbers = element.numbers("xyaxes", 6)
                return two_axes_turns(element, Vec3(*numbers[:3]), Vec3(*numbers[3:]))
            case ["zaxis"]:
                return z_axis_turns(element, Vec3(*element.numbers("zaxis", 3)))
            case ["euler"]:
                return self._euler(element.numbers("euler", 3))
        return ()

    def _euler(self, angles: list[float]) -> Turns:
        turns: Turns = ()
        for letter, angle in zip(self.euler_order, angles, strict=True):
            if angle != 0:
                turn = ("xyz".index(letter.lower()), self.angle(angle))
                turns = (*turns, turn) if letter.islower() else (turn, *turns)
        return turns


def _orientation(attributes: Mapping[str, str]) -> list[str]:
    """Return the attributes that give an orientation; the element's own hide those of its class."""
    layers = attributes.maps if isinstance(attributes, ChainMap) else [attributes]
    found = ([key for key in _ORIENTATIONS if key in layer] for layer in layers)
    return next((given for given in found if given), [])


def read_settings(root: Element) -> Settings:
    """Return the settings of an MJCF document."""
    settings = Settings()
    for compiler in root.all("compiler"):
        _compile(settings, compiler)
    for default in root.all("default"):
        _classes(settings, default)
    return settings


def _compile(settings: Settings, compiler: Element) -> None:
    choice = compiler.attributes.get
    if choice("coordinate", "local") != "local":
        compiler.unsupported("global coordinates are no longer part of MJCF", "give coordinates relative to the parent")
    if choice("alignfree", "false") == "true":
        compiler.unsupported("alignfree moves the frames of free bodies", "remove it")
    settings.degrees = _word(compiler, "angle", ("degree", "radian"), settings.degrees, "degree")
    settings.auto_limits = _word(compiler, "autolimits", ("true", "false"), settings.auto_limits, "true")
    settings.balance_inertia = _word(compiler, "balanceinertia", ("true", "false"), settings.balance_inertia, "true")
    settings.inertia_from_geom = choice("inertiafromgeom", settings.inertia_from_geom)
    if settings.inertia_from_geom not in ("auto", "true", "false"):
        compiler.wrong(f"inertiafromgeom is {shown(settings.inertia_from_geom)}", "use auto, true or false")
    settings.euler_order = choice("eulerseq", settings.euler_order)
    if len(settings.euler_order) != 3 or not set(settings.euler_order) <= set("xyzXYZ"):
        compiler.wrong(f"eulerseq is {shown(settings.euler_order)}", "give three of x y z X Y Z")
    first, last = compiler.numbers("inertiagrouprange", 2, default=settings.inertia_groups)
    settings.inertia_groups = (first, last)
    settings.total_mass = compiler.number("settotalmass", settings.total_mass)
    settings.least_mass = compiler.number("boundmass", settings.least_mass)
    settings.least_inertia = compiler.number("boundinertia", settings.least_inertia)
    settings.mesh_folder = choice("meshdir", choice("assetdir", settings.mesh_folder))
    settings.strip_path = _word(compiler, "strippath", ("true", "false"), settings.strip_path, "true")
    settings.fit_box = _word(compiler, "fitaabb", ("true", "false"), settings.fit_box, "true")


def _word(element: Element, name: str, allowed: tuple[str, str], current: bool, yes: str) -> bool:
    """Return whether an attribute that may take two words is the one that means yes."""
    text = element.attributes.get(name)
    if text is None:
        return current
    if text not in allowed:
        element.wrong(f"{name} is {shown(text)}", f"use {allowed[0]} or {allowed[1]}")
    return text == yes


def _classes(settings: Settings, outermost: Element) -> None:
    """Note the classes of one ``<default>``, outer before inner."""
    waiting: list[tuple[Element, DefaultClass | None]] = [(outermost, None)]
    while waiting:
        default, around = waiting.pop()
        name = default.attributes.get("class", MAIN) if around is None else default.required("class")
        if around is not None and name in settings.classes:
            default.wrong(f"default class {shown(name)} is defined twice", "give every class its own name")
        inherited = around or settings.classes.get(name, settings.classes[MAIN])
        known = settings.classes[name] = DefaultClass(inherited, inherited.depth + 1)
        if known.depth > DEEPEST_CLASS:
            default.wrong(f"default classes are nested more than {DEEPEST_CLASS} deep", "write them flatter")
        for child in default:
            if child.tag != "default":
                known.given.setdefault(child.tag, {}).update(child.attributes)
        waiting.extend((child, known) for child in reversed(default.all("default")))
