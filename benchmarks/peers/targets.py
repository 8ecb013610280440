"""Targets of the benchmark: ratios of the peers' times to taut's, each with what is asked and what was reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

ARMS = ("UR5", "Panda")
LEGGED = ("ANYmal", "Talos")
GENERATED = ("Pinocchio, CasADi", "Pinocchio, CppADCodeGen", "hand-written, CasADi")
"""Peers that generate C."""

ONE, BATCH, PYTHON, PYTHON_BATCH = "one state", "batch", "from Python", "batch of 100,000 from Python"
LARGE = "C loop of 100,000"


@dataclass(frozen=True)
class Row:
    """One measurement.

    Attributes:
        robot: its short name.
        question: what was computed.
        way: ONE, BATCH, ...
        who: who wrote the code.
        sines: ``own``, or ``taut`` where a peer was given taut's.
        compiler: gcc, clang, or nothing.
        nanoseconds: of process CPU time a state.
        instructions: a state, by callgrind.
        seconds: the compiler took.
    """

    robot: str
    question: str
    way: str
    who: str
    sines: str
    compiler: str
    nanoseconds: float
    instructions: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Target:
    """A line that has to be shown.

    Attributes:
        what: in words.
        robot: its name.
        wanted: the least ratio, or the most where ``most`` is set.
        reached: the ratio; None where somebody is missing.
        equal_sines: the same with taut's sines given to the peers, where that differs.
        against: who was the best of the others.
        most: whether less is better.
        by_compiler: {compiler: the ratio where both sides use it}.
    """

    what: str
    robot: str
    wanted: float
    reached: float | None
    equal_sines: float | None = None
    against: str = ""
    most: bool = False
    by_compiler: dict[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether it was reached; None where it could not be measured."""
        if self.reached is None:
            return None
        return self.reached <= self.wanted if self.most else self.reached >= self.wanted


WANTED = {
    ("Panda", "inverse_dynamics"): 2.2,
    ("UR5", "regressor"): 1.7,
    ("Panda", "regressor"): 1.7,
    ("Panda", "inverse_dynamics_derivatives"): 2.8,
    ("Panda", "forward_dynamics_derivatives"): 2.8,
    ("ANYmal", "forward_dynamics"): 2.5,
    ("Talos", "mass_matrix"): 2.5,
    ("Talos", "forward_dynamics"): 1.5,
}
"""{(robot, question): how many times the time of taut the best generated peer is to take} where it is not the usual."""

PINOCCHIO = {"UR5": 10.0, "Panda": 9.0}
"""{robot: how many times the time of taut Pinocchio is to take for inverse dynamics}."""

SECONDS = {"ANYmal": 60.0, "Talos": 40.0}
"""{robot: most seconds to derive and compile it}."""


def targets(rows: Iterable[Row], seconds: dict[str, float]) -> list[Target]:
    """Return every line, judged: each side's best compiler counts.

    Args:
        rows: everything measured.
        seconds: {robot: derivation and compilation of all its functions}.
    """
    rows = list(rows)

    def best(chosen: Callable[[Row], bool]) -> Row | None:
        return min((row for row in rows if chosen(row)), key=lambda row: row.nanoseconds, default=None)

    def fastest(robot: str, way: str) -> Row | None:
        return best(lambda row: (row.robot, row.who, row.way) == (robot, "taut", way))

    def compared(
        what: str, robot: str, question: str, way: str, wanted: float, who: tuple[str, ...], most: bool = False
    ) -> Target:
        def of(names: tuple[str, ...], sines: tuple[str, ...], compiler: str = "") -> Row | None:
            return best(
                lambda r: (
                    (r.robot, r.question, r.way) == (robot, question, way)
                    and r.who in names
                    and r.sines in sines
                    and (not compiler or r.compiler == compiler)
                )
            )

        def over(theirs: Row | None, ours: Row | None) -> float | None:
            return theirs.nanoseconds / ours.nanoseconds if theirs and ours else None

        own = ("own", "taut") if way == BATCH else ("own",)
        ours, theirs = of(("taut",), ("own",)), of(who, own)
        equal = over(of(who, ("taut",)), ours) if way == ONE else None
        both = {c: over(of(who, own, c), of(("taut",), ("own",), c)) for c in ("gcc", "clang")}
        split = {c: ratio for c, ratio in both.items() if ratio is not None}
        return Target(what, robot, wanted, over(theirs, ours), equal, theirs.who if theirs else "", most, split)

    found = []
    for robot in ARMS:
        wanted = WANTED.get((robot, "inverse_dynamics"), 2.0)
        found.append(
            compared("inverse dynamics, best generated peer", robot, "inverse_dynamics", ONE, wanted, GENERATED)
        )
        times = PINOCCHIO[robot]
        found.append(compared("inverse dynamics, Pinocchio C++", robot, "inverse_dynamics", ONE, times, ("Pinocchio",)))
        for question in (
            *("mass_matrix", "gravity", "forward_dynamics", "regressor"),
            *("inverse_dynamics_derivatives", "forward_dynamics_derivatives"),
        ):
            what = f"{question.replace('_', ' ')}, best generated peer"
            found.append(compared(what, robot, question, ONE, WANTED.get((robot, question), 1.5), GENERATED))
        batch = "batched inverse dynamics"
        wide = "CasADi's C of Pinocchio as wide"
        found.append(compared(f"{batch}, {wide}", robot, "inverse_dynamics", BATCH, 1.4, ("Pinocchio, CasADi",)))
        found.append(compared(f"{batch}, Pinocchio in a loop", robot, "inverse_dynamics", BATCH, 15.0, ("Pinocchio",)))
        jax = ("hand-written, JAX", "adam, JAX")
        found.append(compared(f"{batch}, best in JAX", robot, "inverse_dynamics", BATCH, 50.0, jax))
        found.append(compared("one call, pin.rnea", robot, "inverse_dynamics", PYTHON, 1.0, ("pin.rnea",)))
        loop, call = fastest(robot, LARGE), fastest(robot, PYTHON_BATCH)
        ratio = call.nanoseconds / loop.nanoseconds if call and loop else None
        found.append(Target("batch of 100,000 from Python, of the C loop", robot, 1.3, ratio, most=True))
    for robot in LEGGED:
        for question in ("inverse_dynamics", "mass_matrix", "forward_dynamics"):
            what = f"{question.replace('_', ' ')}, best generated peer"
            found.append(compared(what, robot, question, ONE, WANTED.get((robot, question), 1.0), GENERATED))
        most = SECONDS[robot]
        found.append(Target("seconds to derive and compile at quick", robot, most, seconds.get(robot), most=True))
    return found
