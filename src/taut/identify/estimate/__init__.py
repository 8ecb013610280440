"""Estimation of inertial and drive parameters from recordings."""
