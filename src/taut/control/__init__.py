"""Control laws: short texts over a robot's functions, run on numbers and written as C by the same text."""

from taut.control.adaptive import AdaptiveController as AdaptiveController
from taut.control.computed_torque import ComputedTorque as ComputedTorque
from taut.control.feed_forward import FeedForward as FeedForward
from taut.control.friction import FrictionFeedforward as FrictionFeedforward
from taut.control.law import Following as Following
from taut.control.law import Law as Law
from taut.control.observer import CollisionDetector as CollisionDetector
from taut.control.observer import MomentumObserver as MomentumObserver
from taut.control.operational_space import OperationalSpace as OperationalSpace
from taut.control.passivity import Passivity as Passivity
from taut.control.pd_gravity import PDGravity as PDGravity
from taut.control.rates import RateFilter as RateFilter
from taut.control.reference import along as along
from taut.control.wrench import external_wrench as external_wrench
