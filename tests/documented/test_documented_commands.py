"""Every command of the pages and of the help: its options exist, and it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from documented.typed import cut_short, documented, words
from documented.workshop import prepare
from sampled import sampled
from taut.cli import _parser, main

COMMANDS = documented()


def test_there_are_commands_of_every_verb() -> None:
    from taut.commands.table import TABLE

    assert {words(line)[0] for line in COMMANDS} == set(TABLE)


@pytest.mark.parametrize("line", COMMANDS)
def test_the_options_of_a_documented_command_exist(line: str) -> None:
    arguments = words(line)
    assert _parser(arguments).parse_args(arguments).command == arguments[0]


@pytest.mark.parametrize("line", sampled(COMMANDS, 25))
def test_a_documented_command_runs(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the files it names, and with short searches."""
    monkeypatch.chdir(tmp_path)
    arguments = [word.replace("~", str(tmp_path)) for word in words(line)]
    prepare(arguments, tmp_path)
    allowed = (0, 1) if arguments[0] in ("ik", "measure") else (0,)  # 1: out of reach here; masses do not add up
    assert main(cut_short(arguments)) in allowed, capfd.readouterr().err
    assert "Traceback" not in capfd.readouterr().err
