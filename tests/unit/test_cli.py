"""The command line: what it prints, its exit codes, and how it takes what is wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import taut
from taut import library
from taut.cli import main
from taut.commands.table import TABLE
from taut.errors import InputWarning
from taut.report.base_count import base_parameter_count
from taut.report.drawing import skeleton

HELP = Path(__file__).parent / "help"
PROGRAM = (sys.executable, "-c", "import sys; from taut.cli import main; sys.exit(main())")

BAD_LINKS = """
name = "bad"
[[joint]]
[[joint]]
turns = [["x", "90 deg"]]
[joint.link]
name = "plate"
mass = 1
inertia = [1, 0, 1, 0, 0, 3]
about = "com"
[[joint]]
[joint.link]
name = "tip"
mass = -1
com = [0.1, 0, 0]
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def bad_links(tmp_path: Path) -> str:
    file = tmp_path / "bad.toml"
    file.write_text(BAD_LINKS)
    return str(file)


def assert_one_sentence(code: int, out: str, err: str) -> None:
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("taut")
    assert len(err) < 1000
    assert "Traceback" not in err


class TestHelp:
    def test_help_teaches_with_examples(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "--help")
        assert code == 0
        assert "examples:" in out
        assert "exit codes:" in out
        assert all(name in out for name in TABLE)

    @pytest.mark.parametrize("name", ["", *TABLE])
    def test_every_help_is_as_kept_within_80_columns(
        self, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        code, out, _ = run(capsys, *([name] if name else []), "--help")
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80
        assert f"taut {name}" in out.split("examples:")[1]
        kept = (HELP / f"{name or 'taut'}.txt").read_text("utf-8")
        assert out == kept, "PYTHONPATH=tests python tests/unit/help/write.py writes the texts anew"

    def test_every_command_is_a_module_of_its_name(self) -> None:
        for name, entry in TABLE.items():
            assert callable(entry.command.run), name

    def test_options_that_take_a_function_list_the_functions(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "derive", "--help")
        assert "forward_dynamics" in out.split("functions (")[1]

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(capsys, "--version") == (0, f"taut {taut.__version__}\n", "")

    def test_as_a_program(self) -> None:
        done = subprocess.run([*PROGRAM, "show", "nobody"], capture_output=True, text=True)
        assert_one_sentence(done.returncode, done.stdout, done.stderr)


class TestFaces:
    def test_a_robot_from_standard_input(self) -> None:
        text = taut.load("double_pendulum").to_toml()
        done = subprocess.run(
            [sys.executable, "-m", "taut", "show", "-", "--json"], input=text, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["name"] == "double_pendulum"

    def test_a_robot_of_robot_descriptions(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        package = tmp_path / "robot_descriptions"
        package.mkdir()
        (package / "__init__.py").write_text("")
        (package / "arm.urdf").write_text(taut.load("puma560").to_urdf(), "utf-8")
        (package / "arm_description.py").write_text(f"URDF_PATH = {str(package / 'arm.urdf')!r}\n")
        (package / "lost_description.py").write_text("raise OSError('no network')\n")
        monkeypatch.syspath_prepend(tmp_path)
        assert taut.load("arm_description").dof == 6
        with pytest.raises(taut.InputError, match="no network; fetch the file"):
            taut.load("lost_description")
        with pytest.raises(taut.InputError, match="no robot 'other_description'"):
            taut.load("other_description")

    def test_files_are_replaced_only_when_told(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        target = tmp_path / "equations.txt"
        target.write_text("mine")
        given = ["derive", "double_pendulum", "--function", "gravity", "--effort", "none", "-o", str(target)]
        code, out, err = run(capsys, *given)
        assert_one_sentence(code, out, err)
        assert "--force" in err and target.read_text() == "mine"
        assert run(capsys, *given, "--force")[0] == 0
        assert target.read_text() != "mine"

    def test_quiet_says_nothing_but_the_result(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        file = tmp_path / "noted.urdf"
        file.write_text(taut.load("puma560").to_urdf().replace("<joint", "<gadget/><joint", 1), "utf-8")
        for given in (["--quiet", "show", str(file)], ["show", str(file), "--quiet"]):
            code, out, err = run(capsys, *given)
            assert (code, err) == (0, "") and out

    def test_quiet_hides_the_steps_of_a_search(self, capsys: pytest.CaptureFixture[str]) -> None:
        held = [word for k in range(2, 7) for word in ("--lock", f"joint{k}=0")]
        given = ["excite", "puma560", *held, "--period", "2", "--rate", "20", "--json"]
        assert "taut excite: " in run(capsys, *given)[2]
        code, out, err = run(capsys, *given, "--quiet")
        assert (code, err) == (0, "") and "condition" in out

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_completion_names_commands_options_and_robots(self, shell: str, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "completion", shell)
        assert code == 0
        assert all(word in out for word in ("generate", "effort", "puma560"))

    def test_bash_completes(self, capsys: pytest.CaptureFixture[str]) -> None:
        bash = shutil.which("bash")
        if bash is None:
            pytest.skip("there is no bash")
        _, script, _ = run(capsys, "completion", "bash")
        asked = 'COMP_WORDS=(taut generate puma2); COMP_CWORD=2; _taut; echo "${COMPREPLY[@]}"'
        done = subprocess.run([bash, "-c", f"{script}\n{asked}"], capture_output=True, text=True)
        assert done.stdout.split() == ["puma260"], done.stderr


class TestList:
    def test_every_robot_is_listed(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "list")
        assert code == 0
        assert all(any(line.split()[:1] == [name] for line in out.splitlines()) for name in library.names())

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "list", "--json")
        entries = json.loads(out)
        assert code == 0
        assert [entry["name"] for entry in entries] == list(library.names())
        [puma] = [entry for entry in entries if entry["name"] == "puma560"]
        assert puma["dof"] == 6
        assert puma["joints"] == "RRRRRR"
        assert puma["source"]


class TestShow:
    @pytest.mark.parametrize("name", library.names())
    def test_every_robot_of_the_library(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys, "show", name)
        assert (code, err) == (0, "")
        assert out.startswith(f"{taut.load(name).name}: ")
        assert all(joint in out for joint in taut.load(name).joint_names)

    def test_json_is_what_the_robot_is(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "show", "iiwa14", "--json")
        shown, robot = json.loads(out), taut.load("iiwa14")
        assert code == 0
        assert shown["dof"] == 7
        assert shown["joint_names"] == list(robot.joint_names)
        assert [joint["kind"] for joint in shown["joints"]] == ["revolute"] * 7
        links = {link["name"]: link["parameters"] for link in shown["links"]}
        parameters = [x for joint in shown["joints"] for x in links[joint["link"]].values()]
        np.testing.assert_allclose(parameters, robot.parameters, rtol=1e-15)
        assert shown["gravity"] == [0, 0, -9.81]
        assert shown["joints"][0]["limits"]["effort"] == 320

    def test_symbols_are_formulas(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "show", "puma560", "--json")
        shown = json.loads(out)
        masses = [link["parameters"]["m"] for link in shown["links"]]
        assert "m2" in masses
        assert shown["values"]["m2"] == {"value": 17.4, "tolerance": 0.184}

    def test_picture(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "puma.png"
        code, _, _ = run(capsys, "show", "puma560", "--plot", str(file))
        assert code == 0
        assert file.read_bytes().startswith(b"\x89PNG")

    def test_picture_without_matplotlib(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
        code, out, err = run(capsys, "show", "puma560", "--plot", str(tmp_path / "puma.png"))
        assert_one_sentence(code, out, err)
        assert "pip install" in err

    def test_what_a_reader_leaves_out_is_noted(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def load_with_a_warning(name: str, *options: object) -> taut.Robot:
            warnings.warn("arm.urdf: line 3: left out", InputWarning, stacklevel=1)
            return taut.load(name)

        monkeypatch.setattr("taut.commands.command.load", load_with_a_warning)
        code, out, err = run(capsys, "show", "scara", "--json")
        assert code == 0
        assert json.loads(out)["dof"] == 4
        assert err == "taut show: note: arm.urdf: line 3: left out\n"


class TestCheck:
    def test_links_that_cannot_exist(self, bad_links: str, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "show", bad_links, "--check")
        assert code == 1
        assert "link 'plate': principal moments 1, 1, 3 break the triangle inequality" in out
        assert "link 'tip': mass is -1 kg" in out

    def test_without_check_a_bad_link_is_shown(self, bad_links: str, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "show", bad_links, "--json")
        assert code == 0
        assert "check" not in json.loads(out)

    def test_a_massless_link_is_legal(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "kinematic.toml"
        file.write_text("joint = [{}, { xyz = [1, 0, 0] }]")
        code, out, _ = run(capsys, "show", str(file), "--check")
        assert code == 0
        assert "M is singular" in out

    @pytest.mark.parametrize("tip", ["{}", "{ mass = 1 }"], ids=["without inertia", "a point on its axis"])
    def test_a_moving_link_without_inertia_is_a_fault(
        self, tip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "tip.toml"
        arm = 'link = { mass = 1, com = [1, 0, 0], inertia = [1, 0, 1, 0, 0, 1], about = "com" }'
        file.write_text(f"joint = [{{ {arm} }}, {{ xyz = [1, 0, 0], axis = [1, 2, 3], link = {tip} }}]")
        code, out, _ = run(capsys, "show", str(file), "--check")
        assert code == 1
        assert "link 'link2': joint 'joint2' moves nothing that has inertia, so M is singular" in out
        file.write_text(file.read_text().replace("axis =", "drive = { rotor_inertia = 1 }, axis ="))
        assert run(capsys, "show", str(file), "--check")[0] == 0

    @pytest.mark.parametrize("joint", ["fixed", "revolute"])
    def test_a_negative_mass_is_reported_by_name(
        self, joint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "arm.toml"
        link = "link = { name = 'tip', mass = -1, com = [1, 0, 0] }"
        file.write_text(f"joint = [{{ link = {{ mass = 0.5, com = [1, 0, 0] }} }}, {{ kind = '{joint}', {link} }}]")
        code, _, err = run(capsys, "show", str(file), "--check")
        assert code == 1
        assert err == f"taut show: note: {file}: link 'tip' has the negative mass -1 kg\n"

    def test_a_mass_without_effect_is_free(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Armstrong's PUMA has of link 1 only the moment about its vertical axis; link 3 is at fault as published."""
        code, out, _ = run(capsys, "show", "puma560", "--check", "--json")
        found = json.loads(out)["check"]
        assert code == 1
        assert [note["place"] for note in found["notes"]] == ["link 'link1'"]
        assert [fault["link"] for fault in found["faults"]] == ["link3"]

    def test_a_mass_with_effect_is_not(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "slide.toml"
        file.write_text('joint = [{ kind = "prismatic", link = { inertia = [1, 0, 1, 0, 0, 1], about = "origin" } }]')
        code, _, _ = run(capsys, "show", str(file), "--check")
        assert code == 1


class TestWrongInput:
    WRONG = (
        ("show",),
        ("show", ""),
        ("show", "no_such_robot"),
        ("show", "no/such/file.urdf"),
        ("show", "."),
        ("show", "x" * 5_000),
        ("show", "x" * 5_000 + ".toml"),
        ("show", "a\0b.toml"),
        ("show", "puma560", "--plot", "no/such/folder/puma.png"),
        ("show", "puma560", "--plot", "puma.exe"),
        ("show", "puma560", "--plot", ""),
        ("show", "puma560", "--nonsense"),
        ("show", "puma560", "puma260"),
        ("list", "--nonsense"),
        ("list", "puma560"),
        ("dance",),
        (),
    )

    @pytest.mark.parametrize("arguments", WRONG, ids=lambda given: " ".join(given)[:40].replace("\0", "NUL"))
    def test_one_sentence(self, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
        assert_one_sentence(*run(capsys, *arguments))

    @pytest.mark.parametrize("suffix", [".toml", ".urdf", ".xml", ".par", ".robot", ".exe", ""])
    @pytest.mark.parametrize("content", [b"", bytes(range(256)) * 40, b"\xff\xfe", b"[[[[", b"<robot>", b"{}"])
    def test_a_file_that_is_no_robot(
        self, suffix: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / f"file{suffix}"
        file.write_bytes(content)
        assert_one_sentence(*run(capsys, "show", str(file)))

    def test_a_folder_named_like_a_file(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "arm.urdf").mkdir()
        assert_one_sentence(*run(capsys, "show", str(tmp_path / "arm.urdf")))

    def test_control_characters_do_not_reach_the_terminal(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "odd.toml"
        file.write_text('name = "a\\u001b[31mb"\nsource = "x\\u001b[2J"\njoint = [{ name = "j\\u001b[1m" }]')
        code, out, err = run(capsys, "show", str(file))
        assert "\x1b" not in out + err
        if code != 0:  # the reader may refuse such names
            assert_one_sentence(code, out, err)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    def test_a_full_disk(self) -> None:
        with open("/dev/full", "w") as full:
            done = subprocess.run([*PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        assert_one_sentence(done.returncode, "", done.stderr)

    def test_a_reader_that_stops_early(self) -> None:
        listing = subprocess.Popen([*PROGRAM, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert listing.stdout is not None
        listing.stdout.close()
        _, err = listing.communicate()
        assert (listing.returncode, err) == (0, "")


class TestNumbers:
    # Known counts of the rigid links: gravity along joint 1.
    COUNTS = (("puma560", 36), ("iiwa14", 43), ("panda", 43), ("rx90", 36), ("general_6r", 38))

    @pytest.mark.parametrize(("name", "count"), [*COUNTS, ("stanford", 33), ("stanford_rrp", 12)])
    def test_base_parameters(self, name: str, count: int) -> None:
        assert base_parameter_count(taut.load(name)) == count

    def test_the_drawing_is_the_zero_pose(self) -> None:
        robot = taut.load("iiwa14")
        drawn = skeleton(robot.tree)
        for k, joint in enumerate(robot.tree.joints, 1):
            pose = robot.forward_kinematics(np.zeros(7), joint.link.name)
            np.testing.assert_allclose(drawn.points[k], pose[:3, 3], atol=1e-15)
            np.testing.assert_allclose(drawn.axes[k - 1], pose[:3, 2], atol=1e-15)
