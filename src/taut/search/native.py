"""The search of kernel.c, compiled by the system's compiler and called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from taut.search.flat import Flat
from taut.search.lift import Found
from taut.toolchain.compiler import load

PARTS = ("field.h", "table.h", "state.h", "keys.h", "candidate.h", "scan.h", "trials.h", "kernel.c")
PRICES = (0, 1, 1, 1, 0, 1, 1, 1, 0)
"""Of each kind of row where every operation counts one."""

_POINTER, _INT, _LONG, _WORD = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64


class TooLarge(Exception):
    """More nodes than the tables of the kernel may hold, or than there is memory for."""


class NativeSearch:
    """A search in progress; closed when it is no longer needed.

    Args:
        flat: where to begin.
        seed: of all random choices.
        prices: of each kind of row.
        deep: steps in a thousand that look for three operations.
        trial: steps within which an attempt that costs operations has to save as many; 0 for none.
    """

    def __init__(self, flat: Flat, seed: int, prices: Sequence[int] = PRICES, deep: int = 0, trial: int = 0) -> None:
        self._flat = flat
        self._kernel = kernel()
        weights = np.array(prices, np.int32)
        line_weights = np.array(flat.line_weights, np.uint64)
        self._handle = self._kernel.taut_search_open(
            len(flat.leaves),
            len(flat.rows),
            _address(flat.rows),
            _address(flat.values),
            len(flat.outputs),
            _address(flat.outputs),
            seed % 2**64,
            _address(weights),
            deep,
            trial,
            flat.values.shape[1],
            _address(line_weights),
        )
        if not self._handle:
            raise TooLarge(f"{len(flat.rows)} nodes are too many for one search")

    def run(self, steps: int) -> int:
        """Try ``steps`` nodes and return the best cost so far."""
        return int(self._kernel.taut_search_run(self._handle, steps))

    def best(self) -> Found:
        """Return the best program so far."""
        length, leaves = self._kernel.taut_search_best(self._handle, None, None, None), len(self._flat.leaves)
        rows, outputs = np.empty((length, 4), np.int32), np.empty_like(self._flat.outputs)
        known_by = np.empty(length, np.int32)
        self._kernel.taut_search_best(self._handle, _address(rows), _address(outputs), _address(known_by))
        log = np.empty((self._kernel.taut_search_origins(self._handle, None), 4), np.int32)
        self._kernel.taut_search_origins(self._handle, _address(log))
        return Found(rows, outputs, np.concatenate([np.arange(leaves, dtype=np.int32), known_by]), log)

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._kernel.taut_search_close(self._handle)


@lru_cache
def kernel() -> ctypes.CDLL:
    """Return the compiled kernel; raises CompilerError where there is no compiler."""
    library = load(source(), ("-std=c11", "-O3"))
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "open": (_POINTER, [_INT, _INT, *[_POINTER] * 2, _INT, _POINTER, _WORD, _POINTER, _INT, _INT, _INT, _POINTER]),
        "run": (_INT, [_POINTER, _LONG]),
        "best": (_INT, [_POINTER, _POINTER, _POINTER, _POINTER]),
        "origins": (_INT, [_POINTER, _POINTER]),
        "close": (None, [_POINTER]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, f"taut_search_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def source() -> str:
    """Return the text of the kernel."""
    return "\n".join(files("taut.search").joinpath(part).read_text("utf-8") for part in PARTS)


def _address(array: Any) -> int:
    assert array.flags.c_contiguous
    return int(array.ctypes.data)
