"""Checks a directory of generated code against its certificate, and the certificate against the robot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from taut.certificate import check_proof
from taut.certificate.model import FILE, Formulas, model_tables
from taut.derive.naming.model import derived_robot
from taut.errors import InputError, TautError
from taut.robot import Tree


class RefusedError(TautError):
    """A text differs from its certificate, or a certificate is not that of a robot."""


def verified(directory: str | Path, robot: Tree | None = None, origin: str = "") -> list[str]:
    """Return one sentence for each function that was proved or not checked; raises where something is wrong.

    Args:
        directory: that ``taut generate`` wrote.
        robot: whose model the certificate should state; not compared by default.
        origin: hash of the robot file, which the certificate should have; not compared where it is empty.
    """
    folder = Path(directory)
    advice = "name a directory that 'taut generate' wrote in C, C++, Python or JavaScript, not as tasks or abbreviated"
    found = sorted(folder.glob("*.proof.json"))
    if len(found) != 1:
        raise InputError(f"{len(found)} certificates (*.proof.json), expected one", str(directory), advice)
    [place] = found
    try:
        certificate, *texts = check_proof.opened(folder)
        if origin and origin != certificate["robot_file"]:
            raise RefusedError("the robot file is not that of the certificate: its hash differs")
        if robot is not None:
            _refuse_other_model(certificate, robot)
        return check_proof.check(certificate, *texts)
    except check_proof.Refused as refusal:
        raise RefusedError(str(refusal)) from None
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
        reason = f"{place.name} is no certificate of the code in the same directory ({error})"
        raise InputError(reason, str(directory), advice) from None


def _refuse_other_model(certificate: dict[str, Any], robot: Tree) -> None:
    """Compare the model that the certificate states with the one that its options make of the robot."""
    asked = certificate["options"]
    model = derived_robot(robot, asked["parameters"], asked["snap"], asked["keep"], asked["load"])
    values = {name: repr(value) for name, value in sorted(model.naming.values.items())}
    if values != certificate["values"]:
        stated = certificate["values"]
        names = sorted(name for name in {**values, **stated} if values.get(name) != stated.get(name))
        raise RefusedError(f"the certificate states other numbers than '{robot.name}': {', '.join(names[:5])}")
    places = [model.tree.frame(frame["name"]) for frame in certificate["models"][FILE]["frames"]]
    formulas = Formulas(model.graph)
    model_tables(model, places, formulas)
    formulas.settle()
    tables = model_tables(model, places, formulas), certificate["models"]
    try:
        ours, stated = map(_printed, tables, _at_random_point(certificate, formulas.rows))
    except (ArithmeticError, check_proof.Unknown):  # a root in one of the two alone, or roots that never all exist
        raise RefusedError(f"the model of the certificate cannot be compared with that of '{robot.name}'") from None
    if ours != stated:
        raise RefusedError(f"the certificate states another model than that of '{robot.name}'")


def _at_random_point(certificate: dict[str, Any], rows: Sequence[Sequence[Any]]) -> list[list[int]]:
    """Return the values of other formulas and of the certificate's at one random point of the field."""
    point, stated = check_proof.random_point(certificate)
    ours = check_proof.evaluated(rows, point, [])
    return [[check_proof.number(x).v for x in values] for values in (ours, stated)]


def _printed(models: dict[str, Any], prints: Sequence[int]) -> Any:
    """Return tables with the values of their formulas: equal for equal models, however they are written."""

    def replaced(key: str, x: Any) -> Any:
        if isinstance(x, dict):
            return {name: replaced(name, entry) for name, entry in x.items()}
        if key == "turns":
            return [[axis, quarters, None if k is None else prints[k]] for axis, quarters, k in x]
        if key == "rotors":
            return [[i, prints[k], *others] for i, k, *others in x]
        if key in ("axis", "slide", "p", "inertia", "gravity", "ratio"):
            return [prints[k] for k in x]
        if key == "offset":
            return prints[x]
        return [replaced("", entry) for entry in x] if isinstance(x, list) else x

    return replaced("", models)
