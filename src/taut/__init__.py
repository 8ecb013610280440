"""taut: robot dynamics, pulled tight."""

from importlib.metadata import version

from taut.api import Robot as Robot
from taut.api import from_dh as from_dh
from taut.api import load as load
from taut.errors import InputError as InputError
from taut.errors import TautError as TautError
from taut.errors import UnsupportedError as UnsupportedError

__version__ = version("taut")
