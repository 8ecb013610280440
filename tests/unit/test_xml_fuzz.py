"""Whatever happens to a robot's text, nothing but an InputError escapes a reader."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from taut.errors import InputError, InputWarning
from taut.formats.mjcf import read_mjcf
from taut.formats.urdf import read_urdf
from taut.formats.urdf_writer import write_urdf
from taut.robot import Tree

DATA = Path(__file__).parents[1] / "data"
URDF = (DATA / "urdf" / "features.urdf").read_text(encoding="utf-8")
MJCF = (DATA / "mjcf" / "features.xml").read_text(encoding="utf-8")
REPAIRED = (DATA / "mjcf" / "repaired_inertia.xml").read_text(encoding="utf-8")

NUMBERS = [
    "0",
    "-0",
    "0 0 0",
    "1 2",
    "1e29",
    "-1e29 1e29 1e29",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "1e-320",
    "0x10",
    "1,2,3",
]
WORDS = [
    "world",
    "elbow",
    "shoulder",
    "true",
    "false",
    "main",
    "free",
    "ball",
    "fixed",
    "floating",
    "xyz",
    "mesh",
    "box",
]
STRANGE = [
    "",
    " ",
    "${x}",
    "$(env HOME)",
    "a b",
    "'",
    "&quot;",
    "&#10;",
    "&#0;",
    "<",
    "\x00",
    "\ud800",
    "世界",
    "A" * 3000,
]
HOSTILE = [*NUMBERS, *WORDS, *STRANGE]
_VALUE = re.compile(r"\"([^\"]*)\"")
_TAG = re.compile(r"</?[A-Za-z_:]+")
_ELEMENT = re.compile(r"<[A-Za-z][^<>]*/>")


def one_of(places: list[re.Match[str]], draw: st.DrawFn) -> re.Match[str]:
    return places[draw(st.integers(0, len(places) - 1))]


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """Draw a text with a few accidents: values replaced, elements lost, doubled or renamed, bytes cut or inserted."""
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["value", "value", "value", "drop", "double", "rename", "cut", "insert", "swap"]))
        values, tags, elements = (list(p.finditer(text)) for p in (_VALUE, _TAG, _ELEMENT))
        if kind == "value" and values:
            at = one_of(values, draw)
            text = text[: at.start(1)] + draw(st.sampled_from(HOSTILE)) + text[at.end(1) :]
        elif kind == "swap" and values:
            at, other = one_of(values, draw), one_of(values, draw)
            text = text[: at.start(1)] + other[1] + text[at.end(1) :]
        elif kind in ("drop", "double") and elements:
            at = one_of(elements, draw)
            text = text[: at.start()] + at[0] * (0 if kind == "drop" else 2) + text[at.end() :]
        elif kind == "rename" and tags:
            at, other = one_of(tags, draw), one_of(tags, draw)
            text = text[: at.start()] + other[0] + text[at.end() :]
        elif kind == "cut" and text:
            start = draw(st.integers(0, len(text) - 1))
            text = text[:start] + text[start + draw(st.integers(1, 200)) :]
        elif kind == "insert":
            start = draw(st.integers(0, len(text)))
            text = text[:start] + draw(st.sampled_from(HOSTILE)) + text[start:]
    return text


def survives(read: Callable[[str | bytes, str], Tree], text: str | bytes) -> Tree | None:
    """Read a text and check the outcome: finite numbers, or one printable line that begins with the place."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        try:
            tree = read(text, "fuzz.xml")
        except InputError as error:
            told = str(error)
            assert told.startswith("fuzz.xml")
            assert told.isprintable()
            return None
    assert all(math.isfinite(x) for i in range(len(tree.joints)) for x in tree.inertia(i).parameters)
    assert all(math.isfinite(x) for pose in tree.rest_poses for x in pose.p)
    return tree


@settings(max_examples=400)
@given(mutated(URDF))
@example('<robot name="r"><link name=""/></robot>')
def test_urdf(text: str) -> None:
    tree = survives(read_urdf, text)
    if tree is not None:
        try:
            survives(read_urdf, write_urdf(tree))
        except InputError as error:
            assert "mass" in str(error) or "XML" in str(error)


@settings(max_examples=400)
@given(st.sampled_from([MJCF, REPAIRED]).flatmap(mutated))
def test_mjcf(text: str) -> None:
    survives(read_mjcf, text)


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_bytes(data: bytes) -> None:
    survives(read_urdf, data)
    survives(read_mjcf, b"<mujoco>" + data + b"</mujoco>")
