"""Generated C on an emulated AArch64: the same text, compiled to NEON instructions on two doubles or four floats."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

import taut

COMPILER, DUMP = "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-objdump"
EMULATOR = next((name for name in ("qemu-aarch64", "qemu-aarch64-static") if which(name)), None)
MISSING = "needs gcc-aarch64-linux-gnu and qemu-user"
FLAGS = ("-O2", "-fno-math-errno", "-ffp-contract=fast", "-static")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not (which(COMPILER) and EMULATOR), reason=MISSING)]


@pytest.mark.parametrize(("precision", "lanes"), [("double", "2d"), ("float", "4s")])
def test_batches_are_vectors_and_pass_their_self_test(precision: str, lanes: str, tmp_path: Path) -> None:
    taut.load("ur5e").generate(
        tmp_path, ["inverse_dynamics", "mass_matrix"], effort="none", batch=True, precision=precision
    )
    program = tmp_path / "selftest"
    sources = [str(file) for file in sorted(tmp_path.glob("*.c"))]
    subprocess.run([COMPILER, *FLAGS, *sources, "-lm", "-o", str(program)], check=True)
    assert EMULATOR is not None
    run = subprocess.run([EMULATOR, str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert "inverse_dynamics (batch)" in run.stdout
    text = subprocess.run([DUMP, "-d", str(program)], capture_output=True, text=True, check=True).stdout
    block = re.search(r"<ur5e_inverse_dynamics_batch>:\n(.*?)\n\n", text, re.S)
    assert block is not None
    assert len(re.findall(rf"\tfmla\tv\d+\.{lanes}", block.group(1))) > 50
