"""A routine as a JAX function: ``jit``, ``vmap`` and ``grad`` work on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from taut.errors import InputError
from taut.graph.elementary import Column
from taut.graph.evaluate import REAL, Arithmetic

if TYPE_CHECKING:
    from taut.emit.routine import Routine


def jax_function(routine: Routine) -> Callable[..., Any]:
    """Return a function of vectors of one state; for doubles set ``jax_enable_x64``."""
    try:
        import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise InputError("JAX is not installed", "jax", "install it: pip install jax") from None
    functions = Column(lambda function: getattr(jnp, function.numpy))
    arithmetic = Arithmetic(REAL.rational, REAL.power, functions)

    def function(*states: Any) -> Any:
        symbols: dict[str, Any] = dict(routine.values)
        for names, state in zip(routine.arguments.values(), states, strict=True):
            symbols.update({name: state[k] for k, name in enumerate(names)})
        answers = routine.program.evaluate(symbols, arithmetic)
        return jnp.stack([jnp.asarray(x) for x in answers]).reshape(routine.shape)

    return function
