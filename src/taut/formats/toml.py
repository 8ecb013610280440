"""The reader and the schema of taut's own TOML format.

Every key there is; all others are refused. Units are SI, angles radians unless written ``"90 deg"``.
Every number may be a formula in quotes (see :mod:`taut.formats.formula`); a name in it is a symbol,
shared by the whole file, free unless ``[values]`` gives it a number::

    name = "puma560"                  # default "robot"
    source = "who measured it"        # default none
    gravity = [0, 0, -9.81]           # in the world's axes
    base = { xyz = [0, 0, 0], rpy = [0, 0, 0] }    # base frame in the world; turns instead of rpy, as below
    base_link = "base"                # its name, or a table like [joint.link] for a base that may float
    convention = "standard"           # or "modified" (Craig), "khalil"; mandatory as soon as a joint has a dh row
    coupling = [{ drive = "joint6", joint = "joint5", ratio = 1.0 }]   # drive 6 also turns by 1.0 * rate of joint 5

    [values]                          # what named symbols measure
    a2 = 0.4318
    m2 = { value = 17.4, tolerance = 0.184, source = "beam balance" }   # tolerance and source may be absent
    m3 = { value = 4.8, run_time = true }          # an input of generated code; false: always written into it

    [[joint]]                         # one table a joint, in the order wanted
    name = "joint1"                   # default joint1, joint2, ...
    kind = "revolute"                 # default; or "prismatic", "helical", "ball", "planar", "universal",
                                      # "cylindrical", "fixed", "free"
    parent = "link0"                  # a link's name; default: the previous joint's link, first the base
    dh = { theta = 0, d = "d1", a = 0, alpha = "-90 deg" }   # columns of the convention, absent ones are 0
    # khalil: dh = { gamma, b, alpha, d, theta, r }; or no dh but a joint frame in the parent's link frame:
    # xyz = [0, 0, 0]
    # rpy = [0, 0, 0]                 # Rz(yaw) Ry(pitch) Rx(roll)
    # turns = [["x", "-90 deg"], ["z", "t0"]]      # or a product of turns, which keeps angles as angles
    # axis = [0, 0, 1]                # in the joint frame; of a planar joint the normal of its plane
    # axis2 = [0, 1, 0]               # second axis of a universal joint, whose first is x by default
    # pitch = 0.01                    # of a helical joint: way per angle [m/rad]
    limits = { lower = "-160 deg", upper = "160 deg", velocity = 2, effort = 50 }
    drive = { rotor_inertia = 1.1, gear_ratio = 60, coulomb = 5, viscous = 4, offset = 0, stiffness = 0, rest = 0 }
    # more of drive, see taut.robot.Drive: smoothing, stribeck, stribeck_speed, root, square, asymmetry, load_friction,
    # cos1, sin1, cos2, sin2, and of a counterbalance spring_crank, spring_ground, spring_angle, spring_length,
    # spring_force, spring_rate, spring_curve; of a rotor as a spinning body spin_x, spin_y, spin_z; of an elastic joint
    # gear_stiffness, the spring between motor and joint; and for any other torque at the joint
    # formula = ["0.3*sin(2*q)", "1.2*q*qd"], formulas of its position q and rate qd, all added
    # joints of several axes are their parts: limits and drive are lists with one table each, from the parent outward
    mimic = { joint = "joint2", multiplier = 1, offset = 0 }

    [joint.link]                      # default: massless
    name = "link1"                    # default link1, link2, ...
    mass = "m1"
    com = ["rx1", 0, 0]               # or moment = [m x, m y, m z]
    inertia = [1, 0, 1, 0, 0, 1]      # Ixx, Ixy, Iyy, Ixz, Iyz, Izz
    about = "com"                     # or "origin"; mandatory with inertia

    [[frame]]                         # named places, the last one is the robot's default frame
    name = "tool"
    link = "link6"
    xyz = [0, 0, 0.1]                 # and rpy or turns

``com``, ``moment``, ``inertia``, the joints that follow and the frames are given in the link's own frame: the
convention's link frame where the joint has a dh row (standard: at the distal end), else the joint frame. The last
link frame of the standard convention is the frame ``flange``. ``given_as = { convention = "modified", rows = [...] }``
keeps a DH table for display in a file whose joints are placed without it.

Loops, explained in ``docs/closed_chains.md``::

    independent = ["crank"]           # joints whose rates are qd; default: chosen by conditioning
    actuated = ["crank"]              # joints with a motor; default: not said
    start = { crank = 1.2, rocker = 1.4 }          # near which the robot is put together; default 0

    [[loop]]                          # a closure: two frames held together
    name = "pin"                      # default loop1, loop2, ...
    kind = "pin"                      # or ball, slide, cylinder, weld, plane, point_on_line, point_on_plane
    link = "coupler"                  # carries the first frame, at xyz with rpy or turns
    xyz = [0.5, 0, 0]
    to = "rocker"                     # carries the second frame; default: the base
    at = { xyz = [0.4, 0, 0] }        # and rpy or turns; the axis of a pin or slide is its z
    active = true                     # false: there, but open

    [[gear]]                          # gears, belts: q = sum of ratio times q of the joints it follows, plus offset
    joint = "forearm"
    follows = { lever = 1, arm = -1 }
    offset = 0

    [[cam]]                           # q = law(x), x the position of the joint it follows
    joint = "lift"
    follows = "cam"
    law = "0.01*(1 - cos(x))"         # or points = [[0, 0], [1, 0.02], ...]: a natural cubic spline through them

    [[rolling]]                       # a condition on rates alone: the sum of coefficient times rate is 0
    name = "no slip"
    rates = { x = "sin(yaw)", y = "-cos(yaw)" }    # joints' names in formulas stand for their positions
"""

from __future__ import annotations

import tomllib

from taut.errors import InputError
from taut.formats.document import build
from taut.robot import Tree


def read_toml(text: str, place: str = "") -> Tree:
    """Return the robot that a TOML text describes.

    >>> tree = read_toml('joint = [{ link = { mass = "m", com = ["l", 0, 0] } }]')
    >>> tree.joints[0].link.inertia.m
    m
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise InputError("brackets are nested too deeply", place, "write it flatter") from None
    except ValueError as error:  # TOMLDecodeError, and numbers of more digits than Python reads
        raise InputError(f"not TOML: {error}", place, "correct the text there") from None
    return build(data, place)
