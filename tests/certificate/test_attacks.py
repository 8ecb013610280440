"""Texts and certificates of somebody who knows how the checker works: all hashes are renewed, and they are refused.

A text is refused where a C compiler could read it in another way than the checker does, a certificate where it states
less or something else than the code beside it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import taut
from certificate.faults import rehashed, without_lines
from taut.certificate import check_proof
from taut.certificate.certify import CHECKER
from taut.cli import main

R = "general_axes"
FIRST = r"( +)const double (t\d+) = (\w+(?:\[\d\])?) ([*+-]) (\w+(?:\[\d\])?);"
"""The first statement with two operands that have names."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attacks") / "out"
    taut.load(str(Path(__file__).with_name(f"{R}.urdf"))).generate(folder, ["bias", "gravity"], effort="none")
    return folder


Change = tuple[str, str]
"""A regular expression, which is found, and what takes its place."""

TEXTS: dict[str, Change] = {
    "a remark to the end of the line": (FIRST, r"\1const double \2 = \3 //*\n + \5; //*/ \4 \5;"),
    "a remark that a continued line ends": (FIRST, "\\1/* *\\\\\n/ return; /* */ const double \\2 = \\3 \\4 \\5;"),
    "a continued line": (FIRST, "\\1const double \\2 = \\3 \\\\\n \\4 \\5;"),
    "a trigraph": (FIRST, r"\1/* ??/\n */const double \2 = \3 \4 \5;"),
    "a digraph": (FIRST, r"%:define \5 0.0\n\1const double \2 = \3 \4 \5;"),
    "a macro in a function": (FIRST, r"#define \5 0.0\n\1const double \2 = \3 \4 \5;"),
    "a conditional in a function": (
        FIRST,
        r"#if 1\n\1const double \2 = 0.0;\n#else\n\1const double \2 = \3 \4 \5;\n#endif",
    ),
    "a macro before the functions": (r"#include <string.h>", "#include <string.h>\n#define sin cos"),
    "a macro after an empty line": (r"#include <string.h>\n", "#include <string.h>\n\n#define sin cos\n"),
    "another include": (r"#include <math.h>", '#include "math.h"'),
    "an include of a remark": (rf'"{R}.h"', f'"/**/{R}.h"'),
    "a pragma in a function": (FIRST, r"#pragma GCC optimize(0)\n\1const double \2 = \3 \4 \5;"),
    "a whole number": (FIRST, r"\1const int \2 = \3 \4 \5;"),
    "a short number": (FIRST, r"\1const float \2 = \3 \4 \5;"),
    "a name that is no constant": (FIRST, r"\1double \2 = \3 \4 \5;"),
    "a static constant": (FIRST, r"\1static const double \2 = \3 \4 \5;"),
    "a literal in single precision": (r"(?<= )(\d\.\d+);", r"\1f;"),
    "a long literal": (r"(?<= )(\d\.\d+);", r"\1L;"),
    "a literal in base 16": (FIRST, r"\1const double \2 = \3 \4 \5 * 0x1.0p0;"),
    "whole numbers divided": (FIRST, r"\1const double \2 = \3 \4 \5 + 1 / 2;"),
    "a literal more": (FIRST, r"\1const double \2 = \3 \4 \5 * 1.0;"),
    "a literal that is a cast in C++": (r"(?<= )(\d\.\d+);", r"float(9);"),
    "an operand counted down": (r"(= .*?)\bc\[0\]", r"\1- --c[0]"),
    "a letter that looks like another": (FIRST, "\\1const double \uff54\\2 = 0.0;\n\\1const double \\2 = \\3 \\4 \\5;"),
    "a comma": (FIRST, r"\1const double \2 = (0.0, \3 \4 \5);"),
    "a choice": (FIRST, r"\1const double \2 = 1 ? \3 : \5;"),
    "a power, which is a pointer in C": (FIRST, r"\1const double \2 = \3 **\5;"),
    "a shadowed sine": (FIRST, r"\1const double sin = \3;\n\1const double \2 = \3 \4 \5;"),
    "a block of its own": (FIRST, r"\1{ const double \2 = \3 \4 \5; }"),
    "two statements in a line": (FIRST, r"\1const double \2 = \3 \4 \5; g[0] = 0.0;"),
    "an input that is written": (FIRST, r"\1const double \2 = \3 \4 \5;\n\1q[0] = \2;"),
    "an output beyond the last": (FIRST, r"\1const double \2 = \3 \4 \5;\n\1g[3] = \2;"),
    "an output in base 8": (r"g\[0\] =", "g[00] ="),
    "outputs without end": (
        FIRST,
        r"\1const double \2 = \3 \4 \5;\n\1for (int i = 0; i < 999999999; ++i)\n\1g[i] = 0.0;",
    ),
    "a function that calls itself": (FIRST, rf"\1{R}_gravity(q, g);\n\1const double \2 = \3 \4 \5;"),
    "a call of something else": (FIRST, r"\1const double \2 = tan(\3);"),
    "sines in single precision": (r"= sin\(", "= sinf("),
    "another sine": (r"= sin\(", "= cos("),
    "fewer sines than places": (r"double s\[(\d)\], c\[\1\]", r"double s[1], c[1]"),
    "another type of the input": (rf"(void {R}_gravity\(const) double", r"\1 float"),
    "an input that may be written": (rf"(void {R}_gravity\()const double", r"\1double"),
    "arguments in another order": (rf"(void {R}_bias\(.*?)q, (.*?)qd, ", r"\1qd, \2q, "),
    "an attribute": (rf"void {R}_gravity", rf"__attribute__((weak)) void {R}_gravity"),
    "another sine polynomial": (r"0\.6366197723675814", "0.6366197723675815"),
    "a limit of near angles": (r"1000000\.0", "9000000.0"),
    "a function twice": (rf"(?s)(void {R}_gravity\(.*?\n}}\n)", r"\1\n\1"),
    "a control character": (FIRST, "\\1const double\x0b\\2 = \\3 \\4 \\5;"),
    "a carriage return": (FIRST, "\\1const double \\2 = \\3 \\4 \\5;\r"),
}


