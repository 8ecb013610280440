"""Several functions as one program: sines and equal expressions once, then searched as a whole.

Each part is derived on its own first, since a search does more for a small program. The programs are put together
line by line, so that the whole never costs more than its parts with what they share; the search then finds what one
part has computed for another. Every output is proved against the textbook algorithm of its part.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod

from taut.analysis.opcount import count
from taut.derive.checks.divisors import Divisors
from taut.derive.function import Function, Proof, Step
from taut.derive.naming.model import DerivedRobot
from taut.derive.tightening.candidate import Candidate, shortened
from taut.derive.tightening.clock import Ended
from taut.graph.assembly import together
from taut.graph.program import Program
from taut.questions.quantity import Quantity
from taut.questions.question import Question

Search = Callable[[Sequence[Candidate], Divisors | None], tuple[Sequence[Candidate], Ended]]
"""(what to begin with, the divisors that programs may have) -> what was found, the cheapest first, and what ended
the search."""


def fuse(
    model: DerivedRobot,
    asked: Question,
    functions: Sequence[Function],
    search: Search,
    check: Callable[[Function], Function],
    started: float,
) -> Function:
    """Return derived functions as one.

    Args:
        model: its numbers, named as in the functions.
        asked: the fused question.
        functions: of its parts, in order.
        search: tightens the whole.
        check: proves a part of the whole and compares it with the file; raises where it is wrong.
        started: when the derivation began, on the clock of :func:`time.perf_counter`.
    """
    first = functions[0]
    parts = {part.label: function.shape for part, function in zip(asked.parts, functions, strict=True)}
    program = together(function.program for function in functions)
    apart = sum(function.operations.total for function in functions)
    start = Candidate(
        program, "; ".join(dict.fromkeys(f.method for f in functions)), ((f"parts, {apart} apart", count(program)),)
    )
    divisors = None if first.generic else Divisors.of([f.program for f in functions], model.spheres)
    found, ended = search([shortened(start)], divisors)
    best = found[0]
    checked = [check(part) for part in _outputs_of(best.program, functions)]
    arguments = {name: tuple(s.name for s in model.symbols(name)) for name in asked.arguments}
    layout = tuple(_layout(functions))
    return replace(
        first,
        name=asked.name,
        program=best.program,
        arguments=arguments,
        shape=asked.shape(model.tree),
        method=best.method,
        steps=tuple(Step(name, operations) for name, operations in best.passes),
        proof=_proof(checked),
        notes=tuple(dict.fromkeys(note for f in functions for note in f.notes)),
        seconds=time.perf_counter() - started,
        reproducible=ended is Ended.STEPS and all(f.reproducible for f in functions),
        interrupted=ended is Ended.CTRL_C or any(f.interrupted for f in functions),
        refused=tuple(dict.fromkeys([*(why for f in functions for why in f.refused), *best.refused])),
        stored=any(f.stored for f in functions),
        structural=None,
        trace=(),
        difference=max((f.difference for f in checked if f.difference), key=lambda d: d.largest, default=None),
        frame=None,
        result=Quantity("y", "; ".join(layout)),
        remarks=tuple(dict.fromkeys(remark for f in functions for remark in f.remarks)),
        parts=parts,
    )


def _outputs_of(whole: Program, functions: Sequence[Function]) -> Iterator[Function]:
    """Yield each part as a function by the lines of the whole program."""
    start = 0
    for function in functions:
        size = prod(function.shape)
        yield replace(function, program=Program(whole.lines, whole.outputs[start : start + size]))
        start += size


def _layout(functions: Sequence[Function]) -> Iterator[str]:
    """Yield where the answer of each part stands in the whole one, and what it is."""
    start = 0
    for function in functions:
        size = prod(function.shape)
        shape = " by ".join(str(n) for n in function.shape)
        frame = f" of frame {function.frame}" if function.frame else ""
        yield f"from {start} on {function.result.letter} ({shape}), {function.result.text}{frame}"
        start += size


def _proof(parts: Sequence[Function]) -> Proof | None:
    proofs = [part.proof for part in parts if part.proof is not None]
    if len(proofs) < len(parts):
        return None
    return Proof("; ".join(dict.fromkeys(proof.reference for proof in proofs)), min(proof.points for proof in proofs))
