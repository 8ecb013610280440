"""Two examples of use for the C of tasks: threads of a POSIX system, and one core without an operating system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from taut.emit.names import remark
from taut.tasks.handover import HandOver, letter
from taut.tasks.plan import Task


@dataclass(frozen=True)
class Examples:
    """Hand-written C filled with the names of a robot's tasks.

    Attributes:
        hand_over: the tasks.
        neutral: the zero position, about which the example moves.
        quaternions: where the quaternions of free joints begin; they stand still.
    """

    hand_over: HandOver
    neutral: Sequence[float]
    quaternions: Sequence[int]

    @property
    def real(self) -> str:
        """The type of all numbers."""
        return self.hand_over.module.number.real

    def files(self) -> dict[str, str]:
        """Return {file name: text}."""
        return {
            "posix_loop.c": self._filled("posix_loop.c", self._posix()),
            "bare_metal.c": self._filled("bare_metal.c", self._bare_metal()),
        }

    @cached_property
    def _state(self) -> dict[str, int]:
        """{argument: its length} of all tasks."""
        return {name: len(symbols) for task in self.hand_over.plan.tasks for name, symbols in task.arguments.items()}

    def _motion(self) -> list[str]:
        """Return C that moves the state along sines; quaternions stand still."""
        rows = []
        held = {k for start in self.quaternions for k in range(start, start + 4)}
        for name, size in self._state.items():
            if name == "q":
                values = ", ".join(self.hand_over.module.number.literal(float(x)).strip("()") for x in self.neutral)
                moving = ", ".join("0" if k in held else "1" for k in range(size))
                rows += [f"    static const {self.real} neutral[] = {{{values}}}, moves[] = {{{moving}}};"]
                formula = "neutral[j] + moves[j] * (@)sin(t + j) / 2"
            else:
                formula = {"qd": "(@)cos(t + j) / 2", "qdd": "-(@)sin(t + j) / 2"}.get(name, "0")
            formula = formula.replace("@", self.real)
            rows += [f"    for (int j = 0; j < {size}; ++j)", f"        {name}[j] = {formula};"]
        return rows

    @property
    def _last(self) -> Task:
        return self.hand_over.plan.tasks[-1]

    def _filled(self, name: str, values: Mapping[str, str]) -> str:
        text = runtime_text(name)
        common = {
            "R": self.hand_over.module.prefix,
            "robot": remark(self.hand_over.plan.together.robot),
            "real": self.real,
        }
        for key, value in {**common, **values}.items():
            text = text.replace(f"@{key}@", value)
        return text

    def _posix(self) -> dict[str, str]:
        real = self.real
        outputs = [f"{real} {letter(answer.name)}[{answer.size}];" for answer in self._last.answers]
        return {
            "state_parameters": "".join(f", {real} *{name}" for name in self._state),
            "state_arguments": "".join(f", {name}" for name in self._state),
            "state_body": "\n".join(self._motion()) + "\n",
            "declare_state": " ".join(f"{real} {name}[{size}];" for name, size in self._state.items()),
            "init_arguments": "".join(f", {name}" for name in self.hand_over.first_arguments),
            "background": "\n".join(f"        {row}" for row in self._background("NULL", "now")),
            "synchronous": self.hand_over.call(self._last, "&tasks", "used", "woke"),
            "synchronous_outputs": " ".join(outputs),
            "sources": str(max(len(self._last.reads), 1)),
            "checksum": f"(double){letter(self._last.answers[0].name)}[0]",
        }

    def _background(self, used: str, now: str) -> list[str]:
        rows = []
        for task in self.hand_over.plan.tasks[:-1]:
            for answer in task.answers:
                rows.append(f"{self.real} {letter(answer.name)}[{answer.size}];")
            rows.append(self.hand_over.call(task, "&tasks", used, now))
        return rows

    def _bare_metal(self) -> dict[str, str]:
        real = self.real
        outputs = {letter(answer.name): answer.size for answer in self._last.answers}
        state = {**self._state, **outputs}
        return {
            "static_state": "\n".join(f"static {real} {name}[{size}];" for name, size in state.items()),
            "sources": str(max(len(self._last.reads), 1)),
            "synchronous": self.hand_over.call(self._last, "&tasks", "used", "ticks"),
            "init_arguments": "".join(f", {name}" for name in self.hand_over.first_arguments),
            "background": "\n".join(f"        {row}" for row in self._background("NULL", "ticks")),
            "outputs": ", ".join(outputs),
        }


def runtime_text(name: str) -> str:
    """Return a file of the run-time part, which is not generated."""
    return (files("taut.tasks") / "c" / name).read_text("utf-8")