@pytest.mark.parametrize("attack", TEXTS)
def test_text_that_a_compiler_reads_differently(place: Path, attack: str) -> None:
    certificate, text, header = check_proof.opened(place)
    old, new = TEXTS[attack]
    start = text.index(f"void {R}_gravity(") if re.search(old, text[text.index(f"void {R}_gravity(") :]) else 0
    wrong = text[:start] + re.sub(old, new, text[start:], count=1)
    assert wrong != text
    with pytest.raises(check_proof.Refused):
        check_proof.check(without_lines(certificate, wrong), wrong, header)
    with pytest.raises(check_proof.Refused):
        check_proof.check(rehashed(certificate, wrong), wrong, header)


HEADERS: dict[str, Change] = {
    "a macro": (r"#include <stddef.h>", "#include <stddef.h>\n#define sin cos"),
    "another declaration": (rf"void {R}_gravity\(const double", rf"void {R}_gravity(const float"),
    "a declaration more": (r"\Z", "\nint t1;\n"),
    "a declaration less": (rf"void {R}_gravity\(.*\n", ""),
    "a macro for functions": (r"\Z", f"\n#define {R}_gravity {R}_bias\n"),
    "a hidden macro": (r"\Z", "\n/* *\\\n/ #define sin cos\n/* */\n"),
}


@pytest.mark.parametrize("attack", HEADERS)
def test_header_with_more_than_declarations(place: Path, attack: str) -> None:
    certificate, text, header = check_proof.opened(place)
    wrong = re.sub(HEADERS[attack][0], lambda _: HEADERS[attack][1].replace("\\(", "("), header, count=1)
    assert wrong != header
    with pytest.raises(check_proof.Refused):
        check_proof.check(certificate, text, wrong)


def formula(c: dict[str, Any], *row: Any) -> int:
    """Append a formula to a certificate; return its row."""
    c["formulas"].append(list(row))
    return len(c["formulas"]) - 1


