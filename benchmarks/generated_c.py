"""Speed of generated C: torque and M of UR5e and Panda, one state and batched, by compiler, sines and order.

Numeric parameters, double precision, every variant compiled with the same flags and run in turn; the figure is the
least process CPU time of many repeats. Writes a table to ``benchmarks/results/generated_c.md``.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from string import Template

import taut
from taut.emit.c import Module
from taut.emit.routine import Routine
from taut.report.machine import processor

ROBOTS = ("ur5e", "panda")
FUNCTIONS = ("inverse_dynamics", "mass_matrix")
VARIANTS = {
    "scheduled, poly": {},
    "trace order, poly": {"ordered": False},
    "scheduled, libm": {"trig": "libm"},
    "trace order, libm": {"ordered": False, "trig": "libm"},
}
FLAG_SETS = {"native": ("-O3", "-fno-math-errno", "-march=native"), "portable": ("-O3", "-fno-math-errno")}
ROUNDS = 3
"""How often every variant has its turn."""

DRIVER = Template("""\
#include "$R.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STATES = 512, LOOPS = 10, REPEATS = 200 };
$arrays
static double out[STATES * $size];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void fill(double *x, int n)
{
    for (int i = 0; i < n; ++i)
        x[i] = 6.0 * rand() / RAND_MAX - 3.0;
}

int main(void)
{
    double one = 1e9, batch = 1e9;
    volatile double keep = 0.0;
    $fills
    for (int r = 0; r < REPEATS; ++r) {
        double t = now();
        for (int k = 0; k < LOOPS; ++k)
            for (int i = 0; i < STATES; ++i)
                $R_$name($single);
        t = (now() - t) / (LOOPS * STATES);
        one = t < one ? t : one;
        t = now();
        for (int k = 0; k < LOOPS; ++k)
            $R_${name}_batch(STATES, $many);
        t = (now() - t) / (LOOPS * STATES);
        batch = t < batch ? t : batch;
        keep += out[1];
    }
    printf("%.2f %.2f\\n", one, batch);
    return 0;
}
""")


def build(module: Module, routine: Routine, compiler: str, flags: tuple[str, ...], place: Path) -> Path:
    place.mkdir(parents=True)
    R = module.prefix
    widths = {name: len(symbols) for name, symbols in routine.arguments.items()}
    driver = DRIVER.substitute(
        R=R,
        R_=f"{R}_",
        name=routine.name,
        size=routine.size,
        arrays="\n".join(f"static double {name}[STATES * {width}];" for name, width in widths.items()),
        fills="\n    ".join(f"fill({name}, STATES * {width});" for name, width in widths.items()),
        single=", ".join([*(f"{name} + {width} * i" for name, width in widths.items()), f"out + {routine.size} * i"]),
        many=", ".join([*widths, "out"]),
    )
    for file, text in ((f"{R}.c", module.source()), (f"{R}.h", module.header()), ("driver.c", driver)):
        (place / file).write_text(text)
    command = [compiler, *flags, "driver.c", f"{R}.c", "-o", "driver", "-lm"]
    subprocess.run(command, cwd=place, check=True)
    return place / "driver"


def main() -> None:
    compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
    programs: dict[tuple[str, ...], Path] = {}
    counts: dict[tuple[str, str], int] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for robot in ROBOTS:
            for name in FUNCTIONS:
                function = taut.load(robot).derive(name, parameters="numeric")
                counts[robot, name] = function.operations.total
                routine = function.routine()
                for variant, options in VARIANTS.items():
                    for compiler in compilers:
                        for flags_name, flags in FLAG_SETS.items():
                            key = (robot, name, compiler, flags_name, variant)
                            module = Module(robot, [routine], **options)
                            programs[key] = build(module, routine, compiler, flags, Path(scratch, *key))
        best = {key: (1e9, 1e9) for key in programs}
        for _ in range(ROUNDS):
            for key, program in programs.items():
                words = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split()
                best[key] = (min(best[key][0], float(words[0])), min(best[key][1], float(words[1])))
    rows = [
        "# Generated C: nanoseconds a state",
        "",
        f"{processor()}; flags {' '.join(FLAG_SETS['native'])} (native) or without the last",
        "(portable); effort normal, numeric parameters, double; least process CPU time.",
        "",
        "| robot | function | operations | compiler | flags | variant | one state | batch |",
        "|---|---|---:|---|---|---|---:|---:|",
    ]
    for (robot, name, compiler, flags_name, variant), (one, batch) in best.items():
        cells = [robot, name, str(counts[robot, name]), compiler, flags_name, variant, f"{one:.1f}", f"{batch:.1f}"]
        rows.append(f"| {' | '.join(cells)} |")
    text = "\n".join(rows) + "\n"
    Path(__file__).with_name("results").joinpath("generated_c.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
