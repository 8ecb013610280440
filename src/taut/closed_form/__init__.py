"""Closed-form kinematics: forward kinematics, Jacobian, its analytic inverse and its singular configurations."""

from taut.closed_form.kinematics import Kinematics, kinematics

__all__ = ["Kinematics", "kinematics"]
