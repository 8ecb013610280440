"""The explicit equations compared with the plain numeric algorithm on the file's digits."""

from __future__ import annotations

from dataclasses import replace

from taut.derive.checks.truth import completed, judge, on_file_digits, refuse_untrue
from taut.explicit.model import ExplicitModel
from taut.explicit.parameters import NamedRobot, named_robot


def compared(model: ExplicitModel, named: NamedRobot, snap: float | None, accept: float | None) -> ExplicitModel:
    """Return the model with its difference from the file's digits; one that is too large is refused."""
    values, meaning = dict(model.values), named.meaning
    function = model.function(torque=True)
    if not set(function.parameter_names) <= set(values):
        values = named_robot(completed(model.robot), model.parameters, snap).naming.values
    known = judge(on_file_digits(model.robot), function.name, None, meaning.turned)
    found = function(*(known.states[name] for name in function.arguments), parameters=values)
    difference = known.difference(found, meaning.note)
    refuse_untrue(difference, "the explicit form", meaning, snap, accept)
    notes = (*model.notes, difference.text) if meaning.taken else model.notes
    return replace(model, difference=difference, notes=notes)
