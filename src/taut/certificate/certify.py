"""Writes the certificate of generated C and checks it, before anything is written to disk."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from importlib.resources import files
from itertools import cycle
from typing import Any

from taut.certificate import check_proof
from taut.certificate.as_c import as_c
from taut.certificate.model import FILE, Formulas, model_tables
from taut.derive.checks.truth import completed
from taut.derive.derivation import derivation
from taut.derive.function import Function
from taut.derive.naming.model import DerivedRobot
from taut.emit.backend import Readable, ReadableFunction
from taut.emit.constants import rounded
from taut.emit.literals import NUMBER, Literal
from taut.emit.names import remark
from taut.emit.routine import Routine
from taut.errors import TautError
from taut.graph import Node
from taut.graph.operation import Op
from taut.graph.program import Program, Signed
from taut.questions.table import question
from taut.robot import Tree
from taut.toolchain.remembered import remembered

CHECKER, TRANSLATOR = "check_proof.py", "as_c.py"
"""The file that checks a certificate without taut, and the one that writes other languages as C for it."""

HARMLESS = {"\\\\": "\\u005c", "<": "\\u003c", "$": "\\u0024", "*/": "*\\/"}
"""Spellings in JSON of what names of a robot file could do in a page, in LaTeX, in a shell or in C."""

Entry = tuple[int, int, str]
"""Sign, formula and function (sin, cos or none) that a number of the text stands for."""

OPTIONS = ("parameters", "snap", "keep", "load")
"""Attributes of a derived function that decide the model."""

COMPOSED = {"explicit_torque": ["explicit", "inverse_dynamics"]}
"""Functions whose answers are those of others, one after the other."""


def certified(
    robot: Tree, functions: Sequence[Function], readable: Readable, source: str, origin: str, header: str = ""
) -> dict[str, str]:
    """Return the certificate and the file that checks it, as {file name: text}; a text that fails raises.

    Args:
        robot: whose functions they are.
        functions: as they were derived, one per function of the text, all with the same options.
        readable: the text's functions and what their numbers stand for.
        source: the text.
        origin: hash of the robot file, empty where there is none.
        header: of C, which is to declare the functions and nothing else.
    """
    first = functions[0]
    known = completed(robot) if first.parameters == "numeric" else robot  # a closed form needs no masses
    with derivation(known, first.parameters, first.snap, first.keep, first.load).robot() as model:
        certificate = _certificate(model, functions, readable, source, origin)
        merged = [f.name for f in functions if readable.parameters and _is_merged(f, model)]
    _leave_out_unknown(certificate)
    _leave_out_merged(certificate, source, merged)
    try:
        certificate["seed"] = check_proof.seed(certificate)
        proof = partial(check_proof.check, certificate, source, header)
        certificate["result"] = remembered(f"proof of a text\n{json.dumps(certificate)}\n{source}\n{header}", proof)
    except check_proof.Refused as refusal:
        raise TautError(f"the text of {readable.file} is wrong: {refusal}; report this") from None
    text = json.dumps(certificate, indent=1)
    for raw, harmless in HARMLESS.items():
        text = text.replace(raw, harmless)
    needed = [CHECKER, TRANSLATOR] if certificate["translated"] else [CHECKER]
    checkers = {name: files("taut.certificate").joinpath(name).read_text(encoding="utf-8") for name in needed}
    return {f"{readable.prefix}.proof.json": text + "\n", **checkers}


def commented(header: str, certificate: str) -> str:
    """Return a header of C with what was proved in the comment of every function."""
    for sentence in json.loads(certificate)["result"]:
        name, _, said = sentence.partition(": ")
        header = header.replace(f"/* {name}\n", f"/* {name}\n * Text: {remark(said)}.\n")
    return header


def _read(certificate: dict[str, Any], source: str) -> check_proof.Text:
    """Return the text as the checker reads it."""
    bare = check_proof.plain(source) if certificate["file"].endswith(".c") else source
    return check_proof.Text(as_c(certificate, bare) if certificate["translated"] else bare, certificate)


def _is_translated(readable: Readable) -> bool:
    """Whether a text is written as C of one state before it is read."""
    return not readable.file.endswith(".c") or any(one.name.endswith("_block") for one in readable.functions)


def _is_merged(function: Function, model: DerivedRobot) -> bool:
    """Whether numbers of different formulas have one value, so that the text does not tell them apart."""
    return any(len(formulas) > 1 for formulas in _by_value(function, model).values())


def _leave_out_unknown(certificate: dict[str, Any]) -> None:
    """Let numbers stand for themselves whose formulas have symbols of a closed form: nothing is known about these."""
    real = check_proof.evaluated(certificate["formulas"], check_proof.RealPoint(certificate["values"]), [])
    for entries in certificate["literals"].values():
        entries[:] = [None if entry is None or real[entry[1]] is None else entry for entry in entries]


def _leave_out_merged(certificate: dict[str, Any], source: str, merged: Sequence[str]) -> None:
    """State that a function is not proved where the formula of a number was guessed wrong, as several have its value.

    Args:
        certificate: to be changed.
        source: the text.
        merged: functions with such numbers; any other that is not proved is wrong.
    """
    text = _read(certificate, source)
    for name, stated in certificate["functions"].items():
        try:
            if stated["name"] in merged:
                check_proof.proved(certificate, text, name)
        except check_proof.Refused:
            stated["parts"] = [[f"{stated['name']} with different constants of equal value", [], FILE]]
        except check_proof.Unknown:
            continue


def _certificate(
    model: DerivedRobot, functions: Sequence[Function], readable: Readable, source: str, origin: str
) -> dict[str, Any]:
    formulas = Formulas(model.graph)
    _tables(model, functions, readable, source, formulas)
    formulas.settle()
    return {
        "robot": model.tree.name,
        "options": {name: getattr(functions[0], name) for name in OPTIONS},
        "robot_file": origin,
        "prefix": readable.prefix,
        "file": readable.file,
        "precision": readable.precision,
        "source": hashlib.sha256(source.encode()).hexdigest(),
        "values": {name: repr(value) for name, value in sorted(model.naming.values.items())},
        "parameters": list(readable.parameters),
        "translated": _is_translated(readable),
        "rows": "".join(check_proof.rows(source)),
        **_tables(model, functions, readable, source, formulas),
        "formulas": formulas.rows,
    }


def _tables(
    model: DerivedRobot, functions: Sequence[Function], readable: Readable, source: str, formulas: Formulas
) -> dict[str, Any]:
    """Return models, functions and numbers of a certificate."""
    literals: dict[str, list[Entry | None]] = {}
    stated: dict[str, dict[str, Any]] = {}
    for function, text in zip(cycle(functions), readable.functions, strict=False):
        nodes = _off_line(function, text.routine, model)
        for name, numbers in text.literals.items():
            literals[name] = [_entry(number, nodes, formulas) for number in numbers]
        if text.init:
            literals[text.init] = _of_init(source, text.init, text.routine, nodes, formulas)
        stated[text.name] = _stated(function, text, model.tree)
    named = {frame for function in stated.values() for _, frames, _ in function["parts"] for frame in frames}
    places = [model.tree.frame(name) for name in sorted(named)]
    return {"models": model_tables(model, places, formulas), "functions": stated, "literals": literals}


def _stated(function: Function, text: ReadableFunction, robot: Tree) -> dict[str, Any]:
    """Return what a certificate states about a function: its parts with their frames, its arguments, its cost."""
    asked = question(function.name)
    spelled = [(part.question, part.frame) for part in asked.parts] or [(asked, function.frame)]
    about = " of a robot with loops or cams" if robot.at().bends else ""
    parts = [
        [
            name + about,
            [robot.frame(frame).name] if one.on_frame else [],
            function.form if one.rearranges(robot) else FILE,
        ]
        for one, frame in spelled
        for name in COMPOSED.get(one.name, [one.name])
    ]
    return {
        "name": function.name,
        "parts": parts,
        "arguments": {name: list(symbols) for name, symbols in text.routine.arguments.items()},
        "result": text.routine.result.letter,
        "shape": list(text.routine.shape),
        "init": text.init,
        "member": text.member,
        "operations": function.operations.total,
        "sines": function.operations.trig,
        "points": 1,
    }


def _off_line(function: Function, routine: Routine, model: DerivedRobot) -> list[Node]:
    """Return the formulas of the lines that wait for no state.

    Where some parameters are inputs and the others are written into the code, the routine's program has numbers in
    place of formulas; they are found again by their values, and a wrong guess fails the proof.
    """
    nodes = _traced(routine.program, model)
    if routine.baked:
        return nodes
    own = {line.data for line in function.program.lines if line.op == "constant"}
    formulas = {value: node for value, (node, *_) in _by_value(function, model).items()}
    return [
        formulas.get(float(line.data), node) if line.op == "constant" and line.data not in own else node
        for line, node in zip(routine.program.lines, nodes, strict=False)
    ]


def _by_value(function: Function, model: DerivedRobot) -> dict[float, list[Node]]:
    """Return {value: the formulas that have it} of the lines that wait for no state, of both signs."""
    found: dict[float, list[Node]] = {}
    for value, node in zip(rounded(function.program, _known(function)), _traced(function.program, model), strict=True):
        for x, formula in ((value, node), (-value, -node)):
            if formula not in found.setdefault(x, []):
                found[x].append(formula)
    return found


def _known(function: Function) -> dict[str, float]:
    return {name: function.values.get(name, math.nan) for name in function.parameter_names}


def _traced(program: Program, model: DerivedRobot) -> list[Node]:
    lines = program.lines[: program.start]
    return Program(lines, tuple(Signed(1, i) for i in range(len(lines)))).trace(model.graph)


def _entry(number: Literal | None, nodes: Sequence[Node], formulas: Formulas) -> Entry | None:
    """Return (sign, formula, function) of a number of the text; None for one that stands for itself."""
    return None if number is None else (number.sign, formulas.add(nodes[number.line]), number.function)


def _of_init(source: str, name: str, routine: Routine, nodes: Sequence[Node], formulas: Formulas) -> list[Entry | None]:
    """Return the same for the function that computes constants from parameters; most numbers there are exact."""
    known = {}
    for line, node in zip(routine.program.lines, nodes, strict=False):
        if line.op == "constant" and (node.op is not Op.CONSTANT or Fraction(float(node.value)) != node.value):
            known[float(line.data)] = node
    text = source.partition(f"void {name}(")[2].partition("\n}")[0]
    found = [known.get(float(digits)) for digits in NUMBER.findall(text)]
    return [None if node is None else (1, formulas.add(node), "") for node in found]
