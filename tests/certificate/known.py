"""The paragraphs of generated C that are the same for every robot: includes, sines, stores.

``PYTHONPATH=tests python tests/certificate/known.py`` writes their hashes into the file that checks certificates.
"""

from __future__ import annotations

import textwrap
from itertools import product
from pathlib import Path

import taut
from taut.certificate import check_proof
from taut.certificate.as_c import as_c
from taut.emit.backend import Request
from taut.emit.backends import BACKENDS
from taut.emit.c.module import TRIG
from taut.emit.c.precision import PRECISIONS
from taut.emit.c.trigonometry import sums
from taut.emit.names import module_name
from taut.emit.python import python_source

BEGIN, END = 'KNOWN = set("""\n', '\n""".split())'


def known_paragraphs() -> dict[str, str]:
    """Return {hash: paragraph} over both precisions, both kinds of sines, with and without batches."""
    robot = taut.load("puma560")
    routines = [robot.derive(name, effort="none", verify=False).routine() for name in ("joint_torque", "mass_matrix")]
    found: dict[str, str] = {}
    for precision, trig, batch in product(PRECISIONS, TRIG, (False, True)):
        built = BACKENDS["c"].build(Request("r", routines, (), "r", precision, trig, batch))
        assert built.readable is not None
        read = built.readable
        names = {name for function in read.functions for name in (*function.literals, function.init)}
        names |= {"r_init", "r_default_parameters"}
        frame = {"prefix": module_name("r"), "literals": dict.fromkeys(names), "file": read.file}
        frame["functions"] = {
            function.name: {
                "arguments": function.routine.arguments,
                "result": function.routine.result.letter,
                "shape": function.routine.shape,
            }
            for function in read.functions
        }
        found |= check_proof.Text(as_c(frame, built.files[read.file]), frame).paragraphs()
        found |= check_proof.Text(sums("r", PRECISIONS[precision]), frame).paragraphs()
    python = {"prefix": "r", "literals": {}, "file": "r_dynamics.py", "functions": {}}
    header = python_source("r", [], ())
    return found | check_proof.Text(as_c(python, header), python).paragraphs()


def main() -> None:
    """Write the hashes."""
    file = Path(check_proof.__file__)
    head, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    tail = rest.partition(END)[2]
    hashes = "\n".join(textwrap.wrap(" ".join(sorted(known_paragraphs())), 118))
    file.write_text(f"{head}{BEGIN}{hashes}{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
