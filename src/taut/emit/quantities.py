"""What do the letters mean to a reader of generated code?  Names and units of arguments and results."""

from __future__ import annotations

from typing import NamedTuple


class Quantity(NamedTuple):
    """The letter of a vector or matrix, and what it is."""

    letter: str
    meaning: str


ARGUMENTS = {
    "q": "joint positions [rad or m]; of a free joint x y z [m] and the unit quaternion qx qy qz qw",
    "qd": "joint rates [rad/s or m/s]; of a free joint its linear, then its angular velocity in its own axes",
    "qdd": "joint accelerations [rad/s^2 or m/s^2]",
    "tau": "joint torques [N m] or forces [N]",
    "load": "m mx my mz Ixx Ixy Iyy Ixz Iyz Izz of the load about the frame's origin, in its axes [kg, kg m, kg m^2]",
}

_TORQUE = "[N m or N]"

RESULTS = {
    "inverse_dynamics": Quantity("tau", f"joint torques {_TORQUE}"),
    "mass_matrix": Quantity("M", "mass matrix [kg m^2, kg m or kg]"),
    "gravity": Quantity("g", f"torques that hold the robot still {_TORQUE}"),
    "bias": Quantity("b", f"torques at zero acceleration {_TORQUE}"),
    "coriolis_matrix": Quantity("C", "Coriolis matrix; C qd are torques [N m or N]"),
    "christoffel": Quantity("G", "Christoffel symbols; C_ij = sum_k G_ijk qd_k"),
    "forward_dynamics": Quantity("qdd", "joint accelerations [rad/s^2 or m/s^2]"),
    "inverse_dynamics_derivatives": Quantity("D", "derivatives of the torques: by q, by qd, by qdd (M), side by side"),
    "forward_dynamics_derivatives": Quantity(
        "D", "derivatives of the accelerations: by q, by qd, by tau (the inverse of M), side by side"
    ),
    "friction": Quantity("tau", f"torques of friction and drive offsets {_TORQUE}"),
    "joint_torque": Quantity("tau", f"torques of the drives {_TORQUE}"),
    "regressor": Quantity("Y", "regressor; Y pi are torques, pi = m mx my mz Ixx Ixy Iyy Ixz Iyz Izz of every link"),
    "drive_regressor": Quantity("Y", "regressor of rotor inertia, Coulomb, viscous friction and offset of every drive"),
    "load_torque": Quantity("tau", f"joint torques that the load adds {_TORQUE}"),
    "forward_kinematics": Quantity("X", "pose of the frame in the world: rotation, position [m], last row 0 0 0 1"),
    "jacobian": Quantity("J", "Jacobian [linear; angular] in world axes at the frame's origin"),
    "jacobian_derivative": Quantity("Jd", "time derivative of the Jacobian"),
    "jacobian_derivative_times_velocity": Quantity("a", "acceleration [linear; angular] at qdd = 0 [m/s^2, rad/s^2]"),
    "energy": Quantity("E", "kinetic and potential energy [J]"),
    "momentum": Quantity("h", "momentum [linear; angular] about the world's origin [kg m/s, kg m^2/s]"),
    "center_of_mass": Quantity("com", "centre of mass in the world [m]"),
    "operational_inertia": Quantity("L", "inertia seen at the frame [linear; angular]"),
    "operational_bias": Quantity("mu", "wrench at the frame at zero acceleration [N, N m]"),
}

UNKNOWN = Quantity("y", "the result")
