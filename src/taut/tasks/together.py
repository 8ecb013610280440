"""Several functions as one program that can be cut by stage: torques as M qdd plus one vector, others as they are.

A recursion for the torque mixes accelerations with everything else. For tasks it is taken apart [Izaguirre 1992]:

.. math:: \\tau = M(q)\\,\\ddot q + h, \\qquad h = C(q, \\dot q)\\,\\dot q + g(q) + f(q, \\dot q)

with the drives' friction, offsets and springs f where the torque of the drives is asked for. Rotor inertia is in M.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from taut.derive.function import Function
from taut.derive.naming.model import derived_robot
from taut.derive.naming.run_time import LOAD
from taut.emit.names import frame_name
from taut.errors import InputError
from taut.graph.assembly import Assembly
from taut.graph.lower import lower
from taut.graph.program import Program, Signed
from taut.graph.stage import Stage
from taut.questions.arguments import PARAMETERS_OF_A_LOAD
from taut.questions.drives import drive_terms
from taut.questions.quantity import Quantity
from taut.robot import Tree
from taut.robot.edit import with_gravity

TORQUES = ("inverse_dynamics", "joint_torque")
"""Functions that are taken apart."""

Derive = Callable[[Tree, str, str | None], Function]
"""(robot, function, frame) -> the derived function."""


class Wanted(NamedTuple):
    """An answer of the program.

    Attributes:
        label: the function, with a colon and its frame where it has one.
        name: the same, safe in every language.
        result: what it is.
        shape: of it.
        size: number of outputs.
    """

    label: str
    name: str
    result: Quantity
    shape: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Together:
    """Functions as one program.

    Attributes:
        robot: its name.
        program: outputs of all functions, one after the other.
        answers: what the outputs are.
        arguments: {argument: its symbols}; what is read at run time, such as a load, is one of them.
        values: of the parameters that are written into the code.
        labels: {line: what its value is called}, of elements of M and of the vectors.
        pieces: {what was derived: its function}.
        spheres: symbols of the unit quaternions.
    """

    robot: str
    program: Program
    answers: tuple[Wanted, ...]
    arguments: Mapping[str, tuple[str, ...]]
    values: Mapping[str, float]
    labels: Mapping[int, str] = field(default_factory=dict)
    pieces: Mapping[str, Function] = field(default_factory=dict)
    spheres: Sequence[Sequence[str]] = ()


def together(robot: Tree, chosen: Sequence[tuple[str, str | None]], derive: Derive, apart: bool = True) -> Together:
    """Return functions of a robot as one program.

    Args:
        robot: whose functions.
        chosen: functions and frames.
        derive: called for what is needed.
        apart: whether gravity is a vector of its own, which a task of the configuration can compute; else it comes with
            the velocity torques, which is cheaper.
    """
    if not chosen:
        raise InputError("no function is named", "tasks", "name one, such as inverse_dynamics")
    joined = _Joined()
    answers: list[Wanted] = []
    outputs: list[Signed] = []
    for name, frame in chosen:
        if name in TORQUES:
            found, shape, quantity = _torque(robot, name, derive, joined, apart)
        else:
            function = derive(robot, name, frame)
            found, shape, quantity = joined.add(name, function), function.shape, function.result
        label, safe = (f"{name}:{frame}", f"{name}_{frame_name(frame)}") if frame else (name, name)
        answers.append(Wanted(label, safe, quantity, shape, len(found)))
        outputs += found
    program, labels = joined.program(outputs)
    return Together(
        robot.name,
        program,
        tuple(answers),
        joined.arguments,
        joined.values,
        labels,
        joined.pieces,
        [[f"q{k + 1}" for k in range(start, start + 4)] for start in robot.quaternions],
    )


def _torque(
    robot: Tree, name: str, derive: Derive, joined: _Joined, apart: bool
) -> tuple[list[Signed], tuple[int, ...], Quantity]:
    """Return M qdd + h."""
    n = robot.nv
    rest = "mass_matrix+gravity" if apart else "mass_matrix+bias"
    both = joined.add(rest, at_rest := derive(robot, rest, None))
    M, h = both[: n * n], both[n * n :]
    if apart:
        g = h
        v = joined.add("velocity torques", derive(with_gravity(robot, (0, 0, 0)), "bias", None))
        h = [joined.assembly.sum([a, b]) for a, b in zip(v, g, strict=True)]
        joined.label("g", g)
    if name == "joint_torque":
        h = [joined.assembly.sum([a, b]) for a, b in zip(h, joined.drives(robot, at_rest), strict=True)]
    for i in range(n):
        for j in range(i, n):
            joined.label(f"M{i + 1}{j + 1}" if n < 10 else f"M{i + 1}_{j + 1}", [M[n * i + j]], numbered=False)
    joined.label("h", h)
    qdd = joined.argument("qdd", [f"qdd{k + 1}" for k in range(n)], Stage.ACCELERATION)
    joined.argument("qd", [f"qd{k + 1}" for k in range(n)], Stage.VELOCITY)
    tau = [joined.assembly.sum([*(joined.product(M[n * i + j], qdd[j]) for j in range(n)), h[i]]) for i in range(n)]
    return (
        tau,
        (n,),
        Quantity("tau", "joint torques" if name != "joint_torque" else "torques of the drives", "N m or N"),
    )


class _Joined:
    """Programs in one assembly, where equal lines become one."""

    def __init__(self) -> None:
        self.assembly = Assembly()
        self.arguments: dict[str, tuple[str, ...]] = {}
        self.values: dict[str, float] = {}
        self.pieces: dict[str, Function] = {}
        self._labels: dict[int, str] = {}

    def add(self, name: str, function: Function) -> list[Signed]:
        """Add a function; what is read at run time waits for the configuration from now on."""
        self.pieces[name] = function
        for argument, symbols in function.arguments.items():
            self.arguments.setdefault(argument, symbols)
        run_time = function.run_time_names
        if run_time and all(symbol.startswith(LOAD) for symbol in run_time):
            self.arguments["load"] = tuple(LOAD + name for name in PARAMETERS_OF_A_LOAD)
        elif run_time:
            self.arguments["parameters"] = tuple(dict.fromkeys([*self.arguments.get("parameters", ()), *run_time]))
        for symbol, value in function.values.items():
            if symbol not in run_time and self.values.setdefault(symbol, value) != value:
                raise InputError(f"parameter '{symbol}' has two values", "tasks", "derive all from one robot")
        return self._copied(function.program, run_time)

    def drives(self, robot: Tree, like: Function) -> list[Signed]:
        """Add friction, offsets and springs of the drives, with the names of a function that was added."""
        model = derived_robot(robot, like.parameters)
        states = {name: model.symbols(name) for name in ("q", "qd")}
        found = drive_terms(model.tree, None, states["q"], states["qd"], [0] * robot.nv)
        self.values |= {name: value for name, value in model.naming.values.items() if name not in self.values}
        return self._copied(lower([model.graph.lift(x) for x in found]), ())

    def _copied(self, program: Program, run_time: Sequence[str]) -> list[Signed]:
        known_later = {name: Signed(1, self.assembly.line("input", (), Stage.CONFIGURATION, name)) for name in run_time}
        return self.assembly.copied(program, known_later)

    def argument(self, name: str, symbols: Sequence[str], stage: Stage) -> list[Signed]:
        """Return the symbols of an argument, known from a stage on."""
        self.arguments.setdefault(name, tuple(symbols))
        return [Signed(1, self.assembly.line("input", (), stage, symbol)) for symbol in symbols]

    def product(self, a: Signed, b: Signed) -> Signed:
        """Return a product; zero where a factor is known to be."""
        zero = self.assembly.is_zero
        return a if zero(a) else b if zero(b) else self.assembly.multiply(a, b)

    def label(self, name: str, values: Sequence[Signed], numbered: bool = True) -> None:
        """Call values by a name, and a number if they are several."""
        for k, (_, line) in enumerate(values):
            self._labels.setdefault(line, f"{name}{k + 1}" if numbered else name)

    def program(self, outputs: Sequence[Signed]) -> tuple[Program, dict[int, str]]:
        """Return the program of the outputs, and what its lines are called."""
        called = [line for line in self._labels if self.assembly.lines[line].stage > Stage.PARAMETER]
        whole = self.assembly.program([*outputs, *(Signed(1, line) for line in called)])
        places = whole.outputs[len(outputs) :]
        labels = {place: self._labels[line] for (_, place), line in zip(places, called, strict=True)}
        return Program(whole.lines, whole.outputs[: len(outputs)]), labels
