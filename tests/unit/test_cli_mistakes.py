"""Mistakes on the command line: the nearest word is named, and places that cannot be written are refused first."""

from __future__ import annotations

from pathlib import Path

import pytest

from taut.cli import main
from taut.commands.output import refuse_output
from taut.errors import InputError


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one sentence of a command line that is refused."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1), err
    return err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("lisst",), "'list'"),
        (("--quite", "list"), "'--quiet'"),
        (("show", "scara", "--jsno"), "'--json'"),
        (("generate", "scara", "-o", "out", "--functoins=gravity"), "'--functions'"),
    ],
)
def test_the_nearest_word_is_named(typed: tuple[str, ...], meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"did you mean {meant}?" in refusal(capsys, *typed)


def test_a_recording_without_samples_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.csv").write_text("t,q1\n")
    assert "no samples" in refusal(capsys, "validate", "double_pendulum", str(tmp_path / "log.csv"))


def test_all_commands_are_named_where_none_is_near(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "xyz")
    assert "choose one of list, show" in said and "completion" in said


@pytest.mark.parametrize(
    "typed",
    [
        "report ROBOT -o FILE",
        "derive ROBOT -o FILE",
        "generate ROBOT -o FOLDER",
        "abbreviate ROBOT --plot FILE",
        "simulate ROBOT -o FILE",
        "simulate ROBOT --plot FILE",
        "simulate ROBOT --animate FILE",
        "show ROBOT --plot FILE",
        "excite ROBOT -o FILE",
        "torque ROBOT motion.csv -o FILE",
        "rates ROBOT --plot FILE",
        "identify ROBOT log.csv -o FOLDER",
        "validate ROBOT log.csv -o FILE",
        "measure sheet.toml -o FILE",
        "calibrate ROBOT poses.csv -o FILE",
    ],
)
def test_an_unwritable_place_is_refused_before_the_robot_is_read(
    typed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No robot of this name exists: the sentence is about the place, so the robot was not looked for."""
    (tmp_path / "file").write_text("")
    place = {"ROBOT": "no_such_robot", "FILE": str(tmp_path / "none" / "x"), "FOLDER": str(tmp_path / "file" / "x")}
    said = refusal(capsys, *(place.get(word, word) for word in typed.split()))
    assert "cannot write" in said and str(tmp_path) in said
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_the_code_of_another_robot_is_refused_before_any_is_derived(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "generated-files.txt").write_text("something\n")
    monkeypatch.setattr("taut.commands.generate.derived", None)  # calling it would raise a TypeError
    assert "holds the code of something else" in refusal(capsys, "generate", "scara", "-o", str(tmp_path))


def test_places_that_can_be_written(tmp_path: Path) -> None:
    refuse_output(None, force=False)
    refuse_output("/dev/null", force=False)
    refuse_output(str(tmp_path / "new.html"), force=False)
    refuse_output(str(tmp_path / "new" / "folder"), force=False, folder=True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.html").write_text("")
    refuse_output(str(tmp_path / "old.html"), force=True)


@pytest.mark.parametrize("path", ["", "."])
def test_a_file_has_a_name_that_is_no_folder(path: str) -> None:
    with pytest.raises(InputError, match="cannot write"):
        refuse_output(path, force=True)
