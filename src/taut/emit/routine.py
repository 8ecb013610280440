"""What an emitter gets: a program, its inputs and outputs, and the remarks for its comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from taut.analysis.angles import angles
from taut.emit.constants import folded, has_values, settled
from taut.emit.derived import Derived
from taut.emit.names import function_name
from taut.emit.samples import Samples
from taut.errors import InputError
from taut.graph.program import Program
from taut.graph.split import Split, split
from taut.graph.stage import Stage
from taut.questions.quantity import UNKNOWN, Quantity


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
        meanings: {parameter read at run time: quantity, unit, body and reference point in words}.
        samples: what a self-test compares it with; None where there is nothing but the program itself.
    """

    name: str
    program: Program
    arguments: Mapping[str, tuple[str, ...]]
    shape: tuple[int, ...]
    result: Quantity = UNKNOWN
    values: Mapping[str, float] = field(default_factory=dict)
    baked: bool = True
    remarks: Sequence[str] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    samples: Samples | None = field(default=None, compare=False)

    @classmethod
    def of(cls, function: Derived, summary: str = "", frame: str | None = None, baked: bool | None = None) -> Routine:
        """Return the routine of a derived function.

        Args:
            function: the derived function.
            summary: its equation in one sentence.
            frame: asked for by name, to be part of the function's.
            baked: all constants in the code, or all read at run time; by default as the derivation has them.
        """
        program = function.program
        if baked is None:
            baked = not function.run_time
            if not baked:
                program = settled(program, function.values, function.run_time_names)
        if baked and not has_values(function.program, function.values):
            missing = [name for name in function.parameter_names if name not in function.values]
            advice = "give them values, or read parameters at run time"
            raise InputError(f"parameters without values: {', '.join(missing[:8])}", function.name, advice)
        operations, taken = function.operations, angles(function.program)
        remarks = [summary] if summary else []
        if function.frame:
            remarks.append(f"Frame: {function.frame}.")
        remarks.append(
            f"Operations: {operations.mul} multiplications ({operations.div} of them divisions), "
            f"{operations.add} additions, {operations.trig} sines and cosines."
        )
        if function.simulated:
            remarks.append(
                f"Fastest by simulation within 2 percent of the fewest operations: {function.simulated.text}."
            )
        if taken.sums:
            remarks.append(
                f"Angles: {taken.all}, {taken.beyond} beyond one per joint; sines of sums are free by the counting "
                "rule (four products and two sums in the code)."
            )
        remarks.append(f"Method: {function.method}; parameters {function.parameters}, effort {function.effort}.")
        if function.run_time:
            remarks.append(
                "Right for every value of the parameters."
                if function.is_safe
                else "Generic: some values of the parameters, such as zeros, make it divide by zero."
            )
        if function.proof:
            remarks.append(
                f"Proof: equals {function.proof.reference} at {function.proof.points} random points of GF(2^61 - 1)."
            )
        if function.difference:
            remarks.append(f"File: {function.difference.text}.")
        remarks += function.remarks
        letter = function.result
        if letter.letter in (*function.arguments, "p"):  # qdd in, qdd out; p are the parameters
            letter = letter._replace(letter=f"{letter.letter}_out")
        return cls(
            function_name(function.name, frame),
            program,
            function.arguments,
            function.shape,
            letter,
            function.values,
            baked,
            tuple(remarks),
            function.meanings,
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
    def offline(self) -> Split:
        """The program cut after its parameters."""
        return split(self.program, Stage.PARAMETER)

    @property
    def handed_over(self) -> list[int]:
        """Off-line lines that the state's part reads, numbers excepted: what is kept in memory at run time."""
        return [carried.line for carried in self.offline.carried]


def described(routines: Sequence[Routine], parameter: str) -> str:
    """Return the name of a run-time parameter and what it measures, as far as it is known."""
    for routine in routines:
        if parameter in routine.meanings:
            return f"{parameter}: {routine.meanings[parameter]}"
    return parameter
