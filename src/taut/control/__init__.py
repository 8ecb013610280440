"""Control laws: short texts over a robot's functions, run on numbers and written as C by the same text."""

from taut.control.computed_torque import ComputedTorque as ComputedTorque
from taut.control.feed_forward import FeedForward as FeedForward
from taut.control.law import Following as Following
from taut.control.law import Law as Law
from taut.control.operational_space import OperationalSpace as OperationalSpace
from taut.control.pd_gravity import PDGravity as PDGravity
