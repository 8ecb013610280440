"""Derived functions at the speed of C: emitted, compiled once, called on arrays of any leading shape."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import CDLL
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from taut.batch import as_vectors
from taut.emit.c.module import Module
from taut.emit.derived import Derived
from taut.emit.routine import Routine
from taut.errors import InputError, TautError
from taut.runtime.shim import LINK_FLAGS, entry, shim
from taut.toolchain.compiler import CompilerError, load

PORTABLE = ("-O3", "-fno-math-errno", "-ffp-contract=fast")
NATIVE = (*PORTABLE, "-march=native")
"""Flags: nothing that changes results but fused multiply-add, which rounds less."""


STATES_A_THREAD = 2000
"""Fewer are done before a thread has started."""


class Compiled(partial[np.ndarray]):
    """A function in C, called with NumPy arrays of any leading shape, which broadcast against each other.

    Calling it for one state costs half a microsecond; many states run with the interpreter's lock released, so that
    threads run side by side. One more array, contiguous and of the right type and shape, is filled with the answer
    and returned. Numbers are not looked at: a NaN in is a NaN out. It can be pickled: another process compiles it
    again, or takes it from the cache.

    Attributes:
        name: of the function.
        arguments: {argument: width}.
        shape: of one answer.
        native: whether it is machine code, not NumPy.
    """

    name: str
    arguments: Mapping[str, int]
    shape: tuple[int, ...]
    native: bool
    _made_from: tuple[Any, ...]

    @classmethod
    def of(cls, function: Derived, run: Callable[..., Any], native: bool, *options: Any) -> Compiled:
        """Return what calls ``run`` without another step in between; ``options`` are those of :func:`compiled`."""
        self = cls(run)
        self.name, self.shape, self.native = function.name, function.shape, native
        self.arguments = {name: len(symbols) for name, symbols in function.arguments.items()}
        self._made_from = (function, *options)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return compiled, self._made_from

    def __eq__(self, other: object) -> bool:
        return self._made_from == other._made_from if isinstance(other, Compiled) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._made_from[0])

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(self.arguments)}), {'compiled' if self.native else 'in NumPy'}>"


Fill = Callable[..., Any]
"""Takes contiguous, aligned arrays with the same leading axes, the last one to be filled."""


class _Arranging:
    """Brings arguments into contiguous arrays of the right type, or raises an error that names what is wrong with them.

    Args:
        function: whose arguments they are.
        dtype: of all arrays.
        fill: what is called with the arranged arrays.
        threads: that share a large batch.
    """

    def __init__(self, function: Derived, dtype: np.dtype, fill: Fill, threads: int = 1) -> None:
        self.name, self.shape, self.dtype, self.threads = function.name, function.shape, dtype, threads
        self.widths = {name: len(symbols) for name, symbols in function.arguments.items()}
        self.fill = fill

    def __call__(self, *states: Any) -> np.ndarray:
        wanted = len(self.widths)
        if len(states) not in (wanted, wanted + 1):
            raise InputError(f"{len(states)} arguments", self.name, f"give {', '.join(self.widths)}")
        states, given = states[:wanted], states[wanted:]
        arrays = [
            as_vectors(name, x, width, f"{width} numbers", self.dtype)
            for (name, width), x in zip(self.widths.items(), states, strict=True)
        ]
        try:
            leading = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        except ValueError:
            listed = ", ".join(f"{name} {x.shape}" for name, x in zip(self.widths, arrays, strict=True))
            raise InputError(f"leading axes do not fit together: {listed}", self.name, "give one batch shape") from None
        out = self._fitting(given[0], leading) if given else None
        whole = [np.require(np.broadcast_to(x, (*leading, x.shape[-1])), self.dtype, ["C", "A"]) for x in arrays]
        overlaps = out is not None and any(np.may_share_memory(x, out) for x in whole)
        answer = np.empty((*leading, *self.shape), self.dtype) if out is None or overlaps else out
        if answer.size:
            self._fill(whole, answer, int(np.prod(leading)))
        if out is not None and overlaps:
            out[...] = answer
        return answer if out is None else out

    def _fill(self, whole: Sequence[np.ndarray], answer: np.ndarray, count: int) -> None:
        """Run all states, by several threads where there are enough for each."""
        threads = min(self.threads, count // STATES_A_THREAD)
        if threads < 2:
            self.fill(*whole, answer)
            return
        rows = [x.reshape(count, x.shape[-1]) for x in whole] + [answer.reshape(count, *self.shape)]
        cuts = [count * k // threads for k in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda a, b: self.fill(*(x[a:b] for x in rows)), cuts, cuts[1:]))

    def _fitting(self, out: Any, leading: tuple[int, ...]) -> np.ndarray:
        shape = (*leading, *self.shape)
        fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == self.dtype
        if not (fits and out.flags.carray):
            advice = f"give a contiguous, aligned, writable {self.dtype} array of shape {shape}"
            raise InputError("the array for the answer does not fit", self.name, advice)
        filled: np.ndarray = out
        return filled


def compiled(
    function: Derived,
    precision: str = "double",
    trig: str = "poly",
    parameters: Mapping[str, float] | None = None,
    threads: int = 1,
) -> Compiled:
    """Return a derived function as machine code for this processor, compiled now unless it has been before.

    Args:
        function: the derived function.
        precision: ``double`` or ``float``.
        trig: ``poly`` or ``libm``.
        parameters: values of symbols that have none, or other values for those that do; they become constants.
        threads: that share the states of a large batch.

    Without a C compiler the program runs in NumPy, with a warning.
    """
    if threads < 1:
        raise InputError(f"{threads} threads", function.name, "give one or more")
    function = replace(function, values={**function.values, **(parameters or {})})
    options = (precision, trig, None, threads)
    routine = Routine.of(function, baked=True)
    module = Module(function.robot, [routine], precision=precision, trig=trig)
    widths = [len(symbols) for symbols in function.arguments.values()]
    text = module.single_file + shim(f"{module.prefix}_{routine.name}", widths, function.shape, precision)
    dtype = np.dtype(np.float64 if precision == "double" else np.float32)
    try:
        if sys.implementation.name != "cpython":
            raise CompilerError(f"compiled functions need CPython, this is {sys.implementation.name}")
        library = load_fast(text)
    except CompilerError as error:
        warnings.warn(f"{function.name} runs in NumPy, slower than compiled: {error}", RuntimeWarning, stacklevel=2)
        return Compiled.of(function, _Arranging(function, dtype, partial(_in_numpy, function)), False, *options)
    new_answer = np.zeros(function.shape, dtype).copy
    arranging = _Arranging(function, dtype, entry(library, new_answer, _refused), threads)
    return Compiled.of(function, entry(library, new_answer, arranging), True, *options)


def _in_numpy(function: Derived, *arrays: np.ndarray) -> None:
    """Fill the last array without a compiler."""
    arrays[-1][...] = function(*arrays[:-1])


def _refused(*arrays: np.ndarray) -> None:
    """Say that arranged arrays still do not fit, instead of arranging them again and again."""
    listed = ", ".join(f"{x.dtype} {x.shape}" for x in arrays)
    raise TautError(f"compiled code refuses the arrays {listed}; report this")


def load_fast(text: str) -> CDLL:
    """Return the library of a C text, for this processor where the compiler supports it."""
    try:
        return load(text, (*NATIVE, *LINK_FLAGS))
    except CompilerError:  # a compiler that does not know its own processor
        return load(text, (*PORTABLE, *LINK_FLAGS))
