"""Inverse kinematics: closed forms where the geometry has one, damped Newton steps for every other robot."""
