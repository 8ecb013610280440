"""What became of every robot file: tried, agreed, refused, with the reason.

Every test run that meets the oracles ends with the summary and writes the full table to build/oracles.txt;
``python -m oracle.table``, started in tests/, prints the table by itself.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from oracle.agreement import Verdict

PROPERTY = "oracle verdict"
FULL_TABLE = Path(__file__).parents[2] / "build" / "oracles.txt"


APART = ("closes a chain", "ball joint")
"""What a reason says of robots that are no trees of single axes and free joints."""


def summary(verdicts: list[Verdict]) -> list[str]:
    """Return one line an oracle, and one for every file that was refused."""
    lines = []
    for oracle in sorted({verdict.oracle for verdict in verdicts}):
        own = [verdict for verdict in verdicts if verdict.oracle == oracle]
        counts = Counter(verdict.result for verdict in own)
        told = ", ".join(f"{count} {result}" for result, count in sorted(counts.items()))
        worst = max((verdict for verdict in own if verdict.result == "agreed"), key=lambda v: v.worst, default=None)
        error = f"; worst relative error {worst.worst:.1e} ({worst.where}, {worst.file})" if worst else ""
        allowed = max(verdict.tolerance for verdict in own)
        lines.append(f"{oracle}: {len(own)} files tried: {told}{error}; allowed at most {allowed:.1e}")
    lines += [f"  refused {count} times: {reason}" for reason, count in reasons(verdicts).most_common()]
    refused = {verdict.file: verdict.reason for verdict in verdicts if verdict.result.startswith("refused")}
    lines += [f"  refused: {file}: {reason}" for file, reason in sorted(refused.items())]
    return lines


def reasons(verdicts: list[Verdict]) -> Counter[str]:
    """Return how often an oracle loads a file that taut refuses, by reason."""
    return Counter({v.file: v.refusal for v in verdicts if v.result == "refused"}.values())


def coverage(verdicts: list[Verdict]) -> tuple[int, Counter[str]]:
    """Return how many files agree of those that move in the oracle, and why the others do not, with counts."""
    agreed = sum(verdict.result == "agreed" for verdict in verdicts)
    rest = Counter(v.refusal or v.result for v in verdicts if v.result in ("refused", "DISAGREES"))
    return agreed, Counter({reason: n for reason, n in rest.items() if not any(word in reason for word in APART)})


def coverage_lines(agreed: int, rest: Counter[str]) -> list[str]:
    """Return the part of the files that agree, and the reasons of the rest, as text."""
    tried = agreed + rest.total()
    first = f"{agreed} of {tried} files ({agreed / max(tried, 1):.0%}) agree; closed chains and ball joints apart"
    return [first, *(f"  {count} times: {reason}" for reason, count in rest.most_common())]


def table(verdicts: list[Verdict]) -> list[str]:
    """Return one line a file and oracle."""
    rows = [("file", "oracle", "result", "dof", "worst error", "reason")]
    for v in sorted(verdicts, key=lambda verdict: (verdict.oracle, verdict.file)):
        error = f"{v.worst:.1e}" if v.result in ("agreed", "DISAGREES") else ""
        rows.append((v.file, v.oracle, v.result, str(v.dof or ""), error, v.reason))
    widths = [max(len(row[k]) for row in rows) for k in range(5)]
    return ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[5]]) for row in rows]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """End a test run with the summary; workers of a parallel run have sent their verdicts along."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.stats.get(outcome, [])]
    told = [value for report in reports for name, value in getattr(report, "user_properties", []) if name == PROPERTY]
    if not told:
        return
    verdicts = [Verdict.retold(text) for text in told]
    FULL_TABLE.parent.mkdir(exist_ok=True)
    FULL_TABLE.write_text("\n".join(table(verdicts)) + "\n", encoding="utf-8")
    terminalreporter.section("agreement with the oracles")
    for line in summary(verdicts):
        terminalreporter.write_line(line)


def main() -> None:
    """Try every file and print the table."""
    from oracle import examine, robot_files

    urdfs = [file for file in robot_files.urdf_files() if file.may_move]
    verdicts = [examine.with_pinocchio(file) for file in urdfs]
    verdicts += [examine.with_pinocchio(file, free=True) for file in urdfs]
    described = [examine.with_mujoco(file) for file in robot_files.mjcf_files()]
    verdicts += [examine.with_mujoco(file) for file in urdfs] + described
    print("\n".join([*table(verdicts), "", *summary(verdicts), "", "MJCF:", *coverage_lines(*coverage(described))]))


if __name__ == "__main__":
    main()
