"""Tasks as C: they build, recombine to the torque, survive a killed background and hand over whole values."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import taut
from taut.cli import main
from taut.tasks.examples import runtime_text

STRICT = ("-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror")

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


def build(folder: Path, target: str, *given: str) -> Path:
    command = ["gcc", *given, "-lm", "-o", target]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / target


def run(program: Path, *given: str) -> str:
    done = subprocess.run([program, *given], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def puma(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tasks") / "puma260"
    code = main(["generate", "puma260", "-o", str(folder), "--tasks", "two-rate", "--effort", "none"])
    assert code == 0
    return folder


@pytest.fixture(scope="module")
def loop(puma: Path) -> Path:
    return build(puma, "posix_loop", "-std=c11", *STRICT, "-pthread", "posix_loop.c", "puma260_tasks.c", "puma260.c")


def test_recombined_tasks_are_the_torque(puma: Path) -> None:
    made = build(puma, "selftest_tasks", "-std=c11", *STRICT, "selftest_tasks.c", "puma260_tasks.c", "puma260.c")
    assert "passed" in run(made)
    wrong = (puma / "puma260_tasks.c").read_text().replace("out + 0", "out + 1", 1)
    (puma / "wrong.c").write_text(wrong)
    broken = build(puma, "broken", "-std=c11", "-O2", "selftest_tasks.c", "wrong.c", "puma260.c")
    assert "FAILED" in subprocess.run([broken], capture_output=True, text=True).stdout


def test_the_synchronous_task_goes_on_without_its_background(loop: Path) -> None:
    said = run(loop, "500", "0.6", "200", "0.2")
    assert "background killed after 0.2" in said
    age = re.search(r"at the end they were ([\d.]+) s old", said)
    assert age is not None and 0.35 < float(age[1]) < 0.6, said
    assert "300 cycles at 500 Hz" in said and "woke up late" in said


def test_the_bare_metal_example_compiles_as_c99(puma: Path) -> None:
    build(puma, "bare.o", "-std=c99", "-ffreestanding", *STRICT, "-c", "bare_metal.c")


def test_the_fallback_refuses_threads(puma: Path) -> None:
    command = ["gcc", "-std=c99", "-ffreestanding", "-pthread", "-c", "bare_metal.c", "-o", "no.o"]
    refused = subprocess.run(command, cwd=puma, capture_output=True, text=True)
    assert refused.returncode != 0 and "not threads" in refused.stderr


@pytest.mark.parametrize(
    ("flags", "count"), [(("-O2",), "300000"), (("-O1", "-g", "-fsanitize=thread"), "20000")], ids=["plain", "tsan"]
)
def test_no_value_is_torn(puma: Path, flags: tuple[str, ...], count: str) -> None:
    said = run(build(puma, f"stress{len(flags)}", "-std=c11", *flags, "-pthread", "stress.c"), count)
    assert "0 torn, 0 backward" in said


def test_the_stress_test_sees_a_torn_value(puma: Path) -> None:
    """With two slots instead of three the writer fills what the reader reads."""
    text = runtime_text("taut_handover.h").replace(
        "h->write = taut_exchange(h, h->write | TAUT_FRESH) & 3u;", "(void)taut_exchange(h, h->write | TAUT_FRESH);"
    )
    folder = puma / "torn"
    folder.mkdir()
    (folder / "taut_handover.h").write_text(text)
    (folder / "stress.c").write_text(runtime_text("stress.c"))
    broken = build(folder, "stress", "-std=c11", "-O1", "-pthread", "stress.c")
    assert subprocess.run([broken, "3000000"], capture_output=True, text=True).returncode == 1


def test_from_python_with_a_load_in_float(tmp_path: Path) -> None:
    robot = taut.load("puma260")
    frame = robot.tree.frame(None).name
    done = robot.generate(tmp_path / "out", tasks="velocity,synchronous", precision="float", load=frame, effort="none")
    assert [row.name for row in done.functions] == ["velocity", "synchronous"]
    assert done.functions[-1].error is not None and done.functions[-1].error < 1e-4
    made = build(tmp_path / "out", "t", "-std=c11", *STRICT, "selftest_tasks.c", "puma260_tasks.c", "puma260.c")
    assert "passed" in run(made)


def test_answers_of_several_tasks(tmp_path: Path) -> None:
    """A task that delivers an answer and hands values on runs before the others start, too."""
    robot, folder = taut.load("double_pendulum"), tmp_path / "out"
    robot.generate(folder, "inverse_dynamics+gravity,forward_kinematics", tasks="two-rate", effort="none")
    texts = ["double_pendulum_tasks.c", "double_pendulum.c"]
    assert "passed" in run(build(folder, "t", "-std=c11", *STRICT, "selftest_tasks.c", *texts))
    assert "cycles" in run(build(folder, "p", "-std=c11", *STRICT, "-pthread", "posix_loop.c", *texts), "200", "0.1")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--tasks", "velocity,configuration,synchronous"), "would need 'configuration', which comes later"),
        (("--tasks", "two-rate", "--load", "nowhere"), "nowhere"),
        (("--tasks", "two-rate", "--language", "python"), "tasks are written in C"),
        (("--recompute", "3"), "--recompute without --tasks"),
        (("--tasks", "two-rate", "--recompute", "-1"), "give 0 or more"),
    ],
)
def test_bad_input_is_one_sentence(
    given: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["generate", "puma260", "-o", str(tmp_path / "out"), "--effort", "none", *given]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1
    assert not (tmp_path / "out").exists()
