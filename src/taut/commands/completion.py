"""``taut completion SHELL``: a script that lets a shell complete commands, options and robots."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut import library
from taut.commands.command import OK, Command
from taut.commands.help import Parser
from taut.commands.table import TABLE

SHELLS = ("bash", "zsh", "fish")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", metavar="bash|zsh|fish", choices=SHELLS, help="whose completion to write")


def _run(arguments: Namespace) -> int:
    options = _options()
    print(_fish(options) if arguments.shell == "fish" else _bash(options, arguments.shell == "zsh"))
    return OK


def _options() -> dict[str, list[str]]:
    """Return {command: its options}."""
    found = {}
    for name, entry in TABLE.items():
        parser = Parser(name)
        entry.command.arguments(parser)
        found[name] = [text for action in parser._actions for text in action.option_strings if text.startswith("--")]
    return found


def _bash(options: dict[str, list[str]], zsh: bool) -> str:
    robots = " ".join(library.names())
    cases = "\n".join(f"    {name}) words='{' '.join(listed)}' ;;" for name, listed in options.items())
    start = "autoload -U +X bashcompinit && bashcompinit\n" if zsh else ""
    return f"""{start}_taut() {{
  local words word=${{COMP_WORDS[COMP_CWORD]}}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{" ".join(options)} --help --version --quiet' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [ "${{word:0:1}}" = - ]; then
    COMPREPLY=($(compgen -W "$words --quiet" -- "$word"))
  else
    COMPREPLY=($(compgen -W '{robots}' -- "$word") $(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _taut taut"""


def _fish(options: dict[str, list[str]]) -> str:
    rows = [f"complete -c taut -n __fish_use_subcommand -f -a '{' '.join(options)}'"]
    for name, listed in options.items():
        seen = f"'__fish_seen_subcommand_from {name}'"
        rows += [f"complete -c taut -n {seen} -l {option.removeprefix('--')}" for option in listed]
    rows.append(f"complete -c taut -n 'not __fish_use_subcommand' -a '{' '.join(library.names())}'")
    return "\n".join(rows)


COMMAND = Command(_arguments, _run)
