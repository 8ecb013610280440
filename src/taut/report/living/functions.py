"""The functions of the page: derived once, counted, as JavaScript that runs in the page and as C to copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taut import library
from taut.api import load
from taut.derive import Function
from taut.emit.c.module import Module
from taut.emit.javascript import javascript_source
from taut.questions.table import question
from taut.report.complexity import QUOTED
from taut.report.counts import Settings, derived
from taut.report.living.skeleton import poses_routine, rates_routine
from taut.report.published import others
from taut.robot import Tree

SHOWN = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "gravity", "bias", "energy", "jacobian")
"""What the page computes with, in the order of its table."""

COPIED = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "gravity", "jacobian")
"""What the page has as C."""


def page_functions(tree: Tree, settings: Settings) -> dict[str, Function]:
    """Return the functions of the page by name."""
    return {name: derived(tree, name, settings) for name in SHOWN}


def script(tree: Tree, functions: Mapping[str, Function], settings: Settings) -> str:
    """Return the functions as one classic script that makes the object ``tautFunctions``.

    Where only some positions close the loops, ``close`` is among them, a Newton step; elsewhere ``position_rates``.
    """
    routines = [poses_routine(tree), *(function.routine(baked=True) for function in functions.values())]
    if tree.must_close:
        routines.append(derived(tree, "close", settings).routine(baked=True))
    else:
        routines.append(rates_routine(tree))
    module = javascript_source(tree.name, routines, tree.joint_names)
    names = ", ".join(routine.name for routine in routines)
    body = module.replace("\nexport function", "\nfunction")
    return f'"use strict";\nconst tautFunctions = (() => {{\n{body}return {{ {names} }};\n}})();\n'


def c_data(tree: Tree, functions: Mapping[str, Function]) -> list[dict[str, str]]:
    """Return each function as one C text."""
    return [
        {
            "function": name,
            "c": Module(tree.name, [functions[name].routine()], tree.joint_names, batch=False).single_file,
        }
        for name in COPIED
    ]


def counts_data(tree: Tree, functions: Mapping[str, Function]) -> list[dict[str, Any]]:
    """Return the operations of every function, by stage, next to what others count for the same robot."""
    ours = tree.name in library.names() and load(tree.name).tree == tree
    found = []
    for name, function in functions.items():
        count = function.operations
        compared = [{"operations": o.operations, "source": o.source} for o in others(tree.name, name)] if ours else []
        if name == "inverse_dynamics":
            compared += _general(tree)
        found.append(
            {
                "function": name,
                "summary": question(name).summary.removeprefix("Return "),
                "mul": count.mul,
                "add": count.add,
                "total": count.total,
                "trig": count.trig,
                "stages": {stage: part.total for stage, part in count.by_stage.items()},
                "others": compared,
                "method": function.method,
                "proof": function.proof.reference if function.proof else "",
            }
        )
    return found


def _general(tree: Tree) -> list[dict[str, Any]]:
    """Return what the papers' formulas give for any arm of as many turning joints in a row."""
    n = len(tree.joints)
    in_a_row = all(joint.parent == i - 1 for i, joint in enumerate(tree.joints))
    if not in_a_row or tree.mimics or any(not joint.motion.pure_turn for joint in tree.joints):
        return []
    found = []
    for authors, method, mul, add, _ in QUOTED:
        if "n" in mul and mul[0].isdigit():
            total = sum(_linear(text, n) for text in (mul, add))
            source = f"{authors}: {method}, any arm of {n} joints, {mul} and {add}"
            found.append({"operations": total, "source": source})
    return sorted(found, key=lambda row: row["operations"])


def _linear(text: str, n: int) -> int:
    """Return ``105n - 92`` at n."""
    slope, _, offset = text.partition("n - ")
    return int(slope) * n - int(offset)
