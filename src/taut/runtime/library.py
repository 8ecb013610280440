"""How does a derived function run at the speed of C from Python?  Emitted, compiled once, called on arrays."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import CDLL
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.emit.c.module import Module
from taut.emit.routine import Routine
from taut.errors import InputError
from taut.runtime.compiler import CompilerError, load
from taut.runtime.shim import LINK_FLAGS, entry, shim

if TYPE_CHECKING:
    from taut.derive.function import Function

PORTABLE = ("-O3", "-fno-math-errno", "-ffp-contract=fast")
NATIVE = (*PORTABLE, "-march=native")
"""Flags: nothing that changes results but fused multiply-add, which rounds less."""


STATES_A_THREAD = 2000
"""Fewer are done before a thread has started."""


class Compiled(partial[np.ndarray]):
    """A function in C, called with NumPy arrays of any leading shape, which broadcast against each other.

    Calling it for one state costs half a microsecond; many states run with the interpreter's lock released, so that
    threads run side by side. One more array, contiguous and of the right type and shape, is filled with the answer
    and returned. Numbers are not looked at: a NaN in is a NaN out.

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

    @classmethod
    def of(cls, function: Function, run: Callable[..., Any], native: bool) -> Compiled:
        """Return what calls ``run`` without another step in between."""
        self = cls(run)
        self.name, self.shape, self.native = function.name, function.shape, native
        self.arguments = {name: len(symbols) for name, symbols in function.arguments.items()}
        return self

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(self.arguments)}), {'compiled' if self.native else 'in NumPy'}>"


class _Arranging:
    """Brings arguments that are not one state of the right type into contiguous arrays, or says what is wrong."""

    def __init__(self, function: Function, dtype: Any, library: CDLL, threads: int) -> None:
        self.name, self.shape, self.dtype, self.threads = function.name, function.shape, np.dtype(dtype), threads
        self.widths = {name: len(symbols) for name, symbols in function.arguments.items()}
        self.run = entry(library, np.zeros(self.shape, dtype).copy, self)

    def __call__(self, *states: Any) -> np.ndarray:
        wanted = len(self.widths)
        if len(states) not in (wanted, wanted + 1):
            raise InputError(f"{len(states)} arguments", self.name, f"give {', '.join(self.widths)}")
        states, given = states[:wanted], states[wanted:]
        arrays = [self._array(name, x) for name, x in zip(self.widths, states, strict=True)]
        try:
            leading = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        except ValueError:
            listed = ", ".join(f"{name} {x.shape}" for name, x in zip(self.widths, arrays, strict=True))
            raise InputError(f"leading axes do not fit together: {listed}", self.name, "give one batch shape") from None
        whole = [np.ascontiguousarray(np.broadcast_to(x, (*leading, x.shape[-1]))) for x in arrays]
        answer = self._fitting(given[0], leading) if given else np.empty((*leading, *self.shape), self.dtype)
        if answer.size:
            self._fill(whole, answer, int(np.prod(leading)))
        return answer

    def _fill(self, whole: Sequence[np.ndarray], answer: np.ndarray, count: int) -> None:
        """Run all states, by several threads where there are enough for each."""
        threads = min(self.threads, count // STATES_A_THREAD)
        if threads < 2:
            self.run(*whole, answer)
            return
        rows = [x.reshape(count, -1) for x in (*whole, answer)]
        cuts = [count * k // threads for k in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda a, b: self.run(*(x[a:b] for x in rows)), cuts, cuts[1:]))

    def _fitting(self, out: Any, leading: tuple[int, ...]) -> np.ndarray:
        shape = (*leading, *self.shape)
        fits = isinstance(out, np.ndarray) and out.shape == shape and out.dtype == self.dtype
        if not (fits and out.flags.c_contiguous and out.flags.writeable):
            advice = f"give a contiguous, writable {self.dtype} array of shape {shape}"
            raise InputError("the array for the answer does not fit", self.name, advice)
        filled: np.ndarray = out
        return filled

    def _array(self, name: str, value: Any) -> np.ndarray:
        width = self.widths[name]
        try:
            array = np.asarray(value, self.dtype)
        except (TypeError, ValueError):
            raise InputError("not an array of numbers", name, f"give {width} numbers") from None
        if array.ndim == 0 or array.shape[-1] != width:
            found = "a single number" if array.ndim == 0 else f"shape {array.shape}"
            raise InputError(f"{found}, expected (..., {width})", name)
        return array


def compiled(
    function: Function,
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

    Without a C compiler the program runs in NumPy, and a warning says so.
    """
    if threads < 1:
        raise InputError(f"{threads} threads", function.name, "give one or more")
    function = replace(function, values={**function.values, **(parameters or {})})
    routine = Routine.of(function, baked=True)
    module = Module(function.robot, [routine], precision=precision, trig=trig)
    widths = [len(symbols) for symbols in function.arguments.values()]
    text = module.single_file + shim(f"{module.prefix}_{routine.name}", widths, routine.size, precision)
    dtype = np.float64 if precision == "double" else np.float32
    try:
        if sys.implementation.name != "cpython":
            raise CompilerError(f"compiled functions need CPython, this is {sys.implementation.name}")
        return Compiled.of(function, _Arranging(function, dtype, _loaded(text), threads).run, native=True)
    except CompilerError as error:
        warnings.warn(f"{function.name} runs in NumPy, slower than compiled: {error}", RuntimeWarning, stacklevel=2)
        return Compiled.of(function, partial(_in_numpy, function, np.dtype(dtype)), native=False)


def _in_numpy(function: Function, dtype: np.dtype, *states: Any) -> np.ndarray:
    """Return the answer without a compiler; one more array is filled with it."""
    count = len(function.arguments)
    answer = function(*states[:count]).astype(dtype)
    if len(states) == count + 1:
        states[count][...] = answer
        filled: np.ndarray = states[count]
        return filled
    return answer


def _loaded(text: str) -> CDLL:
    try:
        return load(text, (*NATIVE, *LINK_FLAGS))
    except CompilerError:  # a compiler that does not know its own processor
        return load(text, (*PORTABLE, *LINK_FLAGS))
