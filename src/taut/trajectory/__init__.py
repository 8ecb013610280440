"""Trajectories: motion laws between positions, curves through points, tables of files."""

from taut.trajectory.at_rest import spline_at_rest as spline_at_rest
from taut.trajectory.curves import fourier as fourier
from taut.trajectory.curves import point_to_point as point_to_point
from taut.trajectory.curves import through_points as through_points
from taut.trajectory.jerk_limited import jerk_limited as jerk_limited
from taut.trajectory.line import Line as Line
from taut.trajectory.line import straight_line as straight_line
from taut.trajectory.trajectory import TorqueHistory as TorqueHistory
from taut.trajectory.trajectory import Trajectory as Trajectory
