"""What a language of generated code provides: the files for a request, and a way to run them here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from taut.emit.literals import Literal
from taut.emit.names import module_name
from taut.emit.routine import Routine
from taut.errors import TautError, refuse_unknown
from taut.toolchain.sizes import Size

States = Mapping[str, np.ndarray]
"""{argument: (n, width)}."""

Runner = Callable[[Routine, States, Sequence[float]], np.ndarray]
"""Takes a routine, states and the run-time parameters; answers with (n, size), or raises :class:`NotRun`."""


class NotRun(TautError):
    """Generated code cannot be run on this machine: what is missing, in one sentence."""


@dataclass(frozen=True)
class Request:
    """What to write.

    Attributes:
        robot: its name, as the file has it.
        routines: the functions, names distinct.
        joints: names of the joints, the order of every vector.
        name: that files and functions begin with; made from the robot's by default.
        precision: ``double`` or ``float``.
        trig: ``poly`` or ``libm``, of C.
        batch: whether C functions also come for arrays of states.
    """

    robot: str
    routines: Sequence[Routine]
    joints: Sequence[str] = ()
    name: str | None = None
    precision: str = "double"
    trig: str = "poly"
    batch: bool = False

    @cached_property
    def prefix(self) -> str:
        """What the names of files and functions begin with."""
        return module_name(self.name or self.robot)


@dataclass(frozen=True)
class ReadableFunction:
    """A function of a text that is read back.

    Attributes:
        name: in the text.
        routine: what it computes; its program has the order of the text.
        literals: {function of the text, its parts included: what its numbers stand for, in order}.
        init: the function of the text that computes its constants from run-time parameters; empty where it has none.
        member: where these constants are kept.
    """

    name: str
    routine: Routine
    literals: Mapping[str, Sequence[Literal | None]]
    init: str = ""
    member: str = ""


@dataclass(frozen=True)
class Readable:
    """A text that is read back.

    Attributes:
        prefix: that the names of files and functions begin with.
        file: name of the file.
        functions: all that compute a function of the robot, those of several states at once after the others.
        parameters: names of run-time parameters, in the order of their array.
        precision: of its numbers, ``double`` or ``float``.
    """

    prefix: str
    file: str
    functions: Sequence[ReadableFunction]
    parameters: Sequence[str]
    precision: str = "double"


@dataclass(frozen=True)
class InDouble:
    """Float code computed in double, with the numbers of the float code; nothing for code in double.

    Attributes:
        run: runs it.
        routines: {function: what its text computes}.
    """

    run: Runner | None = None
    routines: Mapping[str, Routine] = field(default_factory=dict)


@dataclass(frozen=True)
class Built:
    """Generated code, before it is written.

    Attributes:
        files: {file name: text}.
        run: runs the text; None for a language that nothing here runs.
        sizes: measures {routine: bytes of code and stack}.
        readable: what is needed to read the text back and prove it; None for a language that nothing reads back.
        in_double: float code computed in double.
    """

    files: Mapping[str, str]
    run: Runner | None = None
    sizes: Callable[[], Mapping[str, Size]] = field(default=dict)
    readable: Readable | None = None
    in_double: InDouble = InDouble()


@dataclass(frozen=True)
class Backend:
    """A language of generated code.

    Attributes:
        name: by which users ask for it.
        build: makes the files of a request.
        precisions: in which it comes.
        needs: functions that are always generated, since its files call them.
    """

    name: str
    build: Callable[[Request], Built]
    precisions: Sequence[str] = ("double",)
    needs: Sequence[str] = ()

    def check(self, precision: str) -> None:
        """Refuse a precision that the language does not have."""
        refuse_unknown(f"precision in {self.name}", precision, self.precisions, "generate")
