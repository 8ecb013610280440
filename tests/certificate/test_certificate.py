"""Certificates: untouched text passes, every fault is refused, and an edited certificate is, too."""

from __future__ import annotations

import contextlib
import json
import math
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import taut
from certificate.fault_table import Subject, tally
from certificate.faults import Fault, faults, rehashed, statements
from certificate.known import known_paragraphs
from taut.certificate import check_proof
from taut.certificate.certify import CHECKER
from taut.certificate.verify import RefusedError, verified
from taut.cli import main
from taut.errors import InputError

FUNCTIONS = ["inverse_dynamics", "mass_matrix", "gravity", "jacobian"]
LINES = 400


def written(place: Path, robot: str, functions: list[str] = FUNCTIONS, **options: Any) -> tuple[dict[str, Any], str]:
    """Generate code and return its certificate and its text."""
    base = options.pop("base", "fixed")
    taut.load(robot, base=base).generate(place, functions, effort="quick", **options)
    [file] = place.glob("*.proof.json")
    certificate = json.loads(file.read_text())
    return certificate, (place / certificate["file"]).read_text()


@pytest.fixture(scope="module")
def puma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("certificate") / "puma560"
    written(place, "puma560")
    return place


def content(place: Path) -> tuple[dict[str, Any], str]:
    return json.loads((place / "puma560.proof.json").read_text()), (place / "puma560.c").read_text()


def test_checker_alone(puma: Path) -> None:
    """The independent file has at most 400 lines and runs where there is nothing but Python."""
    assert len((puma / CHECKER).read_text().splitlines()) <= LINES
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(puma / CHECKER)], capture_output=True, text=True, env={}, cwd="/"
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("at a random point; chance of an error 2^-") == len(FUNCTIONS)
    assert "taut" not in {line.split()[1] for line in (puma / CHECKER).read_text().splitlines() if "import" in line}


def test_known_paragraphs() -> None:
    """The checker knows exactly the lines outside functions that are written: else run tests/certificate/known.py."""
    assert set(known_paragraphs()) == check_proof.KNOWN


CASES = {
    "several functions in one": ("scara", ["inverse_dynamics+jacobian+gravity"], {}),
    "explicit and torque": ("double_pendulum", ["explicit_torque"], {}),
    "Python": ("stanford_rrp", ["inverse_dynamics", "jacobian"], {"language": "python"}),
    "Python, run-time parameters": ("double_pendulum", ["forward_dynamics"], {"language": "python"}),
    "JavaScript": ("scara", ["mass_matrix", "jacobian"], {"language": "javascript"}),
    "run-time parameters": ("puma560", ["inverse_dynamics", "forward_dynamics"], {"parameters": "pattern"}),
    "kept parameters": ("scara", ["inverse_dynamics", "jacobian"], {}),
    "single precision": ("stanford_rrp", ["inverse_dynamics", "mass_matrix"], {"precision": "float"}),
    "sines of the library": ("double_pendulum", ["gravity", "explicit"], {"trig": "libm"}),
    "free base": ("stanford_rrp", ["inverse_dynamics", "inverse_dynamics_derivatives"], {"base": "free"}),
    "derivatives": ("double_pendulum", ["forward_dynamics_derivatives", "regressor"], {}),
    "batches": ("double_pendulum", ["bias"], {"batch": True}),
}


