"""The contestants: for one robot, one question and one compiler, every contestant as a function in a library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from peers import build, hand_casadi, mujoco_model, straight_line
from peers.build import CannotBuildError
from peers.robots import Contested
from taut.derive import Function
from taut.report.bench import SIGNATURE, casadi_entry, entry_text

QUESTIONS = (
    "inverse_dynamics",
    "mass_matrix",
    "gravity",
    "forward_dynamics",
    "regressor",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
WIDE = ("inverse_dynamics",)
"""Questions also compared in batches."""


@dataclass(frozen=True)
class Contestant:
    """A function to be timed.

    Attributes:
        name: of who wrote it.
        sines: ``own``, or ``taut`` where a peer was given taut's.
        library: the machine code.
        symbol: of the function.
        batch: whether it takes many states.
        start: what its ``start`` is given first, "" for none.
        taut_order: whether its vectors are in taut's order, else in Pinocchio's.
        seconds: compiling took.
    """

    name: str
    library: Path
    symbol: str
    sines: str = "own"
    batch: bool = False
    start: str = ""
    taut_order: bool = False
    seconds: float = 0.0


CPPADCG_HEAD = "#include <math.h>\ntypedef struct Array Array;\nstruct LangCAtomicFun;\n"
CPPADCG_ENTRY = """
void {name}_entry({signature})
{{
    double all[{nq} + 2 * {nv}];
    __builtin_memcpy(all, q, {nq} * sizeof(double));
    __builtin_memcpy(all + {nq}, v, {nv} * sizeof(double));
    __builtin_memcpy(all + {nq} + {nv}, x, {nv} * sizeof(double));
    const double *const given[1] = {{all}};
    double *const found[1] = {{out}};
    {name}(given, found, (struct LangCAtomicFun){{0}});
}}
"""


class Field:
    """All contestants of one robot; those that cannot be built are kept with the reason.

    Args:
        contested: the robot.
        derived: returns taut's function of a question.
    """

    def __init__(self, contested: Contested, derived: Callable[[str], Function]) -> None:
        self.contested, self.derived = contested, derived
        self.widths = (contested.model.nq, contested.model.nv, contested.model.nv)
        self.missing: dict[str, str] = {}
        build.KEPT.mkdir(parents=True, exist_ok=True)
        self.file = build.KEPT / f"{contested.name}.robot"
        self.file.write_text(contested.text)

    def of(self, question: str, compiler: str) -> list[Contestant]:
        """Return who answers a question."""
        found = []
        for name, make in self._makers(question, compiler).items():
            try:
                found += make()
            except (CannotBuildError, ImportError) as error:
                self.missing[name] = str(error)
        return found

    def _makers(self, question: str, compiler: str) -> dict[str, Callable[[], list[Contestant]]]:
        def plain() -> list[Contestant]:
            return [
                Contestant(
                    "Pinocchio", build.cpp_library("pinocchio_plain.cpp", compiler), question, start=str(self.file)
                )
            ]

        def by_casadi() -> list[Contestant]:
            text = build.generated(build.cpp_program("pinocchio_casadi.cpp"), self.file, question)
            return list(self._casadi("Pinocchio, CasADi", text, question, compiler))

        def by_hand() -> list[Contestant]:
            text = hand_casadi.source(self.contested.joints, question)
            return list(self._casadi("hand-written, CasADi", text, question, compiler))

        def by_cppadcg() -> list[Contestant]:
            text = build.generated(build.cpp_program("pinocchio_cppadcg.cpp"), self.file, question)
            return list(self._cppadcg(text, question, compiler))

        def by_mujoco() -> list[Contestant]:
            file = self.file.with_suffix(".xml")
            file.write_text(mujoco_model.mjcf(self.contested.joints))
            return [Contestant("MuJoCo", build.mujoco_library(compiler), question, start=str(file))]

        makers: dict[str, Callable[[], list[Contestant]]] = {
            "taut": lambda: list(self._taut(question, compiler)),
            "Pinocchio": plain,
            "Pinocchio, CasADi": by_casadi,
            "Pinocchio, CppADCodeGen": by_cppadcg,
        }
        if question in hand_casadi.QUESTIONS and not (self.contested.free and "derivatives" in question):
            makers["hand-written, CasADi"] = by_hand
        if question in mujoco_model.QUESTIONS and not self.contested.free:
            makers["MuJoCo"] = by_mujoco
        return makers

    def _taut(self, question: str, compiler: str) -> Iterator[Contestant]:
        batch = question in WIDE
        text = entry_text(self.derived(question), f"entry_{question}", batch)
        library, seconds = build.c_library(text, compiler, f"taut-{question}")
        yield Contestant("taut", library, f"entry_{question}", taut_order=True, seconds=seconds)
        if batch:
            yield Contestant("taut", library, f"entry_{question}_batch", batch=True, taut_order=True)

    def _casadi(self, name: str, text: str, question: str, compiler: str) -> Iterator[Contestant]:
        whole = text + casadi_entry(question, f"{question}_entry")
        library, seconds = build.c_library(whole, compiler, f"casadi-{question}")
        yield Contestant(name, library, f"{question}_entry", seconds=seconds)
        yield from self._straight(name, straight_line.from_casadi(text, self.widths), question, compiler)

    def _cppadcg(self, text: str, question: str, compiler: str) -> Iterator[Contestant]:
        nq, nv, _ = self.widths
        whole = CPPADCG_HEAD + text + CPPADCG_ENTRY.format(name=question, nq=nq, nv=nv, signature=SIGNATURE)
        library, seconds = build.c_library(whole, compiler, f"cppadcg-{question}")
        name = "Pinocchio, CppADCodeGen"
        yield Contestant(name, library, f"{question}_entry", seconds=seconds)
        yield from self._straight(name, straight_line.from_cppadcg(text, self.widths), question, compiler)

    def _straight(self, name: str, lines: straight_line.Straight, question: str, compiler: str) -> Iterator[Contestant]:
        library, seconds = build.c_library(straight_line.plain(lines, question), compiler, f"straight-{question}")
        yield Contestant(name, library, question, "taut", seconds=seconds)
        if question in WIDE:
            library, _ = build.c_library(straight_line.wide(lines, question), compiler, f"wide-{question}")
            yield Contestant(name, library, f"{question}_batch", "taut", batch=True)
