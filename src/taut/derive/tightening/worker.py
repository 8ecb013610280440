"""The process that tightens programs for another: jobs come in on standard input, results go out on standard output."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from queue import SimpleQueue
from typing import IO

from taut.derive.tightening.workers import Job

PAUSE = 0.1
"""Seconds between two reports of a count that does not fall."""


class _Reporter:
    """Reports the progress of a job to the other process, and ends the job when asked to."""

    def __init__(self, out: IO[bytes], stopped: threading.Event) -> None:
        self._out, self._stopped = out, stopped
        self._count, self._next = 0, 0.0

    def __call__(self, name: str, count: int) -> None:
        if self._stopped.is_set():
            self._stopped.clear()  # once: what follows the search must not be interrupted as well
            raise KeyboardInterrupt
        if count < self._count or time.monotonic() >= self._next:
            self._count, self._next = count, time.monotonic() + PAUSE
            send(self._out, (name, count))


def send(out: IO[bytes], message: object) -> None:
    """Write one message."""
    pickle.dump(message, out)
    out.flush()


def main() -> None:
    """Do jobs until the other process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked, which passes it on
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed by mistake must not be taken for a result
    jobs: SimpleQueue[Job] = SimpleQueue()
    stopped = threading.Event()

    def listen() -> None:
        while True:
            try:
                message = pickle.load(sys.stdin.buffer)
            except (EOFError, OSError):
                os._exit(0)
            if message is None:
                stopped.set()
            else:
                jobs.put(message)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        job = jobs.get()
        try:
            result: object = job.run(_Reporter(out, stopped))
        except KeyboardInterrupt:
            result = "it was stopped"
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        stopped.clear()
        send(out, result)


if __name__ == "__main__":
    main()
