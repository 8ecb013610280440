"""A fused function beside its parts: operations, time of one call side by side, instructions.

    python benchmarks/fused_functions.py [ROBOT] [FUNCTION+FUNCTION+...]

All are called in one C program, so that Python takes no part. Short blocks of calls alternate, much shorter than a time
slice of the scheduler, so that a busy machine slows both alike; printed are the medians of all blocks and the least.
Instructions are counted by callgrind where valgrind is installed.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from shutil import which
from subprocess import run

import taut
from taut.derive import Function
from taut.emit.c.module import Module

CALLS, ROUNDS = 1000, 2001
COUNTED = 100
"""Calls more of which callgrind counts the instructions."""

_MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static double q[64], qd[64], qdd[64], y[4096], apart[@rounds@], fused[@rounds@];
static void call_apart(int n)
{
    for (int k = 0; k < n; ++k) { q[0] += 1e-9; @apart@ }
}
static void call_fused(int n)
{
    for (int k = 0; k < n; ++k) { q[0] += 1e-9; @fused@ }
}
static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
int main(int count, char **given)
{
    for (int i = 0; i < 64; ++i) q[i] = 0.1 * i, qd[i] = 0.2, qdd[i] = 0.3;
    if (count > 2) {
        (given[1][0] == 'a' ? call_apart : call_fused)(atoi(given[2]));
        return 0;
    }
    for (int r = 0; r < @rounds@; ++r) {
        double t = cpu();
        call_apart(@calls@);
        apart[r] = cpu() - t;
        t = cpu();
        call_fused(@calls@);
        fused[r] = cpu() - t;
    }
    qsort(apart, @rounds@, sizeof *apart, ascending);
    qsort(fused, @rounds@, sizeof *fused, ascending);
    const double ns = 1e9 / @calls@;
    printf("%.1f %.1f %.1f %.1f", apart[@rounds@ / 2] * ns, fused[@rounds@ / 2] * ns, apart[0] * ns, fused[0] * ns);
}
"""


def built(apart: list[Function], fused: Function, place: Path) -> Path:
    """Return the program that calls all parts one after the other, and the fused function."""
    module = Module("arm", [f.routine() for f in (*apart, fused)], name="arm")
    calls = [f"arm_{r.name}({', '.join(r.arguments)}, y);" for r in module.routines]
    text = _MAIN
    for key, value in {"rounds": ROUNDS, "calls": CALLS, "apart": " ".join(calls[:-1]), "fused": calls[-1]}.items():
        text = text.replace(f"@{key}@", str(value))
    (place / "arm.c").write_text(module.single_file)
    (place / "main.c").write_text(module.header() + text)
    flags = ["-O3", "-march=native", "-fno-math-errno"]
    run(["cc", *flags, "main.c", "arm.c", "-o", "run", "-lm"], cwd=place, check=True)
    return place / "run"


def instructions(program: Path, called: str) -> float:
    """Return the instructions of one call of all parts or of the fused function."""

    def total(calls: int) -> int:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), called, str(calls)]
        found = re.search(r"Collected : (\d+)", run(command, capture_output=True, text=True, check=True).stderr)
        return int(found[1]) if found else 0

    return (total(2 * COUNTED) - total(COUNTED)) / COUNTED


def main() -> None:
    name, together = (*sys.argv[1:3], *("panda", "inverse_dynamics+jacobian+gravity")[len(sys.argv) - 1 :])
    robot = taut.load(name)
    parts, fused = [robot.derive(part) for part in together.split("+")], robot.derive(together)
    apart = sum(f.operations.total for f in parts)
    print(f"{name} {together}: {fused.operations.total} operations, {apart} apart", end="; ")
    print(f"ratio {fused.operations.total / apart:.3f}")
    with tempfile.TemporaryDirectory() as place:
        program = built(parts, fused, Path(place))
        times = [float(x) for x in run(program, capture_output=True, text=True, check=True).stdout.split()]
        for name, before, after in (("median", *times[:2]), ("least", *times[2:])):
            print(f"{name} of {ROUNDS} blocks: {after} ns, {before} ns apart; ratio {after / before:.3f}")
        if which("valgrind"):
            before, after = (instructions(program, one) for one in ("apart", "fused"))
            print(f"instructions: {after:.0f}, {before:.0f} apart; ratio {after / before:.3f}")


if __name__ == "__main__":
    main()
