"""Identification of inertial and drive parameters from a robot's torques."""
