"""What does emitted text answer?  Run it, in whatever runs its language here, on given states."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from taut.emit.c.module import Module
from taut.emit.routine import Routine
from taut.errors import TautError
from taut.runtime.compiler import load

States = Mapping[str, np.ndarray]
"""{argument: (n, width)}."""

TIMEOUT = 120.0


def run_c(
    module: Module, routine: Routine, states: States, parameters: Sequence[float], flags: Sequence[str], batch: bool
) -> np.ndarray:
    """Return the answers (n, size) of a module compiled here.

    Args:
        module: the C of a robot.
        routine: one of its functions.
        states: in the precision of the module.
        parameters: of a module that reads them at run time.
        flags: for the compiler.
        batch: all states in one call, else one by one.
    """
    library = load(module.single_file, flags)
    dtype = np.dtype(module.precision if module.precision == "double" else np.float32)
    given = [np.ascontiguousarray(states[name], dtype) for name in routine.arguments]
    count = len(given[0])
    answer = np.full((count, routine.size), np.nan, dtype)
    handed: list[Any] = []
    if not module.baked:
        room = sum(len(r.handed_over) for r in module.routines) + 1
        constants = np.zeros(room, dtype)
        handed = [_address(constants)]
        getattr(library, f"{module.prefix}_init")(*handed, _address(np.array([*parameters, 0.0])))
    call = getattr(library, f"{module.prefix}_{routine.name}{'_batch' if batch else ''}")
    call.restype = None
    if batch:
        call(*handed, ctypes.c_size_t(count), *map(_address, given), _address(answer))
    else:
        for k in range(count):
            call(*handed, *(_address(x[k]) for x in given), _address(answer[k]))
    return answer


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def run_python(text: str, routine: Routine, states: States, parameters: Sequence[float]) -> np.ndarray:
    """Return the answers of a module that :func:`taut.emit.python.python_source` wrote."""
    names: dict[str, Any] = {}
    exec(compile(text, "<emitted>", "exec"), names)  # taut's own text, never that of a file
    given = [*([] if routine.baked else [np.asarray(parameters)]), *(states[name] for name in routine.arguments)]
    answer: np.ndarray = names[routine.name](*given)
    return answer.reshape(len(answer), routine.size)


def run_javascript(text: str, routine: Routine, states: States, parameters: Sequence[float]) -> np.ndarray:
    """Return the answers of a module that :func:`taut.emit.javascript.javascript_source` wrote."""
    node = shutil.which("node")
    if node is None:
        raise TautError("there is no 'node' to run JavaScript")
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
