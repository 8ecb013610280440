"""Single faults in generated code and what finds them: the trial before writing, the self-test, the text proof.

``make faults`` writes the table into docs/certificate.md. A fault's effect is the largest change of an output over the
states of the trial, measured on the text with its numbers in double precision, in roundings of the code's precision:
units of eps times the output's largest size.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import taut
from certificate.faults import Fault, faults, place, statements, without_lines
from taut.certificate import check_proof
from taut.certificate.certify import certified
from taut.derive.references import samples
from taut.emit.backend import Request, Runner
from taut.emit.c.in_double import COMPUTED_IN_DOUBLE
from taut.emit.python import build as build_python
from taut.emit.python import run_python
from taut.emit.rounding import PRECISIONS
from taut.emit.routine import Routine
from taut.emit.trial import Trial
from taut.errors import TautError
from taut.generate import BACKENDS

PAGE = Path(__file__).parents[2] / "docs" / "certificate.md"
BEGIN, END = "<!-- faults -->\n", "<!-- end of faults -->\n"
FUNCTIONS = ("inverse_dynamics", "mass_matrix")
ROBOTS = ("puma560", "stanford", "puma260", "panda")
ROUNDINGS = 10.0
KINDS = ("sign", "operand", "literal", "swapped lines", "dropped term")


class Subject:
    """Generated code of one robot that faults are put into.

    Args:
        robot: a name of the library; all its numbers are known.
        language: ``c`` or ``python``.
        precision: ``double`` or ``float``.
    """

    def __init__(self, robot: str, language: str, precision: str) -> None:
        known, dtype = taut.load(robot), PRECISIONS[precision]
        functions = [known.derive(name, effort="none") for name in FUNCTIONS]
        self.routines = [replace(f.routine(), samples=samples(known.tree, f, dtype)) for f in functions]
        self.language, self.precision = language, precision
        request = Request(known.tree.name, self.routines, list(known.joint_names), precision=precision)
        built = BACKENDS[language].build(request) if language == "c" else build_python(request)
        self.as_written = built.in_double.routines
        assert built.readable is not None
        self.source = built.files[built.readable.file]
        self.header = built.files.get(f"{built.readable.prefix}.h", "")
        files = certified(known.tree, functions, built.readable, self.source, "", self.header)
        self.certificate = json.loads(files[f"{built.readable.prefix}.proof.json"])
        self.prefix = f"{request.prefix}_" if language == "c" else ""

    def faults(self, every: int, seed: int) -> Iterator[tuple[Routine, Fault]]:
        """Yield faults in every so many statements of the functions, with the function that has each."""
        routines = {self.prefix + routine.name: routine for routine in self.routines}
        for fault in faults(self.source, statements(self.source, every, seed % every), seed):
            if fault.function in routines:
                yield routines[fault.function], fault

    def runners(self, found: Sequence[Fault], wide: bool) -> list[Runner | None]:
        """Return what runs each changed function; None where the text does not compile.

        Args:
            found: faults in functions.
            wide: whether float code computes in double, its numbers as they are.
        """
        if self.language == "python":
            return [lambda routine, states, p, text=fault.text: run_python(text, routine, states, p) for fault in found]
        text = self.source.replace(f'#include "{self.prefix[:-1]}.h"', self.header)
        sound = [fault if _declared(_function(fault.text, fault.function)) else None for fault in found]
        copies = [
            _function(fault.text, fault.function).replace(f"{fault.function}(", f"{fault.function}__{k}(", 1)
            for k, fault in enumerate(sound)
            if fault is not None
        ]
        library = _compiled("\n".join([text, *copies]), wide)
        dtype = np.dtype(np.float64 if wide else PRECISIONS[self.precision])
        return [
            None if fault is None else _caller(library, f"{fault.function}__{k}", dtype)
            for k, fault in enumerate(sound)
        ]


def _function(text: str, name: str) -> str:
    found = re.search(rf"^void {name}\(.*\)\n\{{\n(?s:.*?)\n\}}$", text, re.M)
    assert found is not None
    return found[0]


def _declared(text: str) -> bool:
    """Whether every value of a function is named once, before it is used: else no compiler takes it."""
    named: set[str] = set()
    for row in text.split("\n"):
        defined = re.match(r"\s+const \w+ (t\d+) =(.*)", row)
        used = re.findall(r"\bt\d+\b", defined[2] if defined else row)
        if not named.issuperset(used) or (defined and defined[1] in named):
            return False
        if defined:
            named.add(defined[1])
    return True


def _compiled(text: str, wide: bool) -> ctypes.CDLL:
    text = "\n".join([*COMPUTED_IN_DOUBLE, text]) if wide else text
    with tempfile.TemporaryDirectory() as place:
        source, library = Path(place, "faults.c"), Path(place, "faults.so")
        source.write_text(text, "utf-8")
        command = ["cc", "-O0", "-w", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(library))


def _caller(library: ctypes.CDLL, name: str, dtype: np.dtype) -> Runner:
    def run(routine: Routine, states: Mapping[str, np.ndarray], parameters: Sequence[float]) -> np.ndarray:
        given = [np.ascontiguousarray(states[argument], dtype) for argument in routine.arguments]
        answer = np.full((len(given[0]), routine.size), np.nan, dtype)
        call: Callable[..., None] = getattr(library, name)
        for k in range(len(answer)):
            call(*(ctypes.c_void_p(x[k].ctypes.data) for x in (*given, answer)))
        return answer.astype(float)

    return run


def passes_selftest(trial: Trial, run: Runner, wide: Runner) -> bool:
    """Whether the self-test lets a text through: its states, references and bounds."""
    try:
        trial.refuse_untrue(run, wide)
    except TautError:
        return False
    return True


def passes_proof(subject: Subject, fault: Fault) -> bool:
    """Whether the text proof lets a text through, hashes of lines apart; a refusal names function and line."""
    assert place(subject.certificate, fault.text) == f"{fault.function}, line {fault.line}", fault[:3]
    try:
        check_proof.check(without_lines(subject.certificate, fault.text), fault.text, subject.header)
    except check_proof.Refused:
        return False
    return True


def tally(subject: Subject, every: int, seed: int, proof_every: int = 1) -> Counter[tuple[str, str]]:
    """Put faults into a text and return {(kind, what was counted): how many}.

    Args:
        subject: the text.
        every: a fault of each kind in every so many statements.
        seed: of places and changes.
        proof_every: the text proof judges every so many faults, the others all of them.
    """
    found = list(subject.faults(every, seed))
    changed = [fault for _, fault in found]
    plain = subject.runners(changed, wide=False)
    wide = subject.runners(changed, wide=True) if subject.precision == "float" else plain
    eps = float(np.finfo(PRECISIONS[subject.precision]).eps)
    trials = {
        routine.name: Trial(routine, [], subject.precision, subject.as_written.get(routine.name))
        for routine in subject.routines
    }
    counted: Counter[tuple[str, str]] = Counter()
    sound: dict[str, np.ndarray] = {}
    for routine in subject.routines:
        own = Fault("", 0, subject.prefix + routine.name, subject.source)
        [run] = subject.runners([own], wide=subject.precision == "float")
        assert run is not None
        sound[routine.name] = run(routine, trials[routine.name].states, [])
    for k, (routine, fault) in enumerate(found):
        run, measured = plain[k], wide[k]
        counted[fault.kind, "faults"] += 1
        if k % proof_every == 0:
            counted[fault.kind, "read"] += 1
        passed = k % proof_every == 0 and passes_proof(subject, fault)
        if run is None or measured is None:
            counted[fault.kind, "not compiled"] += 1
            counted[fault.kind, "proof"] += passed
            continue
        clean, trial = sound[routine.name], trials[routine.name]
        try:
            off = np.abs(measured(routine, trial.states, []) - clean)
        except (NameError, UnboundLocalError):  # Python's way not to compile
            counted[fault.kind, "not compiled"] += 1
            counted[fault.kind, "proof"] += passed
            continue
        scale = np.abs(clean).max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            effect = np.where(off == 0, 0.0, off / (eps * np.where(scale > 0, scale, scale.max()))).max()
        large = not effect <= ROUNDINGS  # NaN is large
        counted[fault.kind, "large"] += large
        counted[fault.kind, "no effect"] += bool(effect == 0)
        counted[fault.kind, "proof"] += passed and effect > 0
        counted[fault.kind, "trial"] += large and trial.errors(run, measured)[1] <= 1
        counted[fault.kind, "self-test"] += large and passes_selftest(trial, run, measured)
    return counted


def rows(counted: Counter[tuple[str, str]], what: str) -> list[str]:
    """Return rows of the table."""
    found = []
    for kind in KINDS:
        n = {key: counted[kind, key] for key in ("faults", "not compiled", "no effect", "large", "trial", "self-test")}
        proof = f"{counted[kind, 'proof']} of {counted[kind, 'read']}"
        found.append(f"| {what} | {kind} | " + " | ".join(str(x) for x in n.values()) + f" | {proof} |")
    return found


HEAD = [
    "| code | fault | put in | do not compile | change nothing | effect above 10 roundings | of these pass the trial "
    "| pass the self-test | with an effect pass the text proof |",
    "|---|---|---|---|---|---|---|---|---|",
]


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description="put faults into generated code")
    parser.add_argument("--every", type=int, default=5, help="faults in every so many statements")
    parser.add_argument("--proof-every", type=int, default=12, help="the text proof reads every so many faults")
    parser.add_argument("--robots", nargs="*", default=list(ROBOTS))
    given = parser.parse_args()
    table, wrong = list(HEAD), 0
    for language, precision in (("c", "double"), ("c", "float"), ("python", "double")):
        total: Counter[tuple[str, str]] = Counter()
        for robot in given.robots:
            total += tally(Subject(robot, language, precision), given.every, 1, given.proof_every)
            print(language, precision, robot, sum(n for (_, key), n in total.items() if key == "faults"), flush=True)
        table += rows(total, f"C, {precision}" if language == "c" else "Python")
        wrong += sum(n for (_, key), n in total.items() if key in ("trial", "self-test", "proof"))
    print("\n".join(table))
    head, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(head + BEGIN + "\n".join(table) + "\n" + END + rest.partition(END)[2], "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
