"""Names and remarks in generated code: any name of a robot file becomes a harmless one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LONGEST = 40

RESERVED = frozenset(
    (
        # files in the directory of the source
        "selftest readme cmakelists "
        # headers of C and of its libraries, which a header of the same name would hide
        "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
        "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar unistd "
        "wchar wctype alloca endian features libintl malloc memory sched values xlocale corecrt crtdefs sal vcruntime "
        # libraries
        "m c dl rt pthread gcc "
        # targets of CMake and of the tools it writes files for
        "all all_build clean continuous default depend edit_cache experimental help install list_install_components "
        "nightly nightlymemorycheck package package_source preinstall rebuild_cache run_tests test zero_check "
        # devices of Windows
        "aux con nul prn com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9"
    ).split()
)
"""Names, in small letters, that files and build targets of a robot must not have."""


WORDS_OF_CPP = frozenset(
    (
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class "
        "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
        "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
        "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
        "register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast "
        "struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual "
        "void volatile wchar_t while xor xor_eq Eigen std"
    ).split()
)
"""Names that the namespace of a robot must not have: keywords and namespaces that its header uses."""


def identifier(name: str, fallback: str = "robot") -> str:
    """Return a name of ASCII letters, digits and single inner underscores that begins with a letter.

    It is meant to be followed by an underscore and more, so that keywords need no care.

    >>> identifier("ur5e"), identifier("1a"), identifier('"; system("rm'), identifier("\\N{ROBOT FACE}")
    ('ur5e', 'robot_1a', 'system_rm', 'robot')
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name)[:LONGEST].strip("_")
    if not plain:
        return fallback
    return plain if plain[0].isalpha() else f"{fallback}_{plain}"


def module_name(name: str) -> str:
    """Return a name for the files, build targets and functions of a robot, none that a compiler or CMake keeps.

    >>> module_name("ur5e"), module_name("math"), module_name("Test"), module_name("double")
    ('ur5e', 'math_robot', 'Test_robot', 'double_robot')
    """
    plain = identifier(name)
    return f"{plain}_robot" if plain.lower() in RESERVED or plain in WORDS_OF_CPP else plain


def frame_name(frame: str) -> str:
    """Return what the name of a function on a frame ends with; not what taut itself puts behind a function's name.

    >>> frame_name("tool-0"), frame_name("batch")
    ('tool_0', 'batch_frame')
    """
    plain = identifier(frame, "frame")
    return f"{plain}_frame" if re.fullmatch(r"batch|block|constants|part\d+", plain) else plain


def function_name(label: str, frame: str | None = None) -> str:
    """Return the name of a function in generated code.

    Args:
        label: as users spell it; several functions in one are joined by a plus, each with its frame behind a colon.
        frame: to be part of the name.

    >>> function_name("gravity"), function_name("gravity+jacobian:tool-0"), function_name("jacobian", "tool")
    ('gravity', 'gravity_jacobian_tool_0', 'jacobian_tool')
    """
    words = re.split("[+:]", label) + ([frame] if frame else [])
    return "_".join([words[0], *map(frame_name, words[1:])])


def distinct(names: Iterable[str]) -> list[str]:
    """Return the names in order, a number put behind those that were there before (letter case does not tell).

    >>> distinct(["a", "b", "A", "a"])
    ['a', 'b', 'A_2', 'a_3']
    """
    taken: set[str] = set()
    result = []
    for name in names:
        own, k = name, 2
        while own.lower() in taken:
            own, k = f"{name}_{k}", k + 1
        taken.add(own.lower())
        result.append(own)
    return result


def remark(text: str) -> str:
    """Return text that is safe in a comment of any language and in Markdown: ASCII without control or markup.

    >>> remark('a */ system("x") \\\\ ??/ \\N{ROBOT FACE}')
    'a _/ system(_x_) _ __/ _'
    """
    return "".join(c if c.isascii() and c.isprintable() and c not in '*\\?"`$%{}<>' else "_" for c in text)


def wrapped(words: Sequence[str], width: int = 100) -> list[str]:
    """Return words joined by commas in lines of at most ``width`` characters (longer words alone)."""
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + len(word) + 2 <= width:
            rows[-1] += f", {word}"
        else:
            if rows:
                rows[-1] += ","
            rows.append(word)
    return rows
