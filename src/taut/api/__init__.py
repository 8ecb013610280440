"""The public verbs: load a robot, compute with it, derive and write its equations."""

from typing import TYPE_CHECKING, Any

from taut.api.verbs import calibrate as calibrate
from taut.api.verbs import from_dh as from_dh
from taut.api.verbs import from_text as from_text
from taut.api.verbs import identify as identify
from taut.api.verbs import load as load
from taut.api.verbs import measure as measure
from taut.api.verbs import payload as payload
from taut.api.verbs import validate as validate

if TYPE_CHECKING:
    from taut.api.robot import Robot as Robot


def __getattr__(name: str) -> Any:
    """Import the robot's class when it is asked for, so that importing taut is fast."""
    if name == "Robot":
        from taut.api.robot import Robot

        return Robot
    raise AttributeError(f"module 'taut.api' has no attribute '{name}'")
