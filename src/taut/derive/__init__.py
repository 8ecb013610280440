"""From a robot to a program: parameters named, starts traced and counted, tightened, proved."""

from taut.derive.derive import derive as derive
from taut.derive.function import Function as Function
from taut.derive.naming.parameters import MODES as MODES
from taut.derive.tightening.efforts import EFFORTS as EFFORTS
