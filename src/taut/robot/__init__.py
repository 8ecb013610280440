"""A robot as frozen data: tree, parts, edits and checks. Knows no file formats."""

from taut.robot.assembly import assemble as assemble
from taut.robot.assembly import describe as describe
from taut.robot.coordinates import PerJoint as PerJoint
from taut.robot.coordinates import Spread as Spread
from taut.robot.inertial import PARAMETER_NAMES as PARAMETER_NAMES
from taut.robot.motion import Fixed as Fixed
from taut.robot.motion import Free as Free
from taut.robot.motion import JointMotion as JointMotion
from taut.robot.motion import Prismatic as Prismatic
from taut.robot.motion import Revolute as Revolute
from taut.robot.motion import SingleAxis as SingleAxis
from taut.robot.parts import DescribedJoint as DescribedJoint
from taut.robot.parts import Drive as Drive
from taut.robot.parts import Frame as Frame
from taut.robot.parts import Joint as Joint
from taut.robot.parts import Limits as Limits
from taut.robot.parts import Link as Link
from taut.robot.parts import Measure as Measure
from taut.robot.parts import Mimic as Mimic
from taut.robot.parts import Value as Value
from taut.robot.placement import Placement as Placement
from taut.robot.tree import Tree as Tree
