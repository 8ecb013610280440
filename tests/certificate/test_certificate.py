"""Certificates: untouched text passes, every fault is refused, and an edited certificate is, too."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import taut
from certificate.both_commands import CASES as COMMANDED
from certificate.both_commands import by_checker, by_taut_alone, wrongly_judged
from certificate.fault_table import Subject, tally
from certificate.faults import Fault, faults, place, rehashed, statements, without_lines
from certificate.known import known_paragraphs
from taut.certificate import check_proof
from taut.certificate.certify import CHECKER
from taut.certificate.verify import RefusedError, verified
from taut.cli import main
from taut.errors import InputError

FUNCTIONS = ["inverse_dynamics", "mass_matrix", "gravity", "jacobian"]
LINES = 400
MIMIC = str(Path(__file__).parent / "mimic.urdf")
"""A robot file with a joint that follows another at -0.7 times its angle, with an offset."""

GENERAL = str(Path(__file__).parent / "general_axes.urdf")
"""A robot file with axes that are no coordinate axes."""

RADIAN = """<robot name="odd */ %s">
 <link name="base"/><link name="a"/><link name="b"><inertial><mass value="0.5"/><origin xyz="0.5 0 1"/>
 <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
 <joint name="a /* b" type="continuous"><parent link="base"/><child link="a"/><origin rpy="1 0 0"/></joint>
 <joint name="while; //" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0.5 1 0" rpy="0.5 0 1"/>
 <limit effort="1" velocity="1" lower="-1" upper="1"/></joint>
