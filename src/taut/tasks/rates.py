"""How often tasks can run on a processor: attainable rates, utilisation, response time and age of the values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from taut.errors import InputError
from taut.tasks.plan import Plan

SINE = 13
"""Operations that a sine or cosine stands for. With 13 the 1165 operations and nine sines of the PUMA 560 run at the 78
Hz that Armstrong, Khatib and Burdick (1986) state for 100 000 operations a second in Table 2."""


@dataclass(frozen=True)
class Schedule:
    """How often each task runs while the slowest runs once, slowest first, the synchronous task last."""

    times: tuple[int, ...]

    def __str__(self) -> str:
        return ":".join(str(n) for n in reversed(self.times))


def schedule(text: str, tasks: int) -> Schedule:
    """Return a schedule such as ``4:1``, four runs of the synchronous task for one of every background task.

    Args:
        text: synchronous first; two numbers, or one for each task down to the slowest.
        tasks: how many there are.

    >>> str(schedule("4:1", 3)), schedule("8:2:1", 3).times
    ('4:1:1', (1, 2, 8))
    """
    if not re.fullmatch(r"\d{1,6}(:\d{1,6})+", text):
        raise InputError(f"schedule '{text}'", "--schedule", "give runs of the synchronous task to others, e.g. 4:1")
    numbers = [int(x) for x in text.split(":")]
    if len(numbers) == 2 and tasks != 2:
        numbers = [numbers[0], *[numbers[1]] * (tasks - 1)]
    if len(numbers) != tasks:
        raise InputError(f"schedule '{text}' for {tasks} tasks", "--schedule", f"give 2 or {tasks} numbers")
    if any(n < 1 for n in numbers) or sorted(numbers, reverse=True) != numbers:
        raise InputError(f"schedule '{text}'", "--schedule", "give whole numbers from 1 that do not rise")
    if numbers[-1] != 1 or any(fast % slow for fast, slow in pairwise(numbers)):
        raise InputError(f"schedule '{text}'", "--schedule", "end with 1; each number a multiple of the next")
    return Schedule(tuple(reversed(numbers)))


def speed(text: str, place: str = "--flops") -> float:
    """Return a number such as ``100k``, ``21e3`` or ``2.5M``.

    >>> speed("100k"), speed("2.5M")
    (100000.0, 2500000.0)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)\s*([kMG]?)\s*", text)
    value = float(match[1]) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}[match[2]] if match else 0.0
    if not 0 < value < 1e18:
        raise InputError(f"'{text}' is no speed", place, "give a number above 0 such as 100k, 21e3 or 2.5M")
    return value


@dataclass(frozen=True)
class Rates:
    """What a processor attains.

    Attributes:
        tasks: names, slowest first.
        seconds: one run of each.
        schedule: how often each runs.
        period: of the slowest task [s].
        utilisation: share of the processor that the tasks need.
    """

    tasks: tuple[str, ...]
    seconds: tuple[float, ...]
    schedule: Schedule
    period: float
    utilisation: float

    @property
    def rates(self) -> tuple[float, ...]:
        """Runs of each task in a second."""
        return tuple(n / self.period for n in self.schedule.times)

    @property
    def ages(self) -> tuple[float, ...]:
        """Greatest age of what each task hands over when it is used last [s].

        A value is as old as its state was read: for one response, the run drawn out by the tasks that are more urgent,
        and then until the next is there, one period more.
        """
        found = []
        for k, seconds in enumerate(self.seconds[:-1]):
            urgent = (
                sum(n * s for n, s in list(zip(self.schedule.times, self.seconds, strict=True))[k + 1 :]) / self.period
            )
            period = self.period / self.schedule.times[k]
            found.append(period + min(seconds / max(1.0 - urgent, 1e-9), period))
        return tuple(found)

    @property
    def age(self) -> float:
        """The greatest of them [s]; 0 where there is no background."""
        return max(self.ages, default=0.0)


def cost(plan: Plan, sine: float = SINE) -> dict[str, float]:
    """Return the operations of one run of each task, a sine or cosine for ``sine`` of them."""
    return {task.name: task.operations.total + sine * task.operations.trig for task in plan.tasks}


def attained(seconds: Mapping[str, float], wanted: Schedule, rate: float | None = None) -> Rates:
    """Return the rates that a schedule attains, or the utilisation at a wanted rate of the synchronous task.

    Args:
        seconds: {task: one run}, slowest first.
        wanted: the schedule.
        rate: of the synchronous task [1/s]; the highest that fits by default.
    """
    needed = sum(n * s for n, s in zip(wanted.times, seconds.values(), strict=True))
    period = needed if rate is None else wanted.times[-1] / rate
    if needed > period * (1 + 1e-12):
        raise InputError(
            f"the tasks need {needed / period:.3g} times the processor at {rate:g} Hz with schedule {wanted}",
            "rates",
            f"ask for at most {wanted.times[-1] / needed:.4g} Hz, or run the background less often",
        )
    return Rates(tuple(seconds), tuple(seconds.values()), wanted, period, needed / period)


def counted(text: str, known: Sequence[str], clock: float) -> dict[str, float]:
    """Return {task: seconds of one run} from counts such as ``configuration=900,velocity=700,synchronous=210``.

    Args:
        text: instructions, or cycles, of one run of each task.
        known: names of the tasks, slowest first.
        clock: instructions a second.
    """
    found: dict[str, float] = {}
    for word in text.split(","):
        name, _, number = word.partition("=")
        if name.strip() not in known or not re.fullmatch(r"\s*\d{1,12}\s*", number):
            raise InputError(f"'{word}'", "--instructions", f"give NAME=COUNT for each of {', '.join(known)}")
        found[name.strip()] = int(number) / clock
    if len(found) < len(known):
        raise InputError(f"counts for {', '.join(found)}", "--instructions", f"give one for each of {', '.join(known)}")
    return {name: found[name] for name in known}