def literal(c: dict[str, Any], *row: Any) -> None:
    """Let the first number that stands for a formula stand for another one."""
    entries = c["literals"][f"{R}_bias"]
    k = next(k for k, entry in enumerate(entries) if entry)
    entries[k] = [1, formula(c, *row), ""]


def without_values(c: dict[str, Any]) -> None:
    """Leave out all values: no number can be compared with its formula."""
    c["values"].clear()


def swapped(c: dict[str, Any]) -> None:
    """State the inputs in another order."""
    function = c["functions"][f"{R}_bias"]
    function["arguments"] = {"qd": function["arguments"]["qd"], "q": function["arguments"]["q"]}


def joint(c: dict[str, Any], **entries: Any) -> None:
    """Change the second joint of all models."""
    for model in c["models"].values():
        model["joints"][1].update(entries)


CERTIFICATES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another joint": (lambda c: joint(c, kind="prismatic"), "is not|no exact|cannot be read"),
    "joints in a circle": (lambda c: joint(c, parent=1), "."),
    "another mass": (lambda c: c["values"].update({name: "1.25" for name in c["values"]}), "is not its formula"),
    "values left out": (without_values, "a parameter without a value"),
    "a number for an input": (lambda c: literal(c, "symbol", "q1"), "without a value|other arguments"),
    "a number for an input with a value": (
        lambda c: (c["values"].update(q1=text_of(c)), literal(c, "symbol", "q1")),
        "other arguments",
    ),
    "a number that stands for itself": (
        lambda c: c["literals"][f"{R}_bias"].__setitem__(slice(None), [None] * 99),
        ".",
    ),
    "a formula of another number": (lambda c: literal(c, "sum", "17/16"), "is not its formula"),
    "a name that is no symbol": (lambda c: formula(c, "symbol", "1/2 radians"), "not read"),
    "an unknown operation": (lambda c: formula(c, "tan", 0), "not read"),
    "a number without end": (lambda c: formula(c, "sum", "1e999999999"), "cannot be read"),
    "no point": (lambda c: c["functions"][f"{R}_bias"].update(points=0), "0 points leave a chance"),
    "less than a point": (lambda c: c["functions"][f"{R}_bias"].update(points=-3), "points leave a chance"),
    "a function left out": (lambda c: c["functions"].pop(f"{R}_bias"), f"does not say what {R}_bias is"),
    "a function and its numbers left out": (
        lambda c: (c["functions"].pop(f"{R}_bias"), c["literals"].pop(f"{R}_bias")),
        "other lines outside",
    ),
    "no function": (lambda c: (c["functions"].clear(), c["literals"].clear()), "other lines outside"),
    "another question": (
        lambda c: c["functions"][f"{R}_bias"].update(parts=[["gravity", [], "file"]]),
        "is not gravity",
    ),
    "another frame": (lambda c: c["functions"][f"{R}_bias"].update(parts=[["jacobian", ["x"], "file"]]), "."),
    "inputs in another order": (swapped, "other arguments"),
    "joints in another order": (
        lambda c: c["functions"][f"{R}_bias"]["arguments"].update(q=["q2", "q1", "q3"]),
        "other arguments|is not bias",
    ),
    "another name of the robot": (lambda c: c.update(prefix="(?:a|b)"), "."),
    "another precision": (lambda c: c.update(precision="float"), "."),
    "another language": (lambda c: c.update(file=f"{R}_dynamics.py"), "."),
    "a text that was not translated": (lambda c: c.update(translated=True, functions={}), "."),
    "other lines": (lambda c: c.update(rows=""), "line 1"),
    "a list": (lambda c: c.update(functions=[]), "."),
}


def text_of(c: dict[str, Any]) -> str:
    """Return the value of the first number that stands for a formula."""
    entry = next(entry for entry in c["literals"][f"{R}_bias"] if entry)
    real = check_proof.evaluated(c["formulas"], check_proof.RealPoint(c["values"]), [])
    return repr(float(entry[0] * real[entry[1]]))


