"""What does an emitter need to know?  A program, what goes in and out, and what to say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from taut.emit.constants import folded, has_values
from taut.emit.names import identifier
from taut.emit.quantities import RESULTS, UNKNOWN, Quantity
from taut.errors import InputError
from taut.graph.program import Program

if TYPE_CHECKING:
    from taut.derive.function import Function


@dataclass(frozen=True)
class Routine:
    """One function to be written down.

    Attributes:
        name: of the function, safe in every language.
        program: what it computes.
        arguments: {argument: names of its symbols, in order}.
        shape: of the answer.
        result: its letter and meaning.
        values: of parameter symbols.
        baked: whether these values are written into the code; else they are read at run time.
        remarks: sentences for the comment: equation, method, count, proof.
    """

    name: str
    program: Program
    arguments: Mapping[str, tuple[str, ...]]
    shape: tuple[int, ...]
    result: Quantity = UNKNOWN
    values: Mapping[str, float] = field(default_factory=dict)
    baked: bool = True
    remarks: Sequence[str] = ()

    @classmethod
    def of(cls, function: Function, summary: str = "", frame: str | None = None, baked: bool | None = None) -> Routine:
        """Return the routine of a derived function.

        Args:
            function: the derived function.
            summary: its equation in one sentence.
            frame: asked for by name, to be part of the function's.
            baked: constants in the code; by default where the derivation took the robot's numbers.
        """
        if baked is None:
            baked = function.parameters == "numeric"
        if baked and not has_values(function.program, function.values):
            missing = [name for name in function.parameter_names if name not in function.values]
            advice = "give them values, or read parameters at run time"
            raise InputError(f"parameters without values: {', '.join(missing[:8])}", function.name, advice)
        operations = function.operations
        remarks = [summary] if summary else []
        if function.frame:
            remarks.append(f"Frame: {function.frame}.")
        remarks.append(
            f"Operations: {operations.mul} multiplications ({operations.div} of them divisions), "
            f"{operations.add} additions, {operations.trig} sines and cosines."
        )
        remarks.append(f"Method: {function.method}; parameters {function.parameters}, effort {function.effort}.")
        if function.proof:
            remarks.append(
                f"Proof: equals {function.proof.reference} at {function.proof.points} random points of GF(2^61 - 1)."
            )
        name = f"{function.name}_{identifier(frame, 'frame')}" if frame else function.name
        letter = RESULTS.get(function.name, UNKNOWN)
        if letter.letter in function.arguments:  # qdd in, qdd out
            letter = letter._replace(letter=f"{letter.letter}_out")
        return cls(
            name, function.program, function.arguments, function.shape, letter, function.values, baked, tuple(remarks)
        )

    @property
    def size(self) -> int:
        """Number of outputs."""
        return len(self.program.outputs)

    @cached_property
    def constants(self) -> list[float]:
        """Values of the off-line lines; every parameter needs one."""
        return folded(self.program, self.values)

    @cached_property
    def places(self) -> dict[str, tuple[str, int]]:
        """{symbol: (argument, index)} of everything given with a state."""
        return {symbol: (name, k) for name, symbols in self.arguments.items() for k, symbol in enumerate(symbols)}

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Parameter symbols the program needs, in the order of its lines."""
        off_line = self.program.lines[: self.program.start]
        return tuple(line.data for line in off_line if line.op == "input")

    @cached_property
    def handed_over(self) -> list[int]:
        """Off-line lines that the state's part reads, numbers excepted: what is kept in memory at run time."""
        lines, start = self.program.lines, self.program.start
        read = {arg for line in lines[start:] for arg in line.args} | {i for _, i in self.program.outputs}
        return sorted(i for i in read if i < start and lines[i].op != "constant")