@pytest.mark.parametrize("case", CASES)
def test_untouched_text_passes(tmp_path: Path, case: str) -> None:
    robot, functions, options = CASES[case]
    certificate, text = written(tmp_path / "out", robot, functions, **options)
    said = check_proof.check(certificate, text)
    assert sum("equals" in sentence for sentence in said) == len(functions), said
    run = subprocess.run([sys.executable, "-I", "-S", tmp_path / "out" / CHECKER], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def refused(certificate: dict[str, Any], fault: Fault) -> bool:
    """Whether a fault is refused; a refusal names the changed line and its function."""
    try:
        check_proof.check(rehashed(certificate, fault.text), fault.text)
    except check_proof.Refused as refusal:
        name, line = re.match(r"(\w+), line (\d+): ", str(refusal)).groups()
        assert int(line) == fault.line, (fault[:2], str(refusal))
        assert name == fault.function, (fault[:2], str(refusal))
        return True
    return False


class FloatPoint:
    """Random floats for all symbols."""

    def __init__(self) -> None:
        self.draw, self.known = random.Random(2), {}

    def symbol(self, name: str) -> float:
        return self.known.setdefault(name, self.draw.uniform(0.2, 1.0))

    def circle(self, x: float) -> tuple[float, float]:
        return math.cos(x), math.sin(x)


def values(certificate: dict[str, Any], source: str) -> list[float]:
    """Return the outputs of all functions in floats, without any reference."""
    point, text, found = FloatPoint(), check_proof.Text(source, certificate), []
    formulas = [
        None if x is None else float(x)
        for x in check_proof.evaluated(certificate["formulas"], check_proof.RealPoint(certificate["values"]))
    ]
    for name, function in certificate["functions"].items():
        names = {f"p[{k}]": point.symbol(s) for k, s in enumerate(certificate["parameters"])}
        for argument, symbols in function["arguments"].items():
            names |= {f"{argument}[{k}]": point.symbol(s) for k, s in enumerate(symbols)}
        run = check_proof.Run(text, formulas, point, names)
        if function["init"]:
            run.function(function["init"])
            names |= {f"k.{function['member']}{key[1:]}": x for key, x in names.items() if key.startswith("k[")}
        run.function(name)
        found += [float(x) for key, x in sorted(names.items()) if key.startswith(f"{function['result']}[")]
    return found


def has_effect(certificate: dict[str, Any], before: str, after: str) -> bool:
    """Whether a fault changes a value: parts of a program that cancel may be wrong without any."""
    with contextlib.suppress(check_proof.Refused, TypeError):
        pairs = zip(values(certificate, before), values(certificate, after), strict=True)
        return any(abs(a - b) > 1e-12 for a, b in pairs)
    return True


def test_every_fault_is_refused(puma: Path) -> None:
    """A sign, an operand, a literal, two lines, a term in every twentieth statement: none passes."""
    certificate, text = content(puma)
    tried: Counter[str] = Counter()
    for fault in faults(text, statements(text, every=20)):
        assert refused(certificate, fault), fault[:2]
        tried[fault.kind] += 1
    assert all(tried[kind] > 3 for kind in ("sign", "operand", "literal", "dropped term")), tried


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("robot", ["stanford", "scara", "puma260", "double_pendulum", "stanford_rrp"])
def test_faults_of_other_robots(tmp_path: Path, robot: str, precision: str) -> None:
    certificate, text = written(tmp_path / "out", robot, ["inverse_dynamics", "mass_matrix"], precision=precision)
    found = list(faults(text, statements(text, every=10, start=3), seed=3))
    assert found
    passed = [fault for fault in found if not refused(certificate, fault)]
    assert len(passed) < len(found) / 10
    assert [fault[:2] for fault in passed if has_effect(certificate, text, fault.text)] == []


@pytest.mark.parametrize(("language", "precision"), [("c", "double"), ("c", "float"), ("python", "double")])
def test_what_finds_faults(language: str, precision: str) -> None:
    """No fault passes the text proof, none above ten roundings the trial or the self-test; `make faults` tries more."""
    counted = tally(Subject("puma260", language, precision), every=30, seed=2, proof_every=4)
    total = Counter[str]()
    for (_, key), n in counted.items():
        total[key] += n
    assert total["faults"] > 15 and total["large"] > 8 and total["read"] > 3
    assert (total["trial"], total["self-test"], total["proof"]) == (0, 0, 0), counted


EDITS = {
    "another mass": (lambda c: c["values"].update({next(iter(c["values"])): "1.25"}), "not its formula|output"),
    "no point": (lambda c: c["functions"]["puma560_gravity"].update(points=0), "0 points leave a chance"),
    "another joint": (
        lambda c: [c["models"][form]["joints"][1].update(kind="prismatic") for form in ("numbers", "formulas")],
        "is not (inverse_dynamics|gravity)",
    ),
    "another question": (lambda c: c["functions"]["puma560_gravity"].update(parts=[["bias", []]]), "."),
    "a function left out": (lambda c: c["functions"].pop("puma560_bias", c["functions"].popitem()), "another result"),
    "another text": (lambda c: c.update(source="0" * 64), "its hash differs"),
    "a number less": (lambda c: c["literals"]["puma560_gravity"].pop(), "numbers than it should have|line"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_edited_certificate(puma: Path, edit: str) -> None:
    certificate, text = content(puma)
    change, reason = EDITS[edit]
    change(certificate)
    with pytest.raises((check_proof.Refused, KeyError), match=reason):
        check_proof.check(certificate, text)


def test_certificate_of_another_robot(puma: Path) -> None:
    verified(puma, taut.load("puma560").tree)
    with pytest.raises(RefusedError, match="other numbers than 'stanford'"):
        verified(puma, taut.load("stanford").tree)


def test_model_is_compared_with_the_robot(puma: Path, tmp_path: Path) -> None:
    certificate, text = content(puma)
    certificate["models"]["file"]["joints"][2]["p"][0] = certificate["models"]["file"]["joints"][3]["p"][1]
    (tmp_path / "puma560.proof.json").write_text(json.dumps(certificate))
    (tmp_path / "puma560.c").write_text(text)
    with pytest.raises(RefusedError, match="another model"):
        verified(tmp_path, taut.load("puma560").tree)


def test_verify_command(puma: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(puma)]) == 0
    assert main(["verify", str(puma), "puma560", "--json"]) == 0
    assert main(["verify", str(puma), "stanford"]) == 1
    assert "refused" in capsys.readouterr().out
    assert main(["verify", str(tmp_path)]) == 2
    assert "taut generate" in capsys.readouterr().err


def test_missing_certificate_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="0 certificates"):
        verified(tmp_path)
