"""``make order``: more knowledge and more effort never give more operations, on every robot of the test packages.

For each robot and function: numeric <= pattern <= symbolic at each effort (programs that are right for all values of
their parameters), and none >= quick >= normal. What was counted before is read from ``build/order.json``: an
interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import taut
from oracle.robot_files import moving_urdf_files
from taut.derive import derive
from taut.derive.kept import keep_program
from taut.errors import TautError
from taut.library import open_chains
from taut.robot import Tree

NOTES = Path(__file__).parents[2] / "build" / "order.json"
PROGRAMS = NOTES.with_name("order_programs")
MODES = ("numeric", "pattern", "symbolic")
FUNCTIONS = ("inverse_dynamics", "mass_matrix")
EFFORTS = ("none", "quick", "normal")
MOST_JOINTS = 12


def robots() -> Iterator[tuple[str, Path | str]]:
    """Yield names and places of the robots of the library and of the packages."""
    yield from ((name, name) for name in open_chains())
    yield from ((file.name, file.path) for file in moving_urdf_files())


def totals(tree: Tree, function: str, effort: str) -> dict[str, int]:
    """Return the operations with each treatment of the parameters; without ``numeric`` where numbers are missing.

    The most general one is derived first: what its search finds is kept and offered to the others, as it is to a user.
    """
    found = {}
    for mode in reversed(MODES):
        try:
            made = derive(tree, function, parameters=mode, effort=effort)
        except TautError:
            if mode != "numeric":
                raise
            continue
        keep_program(made)
        found[mode] = made.operations.total
    return found


def before(effort: str) -> str | None:
    """Return the effort below one."""
    return dict(pairwise(reversed(EFFORTS))).get(effort)


def disorder(found: dict[str, int]) -> str | None:
    """Return what is wrong with the counts of one robot, function and effort; None where they are in order."""
    known = [(mode, found[mode]) for mode in MODES if mode in found]
    for (few, less), (many, more) in pairwise(known):
        if less > more:
            return f"{few} {less} > {many} {more}"
    return None


def main() -> None:
    """Count what was not counted yet, and list what is out of order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", choices=EFFORTS, nargs="+", default=EFFORTS)
    given = parser.parse_args()
    os.environ["TAUT_PROGRAMS"] = str(PROGRAMS)
    notes: dict[str, dict[str, int]] = json.loads(NOTES.read_text("utf-8")) if NOTES.exists() else {}
    for name, place in robots():
        try:
            tree = taut.load(place).tree
        except TautError:
            continue
        if len(tree.joints) > MOST_JOINTS:
            continue
        for function in FUNCTIONS:
            for effort in given.effort:
                key = f"{name}: {function}, {effort}"
                if key not in notes:
                    notes[key] = totals(tree, function, effort)
                    NOTES.parent.mkdir(exist_ok=True)
                    NOTES.write_text(json.dumps(notes, indent=1), encoding="utf-8")
                wrong = disorder(notes[key])
                less = before(effort)
                fewer = notes.get(f"{name}: {function}, {less}", {})
                risen = {m: (fewer[m], total) for m, total in notes[key].items() if total > fewer.get(m, total)}
                if wrong or risen:
                    print(f"{key}: {wrong or f'above {less}, {risen}'}", flush=True)
    print(f"{len(notes)} rows counted")


if __name__ == "__main__":
    main()
