"""Run emitted JavaScript on given states, by Node.js."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from taut.emit.backend import NotRun, States
from taut.emit.routine import Routine
from taut.errors import TautError

TIMEOUT = 120.0


def run_javascript(text: str, routine: Routine, states: States, parameters: Sequence[float]) -> np.ndarray:
    """Return the answers (n, size) of a module that :func:`taut.emit.javascript.javascript_source` wrote."""
    node = shutil.which("node")
    if node is None:
        raise NotRun("there is no 'node' to run JavaScript; install Node.js")
    arguments = [] if routine.baked else ["given.p"]
    arguments += [f"given.{name}[i]" for name in routine.arguments]
    given = {name: states[name].tolist() for name in routine.arguments} | {"p": list(parameters)}
    first = next(iter(routine.arguments))
    with tempfile.TemporaryDirectory() as place:
        Path(place, "emitted.mjs").write_text(text, "utf-8")
        Path(place, "given.json").write_text(json.dumps(given), "utf-8")
        Path(place, "run.mjs").write_text(
            "import { readFileSync } from 'node:fs';\nimport * as emitted from './emitted.mjs';\n"
            "const given = JSON.parse(readFileSync(new URL('./given.json', import.meta.url)));\n"
            f"const answers = given.{first}.map((_, i) => [...emitted.{routine.name}({', '.join(arguments)})]);\n"
            "console.log(JSON.stringify(answers));\n",
            "utf-8",
        )
        done = subprocess.run(
            [node, str(Path(place, "run.mjs"))], capture_output=True, text=True, check=False, timeout=TIMEOUT
        )
    if done.returncode:
        raise TautError(f"node failed: {done.stderr.strip()[:200]}")
    return np.array(json.loads(done.stdout), float)
