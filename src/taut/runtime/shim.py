"""How does Python call a generated function with little overhead?  A few lines of C that read arrays themselves.

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


def shim(name: str, widths: Sequence[int], size: int, real: str) -> str:
    """Return C text to put behind a generated module.

    The function made from it takes one array an argument, each contiguous and of the right type, and answers with a
    new array for one state. With one more array it fills that one, for any number of states, and answers with it.
    Whatever does not fit is handed on.

    Args:
        name: of the generated function for one state; ``<name>_batch`` takes many.
        widths: numbers a state in each argument.
        size: numbers in each answer.
        real: ``double`` or ``float``.
    """
    arrays = ", ".join(f"(const {real} *)b[{k}].buf" for k in range(len(widths)))
    return Template(_TEXT).substitute(
        name=name,
        real=real,
        letter=real[0],
        inputs=len(widths),
        widths=", ".join(map(str, [*widths, size])),
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

/* Read arrays of n states (any n where it is -1); where they fit, n and b[0 .. inputs] are set and 1 is returned. */
static int taut_open(taut_object *const *given, taut_object *answer, taut_buffer *b, ptrdiff_t *n)
{
    static const ptrdiff_t widths[$inputs + 1] = {$widths};
    for (int i = 0; i <= $inputs; ++i) {
        const int flags = TAUT_CONTIGUOUS_WITH_FORMAT | (i == $inputs ? TAUT_WRITABLE : 0);
        const ptrdiff_t bytes = widths[i] * (ptrdiff_t)sizeof($real);
        int fits = PyObject_GetBuffer(i == $inputs ? answer : given[i], &b[i], flags) == 0;
        if (fits) {
            if (bytes && *n < 0)
                *n = b[i].len / bytes;
            fits = b[i].format && b[i].format[0] == '$letter' && !b[i].format[1] && b[i].len == bytes * *n;
            if (!fits)
                PyBuffer_Release(&b[i]);
        } else {
            PyErr_Clear();
        }
        if (!fits) {
            while (i-- > 0)
                PyBuffer_Release(&b[i]);
            return 0;
        }
    }
    return 1;
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
    ptrdiff_t n = count == $inputs ? 1 : -1;
    if (count == $inputs)
        answer = PyObject_CallNoArgs(PyTuple_GetItem(helpers, 0));
    else if (count == $inputs + 1)
        answer = Py_NewRef(given[$inputs]);
    else
        return taut_otherwise(PyTuple_GetItem(helpers, 1), given, count);
    if (!answer)
        return 0;
    if (!taut_open(given, answer, b, &n)) {
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
