"""From derived functions to a directory of code: build the files once, run and measure them, write them whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from taut.certificate.certify import certified, commented
from taut.derive.function import Function as Function
from taut.derive.references import samples
from taut.directory import write_directory
from taut.emit.backend import Built, NotRun, Request
from taut.emit.backends import BACKENDS as BACKENDS
from taut.emit.names import distinct
from taut.emit.rounding import PRECISIONS
from taut.emit.statements import parameter_names
from taut.emit.trial import Trial
from taut.errors import InputError, TautError, refuse_unknown
from taut.questions.table import QUESTIONS, asked, question
from taut.robot import Tree

DEFAULT = "inverse_dynamics,mass_matrix,gravity,bias,forward_dynamics,forward_kinematics,jacobian"
"""Functions that are generated when none are named."""

CLOSING = "close"
"""Generated with them where the caller has to close loops."""


def default_functions(tree: Tree) -> str:
    """Return the functions that are generated for a robot when none are named."""
    return f"{DEFAULT},{CLOSING}" if tree.must_close else DEFAULT


@dataclass(frozen=True)
class Wanted:
    """How to generate.

    Attributes:
        language: one of BACKENDS.
        precision: ``double`` or ``float``, of C.
        trig: ``poly`` or ``libm``, of C.
        batch: whether C functions also come for arrays of states.
        name: that files and functions begin with; made from the robot's by default.
    """

    language: str = "c"
    precision: str = "double"
    trig: str = "poly"
    batch: bool = False
    name: str | None = None

    def __post_init__(self) -> None:
        refuse_unknown("language", self.language, BACKENDS, "generate")
        BACKENDS[self.language].check(self.precision)


@dataclass(frozen=True)
class Row:
    """What is known about one generated function.

    Attributes:
        name: of the function.
        operations: counted.
        trig: sines and cosines.
        code: bytes of machine code with portable flags; None where not measured.
        stack: bytes; None where not measured.
        error: largest difference from the reference evaluator, relative to the largest number of a state's answer; None
            where it was not run.
        share: largest error of an output as a part of what rounding explains; above 1 the code is wrong.
        fewest: operations of the shortest program found; the one that is written has at most 2 % more and is faster.
        cycles: of a simulated processor for one state; None where the fewest operations were asked for.
        fewest_cycles: of the shortest program; None likewise.
    """

    name: str
    operations: int
    trig: int
    code: int | None = None
    stack: int | None = None
    error: float | None = None
    share: float | None = None
    fewest: int | None = None
    cycles: float | None = None
    fewest_cycles: float | None = None


@dataclass(frozen=True)
class Generated:
    """A written directory of code.

    Attributes:
        directory: where it is.
        files: names of the files.
        functions: one row for each generated function.
        missing: {function: why it cannot be derived}; the others were generated.
        not_run: why the code was not run and compared; None where it was, or where nothing could run its language.
    """

    directory: str
    files: tuple[str, ...]
    functions: tuple[Row, ...]
    missing: Mapping[str, str]
    not_run: str | None = None

    @property
    def partial(self) -> bool:
        """Whether functions that were asked for are missing."""
        return bool(self.missing)


Derive = Callable[[str, str | None], Function]
"""Derives a function by its name and frame."""


def generate(
    robot: Tree,
    directory: str,
    chosen: Sequence[tuple[str, str | None]],
    wanted: Wanted,
    derive: Derive,
    *,
    exact: bool = True,
    origin: str = "",
) -> Generated:
    """Write functions of a robot as code; each is there whole, or missing and reported.

    Args:
        robot: whose functions they are.
        directory: new, empty, or with code that taut wrote for the same robot.
        chosen: functions and their frames, as :func:`functions_named` returns them.
        wanted: language and form.
        derive: called for each of them.
        exact: whether they are equal to the textbook algorithms: their text is then proved, with a certificate.
        origin: hash of the robot file, for the certificate.
    """
    if not directory:
        raise InputError("no directory is named", "generate", "name the directory to write")
    for name, frame in chosen:
        for named in (frame, *(part.frame for part in question(name).parts)):
            if named is not None:
                robot.frame(named)  # a mistyped frame is refused before anything is derived
    needed = [(name, None) for name in BACKENDS[wanted.language].needs if (name, None) not in chosen]
    functions, missing = _derived([*chosen, *needed], derive)
    dtype = PRECISIONS[wanted.precision]
    routines = [
        replace(function.routine(frame), samples=samples(robot, function, dtype))
        for (_, frame), function in functions.items()
    ]
    names = distinct(routine.name for routine in routines)
    request = Request(
        robot.name,
        [replace(routine, name=name) for routine, name in zip(routines, names, strict=True)],
        list(robot.joint_names),
        wanted.name,
        wanted.precision,
        wanted.trig,
        wanted.batch,
    )
    built = BACKENDS[wanted.language].build(request)
    rows, not_run = examine(list(functions.values()), request, built)
    refuse_wrong(rows)
    files = dict(built.files)
    if built.readable is not None and exact:
        read, header = built.readable, f"{built.readable.prefix}.h"
        files |= certified(robot, list(functions.values()), read, files[read.file], origin, files.get(header, ""))
        if header in files:
            files[header] = commented(files[header], files[f"{read.prefix}.proof.json"])
    write_directory(directory, files, robot.name, wanted.language)
    return Generated(directory, tuple(files), tuple(rows), missing, not_run)


def _derived(
    chosen: Sequence[tuple[str, str | None]], derive: Derive
) -> tuple[dict[tuple[str, str | None], Function], dict[str, str]]:
    """Return what can be derived, and why the rest cannot; raise where nothing can."""
    functions: dict[tuple[str, str | None], Function] = {}
    missing: dict[str, str] = {}
    first: TautError | None = None
    for name, frame in chosen:
        try:
            functions[name, frame] = derive(name, frame)
        except TautError as error:
            missing[f"{name}:{frame}" if frame else name] = str(error)
            first = first or error
    if first is not None and not functions:
        raise first
    return functions, missing


def functions_named(text: str) -> list[tuple[str, str | None]]:
    """Return the functions and frames of a list such as ``mass_matrix,jacobian:tool``; ``all`` is every function."""
    if text == "all":
        return [(name, None) for name in QUESTIONS]
    found: list[tuple[str, str | None]] = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        spelled = asked(word, "--functions")
        if (one := (spelled.question.name, spelled.frame)) in found:
            raise InputError(f"{word} is there twice", "--functions", "name each once")
        found.append(one)
    if not found:
        raise InputError("no function is named", "--functions", f"choose from {', '.join(QUESTIONS)}")
    return found


def examine(functions: Sequence[Function], request: Request, built: Built) -> tuple[list[Row], str | None]:
    """Return one row for each function, with its count, size and error, and why the code was not run, if so."""
    names = parameter_names(request.routines)
    sizes, wide = built.sizes(), built.in_double
    rows, not_run = [], None
    for function, routine in zip(functions, request.routines, strict=True):
        ops, size = function.operations, sizes.get(routine.name)
        row = Row(routine.name, ops.total, ops.trig, size and size.code, size and size.stack)
        if function.simulated is not None:
            row = replace(row, **asdict(function.simulated))
        if built.run is not None and not_run is None:
            try:
                trial = Trial(routine, names, request.precision, wide.routines.get(routine.name))
                error, share = trial.errors(built.run, wide.run)
                row = replace(row, error=error, share=share)
                trial.refuse_untrue(built.run, wide.run)
            except NotRun as error:
                not_run = str(error)
        rows.append(row)
    return rows, not_run


def refuse_wrong(rows: Sequence[Row]) -> None:
    """Raise when emitted code does not compute what it should; nothing is written then."""
    for row in rows:
        if row.share is not None and not row.share <= 1:
            raise TautError(
                f"{row.name}: the emitted code is off by {row.share:.1f} times what rounding explains; report this"
            )