@pytest.mark.parametrize("attack", CERTIFICATES)
def test_forged_certificate(place: Path, attack: str) -> None:
    """Seed and result are what the changed certificate should have; still it is refused."""
    certificate, text, header = check_proof.opened(place)
    change, reason = CERTIFICATES[attack]
    change(certificate)
    certificate["seed"] = check_proof.seed(certificate)
    del certificate["result"]
    with pytest.raises(check_proof.Refused, match=reason):
        check_proof.check(certificate, text, header)


STATED = {
    "another seed": (lambda c: c.update(seed="0" * 64), "states another seed"),
    "another degree": (
        lambda c: c.update(result=[s.replace("degree below 2^", "degree below 2^1") for s in c["result"]]),
        "",
    ),
    "a better chance": (lambda c: c.update(result=[s.replace("error 2^-", "error 2^-9") for s in c["result"]]), ""),
    "a sentence less": (lambda c: c["result"].pop(), ""),
    "a function that is not checked": (lambda c: c.update(result=[f"{R}_bias: NOT CHECKED", *c["result"][1:]]), ""),
    "another text": (lambda c: c.update(source="0" * 64), "its hash differs"),
}


@pytest.mark.parametrize("edit", STATED)
def test_edited_statement(place: Path, edit: str) -> None:
    certificate, text, header = check_proof.opened(place)
    change, reason = STATED[edit]
    change(certificate)
    with pytest.raises(check_proof.Refused, match=reason or "states another result"):
        check_proof.check(certificate, text, header)


def test_sentence_says_what_was_compared(place: Path) -> None:
    """A certificate that calls a function by another name cannot make the checker say so."""
    certificate, text, header = check_proof.opened(place)
    certificate["functions"][f"{R}_gravity"]["name"] = "inverse_dynamics"
    certificate["seed"] = check_proof.seed(certificate)
    assert f"{R}_gravity: equals gravity at a random point" in check_proof.check(certificate, text, header)[1]


FILES: dict[str, Callable[[Path], Any]] = {
    "a text elsewhere": lambda out: edit_json(out, file=f"../good/{R}.c"),
    "a text by its full path": lambda out: edit_json(out, file=str(out.parent / "good" / f"{R}.c")),
    "a text of another name": lambda out: (shutil.copy(out / f"{R}.c", out / "good.c"), edit_json(out, file="good.c")),
    "two certificates": lambda out: shutil.copy(out / f"{R}.proof.json", out / "b.proof.json"),
    "no certificate": lambda out: (out / f"{R}.proof.json").unlink(),
    "no text": lambda out: (out / f"{R}.c").unlink(),
    "no header": lambda out: (out / f"{R}.h").unlink(),
    "no JSON": lambda out: (out / f"{R}.proof.json").write_text("{"),
    "no object": lambda out: (out / f"{R}.proof.json").write_text("[]"),
    "brackets without end": lambda out: (out / f"{R}.proof.json").write_text("[" * 200_000),
    "a number without end": lambda out: (out / f"{R}.proof.json").write_text("9" * 200_000),
    "no letters": lambda out: (out / f"{R}.c").write_bytes(b"\xff\xfe"),
}


def edit_json(out: Path, **entries: Any) -> None:
    file = out / f"{R}.proof.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **entries}))


@pytest.mark.parametrize("attack", FILES)
def test_files_of_a_directory(place: Path, tmp_path: Path, attack: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Both commands refuse with one sentence, and read no other file."""
    for name in ("out", "good"):
        shutil.copytree(place, tmp_path / name)
    FILES[attack](tmp_path / "out")
    run = subprocess.run([sys.executable, "-I", "-S", tmp_path / "out" / CHECKER], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout.startswith("refused: ") and run.stdout.count("\n") == 1
    assert main(["verify", str(tmp_path / "out")]) in (1, 2)
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err


def test_lines_may_end_as_in_windows(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place, tmp_path / "out")
    for name in (f"{R}.c", f"{R}.h"):
        file = tmp_path / "out" / name
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert main(["verify", str(tmp_path / "out")]) == 0
