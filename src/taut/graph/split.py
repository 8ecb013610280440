"""A program cut in two at a stage: what is computed early, the values handed over, what is computed later.

Cut after the parameters, the early part computes a robot's constants once; cut after the configuration, it is the
slow task of two. Handed over are the values that the later part reads and does not compute; numbers stand in both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from taut.graph.program import Line, Program, Signed
from taut.graph.stage import Stage


class Carried(NamedTuple):
    """A value handed over: the input of the later part that holds it, and its line in the whole program."""

    name: str
    line: int


class Split(NamedTuple):
    """The two parts of a program.

    Attributes:
        before: computes the carried values, its outputs in their order.
        carried: what is handed over.
        after: computes the outputs of the whole program from the carried values and the inputs of later stages.
    """

    before: Program
    carried: tuple[Carried, ...]
    after: Program


def split(program: Program, stage: Stage) -> Split:
    """Return a program cut after a stage: lines up to it are early, and so is nothing else.

    A symbol that is handed over keeps its name; other values are called by the stage, ``configuration 0``. So the
    later part can be cut again at a later stage.
    """
    lines = program.lines
    part = [int(line.stage > stage) for line in lines]
    known = {i for i, line in enumerate(lines) if line.op == "constant"}
    reads = [(part[i], line.args) for i, line in enumerate(lines)]
    reads.append((1, tuple(i for _, i in program.outputs)))
    handed = sorted(handed_on(reads, part, known))
    fresh = iter(f"{stage.label} {k}" for k in range(len(handed)))
    carried = tuple(Carried(lines[i].data if lines[i].op == "input" else next(fresh), i) for i in handed)

    early = _needed(lines, handed)
    before = _picked(lines, early, {}, [Signed(1, i) for i in handed])
    late = [i for i, k in enumerate(part) if k]
    read = {i for here, args in reads if here for i in args}
    after = _picked(
        lines, sorted({*handed, *(known & read), *late}), {c.line: c.name for c in carried}, program.outputs
    )
    return Split(before, carried, after)


def handed_on(
    reads: Iterable[tuple[int, Sequence[int]]], part: Sequence[int] | Mapping[int, int], known: Collection[int] = ()
) -> list[int]:
    """Return the lines that are read in a later part than the one that computes them, in order of first reading.

    Args:
        reads: (the part that reads, the lines it reads).
        part: of every line.
        known: lines that every part has.
    """
    found: dict[int, None] = {}
    for here, args in reads:
        found.update((i, None) for i in args if i not in known and part[i] < here)
    return list(found)


def _needed(lines: Sequence[Line], wanted: Sequence[int]) -> list[int]:
    found: set[int] = set()
    left = list(wanted)
    while left:
        i = left.pop()
        if i not in found:
            found.add(i)
            left.extend(lines[i].args)
    return sorted(found)


def _picked(
    lines: Sequence[Line], chosen: Sequence[int], given: Mapping[int, str], outputs: Sequence[Signed]
) -> Program:
    """Return the program of the chosen lines, those of ``given`` as inputs of that name."""
    place = {i: k for k, i in enumerate(chosen)}
    return Program(
        tuple(
            Line("input", (), lines[i].stage, given[i])
            if i in given
            else lines[i]._replace(args=tuple(place[arg] for arg in lines[i].args))
            for i in chosen
        ),
        tuple(Signed(sign, place[i]) for sign, i in outputs),
    )
