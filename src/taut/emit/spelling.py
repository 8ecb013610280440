"""How elementary functions are written in a language."""

from __future__ import annotations

from collections.abc import Mapping

from taut.graph.elementary import Column


def spelled(default: str, **others: str) -> Mapping[str, str]:
    """Return {function: its text with {} for the arguments}.

    Args:
        default: text of a function with NAME for its name and {} for the argument.
        others: texts of the functions that are written otherwise.

    >>> spelled("np.NAME({})", atan="np.arctan({})")["sin"]
    'np.sin({})'
    """
    return Column(lambda function: others.get(function.name, default.replace("NAME", function.name)))
