"""Trajectories: motion laws between positions, curves through points, tables of files."""

from taut.trajectory.curves import fourier as fourier
from taut.trajectory.curves import point_to_point as point_to_point
from taut.trajectory.curves import through_points as through_points
from taut.trajectory.trajectory import TorqueHistory as TorqueHistory
from taut.trajectory.trajectory import Trajectory as Trajectory
