"""Writes the help of every command as it is kept: ``PYTHONPATH=tests python tests/unit/help/write.py``."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path

from taut.cli import main
from taut.commands.table import TABLE

if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    for name in ("", *TABLE):
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
            main([*([name] if name else []), "--help"])
        (Path(__file__).parent / f"{name or 'taut'}.txt").write_text(text.getvalue(), "utf-8")
