"""Lines of C by which Python calls a generated function with little overhead: they read arrays themselves.

The lines use only the stable interface of CPython 3.11 and declare what they need of it, so that no Python header
has to be installed: a call costs a third of a microsecond where one through ctypes costs several.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from string import Template
from typing import Any

ENTRY = "taut_python_entry"

LINK_FLAGS = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
"""The interpreter's own functions are found when the library is loaded."""


def shim(name: str, widths: Sequence[int], shape: Sequence[int], real: str) -> str:
    """Return C text to put behind a generated module.

    The function made from it takes one array an argument, each contiguous, aligned and of the right type, and answers
    with a new array for one state. With one more array it fills that one, for any number of states with the same
    leading axes in all arrays, and answers with it. Whatever does not fit, and an answer that overlaps an argument, is
    handed on.

    Args:
        name: of the generated function for one state; ``<name>_batch`` takes many.
        widths: numbers a state in each argument.
        shape: of one answer.
        real: ``double`` or ``float``.
    """
    arrays = ", ".join(f"(const {real} *)b[{k}].buf" for k in range(len(widths)))
    return Template(_TEXT).substitute(
        name=name,
        real=real,
        letter=real[0],
        inputs=len(widths),
        widths=", ".join(map(str, widths)),
        axes=len(shape),
        shape=", ".join(map(str, shape)),
        arrays=f"{arrays}, ({real} *)b[{len(widths)}].buf",
        entry=ENTRY,
    )


def entry(library: ctypes.CDLL, new_answer: Callable[[], Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a library whose text ends with a shim.

    Args:
        library: compiled from the text.
        new_answer: makes an array for the answer to one state.
        otherwise: called with arguments that do not fit.
    """
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
    helpers = (new_answer, otherwise)
    function: Callable[..., Any] = make(ctypes.addressof(ctypes.c_char.in_dll(library, ENTRY)), helpers, None)
    return function


_TEXT = """
typedef struct taut_object taut_object;
typedef struct {
    void *buf;
    taut_object *obj;
    ptrdiff_t len, itemsize;
    int readonly, ndim;
    char *format;
    ptrdiff_t *shape, *strides, *suboffsets;
    void *internal;
} taut_buffer;
int PyObject_GetBuffer(taut_object *, taut_buffer *, int);
void PyBuffer_Release(taut_buffer *);
taut_object *PyObject_CallNoArgs(taut_object *);
taut_object *PyObject_CallObject(taut_object *, taut_object *);
taut_object *PyTuple_New(ptrdiff_t);
taut_object *PyTuple_GetItem(taut_object *, ptrdiff_t);
int PyTuple_SetItem(taut_object *, ptrdiff_t, taut_object *);
taut_object *Py_NewRef(taut_object *);
void Py_DecRef(taut_object *);
void PyErr_Clear(void);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);

enum { TAUT_CONTIGUOUS_WITH_FORMAT = 0x38 | 0x04, TAUT_WRITABLE = 0x01, TAUT_FASTCALL = 0x80 };

/* Whether an array has some leading axes, then axes of its own, and numbers of the right type where they should be. */
static int taut_has(const taut_buffer *b, int leading, const ptrdiff_t *before, int axes, const ptrdiff_t *own)
{
    if (b->ndim != leading + axes || !b->format || b->format[0] != '$letter' || b->format[1])
        return 0;
    for (int i = 0; i < b->ndim; ++i)
        if (b->shape[i] != (i < leading ? before[i] : own[i - leading]))
            return 0;
    return (size_t)b->buf % sizeof($real) == 0;
}

/* Read the arrays of one state, or of many; where they fit, return their number and set b[0 .. inputs], else -1. */
static ptrdiff_t taut_open(taut_object *const *given, taut_object *answer, taut_buffer *b, int many)
{
    static const ptrdiff_t widths[$inputs] = {$widths}, shape[$axes] = {$shape};
    taut_buffer *const y = &b[$inputs];
    int leading = 0, fits = 1, opened = 0;
    for (; fits && opened <= $inputs; opened += fits) {
        const int flags = TAUT_CONTIGUOUS_WITH_FORMAT | (opened == $inputs ? TAUT_WRITABLE : 0);
        fits = PyObject_GetBuffer(opened == $inputs ? answer : given[opened], &b[opened], flags) == 0;
    }
    if (!fits)
        PyErr_Clear();
    if (fits && many && (leading = b[0].ndim - 1) < 0)
        fits = 0;
    for (int i = 0; fits && i < $inputs; ++i) {
        const char *const x = (const char *)b[i].buf, *const z = (const char *)y->buf;
        const int apart = x + b[i].len <= z || z + y->len <= x;
        fits = apart && taut_has(&b[i], leading, b[0].shape, 1, &widths[i]);
    }
    if (fits && taut_has(y, leading, b[0].shape, $axes, shape)) {
        ptrdiff_t n = 1;
        for (int i = 0; i < leading; ++i)
            n *= b[0].shape[i];
        return n;
    }
    while (opened-- > 0)
        PyBuffer_Release(&b[opened]);
    return -1;
}

static taut_object *taut_otherwise(taut_object *call, taut_object *const *given, ptrdiff_t count)
{
    taut_object *all = PyTuple_New(count), *answer = 0;
    for (ptrdiff_t i = 0; all && i < count; ++i)
        PyTuple_SetItem(all, i, Py_NewRef(given[i]));
    if (all) {
        answer = PyObject_CallObject(call, all);
        Py_DecRef(all);
    }
    return answer;
}

static taut_object *taut_call(taut_object *helpers, taut_object *const *given, ptrdiff_t count)
{
    taut_buffer b[$inputs + 1];
    taut_object *answer;
    if (count == $inputs)
        answer = PyObject_CallNoArgs(PyTuple_GetItem(helpers, 0));
    else if (count == $inputs + 1)
        answer = Py_NewRef(given[$inputs]);
    else
        return taut_otherwise(PyTuple_GetItem(helpers, 1), given, count);
    if (!answer)
        return 0;
    const ptrdiff_t n = taut_open(given, answer, b, count > $inputs);
    if (n < 0) {
        Py_DecRef(answer);
        return taut_otherwise(PyTuple_GetItem(helpers, 1), given, count);
    }
    if (n == 1) {
        $name($arrays);
    } else if (n > 1) {
        void *thread = PyEval_SaveThread();
        ${name}_batch((size_t)n, $arrays);
        PyEval_RestoreThread(thread);
    }
    for (int i = 0; i <= $inputs; ++i)
        PyBuffer_Release(&b[i]);
    return answer;
}

struct {
    const char *name;
    taut_object *(*call)(taut_object *, taut_object *const *, ptrdiff_t);
    int flags;
    const char *text;
} $entry = {"$name", taut_call, TAUT_FASTCALL, 0};
"""
