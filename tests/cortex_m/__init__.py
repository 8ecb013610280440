"""Generated C on an emulated Cortex-M: instructions, size, stack and outputs of every function.

QEMU with ``-icount`` lets every instruction take the same time, which SysTick measures: the same count in every run.
The boards are ARM's MPS2 with a Cortex-M4F (AN386) and a Cortex-M7 (AN500). Nothing is linked but the code itself and
memcpy, memset and gcc's own library; no mathematics library.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from taut.emit.c.module import Module
from taut.emit.routine import Routine

HERE = Path(__file__).parent
COMPILER, EMULATOR = "arm-none-eabi-gcc", "qemu-system-arm"
BOARDS = {
    "cortex-m4": ("mps2-an386", "fpv4-sp-d16"),
    "cortex-m7": ("mps2-an500", "fpv5-sp-d16"),
}
REPEATED, SHIFT, TICK = 200, 6, 40
"""Calls for one count; an instruction takes 2^SHIFT ns; a tick of the board's 25 MHz clock is 40 ns."""

MISSING = f"{COMPILER} or {EMULATOR} is missing: apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi {EMULATOR}"


def available() -> bool:
    """Whether compiler and emulator are installed."""
    return all(shutil.which(tool) for tool in (COMPILER, EMULATOR))


@dataclass(frozen=True)
class Counted:
    """What one function takes.

    Attributes:
        least: instructions at the state that takes fewest.
        most: at the state that takes most.
        code: bytes.
        stack: bytes.
        outputs: (states, size).
    """

    least: int
    most: int
    code: int
    stack: int
    outputs: np.ndarray


def counted(
    module: Module, states: dict[str, dict[str, np.ndarray]], place: Path, cpu: str = "cortex-m4", level: str = "-O2"
) -> dict[str, Counted]:
    """Build and run the functions of a module and return what each takes.

    Args:
        module: of precision float, numbers written into the code.
        states: {function: {argument: (n, width)}}.
        place: an empty folder.
        cpu: of BOARDS.
        level: of optimisation.
    """
    board, unit = BOARDS[cpu]
    (place / f"{module.prefix}.h").write_text(module.header())
    (place / f"{module.prefix}.c").write_text(module.source())
    (place / "main.c").write_text(_main(module, states))
    flags = [f"-mcpu={cpu}", "-mthumb", "-mfloat-abi=hard", f"-mfpu={unit}", level]
    sources = [HERE / "start.c", "main.c", f"{module.prefix}.c"]
    build = [COMPILER, *flags, "-ffunction-sections", "-Wl,--gc-sections", "-fstack-usage", *sources, "-nostdlib"]
    build += ["-T", HERE / "mps2.ld", "-lc", "-lgcc"]
    subprocess.run([*build, "-o", "image.elf"], cwd=place, check=True, capture_output=True, text=True)
    run = [EMULATOR, "-M", board, "-cpu", cpu, "-nographic", "-icount", f"shift={SHIFT}", "-kernel", "image.elf"]
    run += ["-semihosting-config", "enable=on,target=native"]
    done = subprocess.run(run, cwd=place, capture_output=True, text=True, timeout=300, check=False)
    words = iter((done.stdout + done.stderr).split())
    named = subprocess.run(["arm-none-eabi-nm", "-S", "image.elf"], cwd=place, capture_output=True, text=True).stdout
    codes = {m[2]: int(m[1], 16) for m in re.finditer(r"^\w+ (\w+) T (\w+)$", named, re.M)}
    usage = next(place.glob(f"*{module.prefix}.su")).read_text()
    stacks = {m[1]: int(m[2]) for m in re.finditer(r":(\w+)\t(\d+)\t", usage)}
    found = {}
    for routine in module.routines:
        n, name = len(next(iter(states[routine.name].values()))), f"{module.prefix}_{routine.name}"
        counts, outputs = [], []
        for _ in range(n):
            counts.append(round(int(next(words)) * TICK / 2**SHIFT / REPEATED))
            outputs.append([struct.unpack("f", struct.pack("I", int(next(words))))[0] for _ in range(routine.size)])
        found[routine.name] = Counted(min(counts), max(counts), codes[name], stacks[name], np.array(outputs))
    return found


def _main(module: Module, states: dict[str, dict[str, np.ndarray]]) -> str:
    """Return a program that prints the ticks of all calls and the bits of the outputs, for every function and state."""
    rows = [f'#include "{module.prefix}.h"', _MEASURE]
    calls = []
    for routine in module.routines:
        given, name = states[routine.name], f"{module.prefix}_{routine.name}"
        for key, values in given.items():
            listed = ", ".join(module.number.literal(float(x)) for x in values.ravel())
            rows.append(f"static const float {routine.name}_{key}[] = {{{listed}}};")
        rows += [
            f"static float {routine.name}_out[{routine.size}];",
            *_timed(routine, name),
            *_timed(routine, "nothing"),
        ]
        n = len(next(iter(given.values())))
        calls += [
            f"    for (int i = 0; i < {n}; ++i) {{",
            f"        const uint32_t none = time_nothing_{routine.name}(i);",
            f"        number(time_{name}_{routine.name}(i) - none);",
            f"        bits({routine.name}_out, {routine.size});",
            "    }",
        ]
    return "\n".join([*rows, "int main(void)", "{", *calls, "    return 0;", "}"])


def _timed(routine: Routine, name: str) -> list[str]:
    """Return a function that times calls of another, or of one that does nothing with the same arguments."""
    given = [f"{routine.name}_{key} + {len(symbols)} * i" for key, symbols in routine.arguments.items()]
    rows = []
    if name == "nothing":
        taken = ", ".join(f"const float *{key}" for key in routine.arguments)
        used = ", ".join(f'"r"({key})' for key in [*routine.arguments, "out"][:4])
        name = f"nothing_{routine.name}"
        rows += [f"__attribute__((noinline)) static void {name}({taken}, float *out)", "{"]
        rows += [f'    __asm volatile("" : : {used} : "memory");', "    (void)out;", "}"]
        head = f"static uint32_t time_{name}(int i)"
    else:
        head = f"static uint32_t time_{name}_{routine.name}(int i)"
    return [*rows, head, "{", "    start();", f"    for (int k = 0; k < {REPEATED}; ++k)",
            f"        {name}({', '.join(given)}, {routine.name}_out);", "    return stop();", "}"]  # fmt: skip


_MEASURE = """\
#include <stdint.h>
void say(const char *text);
#define REGISTER(address) (*(volatile uint32_t *)(address))
static void start(void)
{
    REGISTER(0xE000E014) = 0xFFFFFF;
    REGISTER(0xE000E018) = 0;
    REGISTER(0xE000E010) = 5;
}
static uint32_t stop(void)
{
    return 0xFFFFFF - REGISTER(0xE000E018);
}
static void number(uint32_t x)
{
    char text[12], *p = text + 11;
    *p = 0;
    do
        *--p = (char)('0' + x % 10), x /= 10;
    while (x);
    say(p);
    say("\\n");
}
static void bits(const float *x, int n)
{
    for (int i = 0; i < n; ++i) {
        union {
            float real;
            uint32_t bits;
        } y = {x[i]};
        number(y.bits);
    }
}
"""
