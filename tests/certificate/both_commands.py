"""Changed statements of generated C through the two commands that check it: ``taut verify`` and ``check_proof.py``.

A sign, an operand or a literal (by 1e-6 of its size) is changed in every so many statements and the hash of the text is
renewed. Both commands must refuse each text and name function and line. ``make faults`` writes the table into
docs/certificate.md.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import taut
from certificate.faults import Fault, faults, rehashed, statements
from oracle.robot_files import urdf_files
from taut.certificate.certify import CHECKER
from taut.cli import main as taut_command

PAGE = Path(__file__).parents[2] / "docs" / "certificate.md"
BEGIN, END = "<!-- commands -->\n", "<!-- end of commands -->\n"
HERE = Path(__file__).parent
KINDS = ("sign", "operand", "literal")

Case = tuple[str, list[str], dict[str, Any]]
"""A robot by its name or the end of its file's path, the functions and the options of generating."""

TORQUE, BOTH = ["inverse_dynamics"], ["inverse_dynamics", "jacobian"]
CASES: dict[str, Case] = {
    "puma560": ("puma560", [*BOTH, "mass_matrix"], {}),
    "panda, 7R": ("panda", BOTH, {}),
    "stanford, a prismatic joint, float": ("stanford", [*BOTH, "mass_matrix"], {"precision": "float"}),
    "scara, run-time parameters": ("scara", [*BOTH, "forward_dynamics"], {"parameters": "pattern"}),
    "stanford_rrp, free base": ("stanford_rrp", TORQUE, {"base": "free"}),
    "double_pendulum, derivatives": ("double_pendulum", ["inverse_dynamics_derivatives", "regressor"], {}),
    "a mimicking joint": (str(HERE / "mimic.urdf"), BOTH, {}),
    "palletiser, parallelograms": ("palletiser", ["gravity", "jacobian"], {}),
    "axes that are no coordinate axes": (str(HERE / "general_axes.urdf"), BOTH, {}),
    "ur5, example-robot-data": ("ur5_robot.urdf", BOTH, {}),
    "z1, example-robot-data": ("z1.urdf", BOTH, {}),
    "kinova, example-robot-data": ("kinova.urdf", BOTH, {}),
    "solo, a tree, example-robot-data": ("solo.urdf", BOTH, {}),
}


def generated(case: Case, folder: Path) -> tuple[dict[str, Any], Path]:
    """Generate the code of a case; return its certificate and the place of its text."""
    robot, functions, given = case
    options = dict(given)
    files = [str(file.path) for file in urdf_files() if file.path.name == robot] if robot.endswith(".urdf") else []
    loaded = taut.load(files[0] if files else robot, base=options.pop("base", "fixed"))
    loaded.generate(folder, functions, effort="none", **options)
    certificate = json.loads(next(folder.glob("*.proof.json")).read_text())
    return certificate, folder / certificate["file"]


def by_taut(folder: Path) -> str:
    """Return what ``taut verify`` prints, run in this process; its exit code must be 1."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = taut_command(["verify", str(folder)])
    return said.getvalue() if code == 1 else f"exit code {code}: {said.getvalue()}"


def by_taut_alone(folder: Path) -> str:
    """The same in a process of its own."""
    return _run([sys.executable, "-m", "taut", "verify", str(folder)])


def by_checker(folder: Path) -> str:
    """Return what the independent file prints, run with nothing but Python."""
    return _run([sys.executable, "-I", "-S", str(folder / CHECKER)])


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 1 else f"exit code {done.returncode}: {done.stdout}{done.stderr}"


def wrongly_judged(
    case: Case, every: int, seed: int, commands: Callable[[int], list[Callable[[Path], str]]]
) -> Iterator[tuple[Fault, list[str]]]:
    """Yield every fault with the answers of commands that do not refuse it, or name another function or line.

    Args:
        case: the robot.
        every: faults in every so many statements.
        seed: of places and changes.
        commands: what the fault of a number is judged by.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "out")
        certificate, file = generated(case, folder)
        text, [proof] = file.read_text(), folder.glob("*.proof.json")
        for k, fault in enumerate(faults(text, statements(text, every, seed % every), seed)):
            if fault.kind in KINDS:
                file.write_text(fault.text)
                proof.write_text(json.dumps(rehashed(certificate, fault.text)))
                said = [command(folder) for command in commands(k)]
                named = f"refused: {fault.function}, line {fault.line}: "
                yield fault, [answer for answer in said if not answer.startswith(named)]


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description="changed statements through taut verify and check_proof.py")
    parser.add_argument("--every", type=int, default=10, help="faults in every so many statements")
    parser.add_argument("--cases", nargs="*", default=list(CASES))
    given = parser.parse_args()
    table = ["| robot | signs | operands | literals | not refused, or another line named |", "|---|---|---|---|---|"]
    bad = 0
    for name in given.cases:
        found: Counter[str] = Counter()
        for fault, answers in wrongly_judged(
            CASES[name],
            given.every,
            1,
            lambda k: [by_taut_alone if k % 50 == 0 else by_taut, by_checker],
        ):
            found[fault.kind] += 1
            found["wrong"] += bool(answers)
            for answer in answers:
                print(name, fault[:3], answer, file=sys.stderr)
        table.append(f"| {name} | " + " | ".join(str(found[key]) for key in (*KINDS, "wrong")) + " |")
        print(table[-1], flush=True)
        bad += found["wrong"]
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(head + BEGIN + "\n".join(table) + "\n" + END + rest.partition(END)[2], "utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
