"""Local search for programs with fewer operations; independent of robots."""

from taut.search.flat import differences as differences
from taut.search.resubstitution import Interrupted as Interrupted
from taut.search.resubstitution import resubstitute as resubstitute
