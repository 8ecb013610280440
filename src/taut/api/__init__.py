"""The public verbs: load a robot, compute with it, derive and write its equations."""

from taut.api.robot import Robot as Robot
from taut.api.verbs import calibrate as calibrate
from taut.api.verbs import from_dh as from_dh
from taut.api.verbs import from_text as from_text
from taut.api.verbs import identify as identify
from taut.api.verbs import load as load
from taut.api.verbs import measure as measure
from taut.api.verbs import payload as payload
from taut.api.verbs import validate as validate
