"""The lines of generated code outside functions that are the same for every robot: includes, sines, stores.

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
HELPERS = ("R_sign(", "R_store_two(", "R_SIN_SUM(")
"""What paragraphs have that only some texts need; they are known one by one, the others together."""


def known_paragraphs() -> dict[str, str]:
    """Return {hash: lines} over both precisions, kinds of sines, with and without batches and run-time parameters."""
    robot = taut.load("puma560")
    found: dict[str, str] = {}
    for parameters in ("numeric", "pattern"):
        functions = [
            robot.derive(name, effort="none", verify=False, parameters=parameters)
            for name in ("joint_torque", "mass_matrix")
        ]
        routines = [function.routine() for function in functions]
        for precision, trig, batch in product(PRECISIONS, TRIG, (False, True)):
            built = BACKENDS["c"].build(Request("r", routines, (), "r", precision, trig, batch))
            assert built.readable is not None
            read = built.readable
            names = {name for function in read.functions for name in (*function.literals, function.init)}
            frame = {"prefix": module_name("r"), "literals": dict.fromkeys(names), "file": read.file}
            known = {name: repr(value) for function in functions for name, value in function.values.items()}
            frame |= {"precision": precision, "parameters": read.parameters, "values": known}
            frame["functions"] = {
                function.name: {
                    "arguments": function.routine.arguments,
                    "result": function.routine.result.letter,
                    "shape": function.routine.shape,
                    "init": function.init,
                    "member": function.member,
                }
                for function in read.functions
            }
            bare = check_proof.plain(built.files[read.file])
            text = check_proof.Text(as_c(frame, bare), frame)
            found |= _hashed(f".c{precision}", text.others(frame, bare, built.files["r.h"]))
            found |= _hashed(f".c{precision}", [check_proof.plain(sums("R", PRECISIONS[precision])).strip()])
    python = {"prefix": "r", "literals": {}, "file": "r_dynamics.py", "functions": {}}
    python |= {"precision": "double", "parameters": []}
    header = python_source("r", [], ())
    found |= _hashed("pydouble", check_proof.Text(as_c(python, header), python).others(python, header, ""))
    return found | _hashed("jsdouble", [""])  # JavaScript has no other lines


def _hashed(kind: str, paragraphs: list[str]) -> dict[str, str]:
    alone = [text for text in paragraphs if any(word in text for word in HELPERS)]
    rest = [text for text in paragraphs if text not in alone]
    together = [" ".join([kind, *rest])] if rest else []
    return {str(check_proof.digest(text)[:19]): text for text in (*(kind + text for text in alone), *together)}


def main() -> None:
    """Write the hashes."""
    file = Path(check_proof.__file__)
    head, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    tail = rest.partition(END)[2]
    hashes = "\n".join(textwrap.wrap(" ".join(sorted(known_paragraphs())), 120))
    file.write_text(f"{head}{BEGIN}{hashes}{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
