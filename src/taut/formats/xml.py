"""Safe reading of a robot's XML text: elements that know their line, and numbers that must be numbers.

Entities, external references and anything else that could reach beyond the text are
refused; nothing is resolved, fetched or executed. No namespace is interpreted, since
robot files use prefixes freely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import NoReturn
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml import DefusedXmlException
from defusedxml.sax import parse

from taut.errors import InputError, UnsupportedError

LARGEST_TEXT = 64 * 1024 * 1024
"""Bytes (or characters) beyond which a description is taken for a mistake."""

MOST_ELEMENTS = 300_000
"""Elements beyond which a description is taken for a mistake; bounds the memory a hostile file can claim."""

MOST_TEXT = 10_000
"""Characters of an element's own text that are kept; numbers and names are shorter."""

MOST_NUMBERS = 1_000_000
"""Numbers beyond which an attribute is taken for a mistake; the vertices of a mesh are the longest."""

LARGEST_NUMBER = 1e30
"""Size beyond which a number is no length, mass or angle; products of a few such numbers stay finite."""

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"([+-]?)inf(?:inity)?", re.ASCII | re.IGNORECASE)
_REMARK = re.compile("<\\?xml|<!--")
_SHOWN = 60


@dataclass(slots=True)
class Element:
    """One XML element: its tag, attributes and children, and where it stands.

    Attributes:
        owner: the name of the nearest element above that has one, or its own.
        folder: of the file it stands in, where its text comes from a file that may name others.
        text: what stands in it besides other elements, up to MOST_TEXT characters.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    file: str
    owner: str = ""
    children: list[Element] = field(default_factory=list)
    folder: Path | None = None
    text: str = ""

    def __iter__(self) -> Iterator[Element]:
        return iter(self.children)

    def all(self, tag: str) -> list[Element]:
        """Return the children with a tag, in document order."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """Return the first child with a tag, or None."""
        return next((child for child in self.children if child.tag == tag), None)

    def everything(self) -> Iterator[Element]:
        """Yield this element and all below it, in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    @property
    def place(self) -> str:
        """Where the element stands, for messages."""
        of = " " if self.attributes.get("name") else " of "
        named = f"{of}{shown(self.owner)}" if self.owner else ""
        return f"{self.file}: line {self.line}: <{self.tag}>{named}"

    def wrong(self, message: str, advice: str = "") -> NoReturn:
        """Raise an InputError at this element."""
        raise InputError(message, self.place, advice)

    def unsupported(self, message: str, advice: str = "") -> NoReturn:
        """Raise an UnsupportedError at this element."""
        raise UnsupportedError(message, self.place, advice)

    def required(self, name: str) -> str:
        """Return an attribute that must be there and not be empty."""
        text = self.attributes.get(name)
        if text is None or text == "":
            self.wrong(f"attribute {name} is missing", f"give {name}")
        return text

    def child(self, tag: str) -> Element:
        """Return a child that must be there."""
        found = self.first(tag)
        if found is None:
            self.wrong(f"<{tag}> is missing", f"add <{tag}>")
        return found

    def number(self, name: str, default: float | None = None) -> float:
        """Return an attribute as one finite number; without a default it must be there."""
        if default is not None and name not in self.attributes:
            return default
        [value] = self.numbers(name, 1)
        return value

    def numbers(self, name: str, count: int | None = None, default: Sequence[float] | None = None) -> list[float]:
        """Return an attribute as finite numbers separated by blanks.

        Args:
            name: of the attribute.
            count: how many there must be; None for any.
            default: taken if the attribute is absent; without one it must be there.
        """
        if default is not None and name not in self.attributes:
            return list(default)
        text = self.required(name)
        most = MOST_NUMBERS if count is None else count
        words = text.split(maxsplit=most + 1)
        if count is None and len(words) > most:
            self.wrong(f"{name} holds more than {most} numbers", f"correct {name}")
        values = [self._finite(name, word) for word in words[:most]]
        if count is not None and len(words) != count:
            expected = "1 number" if count == 1 else f"{count} numbers"
            self.wrong(f"{name} is {shown(text)}, expected {expected}", f"correct {name}")
        return values

    def bound(self, name: str) -> float | None:
        """Return an attribute as a bound: None where it is absent, infinite, or stands for infinity."""
        text = self.attributes.get(name, "").strip()
        if text == "" or _INFINITE.fullmatch(text) or (_NUMBER.fullmatch(text) and abs(float(text)) > LARGEST_NUMBER):
            return None
        return self.number(name)

    def values(self, count: int) -> list[float]:
        """Return the element's text as finite numbers separated by blanks."""
        words = self.text.split()
        if len(words) != count:
            expected = "1 number" if count == 1 else f"{count} numbers"
            self.wrong(f"holds {shown(self.text.strip())}, expected {expected}", "correct it")
        return [self._finite("it", word) for word in words]

    def _finite(self, name: str, word: str) -> float:
        if _NUMBER.fullmatch(word):
            value = float(word)
            if abs(value) <= LARGEST_NUMBER:
                return value
            self.wrong(f"{name} holds {shown(word)}, larger than any real length, mass or angle", f"correct {name}")
        if "$" in word:
            self.wrong(f"{name} holds the unexpanded expression {shown(word)}", "expand the file with xacro first")
        self.wrong(f"{name} holds {shown(word)}, expected a finite number", f"correct {name}")


