"""The README of generated C: how to build it, what the functions are, how parameters are set."""

from __future__ import annotations

from taut.emit.c.module import Module
from taut.emit.names import remark, wrapped
from taut.emit.routine import Routine


def readme(module: Module) -> str:
    """Return the page about the directory."""
    text = _PAGE if module.baked else _PAGE + _PARAMETERS
    joints = "\n".join(f"    {row}" for row in wrapped([_prose(joint) for joint in module.joints]))
    text = (
        text.replace("@R@", module.prefix)
        .replace("@robot@", _prose(module.robot))
        .replace("@precision@", module.precision)
    )
    text = text.replace("@joints@", joints) + "\n## Functions\n"
    for routine in module.routines:
        text += f"\n```c\n{_prototypes(module, routine)}\n```\n\n{_prose(*routine.remarks)}\n"
    if module.batch:
        text += "\n`_batch` takes n states one after the other in every array, any n, and works on several at once.\n"
    return text


def _prose(*sentences: str) -> str:
    """Return text in which no name of a file makes a link."""
    return " ".join(remark(sentence) for sentence in sentences).replace("](", "] (")


def _prototypes(module: Module, routine: Routine) -> str:
    kinds = (False, True) if module.batch else (False,)
    text = "\n".join(f"{module.signature(routine, batch)};" for batch in kinds)
    return text.replace(f"{module.prefix}_RESTRICT ", "")


_PAGE = """\
# Dynamics of @robot@ in C

Written by taut: @precision@ precision, C99 and C++, no heap, no global state; any number of threads may call it.

```
cc -O3 @R@.c selftest.c -lm -o selftest && ./selftest
cmake -B build && cmake --build build && ctest --test-dir build
```

`@R@.c` and `@R@.h` are all a program needs. Add `-march=native` to use everything the processor has, and
`-std=gnu99`, not `-std=c99`, so that gcc fuses multiplications with additions. `-ffast-math` is neither needed nor
allowed: it breaks the reduction of angles.

Every vector has the joints in this order:

@joints@

Matrices are row-major. An output must not overlap an argument. A NaN or an infinity makes NaN of what depends on it.
"""

_PARAMETERS = """
## Parameters

The numbers of the robot are read at run time:

```c
double parameters[@R@_PARAMETERS];
@R@_constants k;                     /* yours: on the stack, in a structure of yours, ... */
@R@_default_parameters(parameters);  /* what the robot file says; NaN where it says nothing */
@R@_init(&k, parameters);            /* again whenever a parameter changes */
```

The places of the parameters are `@R@_PARAMETER_<name>` in `@R@.h`.
"""
