"""The search of kernel.c, compiled by the system's compiler and called from Python."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from taut.runtime.compiler import load
from taut.search.flat import Flat, Rows

_POINTER, _INT, _LONG, _WORD = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64


class TooLarge(Exception):
    """More nodes than the tables of the kernel may hold, or than there is memory for."""


class NativeSearch:
    """A search in progress; closed when it is no longer needed.

    Args:
        flat: where to begin.
        seed: of all random choices.
    """

    def __init__(self, flat: Flat, seed: int) -> None:
        self._flat = flat
        self._kernel = kernel()
        self._handle = self._kernel.taut_search_open(
            len(flat.leaves),
            len(flat.rows),
            _address(flat.rows),
            _address(flat.values),
            _address(flat.fixed),
            len(flat.outputs),
            _address(flat.outputs),
            seed % 2**64,
        )
        if not self._handle:
            raise TooLarge(f"{len(flat.rows)} nodes are too many for one search")

    def run(self, steps: int, noise: int = 0) -> int:
        """Try ``steps`` nodes and return the best cost so far; ``noise`` in a thousand may cost one operation."""
        return int(self._kernel.taut_search_run(self._handle, steps, noise))

    def best(self) -> tuple[Rows, Rows]:
        """Return the operations and the outputs of the best program so far."""
        rows, outputs = np.empty_like(self._flat.rows), np.empty_like(self._flat.outputs)
        length = self._kernel.taut_search_best(self._handle, _address(rows), _address(outputs))
        return rows[:length], outputs

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._kernel.taut_search_close(self._handle)


@lru_cache
def kernel() -> ctypes.CDLL:
    """Return the compiled kernel; raises CompilerError where there is no compiler."""
    library = load(files("taut.search").joinpath("kernel.c").read_text("utf-8"), ("-std=c11", "-O3"))
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "open": (_POINTER, [_INT, _INT, _POINTER, _POINTER, _POINTER, _INT, _POINTER, _WORD]),
        "run": (_INT, [_POINTER, _LONG, _INT]),
        "best": (_INT, [_POINTER, _POINTER, _POINTER]),
        "close": (None, [_POINTER]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, f"taut_search_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def _address(array: Any) -> int:
    assert array.flags.c_contiguous
    return int(array.ctypes.data)
