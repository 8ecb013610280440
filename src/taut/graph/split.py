"""A program cut into parts that run one after the other, at rates of their own, and hand values on.

One cut serves constants and tasks alike: :func:`split` cuts in two at a stage (cut after the parameters, the early part
computes a robot's constants once), :func:`parted` cuts into any number of parts. Handed over are the values that a
later part reads and does not compute; what is known everywhere, such as numbers, stands in every part that needs it.
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


class Part(NamedTuple):
    """One part of a program.

    Attributes:
        program: its outputs are the values for each later part in turn, then the outputs that it delivers.
        reads: {earlier part: values that it hands to this one}.
        hands: {later part: values for it}, in the order of the program's outputs.
        delivers: places of the delivered outputs among those of the whole program.
    """

    program: Program
    reads: Mapping[int, tuple[Carried, ...]]
    hands: Mapping[int, tuple[Carried, ...]]
    delivers: tuple[int, ...]


def split(program: Program, stage: Stage) -> Split:
    """Return a program cut after a stage: lines up to it are early, and so is nothing else.

    A symbol that is handed over keeps its name; other values are called by the stage, ``configuration 0``. So the
    later part can be cut again at a later stage.
    """
    part = [int(line.stage > stage) for line in program.lines]
    known = {i for i, line in enumerate(program.lines) if line.op == "constant"}
    before, after = parted(program, part, [1] * len(program.outputs), known, [stage.label, ""])
    return Split(before.program, after.reads.get(0, ()), after.program)


def parted(
    program: Program,
    part: Sequence[int],
    delivers: Sequence[int],
    known: Collection[int],
    labels: Sequence[str],
    again: Mapping[int, Collection[int]] | None = None,
) -> list[Part]:
    """Return the parts of a program.

    Args:
        program: what to cut.
        part: that computes each line; an operand's is never later.
        delivers: the part that delivers each output.
        known: lines that every part has, or computes where it needs them.
        labels: a name of each part, which handed values begin with.
        again: {part: lines of earlier parts that it computes once more}.
    """
    lines, count = program.lines, len(labels)
    wanted: list[dict[int, None]] = [{} for _ in labels]
    for (_, i), k in zip(program.outputs, delivers, strict=True):
        wanted[k][i] = None
    asked: dict[tuple[int, int], list[int]] = {}
    chosen: list[list[int]] = [[] for _ in labels]
    for k in reversed(range(count)):
        repeated = (again or {}).get(k, ())
        here = {i for i in range(len(lines)) if part[i] == k or i in known or i in repeated}
        chosen[k], given = _needed(lines, wanted[k], here)
        for i in given:
            asked.setdefault((part[i], k), []).append(i)
            wanted[part[i]][i] = None
    names = _names(lines, asked, labels)

    def carried(source: int, target: int) -> tuple[Carried, ...]:
        return tuple(Carried(names[i], i) for i in asked[source, target])

    found = []
    for k in range(count):
        reads = {j: carried(j, k) for j in range(k) if (j, k) in asked}
        hands = {j: carried(k, j) for j in range(k + 1, count) if (k, j) in asked}
        own_outputs = tuple(n for n, one in enumerate(delivers) if one == k)
        outputs = [Signed(1, value.line) for values in hands.values() for value in values]
        outputs += [program.outputs[n] for n in own_outputs]
        inputs = {value.line: value.name for values in reads.values() for value in values}
        found.append(
            Part(_picked(lines, sorted({*chosen[k], *inputs}), inputs, outputs), reads, hands, own_outputs),
        )
    return found


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


def _names(
    lines: Sequence[Line], asked: Mapping[tuple[int, int], Sequence[int]], labels: Sequence[str]
) -> dict[int, str]:
    """Return {line: name} of all values that are handed on; an input keeps its name."""
    names: dict[int, str] = {}
    for k, label in enumerate(labels):
        handed = sorted({i for (source, _), values in asked.items() if source == k for i in values})
        fresh = (f"{label} {n}" for n in range(len(handed)))
        names.update({i: lines[i].data if lines[i].op == "input" else next(fresh) for i in handed})
    return names


def _needed(lines: Sequence[Line], wanted: Iterable[int], here: Collection[int]) -> tuple[list[int], list[int]]:
    """Return the lines computed here that the wanted ones need, and those that have to be handed over."""
    found: set[int] = set()
    given: set[int] = set()
    left = list(wanted)
    while left:
        i = left.pop()
        if i not in here:
            given.add(i)
        elif i not in found:
            found.add(i)
            left.extend(lines[i].args)
    return sorted(found), sorted(given)


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