</robot>"""
"""Names that mean something in C, a link without mass, angles and lengths that are short numbers."""


class Code(NamedTuple):
    """Generated code: its certificate, its text and, of C, its header."""

    certificate: dict[str, Any]
    text: str
    header: str = ""

    def said(self, certificate: dict[str, Any] | None = None, text: str | None = None) -> list[str]:
        """Return what the checker says about it, or about a changed certificate or text."""
        found = check_proof.check(certificate or self.certificate, text or self.text, self.header)
        return list(found)


def written(place: Path, robot: str, functions: list[str] = FUNCTIONS, **options: Any) -> Code:
    """Generate code and return it."""
    base = options.pop("base", "fixed")
    taut.load(robot, base=base).generate(place, functions, effort="none", **options)
    return content(place)


@pytest.fixture(scope="module")
def puma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("certificate") / "puma560"
    written(place, "puma560")
    return place


def content(place: Path) -> Code:
    return Code(*check_proof.opened(place))


def test_checker_alone(puma: Path) -> None:
    """The independent file has at most 400 lines and runs where there is nothing but Python."""
    assert len((puma / CHECKER).read_text().splitlines()) <= LINES
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(puma / CHECKER)], capture_output=True, text=True, env={}, cwd="/"
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("modulo 2^521 - 1; chance of an error 2^-") == len(FUNCTIONS)
    assert "taut" not in {line.split()[1] for line in (puma / CHECKER).read_text().splitlines() if "import" in line}


def test_known_paragraphs() -> None:
    """The checker knows exactly the lines outside functions that are written: else run tests/certificate/known.py."""
    assert set(known_paragraphs()) == check_proof.KNOWN


CASES = {
    "several functions in one": ("scara", ["inverse_dynamics+jacobian+gravity"], {}),
    "several functions in one, numbers in the code": (GENERAL, ["gravity+jacobian"], {}),
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
    "mimicking joints of any ratio": (MIMIC, ["inverse_dynamics", "jacobian"], {}),
    "parallelograms": ("palletiser", ["gravity", "jacobian"], {}),
    "general axes": (GENERAL, ["jacobian", "forward_kinematics"], {}),
    "general axes, no parameter left": (GENERAL, ["jacobian"], {"parameters": "pattern"}),
    "general axes, run-time parameters": (GENERAL, ["jacobian", "mass_matrix"], {"parameters": "pattern"}),
}


@pytest.mark.parametrize("case", CASES)
def test_untouched_text_passes(tmp_path: Path, case: str) -> None:
    robot, functions, options = CASES[case]
    said = written(tmp_path / "out", robot, functions, **options).said()
    assert sum("equals" in sentence for sentence in said) == len(functions) * (1 + options.get("batch", False)), said
    run = subprocess.run([sys.executable, "-I", "-S", tmp_path / "out" / CHECKER], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_odd_names_and_short_numbers(tmp_path: Path) -> None:
    """Names cannot break the text, an angle of one radian is one of its own, and the model is that of the file."""
    file = tmp_path / "odd.urdf"
    file.write_text(RADIAN)
    code = written(tmp_path / "out", str(file), ["inverse_dynamics", "jacobian"])
    assert all("equals" in sentence for sentence in code.said())
    assert verified(tmp_path / "out", taut.load(file).tree) == code.certificate["result"]


def test_constants_of_equal_value(tmp_path: Path) -> None:
    """Where a cosine and a number of another origin have one value, a function is not proved, and that is said."""
    [sentence] = written(tmp_path / "out", GENERAL, ["inverse_dynamics"], parameters="pattern").said()
    assert "NOT CHECKED, " in sentence and "inverse_dynamics with different constants of equal value" in sentence


def test_closed_chains_are_not_checked(tmp_path: Path) -> None:
    [sentence] = written(tmp_path / "out", "four_bar", ["gravity"]).said()
    assert "NOT CHECKED, this checker has no reference for gravity of a robot with loops or cams" in sentence


def test_closed_form_beside_proved_functions(tmp_path: Path) -> None:
    """Numbers of a closed form of inverse kinematics stand for themselves; what can be proved beside it is."""
    gravity, closed = written(tmp_path / "out", "ur5e", ["gravity", "inverse_kinematics"]).said()
    assert "equals gravity" in gravity and "NOT CHECKED" in closed


def refused(code: Code, fault: Fault) -> bool:
    """Whether the proof alone refuses a fault; function and line are named in any case."""
    assert place(code.certificate, fault.text) == f"{fault.function}, line {fault.line}", fault[:3]
    try:
        code.said(without_lines(code.certificate, fault.text), fault.text)
    except check_proof.Refused:
        return True
    return False


def test_every_fault_is_refused(puma: Path) -> None:
    """A sign, an operand, a literal, two lines, a term in every twentieth statement: none passes."""
    code = content(puma)
    tried: Counter[str] = Counter()
    for fault in faults(code.text, statements(code.text, every=20)):
        assert refused(code, fault), fault[:2]
        tried[fault.kind] += 1
    assert all(tried[kind] > 3 for kind in ("sign", "operand", "literal", "dropped term")), tried


BATCH_FAULTS = {
    "a constant of the table": (r"SPREAD\(9\.81\),", "SPREAD(9.8100098),"),
    "a sign": (r"(const \w+_vector t\d+ = \w+) \+ ", r"\1 - "),
    "another input": (r"_LOAD\(qd \+ 1, 6\)", "_LOAD(qd + 0, 6)"),
    "another width": (r"_LOAD\(qd \+ 1, 6\)", "_LOAD(qd + 1, 7)"),
    "another output": (r"_STORE\(tau \+ 4, 6, y4\)", "_STORE(tau + 3, 6, y4)"),
    "sine and cosine swapped": (r"_sincos\(&x0, &s0, &c0\)", "_sincos(&x0, &c0, &s0)"),
    "another step": (r"_block\(q \+ 6 \* i", "_block(q + 1 * i"),
    "outputs swapped": (r"&y0, &y1", "&y1, &y0"),
    "the rest left out": (r"for \(; i < n; \+\+i\)", "for (; i + 1 < n; ++i)"),
}


def test_faults_of_batches(tmp_path: Path) -> None:
    """Every part of a function of several states is read: no fault passes, and its line is named."""
    code = written(tmp_path / "out", "stanford", ["inverse_dynamics"], batch=True)
    certificate, text, _ = code
    for fault, (old, new) in BATCH_FAULTS.items():
        start = text.index("_block")
        found = re.compile(old).search(text, start)
        assert found, fault
        wrong = text[: found.start()] + found.expand(new) + text[found.end() :]
        with pytest.raises(check_proof.Refused):
            code.said(without_lines(certificate, wrong), wrong)
        with pytest.raises(check_proof.Refused, match=f", line {text.count(chr(10), 0, found.start()) + 1}: "):
            code.said(rehashed(certificate, wrong), wrong)


def test_harmless_changes_are_named(puma: Path) -> None:
    """A change without an effect is refused, too: the text is not that of the certificate."""
    certificate, text, _ = code = content(puma)
    line = text.count("\n", 0, text.index("const double t1 =")) + 1
    wrong = text.replace("const double t1 = ", "const double t1 = - -", 1)
    with pytest.raises(check_proof.Refused, match=f"line {line}: this line is not that .* still right"):
        code.said(rehashed(certificate, wrong), wrong)


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("robot", ["stanford", "scara", "puma260", "double_pendulum", "stanford_rrp"])
def test_faults_of_other_robots(tmp_path: Path, robot: str, precision: str) -> None:
    code = written(tmp_path / "out", robot, ["inverse_dynamics", "mass_matrix"], precision=precision)
    found = list(faults(code.text, statements(code.text, every=10, start=3), seed=3))
    assert found
    harmless = [fault for fault in found if not refused(code, fault)]
    assert len(harmless) < len(found) / 10
    for fault in harmless:  # in parts of a program that cancel: proved to change no result, refused by its line
        with pytest.raises(check_proof.Refused, match=f"line {fault.line}: .* all results are still right"):
            code.said(rehashed(code.certificate, fault.text), fault.text)


@pytest.mark.slow
def test_both_commands_refuse() -> None:
    """Both commands, as processes of their own, name function and line; `make faults` tries more."""
    found = list(wrongly_judged(COMMANDED["a mimicking joint"], 60, 5, lambda _: [by_taut_alone, by_checker]))
    assert len(found) > 4
    assert not [(fault[:3], answers) for fault, answers in found if answers]


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
    "another text": (lambda c: c.update(source="0" * 64), "its hash differs"),
    "a number less": (lambda c: c["literals"]["puma560_gravity"].pop(), "numbers than it should have|line"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_edited_certificate(puma: Path, edit: str) -> None:
    code = content(puma)
    change, reason = EDITS[edit]
    change(code.certificate)
    with pytest.raises(check_proof.Refused, match=reason):
        code.said()


def test_certificate_of_another_robot(puma: Path) -> None:
    verified(puma, taut.load("puma560").tree)
    with pytest.raises(RefusedError, match="other numbers than 'stanford'"):
        verified(puma, taut.load("stanford").tree)


def test_model_is_compared_with_the_robot(puma: Path, tmp_path: Path) -> None:
    certificate, text, header = content(puma)
    certificate["models"]["file"]["joints"][2]["p"][0] = certificate["models"]["file"]["joints"][3]["p"][1]
    (tmp_path / "puma560.proof.json").write_text(json.dumps(certificate))
    (tmp_path / "puma560.c").write_text(text)
    (tmp_path / "puma560.h").write_text(header)
    with pytest.raises(RefusedError, match="another model"):
        verified(tmp_path, taut.load("puma560").tree)


def test_rotors_are_compared_with_the_robot(tmp_path: Path) -> None:
    """Rotor inertia of one joint and between joints, in whatever row of the certificate its formula stands."""
    written(tmp_path / "out", "tx40", ["gravity"])
    verified(tmp_path / "out", taut.load("tx40").tree)
    file = tmp_path / "out" / "tx40.proof.json"
    certificate = json.loads(file.read_text())
    for model in certificate["models"].values():
        model["rotors"][0][1] = model["rotors"][1][1]
    file.write_text(json.dumps(certificate))
    with pytest.raises(RefusedError, match="another model"):
        verified(tmp_path / "out", taut.load("tx40").tree)


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
