"""Every branch of generated C is run: near and far angles, whole vectors and every rest of a batch.

The text proof reads functions of one state; their sine helpers and functions of several states are run here under gcov,
and what they return is compared with functions of one state and with the mathematics library.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import taut

MAIN = """\
#include "R.h"
#include <math.h>
#include <stdio.h>
#define N @states@
static int differ(double a, double b) { return !(fabs(a - b) <= @near@ * (1 + fabs(b))); }
int main(void)
{
    const double far[] = {0.0, 2e6, -3e9, 1e22};
    int wrong = 0;
    for (int k = 0; k < 4; ++k)                  /* near angles, then one far angle: above, below, huge */
        for (int place = 0; place < N; ++place)  /* in every lane */
            for (int n = 0; n <= N; ++n) {       /* every number of states */
                @real@ q[2 * N], g[2 * N], one[2 * N];
                for (int i = 0; i < 2 * N; ++i)
                    q[i] = (@real@)sin(1.0 + i), g[i] = one[i] = 0;
                if (k)
                    q[2 * place + k % 2] = (@real@)far[k];
                R_gravity_batch((size_t)n, q, g);
                for (int i = 0; i < n; ++i)
                    R_gravity(q + 2 * i, one + 2 * i);
                for (int i = 0; i < 2 * N; ++i)
                    wrong += differ(g[i], one[i]);
                for (int i = 0; i < n; ++i) {    /* masses and lengths of 1: the first torque by a formula */
                    const double s1 = sin((double)q[2 * i]), s12 = sin((double)q[2 * i] + (double)q[2 * i + 1]);
                    const int is_far = fabs((double)q[2 * i]) > 1e3 || fabs((double)q[2 * i + 1]) > 1e3;
                    wrong += !(fabs(one[2 * i] - 9.81 * (2 * s1 + s12)) <= (is_far ? 40.0 : 40 * @near@));
                }
            }
    printf("%d wrong\\n", wrong);
    return wrong != 0;
}
"""


@pytest.mark.skipif(shutil.which("gcov") is None or shutil.which("gcc") is None, reason="no gcov here")
@pytest.mark.parametrize(
    ("precision", "near", "lanes"),
    [("double", "1e-13", lanes) for lanes in (2, 4, 8)] + [("float", "1e-5", lanes) for lanes in (4, 8, 16)],
)
def test_every_branch_is_run(tmp_path: Path, precision: str, near: str, lanes: int) -> None:
    pendulum = taut.load("double_pendulum").with_values({"m1": 1.0, "m2": 1.0, "L1": 1.0, "L2": 1.0})
    options = {"effort": "none", "precision": precision, "batch": True, "parameters": "numeric", "name": "R"}
    pendulum.generate(tmp_path / "out", ["gravity"], **options)
    for name in ("R.c", "R.h"):
        shutil.copy(tmp_path / "out" / name, tmp_path)
    main = MAIN.replace("@real@", precision).replace("@near@", near).replace("@states@", str(2 * lanes + 1))
    (tmp_path / "main.c").write_text(main)
    command = ["gcc", "-O0", "--coverage", f"-DR_LANES={lanes}", "-o", "run", "main.c", "R.c", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(["./run"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "0 wrong\n"
    notes = next(tmp_path.glob("*R.gcda")).name
    subprocess.run(["gcov", "-b", "-c", notes], cwd=tmp_path, check=True, capture_output=True)
    covered = (tmp_path / "R.c.gcov").read_text()
    assert "R_sincos" in covered and re.search(r"^branch", covered, re.M)
    assert re.findall(r"^ *#####:.*|^branch +\d+ (?:never executed|taken 0).*", covered, re.M) == []


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc here")
def test_a_width_that_no_vector_has_is_refused(tmp_path: Path) -> None:
    options = {"effort": "none", "batch": True, "name": "R"}
    taut.load("double_pendulum").generate(tmp_path / "out", ["gravity"], **options)
    command = ["gcc", "-DR_LANES=3", "-c", "R.c", "-o", str(tmp_path / "R.o")]
    done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "R_LANES is 2, 4 or 8" in done.stderr