def shown(text: str) -> str:
    """Return text from a file as a message may show it: quoted, on one line, not too long.

    >>> shown("a" * 100)[-8:]
    "aaaa...'"
    """
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def read_xml(text: str | bytes, place: str) -> Element:
    """Return the root element of an XML text.

    A declaration or comments that are not well-formed (``--`` inside a comment) are passed over, as other readers do.

    Args:
        text: the document.
        place: its name, for messages.
    """
    if len(text) > LARGEST_TEXT:
        raise InputError(f"the text has {len(text)} bytes, more than {LARGEST_TEXT}", place, "split the description")
    try:
        return _parsed(text, place)
    except _Malformed as refusal:
        bare = _without_remarks(text) if isinstance(text, str) else _without_remarks(text.decode("latin-1"))
        try:
            return _parsed(bare if isinstance(text, str) else bare.encode("latin-1"), place)
        except InputError:
            raise refusal from None


class _Malformed(InputError):
    """The text is not well-formed XML."""


def _without_remarks(text: str) -> str:
    """Return a text without its declaration and its comments; the ends of their lines stay."""
    kept: list[str] = []
    here = 0
    while start := _REMARK.search(text, here):
        end = text.find(closing := "?>" if start[0] == "<?xml" else "-->", start.end())
        if end < 0:
            break
        kept += [text[here : start.start()], "\n" * text.count("\n", start.start(), end)]
        here = end + len(closing)
    return "".join([*kept, text[here:]])


def _parsed(text: str | bytes, place: str) -> Element:
    """Return the root element of a text that is well-formed."""
    # An XML declaration must be the first thing in a document; files with a blank line before it are common.
    source = InputSource()
    if isinstance(text, str):
        text = text.rstrip("\0 \t\r\n")
        body = text.lstrip("\ufeff \t\r\n")
        skipped = text.count("\n", 0, len(text) - len(body))
        source.setCharacterStream(StringIO(body))
    else:
        text = text.rstrip(b"\0 \t\r\n")
        raw = text.lstrip()
        skipped = text.count(b"\n", 0, len(text) - len(raw))
        source.setByteStream(BytesIO(raw))
    handler = _Builder(place, skipped)
    try:
        parse(source, handler, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except SAXParseException as error:
        line = skipped + (error.getLineNumber() or 0)
        raise _Malformed(
            f"not well-formed XML: {error.getMessage()}", f"{place}: line {line}", "correct the XML"
        ) from None
    except DefusedXmlException:
        raise InputError(
            "declares XML entities or refers to another document", place, "write the description without them"
        ) from None
    except (SAXException, LookupError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"not readable as XML: {shown(str(error))}", place, "save it as UTF-8 XML") from None
    if handler.root is None:
        raise InputError("holds no XML element", place, "give the text of a robot description")
    return handler.root


class _Builder(ContentHandler):
    """Collects elements in the order in which the parser reads them."""

    def __init__(self, place: str, skipped: int) -> None:
        super().__init__()
        self.place, self.skipped = place, skipped
        self.root: Element | None = None
        self._open: list[Element] = []
        self._count = 0
        self._locator: Locator

    def setDocumentLocator(self, locator: Locator) -> None:
        self._locator = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise InputError(f"more than {MOST_ELEMENTS} elements", self.place, "remove what is not the robot")
        attributes = dict(attrs.items())
        above = self._open[-1] if self._open else None
        owner = attributes.get("name") or (above.owner if above else "")
        element = Element(name, attributes, self.skipped + (self._locator.getLineNumber() or 0), self.place, owner)
        if above:
            above.children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def characters(self, content: str) -> None:
        element = self._open[-1]
        if len(element.text) < MOST_TEXT:
            element.text += content[:MOST_TEXT]

    def endElement(self, name: str) -> None:
        self._open.pop()
