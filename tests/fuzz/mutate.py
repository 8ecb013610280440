"""Mutations of robot files: what happens to a text between a careless hand and a reader."""

from __future__ import annotations

import random
import re
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
LONGEST = 20_000
"""Characters of a mutated text; longer ones are cut, so that one input takes milliseconds."""

PIECES = [
    *("0", "-0", "-1", "1e30", "1e308", "1e-320", "nan", "inf", "1e999", "0x10", "9" * 400, "1 2", "1,2,3"),
    *("", " ", "\n", "\0", "\r", "\x1b[31m", "\ud800", "\ufeff", "\u202e", "{", "}", "[", "]", "[[", "]]"),
    *('"', "'", "=", ",", "(*", "*)", "#", "<", ">", "/>", "</", "<!--", "-->", "<![CDATA[", "]]>", "&lt;", "&#0;"),
    *("&x;", "<!DOCTYPE a [", "<?xml?>", "%", "a/0", "sqrt(-1)", "**99", "((((", "deg", "`", "__import__('os')"),
    *("${x}", "$(env HOME)", "../../etc/passwd", "world", "main", "free", "ball", "fixed", "floating", "mesh", "true"),
    *("auto", "shell", "stop", "NL = 3", '<include file="features.xml"/>', "<body><joint/>", "<frame>"),
    *('<replicate count="9">', '<geom type="mesh" mesh="m"/>', '<mimic joint="elbow"/>', "[[joint]]", "[values]"),
    *("kind = 'free'", '<default class="a">', "<freejoint/>"),
]
NUMBERS = PIECES[:13]
_NUMBER = re.compile(r"-?\d+\.?\d*(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"[\w:]+")


def corpus() -> list[tuple[str, str]]:
    """Return the seeds: (file extension, text)."""
    folders = [DATA / "fuzz", DATA / "mjcf", DATA / "urdf"]
    files = sorted(path for folder in folders for path in folder.iterdir() if path.is_file())
    return [(path.suffix, path.read_text("utf-8", errors="replace")) for path in files]


def mutated(rng: random.Random, seeds: list[tuple[str, str]]) -> tuple[str, str]:
    """Return a seed's extension and its text after a few random changes."""
    extension, text = rng.choice(seeds)
    for _ in range(rng.randint(1, 6)):
        text = rng.choice(CHANGES)(rng, text, seeds)
    return (extension if rng.random() < 0.95 else ".xml"), text[:LONGEST]


def _insert(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(PIECES) + text[at:]


def _delete(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + text[at + rng.randint(1, rng.choice((3, 40, 400))) :]


def _repeat(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    at = rng.randint(0, len(text))
    part = text[at : at + rng.randint(1, 200)]
    return text[:at] + part * rng.choice((2, 3, 30)) + text[at:]


def _swap(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    a, b, c = sorted(rng.randint(0, len(text)) for _ in range(3))
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def _renumber(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    number = rng.choice([*NUMBERS, str(rng.uniform(-10, 10)), f"{10 ** rng.uniform(-40, 40):.3g}"])
    return _replaced(rng, text, _NUMBER, number)


def _reword(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    words = _WORD.findall(rng.choice(seeds)[1])
    return _replaced(rng, text, _WORD, rng.choice(words))


def _splice(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    other = rng.choice(seeds)[1]
    at, start = rng.randint(0, len(text)), rng.randint(0, len(other))
    return text[:at] + other[start : start + rng.randint(1, 300)] + text[at:]


def _flip(rng: random.Random, text: str, seeds: list[tuple[str, str]]) -> str:
    if not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) + text[at + 1 :]


def _replaced(rng: random.Random, text: str, pattern: re.Pattern[str], by: str) -> str:
    """Replace one place where a pattern matches, seen from a random position on."""
    match = pattern.search(text, rng.randint(0, len(text))) or pattern.search(text)
    return text[: match.start()] + by + text[match.end() :] if match else text


CHANGES = [_insert, _delete, _repeat, _swap, _renumber, _reword, _renumber, _reword, _splice, _flip]
