"""``taut bench ROBOT``: times the generated code on this machine and that of the other packages that are installed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from taut.commands.command import FAILED, OK, Command, json_option, print_json, robot_options
from taut.commands.derivation import derivation_options, derived_from, settings_of
from taut.commands.report_file import report_option, write_report
from taut.report.bench import CASADI, DEFAULT, bench, bench_data, bench_page
from taut.report.peers import PEERS


def _arguments(parser: ArgumentParser) -> None:
    robot_options(parser)
    functions, peers = ",".join(DEFAULT), ",".join([*PEERS, CASADI])
    parser.add_argument("--functions", metavar="F,...", default=functions, help=f"what to time; {functions} by default")
    parser.add_argument(
        "--peers", metavar="P,...", default=peers, help=f"packages to time as well: {peers} (all, the default) or none"
    )
    derivation_options(parser, method=False)
    report_option(parser)
    json_option(parser)


def _run(arguments: Namespace) -> int:
    def listed(text: str) -> list[str]:
        return [] if text == "none" else list(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))

    found = bench(
        derived_from(arguments).tree, listed(arguments.functions), listed(arguments.peers), settings_of(arguments)
    )
    page = bench_page(found)
    write_report(arguments.report, page)
    if arguments.json:
        print_json(bench_data(found))
    else:
        print(page.to_text(), end="")
    return FAILED if found.wrong else OK


COMMAND = Command(_arguments, _run)
