"""A routine as a CasADi function, for solvers that want derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taut.errors import InputError
from taut.graph.elementary import Column
from taut.graph.evaluate import REAL, Arithmetic

if TYPE_CHECKING:
    from taut.emit.routine import Routine


def casadi_function(routine: Routine) -> Any:
    """Return a ``casadi.Function`` of column vectors; a matrix answer is a matrix, more axes are a column."""
    try:
        import casadi
    except ImportError:
        raise InputError("CasADi is not installed", "casadi", "install it: pip install casadi") from None
    functions = Column(lambda function: getattr(casadi, function.name))
    arithmetic = Arithmetic(lambda x: casadi.SX(REAL.rational(x)), REAL.power, functions)
    vectors = {name: casadi.SX.sym(name, len(symbols)) for name, symbols in routine.arguments.items()}
    symbols: dict[str, Any] = {name: casadi.SX(value) for name, value in routine.values.items()}
    for name, those in routine.arguments.items():
        symbols.update({symbol: vectors[name][k] for k, symbol in enumerate(those)})
    answer = casadi.vertcat(*routine.program.evaluate(symbols, arithmetic))
    if len(routine.shape) == 2:
        rows, columns = routine.shape
        answer = casadi.reshape(answer, columns, rows).T
    return casadi.Function(routine.name, [*vectors.values()], [answer], [*vectors], [routine.result.letter])
