"""``make structures``: search programs for the structures of arms that people have, the most common first.

The arms are those of the URDF files in ``example-robot-data``, ``rtb-data`` and ``pybullet`` and of taut's library,
with five to seven joints. They are searched with ten free parameters a link, so that a program serves every arm of the
same geometry. An interrupted run goes on where it was: a structure that has a program is left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import taut
from counts.rows import FOLDER, as_data
from oracle.robot_files import moving_urdf_files
from taut.derive import derive
from taut.derive.naming.model import derived_robot
from taut.derive.naming.parameters import SNAP
from taut.derive.starts.setting import structure_for
from taut.derive.stored.programs import file_name, folder, write_stored
from taut.errors import TautError
from taut.library import names
from taut.questions.question import single_axis
from taut.robot import Tree

RECORDS = FOLDER / "structures.json"
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
PARAMETERS = "symbolic"
JOINTS = range(5, 8)


@dataclass(frozen=True)
class Arm:
    """A robot with one of the structures, and how many files have it."""

    name: str
    tree: Tree
    structure: str
    common: int


def read_structures() -> dict[str, dict[str, Any]]:
    """Return {file of a program: robot, function and counts}."""
    found: dict[str, dict[str, Any]] = json.loads(RECORDS.read_text("utf-8")) if RECORDS.exists() else {}
    return found


def trees() -> Iterator[tuple[str, Tree]]:
    """Yield arms by name; a file that cannot be read is none."""
    for name in names():
        yield name, taut.load(name).tree
    for file in moving_urdf_files():
        if not file.name.startswith("taut/"):
            with suppress(TautError):
                yield file.name, taut.load(file.path).tree


def arms() -> list[Arm]:
    """Return one arm a structure, the most common structure first."""
    first: dict[str, tuple[str, Tree]] = {}
    files: Counter[str] = Counter()
    for name, tree in trees():
        if len(tree.joints) not in JOINTS or not single_axis(tree) or tree.tied or tree.at().bends:
            continue
        inner = structure_for(derived_robot(tree, PARAMETERS, SNAP), FUNCTIONS[0])
        if inner is None:
            continue
        first.setdefault(inner.name, (name, tree))
        files[inner.name] += 1
    return [Arm(*first[key], key, common) for key, common in files.most_common()]


def search(arm: Arm, function: str) -> str:
    """Search one function of an arm, keep the program, and say how many operations it has."""
    made = derive(arm.tree, function, parameters=PARAMETERS, generic=True)
    assert made.structural is not None and made.structure == arm.structure
    name = file_name(function, arm.structure)
    about = {"function": function, "effort": made.effort, "method": made.method, "seed": made.seed}
    write_stored(folder() / name, made.structural, about | as_data(made.operations))
    record = {"robot": arm.name, "function": function} | as_data(made.operations)
    known = read_structures() | {name: record}
    RECORDS.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")
    return f"{arm.name}: {function} {made.operations.total}, {made.steps[0].operations.total} as traced"


def main() -> None:
    """Search what has no program yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="only list the structures and how many files have each")
    given = parser.parse_args()
    waiting = arms()
    if given.list:
        for arm in waiting:
            print(f"{arm.common:3} {arm.structure} {len(arm.tree.joints)} joints, such as {arm.name}")
        return
    for arm in waiting:
        for function in FUNCTIONS:
            if not (folder() / file_name(function, arm.structure)).exists():
                try:
                    print(search(arm, function), flush=True)
                except TautError as error:  # a file without inertias has no accelerations
                    print(f"{arm.name}: {function} is not searched: {error}", flush=True)


if __name__ == "__main__":
    main()
