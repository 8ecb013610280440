"""A fused function beside its parts: operations, and time of one call as CPU time side by side.

    python benchmarks/fused_functions.py [ROBOT] [FUNCTION+FUNCTION+...]

Each is called many times in one C loop, so that Python takes no part; the smallest of several rounds counts.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from subprocess import run

import taut
from taut.derive import Function
from taut.emit.c.module import Module

CALLS, ROUNDS = 200_000, 15

_MAIN = """
#include <stdio.h>
#include <time.h>
static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static double q[64], qd[64], qdd[64], y[4096];
int main(void)
{
    double apart = 1e9, fused = 1e9;
    for (int i = 0; i < 64; ++i) q[i] = 0.1 * i, qd[i] = 0.2, qdd[i] = 0.3;
    for (int r = 0; r < @rounds@; ++r) {
        double t = cpu();
        for (int k = 0; k < @calls@; ++k) { q[0] += 1e-9; @apart@ }
        t = cpu() - t;
        apart = t < apart ? t : apart;
        t = cpu();
        for (int k = 0; k < @calls@; ++k) { q[0] += 1e-9; @fused@ }
        t = cpu() - t;
        fused = t < fused ? t : fused;
    }
    printf("%.1f %.1f", apart / @calls@ * 1e9, fused / @calls@ * 1e9);
}
"""


def nanoseconds(apart: list[Function], fused: Function) -> tuple[float, float]:
    """Return the times of all parts one after the other, and of the fused function."""
    module = Module("arm", [f.routine() for f in (*apart, fused)], name="arm")
    calls = [f"arm_{r.name}({', '.join(r.arguments)}, y);" for r in module.routines]
    text = _MAIN
    for key, value in {"rounds": ROUNDS, "calls": CALLS, "apart": " ".join(calls[:-1]), "fused": calls[-1]}.items():
        text = text.replace(f"@{key}@", str(value))
    with tempfile.TemporaryDirectory() as place:
        main, functions = Path(place, "main.c"), Path(place, "arm.c")
        functions.write_text(module.single_file)
        main.write_text(module.header() + text)
        flags = ["-O3", "-march=native", "-fno-math-errno"]
        run(["cc", *flags, main, functions, "-o", f"{place}/run", "-lm"], check=True)
        before, after = run(f"{place}/run", capture_output=True, text=True, check=True).stdout.split()
    return float(before), float(after)


def main() -> None:
    name, together = (*sys.argv[1:3], *("panda", "inverse_dynamics+jacobian+gravity")[len(sys.argv) - 1 :])
    robot = taut.load(name)
    parts, fused = [robot.derive(part) for part in together.split("+")], robot.derive(together)
    apart = sum(f.operations.total for f in parts)
    print(f"{name} {together}: {fused.operations.total} operations, {apart} apart", end="; ")
    before, after = nanoseconds(parts, fused)
    print(f"ratio {fused.operations.total / apart:.3f}; {after} ns, {before} ns apart; ratio {after / before:.3f}")


if __name__ == "__main__":
    main()
