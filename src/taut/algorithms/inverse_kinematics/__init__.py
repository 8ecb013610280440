"""Closed forms of inverse kinematics for arms with six revolute joints."""

from taut.algorithms.inverse_kinematics.branches import all_branches as all_branches
from taut.algorithms.inverse_kinematics.branches import carrying as carrying
