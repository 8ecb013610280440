"""taut derive, count and compare: what they print, what they write, and how they take what is wrong."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import taut
from taut.analysis.opcount import count
from taut.derive.tightening.clock import Ended
from taut.derive.tightening.tighten import Tightened
from taut.graph.program_text import parse_program
from taut.questions.table import QUESTIONS
from taut.report.progress import ProgressLine
from unit.test_cli import PROGRAM, assert_one_sentence, run

KEYS = {"mul", "add", "div", "total", "trig", "depth", "by_stage", "method", "parameters", "seconds", "verified"}

CLASHING = """
name = "clash"
[[joint]]
turns = [["x", "90 deg"]]
[joint.link]
mass = "q1"
com = [0.1, 0, 0]
"""


@pytest.fixture
def clashing(tmp_path: Path) -> str:
    file = tmp_path / "clash.toml"
    file.write_text(CLASHING)
    return str(file)


class TestCount:
    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys, "count", "puma560", "--effort", "none", "--json")
        assert (code, err) == (0, "")
        found = json.loads(out)
        assert set(found) == {"robot", "functions"}
        assert found["robot"] == "puma560"
        [(name, row)] = found["functions"].items()
        assert name == "inverse_dynamics"
        assert set(row) >= KEYS
        assert row["total"] == row["mul"] + row["add"] == sum(s["total"] for s in row["by_stage"].values())
        assert row["verified"] is True
        assert row["parameters"] == "numeric"
        expected = taut.load("puma560").derive("inverse_dynamics", effort="none").operations
        assert (row["mul"], row["add"], row["trig"], row["depth"]) == (
            *(expected.mul, expected.add),
            *(expected.trig, expected.depth),
        )

    def test_several_functions_in_the_order_asked(self, capsys: pytest.CaptureFixture[str]) -> None:
        asked = ("--function", "mass_matrix", "gravity", "--function", "jacobian", "gravity")
        code, out, _ = run(capsys, "count", "scara", *asked, "--effort", "none", "--json")
        assert code == 0
        assert list(json.loads(out)["functions"]) == ["mass_matrix", "gravity", "jacobian"]

    def test_all_functions_and_those_that_cannot_be_had(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "count", "double_pendulum", "--function", "all", "--effort", "none", "--json")
        assert code == 0
        found = json.loads(out)
        assert set(found["functions"]) | set(found["unavailable"]) == set(QUESTIONS)
        of_six = {"operational_inertia", "operational_bias", "inverse_jacobian", "jacobian_determinant"}
        assert set(found["unavailable"]) == of_six  # two joints do not span six

    def test_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "count", "scara", "--function", "gravity", "mass_matrix", "--effort", "none")
        head, row = (line for line in out.splitlines() if line.split()[:1] in (["function"], ["mass_matrix"]))
        ops = taut.load("scara").derive("mass_matrix", effort="none").operations
        assert head.split()[1:5] == ["mul", "add", "total", "trig"]
        assert row.split()[1:5] == [str(x) for x in (ops.mul, ops.add, ops.total, ops.trig)]
        assert "proved equal" in out

    def test_parameters_and_method(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ("count", "iiwa14", "--effort", "none", "--json", "--parameters", "symbolic", "--method", "kane")
        _, out, _ = run(capsys, *arguments, "--fresh")
        row = json.loads(out)["functions"]["inverse_dynamics"]
        assert (row["method"], row["parameters"]) == ("kane", "symbolic")

    def test_locked_joints_and_free_base(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(
            capsys,
            *("count", "puma560_full", "--effort", "none", "--json"),
            *("--lock", "joint4=0", "--lock", "joint5=0", "--lock", "joint6=0"),
        )
        expected = taut.load("puma560_full", lock=dict.fromkeys(("joint4", "joint5", "joint6"), 0.0))
        total = expected.derive("inverse_dynamics", effort="none").operations.total
        assert json.loads(out)["functions"]["inverse_dynamics"]["total"] == total
        _, out, _ = run(capsys, "count", "double_pendulum", "--base", "free", "--effort", "none", "--json")
        assert json.loads(out)["functions"]["inverse_dynamics"]["verified"] is True

    def test_a_frame(self, capsys: pytest.CaptureFixture[str]) -> None:
        near = ("count", "puma560", "--function", "jacobian", "gravity", "--effort", "none", "--json")
        totals = []
        for frame in ("link2", "link6"):
            _, out, _ = run(capsys, *near, "--frame", frame)
            totals.append(json.loads(out)["functions"]["jacobian"]["total"])
        assert totals[0] < totals[1]

    def test_a_budget_makes_it_say_so(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys, "count", "puma560_full", "--budget", "0.01", "--json")
        assert code == 0
        row = json.loads(out)["functions"]["inverse_dynamics"]
        assert row["verified"] is True
        assert row["reproducible"] is False
        assert "budget" in err


class TestDerive:
    def test_equations(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys, "derive", "double_pendulum", "--function", "gravity", "--effort", "none")
        assert (code, err) == (0, "")
        assert out.startswith("# gravity of double_pendulum")
        assert "exact: equals newton_euler" in out
        assert "g[2] = " in out

    def test_equations_mean_the_program(self, capsys: pytest.CaptureFixture[str]) -> None:
        """What is printed is Python but for the brackets: run it on numbers beside the derived function."""
        import math

        robot = taut.load("puma560_burdick").with_values({})
        for name, letter in (("inverse_dynamics", "tau"), ("mass_matrix", "M"), ("forward_dynamics", "qdd")):
            f = robot.derive(name, effort="none")
            _, out, _ = run(capsys, "derive", "puma560_burdick", "--function", name, "--effort", "none", "--text")
            inputs = [line.data for line in f.program.lines if line.op == "input"]
            symbols = {symbol: 0.3 + 0.1 * math.sin(k) for k, symbol in enumerate(inputs)}
            answers: dict[object, float] = {}
            scope = {**symbols, "sin": math.sin, "cos": math.cos, letter: answers}
            for row in out.splitlines():
                if row and not row.startswith("#"):
                    exec(row, scope)
            expected = f.program.evaluate(symbols)
            assert list(answers.values()) == pytest.approx(expected, rel=1e-9, abs=1e-12)

    def test_equations_cost_what_is_counted(self, capsys: pytest.CaptureFixture[str]) -> None:
        f = taut.load("scara").derive("inverse_dynamics", effort="none")
        _, out, _ = run(capsys, "derive", "scara", "--effort", "none")
        run_time = out.partition("# with the configuration")[2]
        run_time = re.sub(r"(sin|cos)\(.*\)", "", run_time)  # angles are formed for free
        signs = sum(run_time.count(sign) for sign in ("*", " + ", " - "))
        assert signs == f.operations.total

    def test_program_reads_back(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "derive", "scara", "--function", "mass_matrix", "--effort", "none", "--program")
        expected = taut.load("scara").derive("mass_matrix", effort="none").program
        assert parse_program(out) == expected

    def test_explain_alone(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "derive", "scara", "--effort", "none", "--explain")
        assert out == taut.load("scara").derive("inverse_dynamics", effort="none").explain() + "\n"

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "derive", "double_pendulum", "--json")
        found = json.loads(out)
        assert set(found) >= KEYS | {"robot", "function", "steps", "program"}
        assert count(parse_program(found["program"])).total == found["total"] == found["steps"][-1]["total"]

    def test_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "scara.txt"
        code, out, _ = run(capsys, "derive", "scara", "--effort", "none", "--program", "-o", str(file))
        assert code == 0
        assert out.startswith("inverse_dynamics of scara")
        assert parse_program(file.read_text()) == taut.load("scara").derive("inverse_dynamics", effort="none").program
        assert list(tmp_path.iterdir()) == [file]

    def test_a_file_is_replaced_in_one_step(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file, link = tmp_path / "old.txt", tmp_path / "link.txt"
        file.write_text("old")
        file.chmod(0o640)
        link.symlink_to(file)
        run(capsys, "derive", "scara", "--effort", "none", "--force", "-o", str(link))
        assert link.is_symlink()
        assert file.read_text().startswith("# inverse_dynamics")
        assert stat.S_IMODE(file.stat().st_mode) == 0o640

    def test_a_failed_write_leaves_the_old_file(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = tmp_path / "old.txt"
        file.write_text("old")

        def no_room(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("taut.commands.output.os.replace", no_room)
        assert_one_sentence(*run(capsys, "derive", "scara", "--effort", "none", "--force", "-o", str(file)))
        assert file.read_text() == "old"
        assert list(tmp_path.iterdir()) == [file]

    def test_a_device_is_written_to(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, _, _ = run(capsys, "derive", "scara", "--effort", "none", "-o", "/dev/null")
        assert code == 0
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


class TestCompare:
    def test_every_method_is_there_and_proved(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "compare", "stanford", "--effort", "none", "--json")
        assert code == 0
        rows = {row["method"]: row for row in json.loads(out)["methods"]}
        papers = {"newton_euler", "kane", "lagrange_euler", "extended_bodies", "compound_links", "second_moments"}
        assert set(rows) == papers
        assert all(row["verified"] and row["tightened"] is None for row in rows.values())
        totals = [row["traced"]["total"] for row in rows.values()]
        assert totals == sorted(totals)
        assert next(iter(rows)) == "second_moments"

    @pytest.mark.slow
    def test_tightened(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "compare", "double_pendulum", "--json")
        for row in json.loads(out)["methods"]:
            assert row["tightened"]["total"] <= row["traced"]["total"]

    def test_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "compare", "double_pendulum", "--function", "mass_matrix")
        assert "composite bodies" in out
        assert "tightened" in out
        assert "proved" in out

    def test_methods_that_cannot_serve_say_why(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "compare", "double_pendulum", "--base", "free", "--effort", "none")
        assert code == 0
        assert "Kane: " in out
        assert "Newton-Euler" in out


class TestWrongInput:
    QUICK = ("--effort", "none")
    WRONG = (
        ("count", "nobody"),
        ("count", "scara", "--function", "dance"),
        ("count", "scara", "--function", "gravity", "dance"),
        ("count", "scara", "--function", "invers_dynamics"),
        ("count", "scara", "--function"),
        ("count", "scara", "--method", "magic", *QUICK),
        ("count", "scara", "--method", "", *QUICK),
        ("count", "scara", "--parameters", "few", *QUICK),
        ("count", "scara", "--parameters", "numeric", *QUICK),
        ("count", "scara", "--effort", "heroic"),
        ("count", "scara", "--budget", "0"),
        ("count", "scara", "--budget", "-3"),
        ("count", "scara", "--budget", "nan"),
        ("count", "scara", "--budget", "soon"),
        ("count", "scara", "--base", "loose", *QUICK),
        ("count", "scara", "--lock", "joint1", *QUICK),
        ("count", "scara", "--lock", "joint1=", *QUICK),
        ("count", "scara", "--lock", "=1", *QUICK),
        ("count", "scara", "--lock", "joint1=nan", *QUICK),
        ("count", "scara", "--lock", "knee=1", *QUICK),
        ("count", "scara", "--lock", "joint1=1", "--lock", "joint1=2", *QUICK),
        ("count", "scara", "--function", "jacobian", "--frame", "nowhere", *QUICK),
        ("derive", "nobody"),
        ("derive", "scara", "--function", "dance"),
        ("derive", "scara", "--method", "magic", *QUICK),
        ("derive", "scara", "--parameters", "few", *QUICK),
        ("derive", "scara", "--effort", "heroic"),
        ("derive", "scara", "--budget", "0"),
        ("derive", "scara", "--text", "--program", *QUICK),
        ("derive", "scara", "-o", "no/such/folder/file", *QUICK),
        ("derive", "scara", "-o", "", *QUICK),
        ("derive", "scara", "-o", "/", *QUICK),
        ("derive", "scara", "-o", "a\0b", *QUICK),
        ("derive", "scara", "-o", "x" * 5000, *QUICK),
        ("compare", "nobody"),
        ("compare", "scara", "--function", "dance"),
        ("compare", "scara", "--parameters", "few", *QUICK),
        ("compare", "scara", "--effort", "heroic"),
        ("compare", "scara", "--budget", "0"),
    )

    @pytest.mark.parametrize("arguments", WRONG, ids=lambda given: " ".join(given)[:60].replace("\0", "NUL"))
    def test_one_sentence(self, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
        assert_one_sentence(*run(capsys, *arguments))

    @pytest.mark.parametrize("command", ["count", "derive", "compare"])
    def test_a_parameter_named_like_a_coordinate(
        self, command: str, clashing: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = run(capsys, command, clashing, "--effort", "none")
        assert_one_sentence(code, out, err)
        assert "'q1'" in err
        assert "rename" in err

    def test_a_name_of_a_file_in_a_folder_one_may_not_write(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tmp_path.chmod(0o500)
        try:
            code, out, err = run(capsys, "derive", "scara", "--effort", "none", "-o", str(tmp_path / "x"))
        finally:
            tmp_path.chmod(0o700)
        if os.geteuid() == 0:  # who may write anywhere writes
            assert code == 0
        else:
            assert_one_sentence(code, out, err)


def _rest(terminal: int) -> str:
    """Read what is left on a terminal whose other end is closed."""
    text = b""
    try:
        while part := os.read(terminal, 65536):
            text += part
    except OSError:  # the end, on Linux
        pass
    os.close(terminal)
    return text.decode()


class TestInterrupted:
    def test_the_best_so_far_is_kept_and_told(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(program: object, *_: object, **__: object) -> Tightened:
            return Tightened(program, (), Ended.CTRL_C)

        monkeypatch.setattr(sys.modules["taut.derive.tightening.workers"], "tighten", stopped)
        monkeypatch.setattr("taut.derive.kept.found", lambda *_: None)  # no function of an earlier run
        code, out, err = run(capsys, "count", "scara", "--function", "gravity", "mass_matrix", "--json")
        assert code == 0
        assert list(json.loads(out)["functions"]) == ["gravity"]
        assert "gravity: interrupted, this is the best so far" in err
        assert "not begun: mass_matrix" in err
        code, out, err = run(capsys, "derive", "scara")
        assert code == 0
        assert "best so far" in err
        code, out, err = run(capsys, "compare", "double_pendulum")
        assert code == 0
        assert "best so far" in out

    def test_ctrl_c(self, heeds_ctrl_c: None) -> None:
        """A real signal during a long search: the result is there, proved, and said to be cut short."""
        terminal, its_end = os.openpty()
        child = subprocess.Popen(
            [*PROGRAM, "count", "scara", "--effort", "max", "--json"], stdout=subprocess.PIPE, stderr=its_end
        )
        os.close(its_end)
        shown = b""
        while b"operations, search" not in shown:  # the progress line says when the search is under way
            shown += os.read(terminal, 4096)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=100)
        told = _rest(terminal)
        assert child.returncode == 0, told
        row = json.loads(out)["functions"]["inverse_dynamics"]
        assert row["verified"] is True
        assert row["reproducible"] is False
        assert "best so far" in told


class TestProgress:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def test_a_falling_count_on_a_terminal(self) -> None:
        terminal = self.Terminal()
        with ProgressLine("arm", terminal, patience=0) as progress:
            progress("search", 400)
            time.sleep(0.11)
            progress("search", 200)
            shown = terminal.getvalue()
        assert "arm: 400 of 400 operations, search, 0 s  [########################]" in shown
        assert "arm: 200 of 400 operations, search, 0 s  [############------------]" in shown
        assert terminal.getvalue().endswith("\r\x1b[K")

    def test_a_long_title_leaves_no_room_for_the_bar(self) -> None:
        terminal = self.Terminal()
        with ProgressLine("x" * 100, terminal, patience=0) as progress:
            progress("search", 400)
            assert terminal.getvalue() == "\r" + "x" * 79 + "\x1b[K"

    def test_nothing_before_two_seconds(self) -> None:
        terminal = self.Terminal()
        with ProgressLine("arm", terminal) as progress:
            progress("search", 400)
        assert terminal.getvalue() == ""

    def test_nothing_where_there_is_no_terminal(self) -> None:
        stream = io.StringIO()
        with ProgressLine("arm", stream, patience=0) as progress:
            progress("search", 400)
        assert stream.getvalue() == ""

    def test_a_program_without_operations(self) -> None:
        terminal = self.Terminal()
        with ProgressLine("arm", terminal, patience=0) as progress:
            progress("search", 0)
        assert "0 of 1" in terminal.getvalue()


def test_the_commands_are_quick_to_start() -> None:
    """Nothing heavy is imported before a command runs."""
    code = "import sys, taut.cli; sys.exit(bool({'matplotlib', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
