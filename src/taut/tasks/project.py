"""A directory with the C of tasks: functions, hand-over, self-tests, examples of use, build file and page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from taut.emit.c.module import Module
from taut.emit.c.readme import readme
from taut.emit.c.selftest import selftest
from taut.emit.routine import Routine
from taut.graph.program import Program
from taut.tasks.examples import Examples, runtime_text
from taut.tasks.handover import HandOver
from taut.tasks.plan import Plan
from taut.tasks.recombined import expected_answers
from taut.tasks.routines import task_routines
from taut.tasks.selftest import selftest_tasks


@dataclass(frozen=True)
class TaskProject:
    """A directory of C with the tasks of a robot.

    Attributes:
        plan: the tasks.
        joints: names of the joints.
        neutral: the zero position, at which the examples stand.
        quaternions: where the quaternions of free joints begin.
        references: {function: its textbook program}, with which the self-test compares.
        precision: ``double`` or ``float``.
        trig: ``poly`` or ``libm``.
        name: that files and functions begin with.
        remarks: what is known about the tasks, a sentence each: their proof, and errors of an abbreviated model.
    """

    plan: Plan
    joints: Sequence[str]
    neutral: Sequence[float]
    quaternions: Sequence[int]
    references: Mapping[str, Program]
    precision: str = "double"
    trig: str = "poly"
    name: str | None = None
    remarks: Sequence[str] = ()

    @cached_property
    def routines(self) -> list[Routine]:
        """A function a task."""
        return task_routines(self.plan, self.remarks)

    @cached_property
    def module(self) -> Module:
        """The functions in C."""
        return Module(
            self.plan.together.robot, self.routines, self.joints, self.precision, self.trig, batch=False, name=self.name
        )

    def files(self) -> dict[str, str]:
        """Return {file name: text}."""
        R, hand_over = self.module.prefix, HandOver(self.plan, self.module)
        right = expected_answers(self.plan, self.references, self.quaternions, self.module.number.real)
        return {
            f"{R}.c": self.module.source(),
            f"{R}.h": self.module.header(),
            f"{R}_tasks.h": hand_over.header(),
            f"{R}_tasks.c": hand_over.source(),
            "selftest.c": selftest(self.module),
            "selftest_tasks.c": selftest_tasks(hand_over, *right),
            "taut_handover.h": runtime_text("taut_handover.h"),
            "stress.c": runtime_text("stress.c"),
            **Examples(hand_over, self.neutral, self.quaternions).files(),
            "CMakeLists.txt": _CMAKE.replace("@R@", R),
            "README.md": readme(self.module) + _PAGE.replace("@R@", R) + self._table(),
        }

    def _table(self) -> str:
        rows = ["", "| task | multiplications | additions | sines, cosines | hands over |", "|---|---|---|---|---|"]
        for task in self.plan.tasks:
            handed = "; ".join(f"{len(labels)} values to {target}" for target, labels in task.hands.items()) or "-"
            count = task.operations
            rows.append(f"| {task.name} | {count.mul} | {count.add} | {count.trig} | {handed} |")
        return "\n".join(rows) + "\n"


_PAGE = """
## Tasks

`@R@_tasks.h` has a function a task and hands the values over by triple buffers (`taut_handover.h`, C11 atomics, no
locks, no heap); `used[k].time` says when the values were written that a task used, so that their age is known.

```
cc -std=c11 -O2 selftest_tasks.c @R@_tasks.c @R@.c -lm -o selftest_tasks && ./selftest_tasks
cc -std=c11 -O2 -pthread stress.c -o stress && ./stress 10000000
cc -std=c11 -O2 -pthread posix_loop.c @R@_tasks.c @R@.c -lm -o posix_loop && ./posix_loop 1000 30
cc -std=c99 -ffreestanding -O2 -c bare_metal.c
cmake -B build && cmake --build build --target loop     # 1 kHz for 30 s, with the histogram of wake-ups
```
"""

_CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project(@R@ C)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # lets the compiler fuse multiplications with additions
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads)

add_library(@R@ STATIC @R@.c @R@_tasks.c)
target_include_directories(@R@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
if(UNIX)
  target_link_libraries(@R@ PUBLIC m)
endif()

enable_testing()
foreach(test selftest selftest_tasks)
  add_executable(${test} ${test}.c)
  target_link_libraries(${test} PRIVATE @R@)
  add_test(NAME ${test} COMMAND ${test})
endforeach()
if(UNIX AND Threads_FOUND)
  add_executable(stress stress.c)
  target_link_libraries(stress PRIVATE Threads::Threads)
  add_test(NAME stress COMMAND stress 1000000)
  add_executable(posix_loop posix_loop.c)
  target_link_libraries(posix_loop PRIVATE @R@ Threads::Threads)
  add_custom_target(loop COMMAND posix_loop 1000 30 USES_TERMINAL COMMENT "1 kHz for 30 s")
endif()
"""
