"""``make fuzz``: read mutated robot files until a count or a time is reached, and state what became of them.

Every input is read, and where it is a robot written as TOML and read again. Anything but a robot or an InputError,
and any input that takes longer than SLOWEST, is saved to build/fuzz and ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from fuzz.mutate import corpus, mutated
from taut.errors import InputError, InputWarning
from taut.formats import BY_EXTENSION, read
from taut.formats.toml_writer import write_toml

SLOWEST = 5.0
"""CPU seconds that an input of 20 kB may take."""

FOUND = Path(__file__).parents[2] / "build" / "fuzz"


def outcome(extension: str, text: str) -> str:
    """Return what became of a text: "robot" or "refused"; AssertionError for a wrong answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        try:
            tree = read(text, "fuzz", BY_EXTENSION.get(extension))
        except InputError as error:
            sentence = str(error)
            assert sentence.isprintable() and sentence.startswith("fuzz") and len(sentence) < 2100, sentence
            return "refused"
        try:
            again = write_toml(tree)
        except InputError as error:
            assert "written" in str(error) or "hold" in str(error) or "formula" in str(error), error
            return "robot"
        read(again, "again", "toml")
    numbers = [x for i in range(len(tree.joints)) for x in tree.inertia(i).parameters if isinstance(x, float)]
    assert all(math.isfinite(x) for x in numbers), "a number is not finite"
    return "robot"


def megabytes() -> float:
    """Return the memory that is in use now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def run(count: int, seconds: float, seed: int) -> int:
    """Try mutated texts; print figures every half minute and return the exit code."""
    seeds, results = corpus(), Counter[str]()
    started, told, slowest, failures = time.monotonic(), 0.0, 0.0, 0
    memory: list[tuple[float, float]] = []
    for i in range(count):
        now = time.monotonic() - started
        if now > seconds:
            break
        extension, text = mutated(random.Random(f"{seed} {i}"), seeds)
        before = time.process_time()
        try:
            results[outcome(extension, text)] += 1
        except Exception:
            failures += 1
            _save(i, extension, text, traceback.format_exc())
        spent = time.process_time() - before
        slowest = max(slowest, spent)
        if spent > SLOWEST:
            failures += 1
            _save(i, extension, text, f"{spent:.1f} s")
        if now - told > 30:
            told = now
            memory.append((now, megabytes()))
            print(f"{now:6.0f} s  {i + 1} inputs  {memory[-1][1]:.0f} MB", flush=True)
    late = [used for at, used in memory if at >= 120]
    growth = f"; memory after minute 2 within {max(late) / min(late) - 1:.1%}" if late else ""
    print(
        f"{sum(results.values()) + failures} inputs in {time.monotonic() - started:.0f} s: {results['robot']} robots, "
        f"{results['refused']} refused, {failures} failures; slowest {slowest:.2f} s CPU{growth}"
    )
    return 1 if failures else 0


def _save(number: int, extension: str, text: str, reason: str) -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    path = FOUND / f"{number}{extension}"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    print(f"input {number}: saved as {path}\n{reason}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="read mutated robot files")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sys.exit(run(given.count, given.seconds, given.seed))
