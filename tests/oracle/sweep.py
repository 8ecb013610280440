"""``make oracle``: generated C of every robot file, and of 100 nasty robots, compared with the oracles.

Each file is one process with a time limit. Verdicts are kept in build/oracle.jsonl as soon as they are known, with a
digest of taut's sources; a run that was interrupted goes on where it stopped, one with other sources begins anew
(``--any`` goes on all the same). The table and a summary end the run; a difference beyond the stated one, or a file
without a verdict, makes the exit code 1.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import taut
from oracle import builds, examine
from oracle.agreement import TOLERANCE, Verdict
from oracle.generated import ORACLE, verdict_on_code
from oracle.nasty_code import verdict_on_nasty
from oracle.robot_files import files_below, mjcf_files, moving_urdf_files
from oracle.table import coverage, coverage_lines, summary, table

KEPT = Path(__file__).parents[2] / "build" / "oracle.jsonl"
NASTY = 100
LONGEST = 1800.0
"""Seconds for one file."""

Job = tuple[str, str, Callable[[], Verdict]]
"""The file, the oracle and what gives the verdict."""


def jobs(folder: Path | None, code: bool) -> list[Job]:
    """Return everything there is to do: the files of the suites and the nasty robots, or the files of a folder.

    Args:
        folder: of robot files that belong to no suite.
        code: whether code is generated for those, too.
    """
    files = files_below(folder) if folder else moving_urdf_files() + mjcf_files()
    found: list[Job] = []
    for file in files:
        if file.path.suffix != ".urdf":
            found.append((file.name, "MuJoCo", partial(examine.with_mujoco, file)))
        elif folder:
            found.append((file.name, "Pinocchio", partial(examine.with_pinocchio, file)))
        if folder is None or code:
            found.append((file.name, ORACLE, partial(verdict_on_code, file, builds.ALL)))
    if folder is None:
        found += [(f"nasty robot {k}", "200 bits", partial(verdict_on_nasty, k, builds.ALL)) for k in range(NASTY)]
    return found


def sources() -> str:
    """Return a digest of taut's sources."""
    folder = Path(taut.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _tell(compute: Callable[[], Verdict], answer: multiprocessing.Queue[str]) -> None:
    try:
        answer.put(compute().told)
    except BaseException:
        answer.put(traceback.format_exc()[-800:])


def settled(job: Job) -> Verdict:
    """Return the verdict of a job, computed in a process of its own."""
    name, oracle, compute = job
    context = multiprocessing.get_context("fork")
    answer: multiprocessing.Queue[str] = context.Queue()
    process = context.Process(target=_tell, args=(compute, answer), daemon=True)
    process.start()
    try:
        told = answer.get(timeout=LONGEST)
        return Verdict.retold(told) if told.startswith("{") else Verdict(name, oracle, "CRASHED", reason=told)
    except Exception:
        return Verdict(name, oracle, "TOO LONG", reason=f"no verdict after {LONGEST:.0f} s")
    finally:
        process.kill()
        process.join()


def kept(version: str | None) -> dict[tuple[str, str], Verdict]:
    """Return the verdicts of earlier runs; of all sources, or of one version."""
    if not KEPT.exists():
        return {}
    rows = (row.split("\t", 1) for row in KEPT.read_text("utf-8").splitlines())
    verdicts = (Verdict.retold(told) for digest, told in rows if version in (None, digest))
    return {(verdict.file, verdict.oracle): verdict for verdict in verdicts}


def report(verdicts: Sequence[Verdict]) -> int:
    """Print the table and what it adds up to; return the exit code."""
    print("\n".join([*table(verdicts), "", *summary(verdicts)]))
    described = [verdict for verdict in verdicts if verdict.oracle == "MuJoCo"]
    print("\n".join(["", "MJCF:", *coverage_lines(*coverage(described))]))
    code = [verdict for verdict in verdicts if verdict.oracle == ORACLE and verdict.result in ("agreed", "DISAGREES")]
    beyond = [verdict for verdict in code if verdict.worst > TOLERANCE]
    wrong = [verdict for verdict in verdicts if verdict.result in ("DISAGREES", "CRASHED", "TOO LONG")]
    print(
        f"\ngenerated C ({', '.join(f'{name} {flags[1]}' for name, flags in builds.ALL)}): {len(code)} files compared, "
        f"{len(beyond)} differ by more than {TOLERANCE:g}, as taut states; {len(wrong)} wrong"
    )
    return 1 if wrong else 0


def main() -> int:
    """Do what is left, then report."""
    parser = argparse.ArgumentParser(description="compare generated code with the oracles")
    parser.add_argument("--only", default="", help="jobs whose name contains this")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--any", action="store_true", help="go on with verdicts of other sources")
    parser.add_argument("--folder", type=Path, help="robot files below this folder instead of the suites'")
    parser.add_argument("--code", action="store_true", help="generate code for the files of a folder, too")
    given = parser.parse_args()
    version = sources()
    known = {} if given.folder else kept(None if given.any else version)
    wanted = [job for job in jobs(given.folder, given.code) if given.only in job[0]]
    left = [job for job in wanted if job[:2] not in known]
    print(f"{len(wanted)} comparisons, {len(wanted) - len(left)} kept of earlier runs", flush=True)
    KEPT.parent.mkdir(exist_ok=True)
    started = time.monotonic()
    with ThreadPoolExecutor(given.processes) as pool:
        for verdict in pool.map(settled, left):
            known[verdict.file, verdict.oracle] = verdict
            if given.folder is None and verdict.result not in ("CRASHED", "TOO LONG"):
                with KEPT.open("a", encoding="utf-8") as file:
                    file.write(f"{version}\t{verdict.told}\n")
            error = f" {verdict.worst:.1e}" if verdict.result in ("agreed", "DISAGREES") else ""
            told = f"{verdict.oracle}: {verdict.file}: {verdict.result}{error}"
            print(f"{time.monotonic() - started:6.0f} s  {told}", flush=True)
    return report([known[job[:2]] for job in wanted])


if __name__ == "__main__":
    sys.exit(main())
